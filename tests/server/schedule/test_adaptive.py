"""Adaptive rounds: how they are made of what somebody else chooses, and how they are numbered."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from kitumaija.server.schedule.adaptive import (
    OPENING,
    Chooser,
    fewest_matches,
    tables_per_round,
)
from kitumaija.server.schedule.round_formats import RoundFormat
from kitumaija.server.schedule.rounds import RoundRules, Rounds
from kitumaija.server.schedule.seating import Round, Seats

BOTS = ("ann", "bob", "cid", "dot", "eve")


def rules(*, size: int = 3, budget: int = 100, tables: int = 0) -> RoundRules:
    return RoundRules(RoundFormat.ADAPTIVE, size, 1, budget, bytes(32), tables=tables)


def the_first(size: int = 3) -> tuple[list[int], Chooser]:
    """Somebody who chooses the first who are there again and again; how many he was asked for."""
    asked: list[int] = []

    def choose(there: Sequence[str], tables: int) -> Sequence[Seats]:
        asked.append(tables)
        return [tuple(there[:size])] * tables

    return asked, choose


def test_a_round_has_as_many_tables_as_were_asked_for_or_as_all_fill() -> None:
    for tables, there, wanted in ((0, 5, 1), (0, 60, 20), (7, 60, 7), (0, 3, 1)):
        assert tables_per_round(tables, there, table_size=3) == wanted
    asked, choose = the_first()
    made = Rounds(rules(tables=4), BOTS)
    drawn = made.next_after(None, choose=choose)
    assert asked == [4]
    assert drawn == Round((("ann", "bob", "cid"),) * 4, ("dot", "eve"))


def test_who_is_away_is_not_among_those_to_choose_from_and_a_round_says_who_was_there() -> None:
    _, choose = the_first()
    drawn = Rounds(rules(), BOTS).next_after(None, ["bob"], choose)
    assert drawn == Round((("ann", "cid", "dot"),), ("eve",))


def test_the_budget_bounds_the_last_round_and_then_there_is_none() -> None:
    asked, choose = the_first()
    made = Rounds(rules(budget=22, tables=4), BOTS)
    assert made.planned == 21
    while (drawn := made.next_after({}, choose=choose)) is not None:
        if made.open is not None:
            made.close({})
        made.add(drawn)
    assert asked == [4, 3]
    assert len(made) == made.planned == 21
    made.close({})
    assert made.complete
    assert made.planned == 21, "however early it ends, so many there might have been"


def test_where_nobody_is_chosen_there_is_no_round() -> None:
    assert Rounds(rules(), BOTS).next_after(None, choose=lambda there, tables: ()) is None


def test_a_round_without_anybody_who_chooses_is_an_error() -> None:
    with pytest.raises(ValueError, match="nobody brought any"):
        Rounds(rules(), BOTS).next_after(None)


def test_a_table_is_played_through_before_the_next_so_that_sets_of_the_same_bots_stay_apart() -> (
    None
):
    _, choose = the_first()
    made = Rounds(rules(tables=2), BOTS)
    drawn = made.next_after(None, choose=choose)
    assert drawn is not None
    made.add(drawn)
    turned = [("ann", "bob", "cid"), ("bob", "cid", "ann"), ("cid", "ann", "bob")]
    assert list(made) == [*turned, *turned]
    assert [list(made.set_of(number)) for number in (0, 4)] == [[0, 1, 2], [3, 4, 5]]
    assert made.games() == {"ann": 6, "bob": 6, "cid": 6, "dot": 0, "eve": 0}


def test_the_first_sets_of_everybody_are_whole_sets() -> None:
    assert fewest_matches(6, table_size=3) == OPENING * 6
    assert fewest_matches(7, table_size=3) == 30
