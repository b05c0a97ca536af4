"""Backups of a store: whole, checked, and never in the place of anything."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from kitumaija.server.store import Store, StoreError, StoreReader, bots
from kitumaija.server.store.backup import back_up
from kitumaija.server.store.copying import copy_sqlite
from tests.support.stores import a_bot, add_cup


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data directory with a store and the organizer's token."""
    data = tmp_path / "data"
    with Store.open(data) as store, store.write() as tx:
        add_cup(tx, "ada", "bo")
    (data / "organizer.token").write_text("secret")
    return data


def holds(data: Path, bot_id: str) -> bool:
    with StoreReader.open(data) as reader, reader.read() as tx:
        return bots.get(tx, bot_id) == a_bot(bot_id)


def test_a_backup_is_a_data_directory_of_its_own(data: Path, tmp_path: Path) -> None:
    to = tmp_path / "backups" / "monday"

    copy = back_up(data, to, beside=[data / "organizer.token", data / "not there"])

    assert copy == to / "kitumaija.sqlite3"
    assert sorted(file.name for file in to.iterdir()) == ["kitumaija.sqlite3", "organizer.token"]
    assert holds(to, "ada")
    assert to.stat().st_mode & 0o777 == 0o700
    assert {file.stat().st_mode & 0o777 for file in to.iterdir()} == {0o600}
    Store.open(to).close()


def test_a_store_that_is_written_to_is_copied_as_it_was_at_one_moment(
    data: Path, tmp_path: Path
) -> None:
    with Store.open(data) as store:
        with store.write() as tx:
            bots.add(tx, a_bot("cy"))
            back_up(data, tmp_path / "before")
        back_up(data, tmp_path / "after")
        with store.write() as tx:
            bots.add(tx, a_bot("di"))

    assert [holds(tmp_path / name, "cy") for name in ("before", "after")] == [False, True]
    assert not holds(tmp_path / "after", "di")


def test_nothing_that_is_there_is_overwritten(data: Path, tmp_path: Path) -> None:
    for taken in (tmp_path / "file", tmp_path / "folder"):
        if taken.name == "file":
            taken.write_text("somebody's")
        else:
            taken.mkdir()
        with pytest.raises(StoreError, match=f"{taken} exists, and no backup takes the place"):
            back_up(data, taken)
    assert (tmp_path / "file").read_text() == "somebody's"
    assert list((tmp_path / "folder").iterdir()) == []


def test_a_copy_never_takes_the_place_of_a_file(data: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy"
    target.write_text("somebody's")

    with pytest.raises(FileExistsError):
        copy_sqlite(data / "kitumaija.sqlite3", target)

    assert target.read_text() == "somebody's"
    assert [file.name for file in tmp_path.iterdir() if file.name.endswith(".part")] == []


def test_a_disk_that_is_full_leaves_nothing_behind(data: Path, tmp_path: Path) -> None:
    """The system allows the process no file of the store's size, as a full disk does."""
    half = (data / "kitumaija.sqlite3").stat().st_size // 2
    program = (
        "import resource, sys; from kitumaija.server.store.backup import back_up;"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({half}, {half}));"
        "back_up(sys.argv[1], __import__('pathlib').Path(sys.argv[2]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(data), str(tmp_path / "to")],
        capture_output=True,
        text=True,
        check=False,
    )

    assert "StoreError: no backup of" in done.stderr
    assert sorted(file.name for file in tmp_path.iterdir()) == ["data"]


def test_a_damaged_store_is_not_backed_up_as_if_it_were_whole(data: Path, tmp_path: Path) -> None:
    file = data / "kitumaija.sqlite3"
    with closing(sqlite3.connect(file)) as connection:
        ((size,),) = connection.execute("PRAGMA page_size").fetchall()
        ((root,),) = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'bots'"
        ).fetchall()
    with file.open("r+b") as stream:
        stream.seek((root - 1) * size)
        stream.write(b"\xff" * 200)

    with pytest.raises(StoreError, match="no backup of .* can be made"):
        back_up(data, tmp_path / "to")

    assert sorted(one.name for one in tmp_path.iterdir()) == ["data"]


def test_where_there_is_no_store_none_is_copied(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="there is no store at"):
        back_up(tmp_path / "nothing", tmp_path / "to")

    assert list(tmp_path.iterdir()) == []


def test_postgresql_has_a_tool_of_its_own_which_is_named_without_the_password() -> None:
    with pytest.raises(StoreError, match="pg_dump --format=custom") as error:
        back_up("postgresql://kitu:hush@host/arena", Path("to"))

    assert "hush" not in str(error.value)
