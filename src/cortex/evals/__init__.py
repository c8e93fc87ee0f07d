"""Evals: the golden notebook, its questions, and how well a library that holds it answers them.

Owns the notes that ship as the sample, the questions with their gold passages, the metrics, what-if rankings, runs that are kept and
their reports. Searching and answering are the product's own, through a library that is filled with these notes.
"""

from cortex.evals.golden import Gold, Question, load_questions, notes_folder
from cortex.evals.run import Answered, Cited, EvalReport, Found, Searched, run

__all__ = [
    "Answered",
    "Cited",
    "EvalReport",
    "Found",
    "Gold",
    "Question",
    "Searched",
    "load_questions",
    "notes_folder",
    "run",
]
