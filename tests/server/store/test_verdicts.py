"""Verdicts as they are kept."""

from __future__ import annotations

import pytest

from kitumaija.server.store import AlreadyStored, NotStored, Store, verdicts
from kitumaija.server.store.rows import VerdictRow
from tests.support.stores import add_cup

AT_TWO = VerdictRow("cup", 2, 3, 60, ("bö", "ada"), ("ada", "bö", "cy"))
AT_THREE = VerdictRow("cup", 3, 20, 600, ("ada",), ("ada", "bö", "cy"))


def test_verdicts_are_kept_by_table_size_with_their_names_in_order(store: Store) -> None:
    with store.write() as tx:
        add_cup(tx, "ada")
        verdicts.add(tx, ())
        assert verdicts.of(tx, "cup") == {}
        verdicts.add(tx, (AT_THREE, AT_TWO))
    with store.read() as tx:
        assert list(verdicts.of(tx, "cup").items()) == [(2, AT_TWO), (3, AT_THREE)]
        assert verdicts.of(tx, "cap") == {}


def test_there_is_one_verdict_a_table_size_and_none_without_its_tournament(store: Store) -> None:
    with store.write() as tx:
        add_cup(tx, "ada")
        verdicts.add(tx, (AT_TWO,))
    with pytest.raises(AlreadyStored), store.write() as tx:
        verdicts.add(tx, (AT_TWO,))
    with pytest.raises(NotStored), store.write() as tx:
        verdicts.add(tx, (VerdictRow("no", 2, 1, 1, (), ()),))
