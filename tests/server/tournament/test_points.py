"""The points of a match, however it was settled."""

from __future__ import annotations

import pytest

from kitumaija.server.store.rows import MatchRow, MatchSeatRow, MatchState, SeatedMatch
from kitumaija.server.tournament.points import points_of_match, points_of_round
from tests.support.organizer import WHEN

PLAYED, VOID, CANCELLED = MatchState.FINISHED, MatchState.VOID, MatchState.CANCELLED


def settled(
    state: MatchState, *seats: tuple[str, int], absent: str = "", away: str = ""
) -> SeatedMatch:
    """A match that settled its number; `absent` never came, and `away` did not this time."""
    match = MatchRow(
        "m", "cup", 3, 0, 1, "d", WHEN, state=state, final=True, absent=tuple(absent.split())
    )
    rows = [
        MatchSeatRow("m", seat, bot, place=place, faults={"no_show": 1} if bot in away else {})
        for seat, (bot, place) in enumerate(seats)
    ]
    return SeatedMatch(match, tuple(rows))


@pytest.mark.parametrize(
    ("match", "points"),
    [
        (settled(PLAYED, ("a", 1), ("b", 2), ("c", 3)), {"a": 4, "b": 2, "c": 0}),
        (settled(PLAYED, ("a", 1), ("b", 1), ("c", 3)), {"a": 3, "b": 3, "c": 0}),
        # One never came: it is behind those who played without it.
        (settled(PLAYED, ("a", 1), ("b", 2), absent="c"), {"a": 4, "b": 2, "c": 0}),
        # One came alone.
        (settled(VOID, ("a", 0), ("b", 0), absent="b"), {"a": 2, "b": 0}),
        # Nobody came.
        (settled(VOID, ("a", 0), ("b", 0), away="ab"), {"a": 0, "b": 0}),
        # The server was to blame, and nobody else.
        (settled(VOID, ("a", 0), ("b", 0), ("c", 0)), {"a": 2, "b": 2, "c": 2}),
        # One had left: a win for those who stayed, who are level.
        (settled(CANCELLED, ("a", 0), ("b", 0), ("c", 0), absent="b"), {"a": 3, "b": 0, "c": 3}),
        (settled(CANCELLED, ("a", 0), ("b", 0), absent="c b"), {"a": 4, "b": 1, "c": 1}),
    ],
)
def test_two_for_everybody_behind_and_one_for_everybody_level(
    match: SeatedMatch, points: dict[str, int]
) -> None:
    assert points_of_match(match) == points


def test_the_points_of_a_round_are_those_of_its_matches_together() -> None:
    first = settled(PLAYED, ("b", 1), ("a", 2))
    second = settled(PLAYED, ("a", 1), ("b", 1))
    assert list(points_of_round([first, second]).items()) == [("a", 1), ("b", 3)]
