"""Who sits where in either world of the leak check."""

from __future__ import annotations

from collections.abc import Iterator

from kitumaija.server.leaks.plan import Ending, Round, rounds
from kitumaija.server.leaks.seating import LaidOutSchedule, first_tables, other_tables


def many() -> Iterator[Round]:
    return rounds(600, seed="seating")


def test_watcher_and_victim_sit_in_every_match_of_the_first_world() -> None:
    for played in many():
        tables = first_tables(played)

        assert list(tables) == list(range(played.matches))
        for table in tables.values():
            assert len(set(table)) == len(table) == played.seats
            assert set(table) <= set(played.bots)
            assert {played.bots[played.watcher], played.bots[played.victim]} <= set(table)


def test_who_is_known_sits_where_it_sat_and_almost_everybody_else_does_not() -> None:
    hidden = moved = 0
    for played in many():
        tables = first_tables(played)
        others = other_tables(played, tables)
        known = {played.bots[played.watcher]}
        if played.ending.shows_who:
            known.add(played.bots[played.victim])
        for number, table in tables.items():
            other = others[number]
            if not played.hides_who or number < played.same:
                assert other == table
                continue
            assert len(set(other)) == len(other) == played.seats
            pairs = list(zip(table, other, strict=True))
            assert all(here == there for here, there in pairs if here in known)
            free = played.seats - len(known)
            hidden += free
            moved += sum(here != there for here, there in pairs)
            if played.ending is Ending.ABSENT:
                assert played.bots[played.victim] in other
    assert moved > 0.9 * hidden > 500


def test_only_the_tables_that_are_laid_out_differ_from_the_schedule() -> None:
    scheduled = [("ann", "bob"), ("bob", "cid"), ("cid", "bob")]
    laid_out = LaidOutSchedule(scheduled, {1: ("cid", "ann")})

    assert laid_out[1] == ("cid", "ann")
    assert list(laid_out) == laid_out[:] == [scheduled[0], ("cid", "ann"), scheduled[2]]
