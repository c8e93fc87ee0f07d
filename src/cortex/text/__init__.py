"""Pure functions on text: decoding, converting, Markdown's structure, language, sentences and keyword terms.

Owns what a file's bytes mean and how a text falls into parts; offsets are code points of the text. Does no input or output,
knows no document, database or embedder.
"""
