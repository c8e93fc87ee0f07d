"""How an answer is printed."""

from __future__ import annotations

from typing import Any

import pytest

from cortex.answering.stream import Event
from cortex.cli.ask import Printer


@pytest.mark.parametrize(
    ("notes", "told"),
    [
        (3, "3 of 62 notes are not searchable yet; the answer may be in them."),
        (0, "90 of 400 passages are not searchable by their deeper meaning yet; the answer may be in them."),
    ],
)
def test_a_refusal_says_what_could_not_be_searched_yet(
    notes: int, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    unread = {"notes": {"waiting": notes, "total": 62}, "passages": {"waiting": 90, "total": 400}}
    assert told in _printed({"refused": True, "unread": unread}, capsys)
    assert "searchable" not in _printed({"refused": True, "unread": None}, capsys)


def _printed(done: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> str:
    Printer().print(Event(3, "done", done))
    return capsys.readouterr().out
