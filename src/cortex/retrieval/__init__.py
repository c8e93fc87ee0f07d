"""Finding the passages that answer a question: scope, legs, fusion, second opinion, coverage.

Owns search; does not write answers, and changes nothing in the library. To add a leg: `legs.py`.
"""
