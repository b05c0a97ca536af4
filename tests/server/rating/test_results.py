"""What matches say to the ratings."""

from __future__ import annotations

import pytest

from kitumaija.server.rating import RatedResult, result_of
from kitumaija.server.store import MatchSeatRow, MatchState, SeatedMatch
from tests.support.stores import a_match


def _settled(state: MatchState, *seats: MatchSeatRow, absent: tuple[str, ...] = ()) -> SeatedMatch:
    return SeatedMatch(a_match(7, state=state, final=True, absent=absent), seats)


def test_a_finished_match_says_who_came_in_where_and_how_they_behaved() -> None:
    seated = _settled(
        MatchState.FINISHED,
        MatchSeatRow("m", 0, "bo", 2, True, {"illegal_action": 5}, 20, 5),
        MatchSeatRow("m", 1, "ada", 1, False, {}, 19, 0),
        absent=("cy",),
    )

    assert result_of(seated) == RatedResult(
        7,
        seats=("bo", "ada"),
        places=(2, 1),
        forfeited=(True, False),
        absent=("cy",),
        faults=({"illegal_action": 5}, {}),
        decisions=(20, 19),
        default_decisions=(5, 0),
    )


def test_a_number_given_up_for_absence_says_who_came_and_who_did_not() -> None:
    seats = (MatchSeatRow("m", 0, "ada"), MatchSeatRow("m", 1, "bo"), MatchSeatRow("m", 2, "cy"))

    result = result_of(_settled(MatchState.VOID, *seats, absent=("ada", "cy")))

    assert result == RatedResult(7, seats=("bo",), absent=("ada", "cy"))
    assert not result.played


def test_where_nobody_came_nobody_is_placed() -> None:
    seats = (MatchSeatRow("m", 0, "ada"), MatchSeatRow("m", 1, "bo"))

    assert result_of(_settled(MatchState.VOID, *seats, absent=("ada", "bo"))) == RatedResult(7)


@pytest.mark.parametrize("state", [MatchState.VOID, MatchState.CANCELLED])
def test_a_number_given_up_for_another_reason_says_nothing(state: MatchState) -> None:
    seats = (MatchSeatRow("m", 0, "ada"), MatchSeatRow("m", 1, "bo"))

    assert result_of(_settled(state, *seats)) == RatedResult(7)


def test_a_match_that_settles_nothing_has_no_result() -> None:
    with pytest.raises(ValueError, match="'cup-2-7-1' does not settle number 7 yet"):
        result_of(SeatedMatch(a_match(7), ()))


@pytest.mark.parametrize(
    ("parts", "why"),
    [
        ({"seats": ("ada", "ada")}, "wanted each bot once"),
        ({"seats": ("ada",), "absent": ("ada",)}, "wanted each bot once"),
        ({"seats": ("ada", "bo"), "places": (1,), "forfeited": (False,)}, "for 2 seats"),
        ({"seats": ("ada", "bo"), "places": (1, 2)}, "2 places, 0 forfeits"),
        ({"seats": ("ada", "bo"), "decisions": (1,)}, "for 2 seats"),
        (
            {"seats": ("ada", "bo"), "places": (0, 1), "forfeited": (False, False)},
            "they count from 1",
        ),
    ],
)
def test_parts_that_contradict_each_other_are_refused(
    parts: dict[str, tuple[object, ...]], why: str
) -> None:
    with pytest.raises(ValueError, match=why):
        RatedResult(7, **parts)  # type: ignore[arg-type]
