"""The records of matches."""

from __future__ import annotations

import pytest

from kitumaija.server.store import AlreadyStored, NotStored, Store, matches, records
from tests.support.stores import add_cup, begin_match, finish_match, later


def test_every_finished_match_has_a_record_as_it_was_given(store: Store) -> None:
    record = b"KITUREC1\0\xff\n" * 1000
    with store.write() as tx:
        add_cup(tx, "ada", "bo")
    finish_match(store, begin_match(store, 0), record=record)
    voided = begin_match(store, 1)
    with store.write() as tx:
        matches.void(tx, voided, 1, reason="our fault", final=False, ended_at=later(1))

    with store.read() as tx:
        assert records.get(tx, "cup-2-0-1") == record
        assert records.get(tx, "other") is None
        assert records.count(tx, "cup") == matches.counts(tx, "cup").finished == 1


def test_a_record_is_never_changed(store: Store) -> None:
    with store.write() as tx:
        add_cup(tx, "ada", "bo")
    finish_match(store, begin_match(store), record=b"the record")

    with store.write() as tx:
        with pytest.raises(AlreadyStored, match="the record of 'cup-2-0-1'"):
            records.put(tx, "cup-2-0-1", b"another")
        with pytest.raises(NotStored):
            records.put(tx, "other", b"of nothing")
    with store.read() as tx:
        assert records.get(tx, "cup-2-0-1") == b"the record"
