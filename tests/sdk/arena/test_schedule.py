"""Who sits where: every bot in every seat, every deal its own."""

from __future__ import annotations

from collections import Counter
from itertools import islice, permutations

import pytest

from kitumaija.engine import text_seed
from kitumaija.sdk.arena import lineups

MASTER = text_seed("schedule")


@pytest.mark.parametrize(("bots", "seats"), [(2, 2), (6, 4), (2, 4), (3, 4), (10, 10), (3, 7)])
def test_every_line_up_of_a_deal_moves_once_around_the_table(bots: int, seats: int) -> None:
    for lineup in islice(lineups(bots, seats, MASTER), 20):
        assert len(lineup.rotations) == seats
        for seat in range(seats):
            at_seat = Counter(line[seat] for line in lineup.rotations)
            assert at_seat == Counter(lineup.rotations[0])


def test_all_choices_of_bots_take_turns() -> None:
    tables = [frozenset(lineup.rotations[0]) for lineup in islice(lineups(5, 3, MASTER), 20)]

    assert Counter(tables) == dict.fromkeys(set(tables), 2)
    assert len(set(tables)) == 10


@pytest.mark.parametrize(("bots", "seats"), [(2, 4), (3, 4), (3, 7)])
def test_with_fewer_bots_than_seats_all_sit_there_equally_often(bots: int, seats: int) -> None:
    games = [
        line for lineup in islice(lineups(bots, seats, MASTER), bots) for line in lineup.rotations
    ]

    assert len(set(Counter(bot for line in games for bot in line).values())) == 1


def test_everybody_sits_behind_everybody_sooner_or_later() -> None:
    pairs: set[tuple[int, int]] = set()
    for lineup in islice(lineups(4, 4, MASTER), 30):
        line = lineup.rotations[0]
        pairs |= {(line[seat], line[(seat + 1) % 4]) for seat in range(4)}

    assert pairs == set(permutations(range(4), 2))


def test_no_two_deals_are_alike_and_the_seed_makes_them() -> None:
    seeds = [lineup.deals[0].seed for lineup in islice(lineups(2, 2, MASTER), 200)]

    assert len(set(seeds)) == 200
    assert seeds == [lineup.deals[0].seed for lineup in islice(lineups(2, 2, MASTER), 200)]
    assert seeds[0] != next(lineups(2, 2, text_seed("another"))).deals[0].seed
