"""Evals: the golden notebook, its questions, and how well a library that holds it answers them.

Owns the notes that ship as the sample, the questions with their gold passages, the metrics and the report. Neither searches
nor answers: both come in as functions.
"""

from cortex.evals.golden import Gold, Question, load_questions, notes_folder
from cortex.evals.run import Answered, Cited, EvalReport, Found, run

__all__ = ["Answered", "Cited", "EvalReport", "Found", "Gold", "Question", "load_questions", "notes_folder", "run"]
