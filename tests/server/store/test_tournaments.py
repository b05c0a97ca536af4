"""Tournaments and their seeds."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest
from sqlalchemy import text

from kitumaija.server.store import (
    AlreadyStored,
    EntrantRow,
    NotStored,
    Store,
    StoreReader,
    TournamentState,
    bots,
    entrants,
    tournaments,
)
from tests.support.stores import NOW, a_bot, a_tournament, later


def test_a_tournament_is_read_as_it_was_written(store: Store) -> None:
    row = a_tournament(title='"Cup", ü', schedule_seed=b"x" * 32, started_at=later(1))
    with store.write() as tx:
        tournaments.add(tx, row)
        with pytest.raises(AlreadyStored, match="the tournament 'cup'"):
            tournaments.add(tx, row)

    with store.read() as tx:
        assert tournaments.get(tx, "cup") == row
        assert tournaments.get(tx, "other") is None


def test_times_are_utc_however_they_came(store: Store) -> None:
    east = timezone(timedelta(hours=5, minutes=30))
    with store.write() as tx:
        tournaments.add(tx, a_tournament(created_at=NOW.astimezone(east)))

    with store.read() as tx:
        row = tournaments.get(tx, "cup")
    assert row is not None
    assert row.created_at == NOW
    assert row.created_at.utcoffset() == timedelta(0)


def test_a_time_without_a_zone_is_refused(store: Store) -> None:
    naive = datetime(2026, 3, 1)  # noqa: DTZ001 - the very thing to be refused

    with pytest.raises(Exception, match="without a zone: the store keeps UTC"), store.write() as tx:
        tournaments.add(tx, a_tournament(created_at=naive))


@pytest.mark.parametrize("end", [TournamentState.FINISHED, TournamentState.CANCELLED])
def test_the_public_learns_the_master_seed_when_the_tournament_is_over(
    store: Store, end: TournamentState
) -> None:
    with store.write() as tx:
        tournaments.add(tx, a_tournament())
    for state in (TournamentState.OPEN, TournamentState.RUNNING, TournamentState.PAUSED):
        with store.write() as tx:
            tournaments.set_state(tx, "cup", state)
        with store.read() as tx:
            known = tournaments.get(tx, "cup", secrets=False)
            assert known == a_tournament(state=state, master_seed=b"")
            assert tournaments.page(tx, size=1).rows == (known,)
            assert tournaments.get(tx, "cup") == a_tournament(state=state)

    with store.write() as tx:
        tournaments.set_state(tx, "cup", end, ended_at=later(9))

    with store.read() as tx:
        over = a_tournament(state=end, ended_at=later(9))
        assert tournaments.get(tx, "cup", secrets=False) == over
        assert tournaments.get(tx, "cup") == over


def test_what_is_secret_can_be_kept_from_a_public_reader(store_address: str) -> None:
    """A reader without the tables of secrets still reads all that is public."""
    with Store.open(store_address) as store, store.write() as tx:
        bots.add(tx, a_bot("ada"))
        tournaments.add(tx, a_tournament())
        entrants.add(tx, EntrantRow("cup", "ada", 0))
        for table in ("entrant_secrets", "tournament_secrets", "journal", "records"):
            tx.connection.execute(text(f"DROP TABLE {table}"))

    with StoreReader.open(store_address) as reader, reader.read() as tx:
        assert tournaments.get(tx, "cup", secrets=False) == a_tournament(master_seed=b"")
        assert tournaments.page(tx, size=9).rows == (a_tournament(master_seed=b""),)
        assert entrants.of(tx, "cup", secrets=False) == (EntrantRow("cup", "ada", 0),)


def test_times_that_are_not_given_stay(store: Store) -> None:
    with store.write() as tx:
        tournaments.add(tx, a_tournament())
        tournaments.set_state(tx, "cup", TournamentState.RUNNING, started_at=later(1))
        tournaments.set_state(tx, "cup", TournamentState.PAUSED)

        row = tournaments.get(tx, "cup")
        assert row == a_tournament(state=TournamentState.PAUSED, started_at=later(1))


def test_those_that_are_not_over_are_listed_oldest_first(store: Store) -> None:
    with store.write() as tx:
        for minute, state in enumerate(TournamentState):
            row = a_tournament(f"t-{state}", state=state, created_at=later(-minute))
            tournaments.add(tx, row)

    with store.read() as tx:
        found = tournaments.unfinished(tx)
    assert [row.state.value for row in found] == ["paused", "running", "closed", "open", "draft"]
    assert {row.master_seed for row in found} == {b"s" * 32}


def test_pages_are_newest_first_and_by_id_within_a_moment(store: Store) -> None:
    times = {"a": 1, "b": 2, "c": 2, "d": 2, "e": 3}
    with store.write() as tx:
        for name, minute in times.items():
            tournaments.add(tx, a_tournament(name, created_at=later(minute)))

    names: list[str] = []
    token = ""
    with store.read() as tx:
        for size in (2, 1, 9):
            page = tournaments.page(tx, size=size, token=token)
            names += [row.tournament_id for row in page.rows]
            token = page.next_token

    assert names == ["e", "d", "c", "b", "a"]
    assert token == ""


def test_a_tournament_that_is_not_there_cannot_be_changed(store: Store) -> None:
    with store.write() as tx:
        with pytest.raises(NotStored, match="there is no tournament 'cup'"):
            tournaments.set_state(tx, "cup", TournamentState.OPEN)
        with pytest.raises(NotStored, match="there is no tournament 'cup'"):
            tournaments.set_schedule_seed(tx, "cup", b"x" * 32)
