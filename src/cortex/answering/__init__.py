"""Answers: from a question to a stream of events whose claims cite checked passages, or the one refusal sentence.

Owns conversations, answers, their events and citations. Does not find passages (retrieval) and writes no note.
"""
