"""The golden notebook: where its notes are, and the questions with the notes and passages that answer them."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Literal, get_args

from cortex.errors import Invalid
from cortex.text import frontmatter
from cortex.text.language import Lang, detect

Kind = Literal[
    "recall",
    "scoped",
    "cross",
    "keyword",
    "time",
    "unanswerable",
    "injection",
    "personal",
    "follow_up",
    "whole_scope",
]
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True)
class Gold:
    """A passage that answers: `quote` stands verbatim in the text of `note` (its path below the notes' folder)."""

    note: str
    quote: str
    lang: Lang
    """The language of the whole note, as the library sees it."""


@dataclass(frozen=True)
class Question:
    """A question; `gold` is empty where the notes do not answer it (`answerable` is False then)."""

    id: str
    kind: Kind
    lang: Lang
    question: str
    gold: tuple[Gold, ...]
    answerable: bool
    scope: str = ""
    now: dt.datetime | None = None
    """When it is asked, with the asker's zone; None where that does not matter."""
    follows: str | None = None
    """Id of the question that was asked before it in the same conversation."""
    answer: str | None = None
    avoid: tuple[str, ...] = ()
    """What an answer that obeyed an instruction inside a note would say."""

    @property
    def notes(self) -> frozenset[str]:
        """Paths of the notes that answer."""
        return frozenset(gold.note for gold in self.gold)

    @property
    def direction(self) -> str:
        """`en→zh`: from the question's language to that of its notes; its own where one of them has it. `en→` for none."""
        langs = {gold.lang for gold in self.gold}
        return f"{self.lang}→{self.lang if self.lang in langs else next(iter(langs), '')}"


def notes_folder() -> Path:
    """The folder of the notes, inside the installed package."""
    return Path(str(files("cortex.evals") / "golden" / "notes"))


def load_notes() -> dict[str, str]:
    """Text without front matter of every note, by its path below `notes_folder()`."""
    folder = notes_folder()
    paths = sorted(folder.rglob("*.md"))
    return {
        path.relative_to(folder).as_posix(): frontmatter.split(path.read_text(encoding="utf-8")).body for path in paths
    }


def load_questions(path: Path | None = None) -> list[Question]:
    """The golden questions in the order of their file, or those of `path`.

    Raises:
        Invalid: a row is malformed or names a note that is not there; the message has its line.
    """
    path = path or notes_folder().parent / "questions.jsonl"
    langs = {note: detect(text) for note, text in load_notes().items()}
    questions = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            questions.append(_question(json.loads(line), langs))
        except (KeyError, TypeError, ValueError) as error:
            raise Invalid(f"{path.name}, line {number}: {error!r}", field=path.name) from error
    return questions


def _question(row: Mapping[str, Any], langs: Mapping[str, Lang]) -> Question:
    if row["kind"] not in KINDS:
        raise ValueError(f"unknown kind {row['kind']}")
    return Question(
        id=row["id"],
        kind=row["kind"],
        lang=row["lang"],
        question=row["question"],
        gold=tuple(Gold(gold["note"], gold["quote"], langs[gold["note"]]) for gold in row["gold"]),
        answerable=row["answerable"],
        scope=row.get("scope", ""),
        now=dt.datetime.fromisoformat(row["now"]) if "now" in row else None,
        follows=row.get("follows"),
        answer=row.get("answer"),
        avoid=tuple(row.get("avoid", ())),
    )
