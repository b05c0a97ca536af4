"""Damage to the database itself, whatever its rows mean: what the check says to it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from kitumaija.server.checking import findings
from kitumaija.server.store import StoreReader
from kitumaija.server.store.copying import copy_sqlite
from kitumaija.server.store.engines import FILE_NAME
from tests.support.busy_store import Busy, Damage


def test_a_row_that_refers_to_nothing_is_found(either: Busy) -> None:
    with either.damaged() as damage:
        damage.run("DELETE FROM bots WHERE bot_id = 'eve'")
        sentences = damage.findings()
    assert "the table entrants names the bot_id 'eve', which the table bots does not have" in (
        sentences
    )
    assert "the table match_seats names the bot_id 'eve', which the table bots does not have" in (
        sentences
    )


def test_a_damaged_file_is_found_and_nothing_else_is_believed(busy: Busy, tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite3"
    copy_sqlite(Path(busy.address) / FILE_NAME, copy)
    with closing(sqlite3.connect(copy)) as connection:
        ((page_size,),) = connection.execute("PRAGMA page_size").fetchall()
        query = "SELECT rootpage FROM sqlite_master WHERE name = 'ix_matches_one_final'"
        ((root,),) = connection.execute(query).fetchall()
    with copy.open("r+b") as file:
        file.seek((root - 1) * page_size + page_size - 100)
        file.write(bytes(range(100)))

    with StoreReader.open(f"sqlite:///{copy}") as reader, reader.read() as tx:
        sentences = [finding.sentence for finding in findings(tx)]

    assert sentences
    assert all(sentence.startswith("the database ") for sentence in sentences)


def test_a_deal_that_two_matches_have_is_found(either: Busy) -> None:
    with either.damaged() as damage:
        _without_keys(damage, "matches")
        damage.run(
            "UPDATE matches SET deal_id = 'cup/2/0/1' WHERE deal_id = 'cup/2/1/1'",
        )
        sentences = damage.findings()
    assert "2 matches have the deal 'cup/2/0/1'" in sentences


def _without_keys(damage: Damage, table: str) -> None:
    """Put a copy of a table in its place, which has its rows and nothing that guards them."""
    damage.run(f"CREATE TABLE copy AS SELECT * FROM {table}")
    damage.run(f"DROP TABLE {table}{'' if damage.sqlite else ' CASCADE'}")
    damage.run(f"ALTER TABLE copy RENAME TO {table}")
