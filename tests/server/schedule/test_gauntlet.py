"""The gauntlet: all challengers play the same field, and never each other."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from math import comb

import pytest

from kitumaija.server.schedule.auditing import audit
from kitumaija.server.schedule.gauntlet import Gauntlet
from kitumaija.server.schedule.plan import BudgetTooSmall

SEED = bytes(range(32))


def names(kind: str, count: int) -> list[str]:
    return [f"{kind}-{number:02}" for number in range(count)]


@pytest.mark.parametrize(
    ("challengers", "field", "size", "budget", "spread"),
    [
        (1, 5, 2, None, 0),
        (3, 5, 3, None, 0),
        (2, 6, 4, None, 0),
        (2, 3, 4, None, 0),
        (2, 12, 4, 1000, 1),
        (3, 9, 3, 500, 1),
    ],
)
def test_everybody_of_a_side_plays_alike(
    challengers: int, field: int, size: int, budget: int | None, spread: int
) -> None:
    made = Gauntlet(
        names("new", challengers), names("old", field), table_size=size, seed=SEED, budget=budget
    )
    matches = list(made)
    assert len(matches) == len(made)
    assert budget is not None or len(made) == challengers * comb(field, size - 1) * size
    assert budget is None or len(made) <= budget
    for seats in matches:
        assert len(set(seats)) == size
        assert sum(name.startswith("new") for name in seats) == 1
    counted = audit(matches)
    for side in (names("new", challengers), names("old", field)):
        assert len({counted.games[name] for name in side}) == 1
        assert len({counted.seats[name, seat] for name in side for seat in range(size)}) == 1
    met = [counted.meetings[pair] for pair in combinations(names("old", field), 2)]
    assert max(met) - min(met) <= spread * challengers * size
    first, *others = (
        Counter(frozenset(seats) - {one} for seats in matches if one in seats)
        for one in names("new", challengers)
    )
    assert all(other == first for other in others)


def test_a_set_is_a_table_in_all_its_rotations() -> None:
    made = Gauntlet(names("new", 2), names("old", 5), table_size=3, seed=SEED)
    for number in range(len(made)):
        tables = {made[one] for one in made.set_of(number)}
        seats = made[number]
        assert number in made.set_of(number)
        assert tables == {seats[shift:] + seats[:shift] for shift in range(3)}


def test_challengers_are_never_more_than_a_game_apart() -> None:
    made = Gauntlet(names("new", 4), names("old", 6), table_size=3, seed=SEED)
    games = Counter(dict.fromkeys(names("new", 4), 0))
    for seats in made:
        games.update(name for name in seats if name.startswith("new"))
        assert max(games.values()) - min(games.values()) <= 1


def test_the_seed_alone_draws_it() -> None:
    def made(new: list[str], seed: bytes) -> list[tuple[str, ...]]:
        return list(Gauntlet(new, names("old", 5), table_size=3, seed=seed))

    assert made(names("new", 3), SEED) == made(names("new", 3)[::-1], SEED)
    assert made(names("new", 3), SEED) != made(names("new", 3), bytes(32))


def test_what_is_no_gauntlet_is_refused() -> None:
    with pytest.raises(ValueError, match="named twice"):
        Gauntlet(["ann"], ["ann"], table_size=2, seed=SEED)
    with pytest.raises(ValueError, match="a field of at least 3, got 1 and 2"):
        Gauntlet(["ann"], ["bob", "cid"], table_size=4, seed=SEED)
    with pytest.raises(ValueError, match="got 0 and 2"):
        Gauntlet([], ["bob", "cid"], table_size=2, seed=SEED)
    with pytest.raises(BudgetTooSmall) as low:
        Gauntlet(["ann"], names("old", 9), table_size=3, seed=SEED, budget=26)
    assert low.value.needed == 27
    with pytest.raises(IndexError, match="outside the schedule of 4"):
        Gauntlet(["ann"], ["bob", "cid"], table_size=2, seed=SEED)[4]
