"""Failpoints: every write is one, and each is passed at the stages that it says."""

from __future__ import annotations

import ast
import asyncio
import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import kitumaija.server.store as package
from kitumaija.server.store import (
    JournalRow,
    NotStored,
    Store,
    StoreReader,
    StoreWriter,
    WriteTx,
    bots,
    journal,
    meta,
    requests,
)
from kitumaija.server.store.crashing import FAILPOINTS, VERBS
from kitumaija.server.store.failpoints import Stage, failpoint_of
from tests.architecture.checkout import ROOT, source_modules
from tests.support.stores import a_bot, add_cup, begin_match
from tests.support.syntax import tree_of

MAKING_CHANGES = {"change", "insert", "exec_driver_sql"}


def _functions() -> Iterator[tuple[str, Callable[..., object]]]:
    """Every function of the store's modules that is given a transaction that may write."""
    for info in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        if info.ispkg:
            continue
        module = importlib.import_module(info.name)
        for name, function in inspect.getmembers(module, inspect.isfunction):
            first = next(iter(inspect.signature(function).parameters.values()), None)
            if function.__module__ == info.name and first and first.annotation == "WriteTx":
                yield name, function


WRITING = list(_functions())


@pytest.mark.parametrize(
    ("name", "function"),
    WRITING,
    ids=[f"{function.__module__.rpartition('.')[2]}.{name}" for name, function in WRITING],
)
def test_every_public_function_that_writes_is_a_failpoint(
    name: str, function: Callable[..., object]
) -> None:
    if name.startswith("_"):
        # Called by the public ones of its module, and by nobody else.
        assert failpoint_of(function) is None
        return
    module = function.__module__.rpartition(".")[2]

    assert failpoint_of(function) == f"{module}.{name}"
    assert failpoint_of(function) in FAILPOINTS


def test_those_are_all_functions_that_write() -> None:
    assert len(WRITING) >= 30
    verbs = {Path(inspect.getfile(module)).name for module in VERBS}
    # What a transaction is made of, and what hands it to others.
    around = {"transactions.py", "engines.py", "migrating.py", "store.py", "writer.py"}
    changing = {
        path.name
        for path in source_modules("server")
        if "kitumaija/server/migrations" not in path.as_posix()
        and path.parent.name != "versions"
        and _changes_something(path)
    }

    assert changing <= verbs | around


def test_a_write_passes_its_stages_in_order_and_is_seen_by_others_after_the_commit_alone(
    store_address: str,
) -> None:
    passed: list[tuple[str, Stage, bool]] = []

    def watch(name: str, stage: Stage) -> None:
        if name in {"transaction", "bots.add"} and watching:
            passed.append((name, stage, _seen_by_others(store_address)))

    watching = False
    with Store.open(store_address, watch=watch) as store:
        watching = True
        with store.write() as tx:
            bots.add(tx, a_bot("ada"))

    assert passed == [
        ("transaction", Stage.BEFORE, False),
        ("bots.add", Stage.BEFORE, False),
        ("transaction", Stage.BEFORE_COMMIT, False),
        ("bots.add", Stage.BEFORE_COMMIT, False),
        ("transaction", Stage.AFTER_COMMIT, True),
        ("bots.add", Stage.AFTER_COMMIT, True),
    ]


async def test_after_the_commit_nobody_has_been_told_yet(store_address: str) -> None:
    told_then: list[bool] = []

    def watch(name: str, stage: Stage) -> None:
        if (name, stage) == ("journal.append", Stage.AFTER_COMMIT):
            told_then.append(waiting.done())

    with Store.open(store_address, watch=watch) as store:
        with store.write() as tx:
            add_cup(tx, "ada", "bo")
        begin_match(store, 0)
        async with StoreWriter(store) as writer:
            waiting: asyncio.Future[None] = writer.append([JournalRow("cup-2-0-1", 0, b"x")])
            await waiting

    assert told_then == [False]


def test_what_is_undone_is_never_about_to_be_committed(store_address: str) -> None:
    passed: list[tuple[str, Stage]] = []
    with Store.open(store_address, watch=lambda *place: passed.append(place)) as store:
        del passed[:]
        with pytest.raises(NotStored), store.write() as tx:
            bots.set_token(tx, "nobody", b"")

    assert passed == [("transaction", Stage.BEFORE), ("bots.set_token", Stage.BEFORE)]


def test_a_write_that_is_called_twice_is_committed_once(store_address: str) -> None:
    passed: list[tuple[str, Stage]] = []
    with Store.open(store_address, watch=lambda *place: passed.append(place)) as store:
        del passed[:]
        with store.write() as tx:
            meta.put(tx, "one", b"")
            meta.put(tx, "two", b"")

    puts = [stage for name, stage in passed if name == "meta.put"]
    assert puts == [Stage.BEFORE, Stage.BEFORE, Stage.BEFORE_COMMIT, Stage.AFTER_COMMIT]


def test_opening_a_store_passes_failpoints_too(store_address: str) -> None:
    passed: list[tuple[str, Stage]] = []

    Store.open(store_address, watch=lambda *place: passed.append(place)).close()

    for name in ("migrating.migrate", "meta.next_epoch"):
        assert [stage for place, stage in passed if place == name] == list(Stage)


def test_a_failpoint_keeps_what_a_function_is_and_gives() -> None:
    assert "Add a bot" in (bots.add.__doc__ or "")
    assert requests.once.__name__ == "once"
    assert inspect.signature(journal.append).parameters["rows"].annotation == "Sequence[JournalRow]"
    assert failpoint_of(bots.get) is None
    assert WriteTx.__doc__


def _seen_by_others(address: str) -> bool:
    with StoreReader.open(address) as reader, reader.read() as tx:
        return bots.get(tx, "ada") is not None


def _changes_something(path: Path) -> bool:
    """Whether a module runs statements through a transaction's means of changing something."""
    tree = tree_of((ROOT / path).read_text(encoding="utf-8"))
    return any(
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in MAKING_CHANGES
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id in {"tx", "connection"}
        for node in ast.walk(tree)
    )
