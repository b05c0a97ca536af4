"""Lines about something that changes often."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from kitumaija.server.cli.pacing import Arriving, Paced


def told(paced: Paced, *offered: tuple[float, str]) -> list[tuple[float, str]]:
    """What is told of lines that are offered at times, looked at every second up to 20."""
    found = []
    for second in range(21):
        for at, line in offered:
            if second - 1 < at <= second:
                paced.offer(line)
        if line := paced.due(second):
            found.append((float(second), line))
    return found


def test_the_first_line_is_told_at_once_and_then_the_newest_now_and_then() -> None:
    offered = [(float(second), f"{second} of 9") for second in range(10)]

    assert told(Paced(5.0), *offered) == [(0.0, "0 of 9"), (5.0, "5 of 9"), (10.0, "9 of 9")]


def test_a_change_after_a_long_time_is_told_at_once_and_nothing_twice() -> None:
    lines = told(Paced(5.0), (0.0, "a"), (1.0, "a"), (12.0, "b"), (13.0, "b"))

    assert lines == [(0.0, "a"), (12.0, "b")]


def test_what_is_kept_says_when_it_is_due_and_is_told_at_the_end() -> None:
    paced = Paced(5.0)
    assert paced.wait(0.0) is None
    paced.offer("a")
    assert paced.due(0.0) == "a"
    assert (paced.wait(1.0), paced.last()) == (None, "")

    paced.offer("b")

    assert (paced.due(1.0), paced.wait(1.0), paced.wait(9.0)) == ("", 4.0, 0.0)
    assert paced.last() == "b"


def failing() -> Iterator[int]:
    yield 1
    yield 2
    raise KeyError("gone")


def test_what_arrives_is_used_in_order_and_what_it_ended_by_is_raised() -> None:
    taken: list[int] = []
    arriving, empty = Arriving(failing()), Arriving(iter(()))

    arriving.take(None, taken.append)
    arriving.take(None, taken.append)
    with pytest.raises(KeyError, match="gone"):
        arriving.take(None, taken.append)
    empty.take(None, taken.append)

    assert taken == [1, 2]
    assert (arriving.over, empty.over) == (True, True)
