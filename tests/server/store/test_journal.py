"""The journals of matches."""

from __future__ import annotations

import pytest

from kitumaija.server.store import JournalConflict, JournalRow, NotStored, Store, journal
from tests.support.stores import add_cup, begin_match


@pytest.fixture
def playing(store: Store) -> Store:
    """A store in which matches 0 and 1 are being played."""
    with store.write() as tx:
        add_cup(tx, "ada", "bo")
    begin_match(store, 0)
    begin_match(store, 1)
    return store


def _row(number: int, sequence: int, payload: bytes = b"{}") -> JournalRow:
    return JournalRow(f"cup-2-{number}-1", sequence, payload)


def test_entries_come_back_by_match_and_in_order(playing: Store) -> None:
    payload = bytes(range(256))
    with playing.write() as tx:
        journal.append(tx, [_row(0, 1), _row(1, 0, b""), _row(0, 0, payload)])
        journal.append(tx, [])
        journal.append(tx, [_row(0, 2)])

    with playing.read() as tx:
        assert journal.entries(tx, "cup-2-0-1") == (_row(0, 0, payload), _row(0, 1), _row(0, 2))
        assert journal.entries(tx, "cup-2-1-1") == (_row(1, 0, b""),)
        assert journal.entries(tx, "other") == ()


def test_an_entry_is_never_written_twice_and_spoils_those_beside_it(playing: Store) -> None:
    with playing.write() as tx:
        journal.append(tx, [_row(0, 0)])
        with pytest.raises(JournalConflict, match="a journal entry of cup-2-0-1, cup-2-1-1"):
            journal.append(tx, [_row(1, 0), _row(0, 0, b"another")])
        with pytest.raises(JournalConflict):
            journal.append(tx, [_row(1, 0), _row(1, 0)])

    with playing.read() as tx:
        assert journal.entries(tx, "cup-2-0-1") == (_row(0, 0),)
        assert journal.entries(tx, "cup-2-1-1") == ()


def test_there_is_no_journal_without_a_match(playing: Store) -> None:
    with playing.write() as tx, pytest.raises(NotStored, match="refers to a row"):
        journal.append(tx, [_row(7, 0)])
