"""What a terminal gets."""

from __future__ import annotations

import pytest
from rich.text import Text

from cortex.cli.output import bars, duration, plain


def test_text_of_notes_cannot_steer_the_terminal() -> None:
    hostile = "[red]a[/red]\x1b]0;title\x07\x1b[2J\u202e猫 🐈\n"
    assert Text.from_markup(plain(hostile)).plain == "[red]a[/red]]0;title[2J猫 🐈\n"


@pytest.mark.parametrize(("seconds", "told"), [(0.2, "1 s"), (42, "42 s"), (900, "15 min"), (7200, "2.0 h")])
def test_durations_as_a_person_says_them(seconds: float, told: str) -> None:
    assert duration(seconds) == told


def test_bars_are_silent_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with bars(quiet=False) as draw:
        draw("journals", 1, 2)
    assert capsys.readouterr() == ("", "")
