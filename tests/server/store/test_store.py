"""Opening a store, taking it for one server, reading and writing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from sqlalchemy import text

from kitumaija.server.store import (
    Store,
    StoreClosed,
    StoreError,
    StoreInUse,
    StoreReader,
    WriteTx,
    bots,
    meta,
)
from tests.support.stores import a_bot


def test_each_opening_has_an_epoch_larger_than_any_before(store_address: str) -> None:
    epochs = []
    for _ in range(3):
        with Store.open(store_address) as store:
            epochs.append(store.epoch)

    assert epochs == [1, 2, 3]


def test_what_was_written_is_there_after_closing_and_opening(store_address: str) -> None:
    with Store.open(store_address) as store, store.write() as tx:
        bots.add(tx, a_bot("ada"))

    with Store.open(store_address) as store, store.read() as tx:
        assert bots.get(tx, "ada") == a_bot("ada")
        assert store.migration is None


def test_a_second_server_is_refused_and_told_which_process_is_the_first(
    store_address: str,
) -> None:
    told = rf"\b{os.getpid()}\b.*stop that one first"

    with Store.open(store_address), pytest.raises(StoreInUse, match=told):
        Store.open(store_address)


def test_a_closed_store_can_be_opened_by_another_server(store_address: str) -> None:
    first = Store.open(store_address)
    first.close()
    first.close()

    with Store.open(store_address) as second:
        assert second.epoch == 2
    with pytest.raises(StoreClosed, match="closed"), first.write():
        pass


def test_a_transaction_that_raises_leaves_nothing(store: Store) -> None:
    def add_and_stumble(tx: WriteTx) -> None:
        bots.add(tx, a_bot("ada"))
        raise KeyError("changed my mind")

    with pytest.raises(KeyError, match="changed my mind"), store.write() as tx:
        add_and_stumble(tx)

    with store.read() as after:
        assert bots.get(after, "ada") is None


def test_a_reader_sees_one_moment_and_neither_waits_nor_is_waited_for(store: Store) -> None:
    with store.read() as before:
        assert bots.get(before, "ada") is None
        with store.write() as tx:
            bots.add(tx, a_bot("ada"))
            with store.read() as during:
                assert bots.get(during, "ada") is None
        assert bots.get(before, "ada") is None

    with store.read() as after:
        assert bots.get(after, "ada") == a_bot("ada")


def test_a_reader_apart_needs_no_lock_and_cannot_write(store: Store) -> None:
    with store.write() as tx:
        bots.add(tx, a_bot("ada"))

    with StoreReader.open(store.address) as reader:
        with reader.read() as tx:
            assert bots.get(tx, "ada") == a_bot("ada")
        with pytest.raises(StoreError, match=r"read-?only"), reader.read() as attempt:
            attempt.connection.execute(text("DELETE FROM bots"))


def test_there_is_no_reading_where_there_is_no_store(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"there is no store at .*kitumaija serve"):
        StoreReader.open(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("word", "sqlite", "postgresql"), [("full", 2, "on"), ("normal", 1, "off")]
)
def test_durability_is_what_the_database_was_told(
    database: str, store_address: str, word: str, sqlite: int, postgresql: str
) -> None:
    question, answer = {
        "sqlite": ("PRAGMA synchronous", sqlite),
        "postgresql": ("SHOW synchronous_commit", postgresql),
    }[database]

    with Store.open(store_address, durability=word) as store, store.write() as tx:
        assert tx.connection.execute(text(question)).scalar() == answer


def test_another_durability_is_refused(store_address: str) -> None:
    with pytest.raises(StoreError, match="got the durability 'some'; wanted full or normal"):
        Store.open(store_address, durability="some")


@pytest.mark.parametrize(
    "address", ["mysql://localhost/x", "sqlite://", "sqlite:///:memory:", "://", "nonsense://x"]
)
def test_an_address_of_another_kind_is_refused_with_those_there_are(address: str) -> None:
    with pytest.raises(StoreError, match=r"sqlite:///PATH.*postgresql://"):
        Store.open(address)


def test_a_password_is_not_shown() -> None:
    with pytest.raises(StoreError) as caught:
        Store.open("postgresql://kit:hunter2@127.0.0.1:1/none")

    assert "hunter2" not in str(caught.value)
    assert "cannot be opened" in str(caught.value)


def test_a_directory_and_the_url_of_its_file_are_one_store(tmp_path: Path) -> None:
    with Store.open(tmp_path / "data") as store, store.write() as tx:
        meta.put(tx, "colour", b"green")

    url = f"sqlite:///{tmp_path}/data/kitumaija.sqlite3"
    with StoreReader.open(url) as reader, reader.read() as tx:
        assert meta.get(tx, "colour") == b"green"


def test_only_the_owner_may_read_the_files(tmp_path: Path) -> None:
    with Store.open(tmp_path / "data"):
        rights = {path.name: path.stat().st_mode & 0o777 for path in (tmp_path / "data").iterdir()}

        assert (tmp_path / "data").stat().st_mode & 0o777 == 0o700
        assert "kitumaija.sqlite3" in rights
        assert set(rights.values()) == {0o600}


def test_a_place_that_cannot_hold_a_store_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")

    with pytest.raises(StoreError, match=r"no store can be kept at .*file.*writable"):
        Store.open(tmp_path / "file")


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    (tmp_path / "kitumaija.sqlite3").write_text("something else entirely " * 100)

    with pytest.raises(StoreError, match=r"kitumaija\.sqlite3 cannot be opened.*not a database"):
        Store.open(tmp_path)
