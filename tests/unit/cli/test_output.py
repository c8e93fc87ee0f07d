"""What a terminal gets."""

from __future__ import annotations

import pytest
from rich.text import Text

from cortex.cli.output import bars, counted, duration, plain, size


def test_text_of_notes_cannot_steer_the_terminal() -> None:
    hostile = "[red]a[/red]\x1b]0;title\x07\x1b[2J\u202e猫 🐈\n"
    assert Text.from_markup(plain(hostile)).plain == "[red]a[/red]]0;title[2J猫 🐈\n"


@pytest.mark.parametrize(
    ("seconds", "told"), [(0.2, "1 s"), (42, "42 s"), (900, "15 min"), (7200, "2.0 h"), (1_300_000, "15 days")]
)
def test_durations_as_a_person_says_them(seconds: float, told: str) -> None:
    assert duration(seconds) == told


@pytest.mark.parametrize(
    ("count", "told"), [(3, "1 kB"), (4_321, "4 kB"), (2_600_000, "2.6 MB"), (1_234_000_000_000, "1,234.0 GB")]
)
def test_sizes_as_a_person_says_them(count: int, told: str) -> None:
    assert size(count) == told


def test_one_is_not_many() -> None:
    assert [counted(n, "note") for n in (0, 1, 1200)] == ["0 notes", "1 note", "1,200 notes"]


def test_bars_are_silent_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with bars(quiet=False) as draw:
        draw("journals", 1, 2)
    assert capsys.readouterr() == ("", "")
