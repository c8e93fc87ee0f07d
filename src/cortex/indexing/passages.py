"""From a document to the passages that stand for it: what is stored, searched and embedded. Pure functions."""

from __future__ import annotations

import hashlib
import uuid
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from cortex.indexing.chunking import cut, prefix
from cortex.settings import ChunkingSettings
from cortex.text import keywords
from cortex.text.language import Lang
from cortex.text.markdown import plain


@dataclass(frozen=True)
class Source:
    """What of a document goes into its passages."""

    document_id: int
    version: int
    title: str
    text: str
    lang: Lang
    kind: str
    period: int | None
    topic: str | None


@dataclass(frozen=True)
class Passage:
    """A piece of a document.

    `text` is verbatim `document.text[start:end]`; `prefix` (title, headings, period or topic, a table's header) goes into
    the embedding only; `hash` names the embedded text, so equal text is embedded once; `terms` counts keyword terms.
    """

    id: int
    document_id: int
    version: int
    ordinal: int
    start: int
    end: int
    text: str
    lang: Lang
    headings: tuple[str, ...]
    prefix: str
    hash: uuid.UUID
    terms: Counter[int]

    @property
    def length(self) -> int:
        """Keyword terms, repeats counted."""
        return self.terms.total()


def build(source: Source, settings: ChunkingSettings, tokens: Callable[[str], int]) -> list[Passage]:
    """Cut a document into passages, in order. Time grows with the text's length alone."""
    seen: Counter[str] = Counter()
    passages: list[Passage] = []
    for ordinal, piece in enumerate(cut(source.text, title=source.title, settings=settings, tokens=tokens)):
        text = source.text[piece.start : piece.end]
        seen[text] += 1
        above = prefix(source.title, piece.headings, source.kind, source.period, source.topic)
        if piece.carry:
            above = f"{above}\n{piece.carry}".strip()
        passages.append(
            Passage(
                id=_passage_id(source.document_id, text, seen[text]),
                document_id=source.document_id,
                version=source.version,
                ordinal=ordinal,
                start=piece.start,
                end=piece.end,
                text=text,
                lang=piece.lang,
                headings=piece.headings,
                prefix=above,
                hash=text_hash(embedded_text(above, text)),
                terms=Counter(map(keywords.term_id, keywords.analyse(plain(text), piece.lang))),
            )
        )
    return passages


def title_terms(source: Source) -> Counter[int]:
    """Keyword terms of a document's title."""
    return Counter(map(keywords.term_id, keywords.analyse(source.title, source.lang)))


def embedded_text(above: str, text: str) -> str:
    """What an embedder gets for a passage: its prefix, then its text without markup."""
    return f"{above}\n{plain(text)}".strip()


def text_hash(text: str) -> uuid.UUID:
    """Names an embedded text: the first 16 bytes of its BLAKE2b."""
    return uuid.UUID(bytes=hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest())


def _passage_id(document_id: int, text: str, occurrence: int) -> int:
    """64 bits of a hash: a repeated text in one document is told apart by its occurrence."""
    material = f"{document_id}\0{occurrence}\0{text}".encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(material, digest_size=8).digest(), "big", signed=True)
