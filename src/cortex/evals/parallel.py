"""Parallel paragraphs with questions, the same in English and in Chinese (the format of XQuAD as JSON lines)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cortex.errors import Invalid
from cortex.text.language import Lang

LANGS: tuple[Lang, Lang] = ("en", "zh")

DRAWS = ("mixed", "mixed-a", "mixed-b", "en", "zh")
"""Which language of each paragraph a library has: drawn by a hash of its id, or one for all."""


@dataclass(frozen=True)
class Asked:
    """A question about a paragraph, in one language."""

    text: str
    paragraph: str


@dataclass(frozen=True)
class Parallel:
    """Paragraphs by id, in both languages, with their articles' titles."""

    texts: Mapping[Lang, Mapping[str, str]]
    articles: Mapping[str, str]
    questions: Sequence[Asked]

    def write(self, folder: Path) -> None:
        """One note per paragraph and language, without a title."""
        for lang, texts in self.texts.items():
            for paragraph, text in texts.items():
                (folder / name_of(paragraph, lang)).write_text(text + "\n", encoding="utf-8")

    def drawn(self, draw: str) -> frozenset[str]:
        """Names of the notes that one library has."""
        return frozenset(name_of(paragraph, _language(paragraph, draw)) for paragraph in self.articles)

    def article_of(self, name: str) -> str:
        """The article that a note is from."""
        return self.articles[name.rsplit(".", 2)[0]]


def name_of(paragraph: str, lang: Lang) -> str:
    """The note's path."""
    return f"{paragraph}.{lang}.md"


def load(folder: Path) -> Parallel:
    """The first half of the articles; the other half is for reports.

    Raises:
        Invalid: a file is missing or malformed.
    """
    try:
        corpora = {lang: _rows(folder / f"corpus_{lang}.jsonl") for lang in LANGS}
        titles = list(dict.fromkeys(row["title"] for row in corpora["en"]))
        half = set(titles[: len(titles) // 2])
        articles = {row["id"]: row["title"] for row in corpora["en"] if row["title"] in half}
        texts = {
            lang: {row["id"]: row["text"] for row in rows if row["id"] in articles} for lang, rows in corpora.items()
        }
        questions = [
            Asked(row[f"question_{lang}"], row["paragraph_id"])
            for row in _rows(folder / "questions.jsonl")
            if row["paragraph_id"] in articles
            for lang in LANGS
        ]
    except (OSError, KeyError, ValueError) as error:
        raise Invalid(f"{folder} holds no parallel paragraphs: {error!r}", field="xquad") from error
    return Parallel(texts, articles, questions)


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _language(paragraph: str, draw: str) -> Lang:
    for lang in LANGS:
        if draw == lang:
            return lang
    seed = draw.removeprefix("mixed").removeprefix("-")
    return LANGS[hashlib.sha256((seed + paragraph).encode()).digest()[0] & 1]
