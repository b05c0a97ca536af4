"""The audit log and the server's own values."""

from __future__ import annotations

import pytest

from kitumaija.server.store import AuditRow, NotStored, Store, audit, meta
from tests.support.stores import NOW, add_cup, later


def test_the_log_is_read_newest_first_page_by_page(store: Store) -> None:
    rows = [
        AuditRow(later(minute), "organizer", "disqualify", "ada", "cheated", "cup", {"n": minute})
        for minute in range(4)
    ]
    other = AuditRow(NOW, "organizer", "rotate token", "bo")
    with store.write() as tx:
        add_cup(tx, "ada")
        for row in (*rows[:2], other, *rows[2:]):
            audit.add(tx, row)

    with store.read() as tx:
        first = audit.page(tx, size=3)
        second = audit.page(tx, size=3, token=first.next_token)
        assert [*first.rows, *second.rows] == [rows[3], rows[2], other, rows[1], rows[0]]
        assert second.next_token == ""
        assert audit.page(tx, size=9, tournament_id="cup").rows == tuple(reversed(rows))


def test_an_entry_names_a_tournament_that_there_is(store: Store) -> None:
    with store.write() as tx, pytest.raises(NotStored, match="the audit entry 'cancel'"):
        audit.add(tx, AuditRow(NOW, "organizer", "cancel", "cup", tournament_id="cup"))


def test_the_servers_own_values_can_be_set_and_set_again(store: Store) -> None:
    with store.write() as tx:
        assert meta.get(tx, "organizer_token") is None
        meta.put(tx, "organizer_token", b"\0\xff")
        meta.put(tx, "organizer_token", b"new")

    with store.read() as tx:
        assert meta.get(tx, "organizer_token") == b"new"
