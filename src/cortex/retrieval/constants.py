"""Every number that ranking and coverage use, in one place. Fitted, not chosen: `cortex.evals.calibrate` prints them.

Data: the first half of the articles of XQuAD's 120 paragraphs (kept in one language each, several draws), alone and
in a sea of other notes. Reported on the other half in docs/quality.md.
"""

from __future__ import annotations

DEEP = 1.25
FAST = 0.05
SENTENCE = 0.9
BODY = 6.5
TITLE = 1.0
SAME = -1.4
"""Weights of fusion. Vector features are in standard deviations of their language; keyword coverage is
0 to 1. `SAME` is taken off passages in the question's own language, whose words match more easily."""

PRIOR_PASSAGES = 30
"""A library's own mean and spread count as much as the shipped ones when it has this many passages of the language."""

MISSING = 0.0
"""The standardised score of a passage that a vector space does not hold yet: that of an average passage."""

CANDIDATES_PER_LEG = 20
"""Best passages taken from each leg in each language."""

COVERAGE = {
    "same": {"bias": -6.0, "score": 0.5, "deep": 0.4, "body": 3.0, "margin": 0.3},
    "other": {"bias": -6.0, "score": 0.5, "deep": 0.4, "body": 3.0, "margin": 0.3},
}
"""Logistic regression: do the best passages answer the question? By whether the best is in the question's language."""

STRONG = 0.75
WEAK = {"same": 0.5, "other": 0.4}
"""Probabilities from which the material covers a question; below `WEAK` it does not."""

QUOTE_MEANING = 0.5
QUOTE_WORDS = 3.0
QUOTE_PASSAGE = 0.35
"""What makes a sentence the one to quote: its meaning (standard deviations), the question's words in it, its passage's rank."""
