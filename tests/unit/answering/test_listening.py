"""What a reader in the answering process is told, and when it has to look into the database instead."""

from __future__ import annotations

from cortex.answering.stream import Bell, Event


def events(*numbers: int) -> list[Event]:
    return [Event(n, "delta", {"text": str(n)}) for n in numbers]


def test_what_was_written_is_told_once_and_in_order() -> None:
    bell = Bell()
    with bell.listening(7) as listener:
        bell.ring(7, events(1, 2))
        bell.ring(7, events(3))
        assert listener.rung.is_set()
        assert [event.n for event in listener.told(0)] == [1, 2, 3]
        assert not listener.rung.is_set()
        assert listener.told(3) == []


def test_what_was_read_from_the_database_is_not_told_again() -> None:
    bell = Bell()
    with bell.listening(7) as listener:
        bell.ring(7, events(1, 2, 3))
        assert [event.n for event in listener.told(2)] == [3]


def test_a_gap_is_left_to_the_database() -> None:
    bell = Bell()
    with bell.listening(7) as listener:
        bell.ring(7, events(4, 5))
        assert listener.told(2) == []


def test_only_readers_of_that_answer_are_told() -> None:
    bell = Bell()
    with bell.listening(7) as one, bell.listening(8) as other, bell.listening(7) as second:
        bell.ring(7, events(1))
        assert one.told(0) == second.told(0) == events(1)
        assert not other.rung.is_set()
    bell.ring(7, events(2))  # nobody listens any more
    assert one.told(1) == []
