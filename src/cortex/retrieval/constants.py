"""Every number that ranking and coverage use, in one place. Fitted, not chosen: `cortex.evals.calibrate` prints them.

Data: the first half of the articles of XQuAD's 120 paragraphs (kept in one language each, several draws), alone and
in a sea of other notes. Reported on the other half in docs/quality.md.
"""

from __future__ import annotations

FUSION = {"deep": 1.23, "sentence": 0.85, "body": 5.05, "words": 3.1, "title": 1.5, "same": -1.3}
"""Weights of fusion. `deep` and `sentence` are in standard deviations of their language; `body`, `words` and `title` are shares
of the question's idf mass, 0 to 1. `same` is taken off passages in the question's own language, whose words match more easily.
The fast vector of a whole passage adds nothing to its best sentence, so it finds candidates and has no weight."""

SENTENCE_MOST = 6.0
"""A heading or a name of two words is nearer to a question than any real sentence; more than this says nothing more."""

WORDS_OF_BODY = 0.6
"""What the best sentence is taken to hold of what the passage holds, until it has been read."""

COMPARED = 80
"""Best passages by all else that have their sentences' vectors compared. With all of them compared, and all passages of a document
judged, every first result of 80 questions to 100,000 passages is the same, and 99.6 % of the first 20."""

READ = 12
"""Best passages whose sentences are read for the question's words; with all of them read the ranking is the same."""

REREAD = 20
"""Best documents that a cross-encoder reads, one passage of each, where one is configured."""

CROSS_ENCODER = 1.7
"""Weight of a cross-encoder's opinion, in standard deviations among what it read, in place of `sentence`. Chosen, not fitted, as twice
a sentence's: its scale and its skill are those of the model that is named."""

CROSS_ENCODER_LEAST_SPREAD = 0.25
"""Logits; opinions that lie closer together than this are not stretched."""

PRIOR_PASSAGES = 30
"""A library's own mean and spread count as much as the shipped ones when it has this many passages of the language."""

MISSING = 0.0
"""The standardised score of a passage that a vector space does not hold yet: that of an average passage."""

DEEP_GUESS = {"sentence": 0.36, "body": 2.46}
"""The same for the standardised score, so that while a vault's deep space is being filled a passage whose turn has not come is not
behind every other one. Without the intercept, which is that of best passages."""

DEEP_COSINE_GUESS = {"bias": 0.035, "sentence_absolute": 0.577, "body": 0.173}
"""What coverage takes for the deep space's cosine of a passage that it does not hold yet, from what the other features say (least squares
over the best passages of the first half of the articles, R2 .74). A zero would read as "far away": a new vault would refuse everything
until its deep space is filled."""

DEEP_LENGTH = 0.42
"""Length of an ordinary passage's deep vector without its language's mean, where it is not known."""

CANDIDATES_PER_LEG = 20
"""Best passages taken from each leg in each language."""

COVERAGE = {
    "bias": -8.52,
    "words": 2.75,
    "body": 3.13,
    "same": -1.37,
    "margin": 0.41,
    "deep_cosine": 12.62,
    "sentence_absolute": 4.86,
}
"""Logistic regression: does the best passage answer the question? Fitted on questions of the tuning half with and without their
article in the library (mixed, one language, a sea of other notes, libraries of 5 to 15 passages) and on the golden notebook."""

WEAK = 0.5
WEAK_OTHER = 0.15
STRONG = 0.8
"""Probabilities from which the material covers a question; below `WEAK` it does not, below `WEAK_OTHER` where the best passage is in
the other language. There the probability tells covered from uncovered less well (AUC .97 against .99), so one threshold for
both would refuse every eighth question that a note in the other language answers. On the first half of the articles, in every draw, with
these: false refusals same / other .023 / .020, and .982 / .911 are refused. No answerable question of the golden notebook lies between .4
and .5 in its own language, and three lie there that it cannot answer. (.1 for the other language would answer two more of it rightly, and
cost the parallel paragraphs .865 for .911.)
"""

QUOTE_MEANING = 0.25
QUOTE_WORDS = 5.0
QUOTE_CONTEXT = 2.0
QUOTE_KIND = 1.5
QUOTE_PASSAGE = 0.35
"""What makes a sentence the one to quote: its meaning (standard deviations), the question's words in it, those that its headings and
the sentence before it add, whether it holds the kind of thing that was asked for, and how far its passage lies behind the best one.

Fitted on the golden notebook: right sentence among the quotes .67 → .78, right quotes among all quotes .52 → .65.
"""
