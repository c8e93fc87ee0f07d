"""Passages and their vectors: how documents are cut, embedded, stored and replaced.

Owns the passages, postings, spaces and vectors of the schema `ai`. Does not search them: that is `retrieval`.
"""
