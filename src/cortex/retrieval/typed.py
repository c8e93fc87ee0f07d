"""Finding notes while somebody types: by the words that are there so far, not by what they mean."""

from __future__ import annotations

import re

from cortex.retrieval import _typed_repository as repository
from cortex.storage import Transaction
from cortex.text.keywords import analyse_query, term_id


async def matching(tx: Transaction, owner_id: int, typed: str) -> list[int]:
    """The ids of the owner's own notes that hold every word of `typed`, in the trash or not, in no order.

    Words are those of the index, analysed as a question's. The last one may be half-written: it is looked for as it stands in
    titles, in the text of the notes that changed last, and in the notes that hold the words before it.
    """
    words = typed.replace("\0", "").strip()
    if not words:
        return []
    before, _, last = words.rpartition(" ")
    return await repository.matching(
        tx, owner_id, terms=_terms(words), pattern=_pattern(words), before=_terms(before), last=_pattern(last)
    )


def _terms(words: str) -> list[int]:
    return [term_id(term) for term in analyse_query(words)]


def _pattern(words: str) -> str:
    return "%" + re.sub(r"([\\%_])", r"\\\1", words) + "%"
