"""Models from the outside world: embedders and rerankers now, chat models and web search later.

Owns the protocols and the adapters. Knows nothing of notes, passages or the database.
"""

from cortex.providers.embedders import Embedder, Embedders
from cortex.providers.rerankers import Reranker

__all__ = ["Embedder", "Embedders", "Reranker"]
