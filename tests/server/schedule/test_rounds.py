"""Rounds as a schedule: matches by number, sets, and how many are still to be drawn."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kitumaija.server.schedule.round_formats import RoundFormat, round_lengths
from kitumaija.server.schedule.rounds import RoundRules, Rounds
from kitumaija.server.schedule.seating import Round, names_of, points_of

SEED = bytes(range(32))
BY_POINTS = [one for one in RoundFormat if one is not RoundFormat.ADAPTIVE]


def rules(
    played_as: RoundFormat, size: int, *, rounds: int = 4, budget: int = 10_000_000
) -> RoundRules:
    return RoundRules(played_as, size, rounds, budget, SEED)


def names(count: int) -> list[str]:
    return [f"bot-{number:02}" for number in range(count)]


def points(drawn: Round) -> dict[str, int]:
    return {
        name: gained
        for seats in drawn.tables
        for name, gained in zip(seats, points_of(range(1, len(seats) + 1)), strict=True)
    }


def played(made: Rounds) -> Rounds:
    """Play it to its end, the first of each table winning."""
    following = made.next_after(None)
    while following is not None:
        made.add(following)
        gained = points(following)
        following = made.next_after(gained)
        made.close(gained)
    return made


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(BY_POINTS), st.integers(2, 5), st.integers(0, 12))
def test_every_table_is_a_set_and_as_many_matches_are_played_as_were_planned(
    played_as: RoundFormat, size: int, more: int
) -> None:
    entrants = names(size + more)
    made = Rounds(rules(played_as, size), entrants)
    first = made.next_after(None)
    assert first is not None
    made.add(first)
    planned = sum(round_lengths(played_as, len(entrants), table_size=size, rounds=4))
    assert made.planned == planned
    made = played(Rounds(rules(played_as, size), entrants))
    assert made.complete
    assert len(made) == made.planned == planned
    games = Counter(name for seats in made for name in seats)
    assert dict(made.games()) == {name: games[name] for name in entrants}
    for number, seats in enumerate(made):
        together = made.set_of(number)
        assert number in together
        assert {frozenset(made[one]) for one in together} == {frozenset(seats)}
        assert sorted(made[one][0] for one in together) == sorted(seats)
        assert len({made.round_of(one) for one in together}) == 1


@pytest.mark.parametrize("played_as", BY_POINTS)
def test_rounds_that_were_stored_go_on_like_those_that_were_drawn(played_as: RoundFormat) -> None:
    whole = played(Rounds(rules(played_as, 3), names(8)))
    for count in range(1, whole.drawn):
        stored = [(one.round, one.points) for one in whole.played[:count]]
        again = Rounds(rules(played_as, 3), names(8), stored[:-1])
        again.add(stored[-1][0])
        following = again.next_after(stored[-1][1])
        assert following == whole.played[count].round
        assert again.first_of(count - 1) == whole.first_of(count - 1)


def test_who_is_away_has_no_part_in_a_round_and_what_it_missed_is_known() -> None:
    made = Rounds(rules(RoundFormat.SWISS, 2), names(5))
    for away in ((), ("bot-01",), ("bot-01", "bot-02"), ("bot-02",)):
        if made.open is not None:
            made.close(points(made.open))
        following = made.next_after(None, away)
        assert following is not None
        assert names_of(following).isdisjoint(away)
        made.add(following)
    # The one that is not there at the end has left, as far as anybody knows.
    assert made.missed() == {"bot-01": [1, 2]}


def test_no_round_is_drawn_beyond_the_budget_the_rounds_or_the_winner() -> None:
    assert len(played(Rounds(rules(RoundFormat.SWISS, 2, budget=11), names(5)))) == 8
    assert played(Rounds(rules(RoundFormat.LADDER, 2, rounds=2), names(5))).drawn == 2
    final = played(Rounds(rules(RoundFormat.KNOCKOUT, 4, rounds=1), names(8))).played[-1]
    assert [len(seats) for seats in final.round.tables] == [2]


def test_with_too_few_for_a_table_no_round_is_drawn() -> None:
    for played_as in BY_POINTS:
        made = Rounds(rules(played_as, 2), names(3))
        assert made.next_after(None, ("bot-00", "bot-02")) is None


def test_a_ladder_takes_a_newcomer_in_and_does_not_let_it_sit_out_at_once() -> None:
    made = Rounds(rules(RoundFormat.LADDER, 2, rounds=9), names(5))
    for _ in range(3):
        following = made.next_after(points(made.open) if made.open else None)
        assert following is not None
        if made.open is not None:
            made.close(points(made.open))
        made.add(following)
    made.enter("new-1")
    made.enter("new-2")
    assert made.open is not None
    following = made.next_after(points(made.open))
    assert following is not None
    assert "new-2" in {name for seats in following.tables for name in seats}
    assert len(following.byes) == 1


def test_rounds_out_of_their_order_are_refused() -> None:
    made = Rounds(rules(RoundFormat.SWISS, 2), names(4))
    with pytest.raises(ValueError, match="no round is open"):
        made.close({})
    with pytest.raises(ValueError, match="no table"):
        made.add(Round(()))
    made.add(Round((("bot-00", "bot-01"),)))
    with pytest.raises(ValueError, match="round 1 is not over"):
        made.add(Round((("bot-00", "bot-01"),)))
