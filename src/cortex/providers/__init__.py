"""Models from the outside world: embedders now, chat models, rerankers and web search later.

Owns the protocols and the adapters. Knows nothing of notes, passages or the database.
"""

from cortex.providers.embedders import Embedder, Embedders

__all__ = ["Embedder", "Embedders"]
