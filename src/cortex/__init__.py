"""Cortex: a private, bilingual notebook that you can ask."""

__version__ = "0.1.0"
