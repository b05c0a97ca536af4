"""Swiss, knockout and ladder: what holds of every round, whatever came of those before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kitumaija.server.schedule.knockout import knockout_left, knockout_round
from kitumaija.server.schedule.ladder import ladder_order, ladder_round
from kitumaija.server.schedule.rehearsal import rehearse
from kitumaija.server.schedule.round_formats import RoundFormat, next_round, order_after
from kitumaija.server.schedule.seating import Played, Round, points_of, seat
from kitumaija.server.schedule.swiss import swiss_ranking, swiss_round

SEED = bytes(range(32))
BY_POINTS = [one for one in RoundFormat if one is not RoundFormat.ADAPTIVE]
"""Those of which a round follows from the points alone."""
seeds = st.binary(min_size=32, max_size=32)


def names(count: int) -> list[str]:
    return [f"bot-{number:02}" for number in range(count)]


@st.composite
def courses(draw: st.DrawFn) -> tuple[RoundFormat, list[str], int, bytes, tuple[Played, ...]]:
    """A format with some rounds, whose tables ended in any way at all, or did not count."""
    played_as = draw(st.sampled_from(BY_POINTS))
    size = draw(st.integers(2, 5))
    entrants = names(draw(st.integers(size, 14)))
    seed = draw(seeds)
    rounds: list[Played] = []
    for _ in range(draw(st.integers(0, 5))):
        drawn = next_round(played_as, entrants, table_size=size, seed=seed, rounds=rounds)
        if drawn is None:
            break
        points: dict[str, int] = {}
        for seats in drawn.tables:
            if draw(st.booleans()) or draw(st.booleans()):
                places = draw(st.lists(st.integers(1, 3), min_size=len(seats), max_size=len(seats)))
                points.update(zip(seats, points_of(places), strict=True))
        rounds.append(Played(drawn, points))
    return played_as, entrants, size, seed, tuple(rounds)


@settings(max_examples=60)
@given(courses())
def test_nobody_sits_twice_and_nobody_is_forgotten(
    course: tuple[RoundFormat, list[str], int, bytes, tuple[Played, ...]],
) -> None:
    played_as, entrants, size, seed, rounds = course
    drawn = next_round(played_as, entrants, table_size=size, seed=seed, rounds=rounds)
    if drawn is None:
        assert played_as is RoundFormat.KNOCKOUT
        return
    seated = [name for seats in drawn.tables for name in seats]
    expected = order_after(played_as, entrants, table_size=size, seed=seed, rounds=rounds)
    assert sorted([*seated, *drawn.byes]) == sorted(expected)
    assert all(2 <= len(seats) <= size for seats in drawn.tables)
    if played_as is not RoundFormat.KNOCKOUT:
        assert {len(seats) for seats in drawn.tables} == {size}
        assert len(drawn.byes) == len(entrants) % size
    again = next_round(played_as, entrants[:], table_size=size, seed=seed, rounds=list(rounds))
    assert again == drawn


@settings(max_examples=60)
@given(courses())
def test_nobody_sits_out_twice_before_everybody_did_once(
    course: tuple[RoundFormat, list[str], int, bytes, tuple[Played, ...]],
) -> None:
    played_as, entrants, size, seed, rounds = course
    byes: Counter[str] = Counter(dict.fromkeys(entrants, 0))
    for number in range(len(rounds) + 1):
        before = rounds[:number]
        drawn = next_round(played_as, entrants, table_size=size, seed=seed, rounds=before)
        if drawn is None:
            break
        left = order_after(played_as, entrants, table_size=size, seed=seed, rounds=before)
        byes.update(drawn.byes)
        assert max(byes[name] for name in left) - min(byes[name] for name in left) <= 1


@settings(max_examples=40)
@given(st.integers(2, 40), st.integers(2, 10), seeds, st.data())
def test_a_knockout_ends_with_one_winner_however_its_tables_end(
    count: int, size: int, seed: bytes, data: st.DataObject
) -> None:
    entrants, rounds = names(count), list[Played]()
    left = entrants
    while True:
        drawn = knockout_round(entrants, table_size=size, seed=seed, rounds=rounds)
        if drawn is None:
            break
        assert all(len(seats) <= size for seats in drawn.tables)
        sizes = [len(seats) for seats in drawn.tables]
        assert max(sizes) - min(sizes) <= 1
        how = data.draw(st.sampled_from(["nothing counts", "all level", "the first", "the last"]))
        points: dict[str, int] = {}
        for seats in drawn.tables:
            places = [1 if how == "all level" else 1 + seat for seat in range(len(seats))]
            gained = points_of(places if how != "the last" else places[::-1])
            points |= {} if how == "nothing counts" else dict(zip(seats, gained, strict=True))
        rounds.append(Played(drawn, points))
        now = knockout_left(entrants, table_size=size, seed=seed, rounds=rounds)
        assert set(now) < set(left)
        for seats in drawn.tables:
            assert sum(name in now for name in seats) == max(1, len(seats) // 2)
            if how == "the first":
                assert seats[0] in now
            if how == "the last":
                assert seats[-1] in now
        left = list(now)
    assert len(knockout_left(entrants, table_size=size, seed=seed, rounds=rounds)) == 1


@pytest.mark.parametrize("number", range(6))
@pytest.mark.parametrize("count", [6, 8, 9])
def test_in_a_swiss_two_meet_again_only_where_no_pairing_is_without(
    count: int, number: int
) -> None:
    seed = bytes([number] * 32)
    played = rehearse(RoundFormat.SWISS, names(count), table_size=2, seed=seed, rounds=9)
    met: set[frozenset[str]] = set()
    again = 0
    for one in played:
        pairs = set(map(frozenset, one.round.tables))
        if pairs & met:
            again += 1
            assert not _can_pair([name for name in names(count) if name not in one.round.byes], met)
        met |= pairs
    assert again >= 9 - (count - 1 + count % 2)


def _can_pair(left: list[str], met: set[frozenset[str]]) -> bool:
    """Whether all can be paired without a rematch, tried in every way."""
    if not left:
        return True
    first, *rest = left
    return any(
        frozenset((first, other)) not in met
        and _can_pair([name for name in rest if name != other], met)
        for other in rest
    )


def test_in_a_swiss_of_larger_tables_hardly_anybody_meets_again() -> None:
    played = rehearse(RoundFormat.SWISS, names(24), table_size=4, seed=SEED, rounds=5)
    met = Counter(
        pair
        for one in played
        for seats in one.round.tables
        for pair in map(frozenset, combinations(seats, 2))
    )
    assert max(met.values()) <= 2
    assert sum(count == 2 for count in met.values()) < len(met) / 10


def test_a_swiss_lets_those_meet_who_stand_alike() -> None:
    first = swiss_round(names(8), table_size=2, seed=SEED)
    winners = {seats[0] for seats in first.tables}
    points = {name: 4 if name in winners else 0 for seats in first.tables for name in seats}
    rounds = [Played(first, points)]
    assert set(swiss_ranking(names(8), table_size=2, seed=SEED, rounds=rounds)[:4]) == winners
    second = swiss_round(names(8), table_size=2, seed=SEED, rounds=rounds)
    assert all(len(winners.intersection(seats)) in {0, 2} for seats in second.tables)


@pytest.mark.parametrize("played_as", BY_POINTS)
def test_entrants_of_one_owner_are_kept_apart(played_as: RoundFormat) -> None:
    owners = {name: f"owner-{number // 3}" for number, name in enumerate(names(12))}
    drawn = next_round(played_as, names(12), table_size=3, seed=SEED, rounds=(), owners=owners)
    assert drawn is not None
    for seats in drawn.tables:
        assert len({owners[name] for name in seats}) == len(seats)


def test_where_they_cannot_all_be_apart_as_few_as_possible_meet() -> None:
    owners = dict.fromkeys(names(5)[:4], "one owner")
    tables = seat([names(6)[:2], names(6)[2:4], names(6)[4:]], {}, owners)
    together = [seats for seats in tables if len({owners.get(name, name) for name in seats}) < 2]
    assert len(together) == 1


def test_the_search_for_a_seating_goes_back_where_the_first_choice_leads_nowhere() -> None:
    met = {frozenset(pair): 1 for pair in [("c", "d"), ("a", "d")]}
    assert seat([("a", "b"), ("c", "d")], met) == (("a", "c"), ("b", "d"))


def test_on_a_ladder_the_winner_takes_the_highest_rung_of_his_table() -> None:
    def after(*points: int) -> Sequence[str]:
        seats = ("a", "c", "d")
        played = Played(Round((seats,), ("b",)), dict(zip(seats, points, strict=True)))
        return ladder_order(["a", "b", "c", "d"], [played])

    assert after(0, 2, 4) == ("d", "b", "c", "a")
    assert after(2, 2, 2) == ("a", "b", "c", "d")
    assert after(4, 0, 2) == ("a", "b", "d", "c")


def test_a_ladder_takes_new_entries_at_its_foot_and_nothing_before_is_changed() -> None:
    played = rehearse(RoundFormat.LADDER, names(6), table_size=2, seed=SEED, rounds=4)
    before = ladder_order(names(6), played)
    assert ladder_order([*names(6), "new", "newer"], played) == (*before, "new", "newer")
    drawn = ladder_round([*names(6), "new", "newer"], table_size=2, seed=SEED, rounds=played)
    assert sorted(name for seats in drawn.tables for name in seats) == sorted(
        [*names(6), "new", "newer"]
    )
    without = ladder_round(names(6), table_size=2, seed=SEED, rounds=played, away={before[0]})
    assert before[0] not in {name for seats in without.tables for name in seats}


@pytest.mark.parametrize(("size", "rounds"), [(2, 40), (4, 30)])
def test_on_a_ladder_the_strong_climb(size: int, rounds: int) -> None:
    weak_first = names(16)[::-1]
    played: list[Played] = []
    for _ in range(rounds):
        drawn = ladder_round(weak_first, table_size=size, seed=SEED, rounds=played)
        points = {name: -int(name[-2:]) for seats in drawn.tables for name in seats}
        played.append(Played(drawn, points))
    assert ladder_order(weak_first, played)[:3] == tuple(names(3))


def test_points_are_two_for_everybody_behind_and_one_for_everybody_level() -> None:
    assert points_of([1, 2, 3]) == (4, 2, 0)
    assert points_of([1, 1, 3]) == (3, 3, 0)
    assert points_of([2, 1, 2]) == (1, 4, 1)


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (lambda: swiss_round(names(2), table_size=3, seed=SEED), "need at least 3 entrants, got 2"),
        (lambda: ladder_round(names(1), table_size=2, seed=SEED), "need at least 2 entries, got 1"),
        (lambda: knockout_round(names(4), table_size=1, seed=SEED), "at least 2 seats, got 1"),
        (lambda: swiss_round(["a", "a"], table_size=2, seed=SEED), "named twice"),
        (lambda: ladder_order(["a", "a"], []), "named twice"),
    ],
)
def test_what_is_no_round_is_refused(wrong: Callable[[], object], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        wrong()
