"""The writer: one thread, one transaction for whatever waits, everybody told afterwards."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kitumaija.server.store import (
    AlreadyStored,
    JournalConflict,
    JournalRow,
    NotStored,
    Store,
    StoreClosed,
    StoreWriter,
    WriteTx,
    bots,
    journal,
    meta,
)
from tests.support.stores import a_bot, add_cup, begin_match

MATCH = "cup-2-0-1"


@pytest.fixture
async def writer(store: Store) -> AsyncIterator[StoreWriter]:
    """A writer of a store in which match 0 is being played."""
    with store.write() as tx:
        add_cup(tx, "ada", "bo")
    begin_match(store, 0)
    async with StoreWriter(store) as opened:
        yield opened


def _rows(*sequences: int) -> list[JournalRow]:
    return [JournalRow(MATCH, sequence, b"%d" % sequence) for sequence in sequences]


def _written(store: Store) -> list[int]:
    with store.read() as tx:
        return [row.sequence for row in journal.entries(tx, MATCH)]


async def test_a_waiter_hears_what_its_work_returned_once_it_is_committed(
    writer: StoreWriter, store: Store
) -> None:
    def work(tx: WriteTx) -> str:
        bots.add(tx, a_bot("cy"))
        return threading.current_thread().name

    assert await writer.run(work) == "store-writer"
    with store.read() as tx:
        assert bots.get(tx, "cy") == a_bot("cy")

    await writer.append(_rows(0, 1))
    assert _written(store) == [0, 1]
    await writer.append([])


async def test_what_waits_together_is_committed_together(writer: StoreWriter, store: Store) -> None:
    """While the first unit is under way the others gather, and come to be in one transaction."""
    gathered = threading.Event()
    seen: list[list[int]] = []
    held = writer.run(lambda tx: gathered.wait(30))
    appended = [writer.append(_rows(sequence)) for sequence in range(50)]
    looked = writer.run(lambda tx: seen.append(_written(store)))
    gathered.set()

    everything: list[asyncio.Future[Any]] = [held, *appended, looked]
    await asyncio.wait(everything)

    # From outside nothing was to be seen while the transaction that holds them all was open.
    assert seen == [[]]
    assert _written(store) == list(range(50))


async def test_a_unit_that_fails_leaves_its_neighbours_as_they_are(
    writer: StoreWriter, store: Store
) -> None:
    def half(tx: WriteTx) -> None:
        bots.add(tx, a_bot("half"))
        raise KeyError("stumbled")

    units = [
        writer.append(_rows(0)),
        writer.run(half),
        writer.append(_rows(1, 0)),
        writer.append(_rows(2)),
        writer.append([JournalRow("other", 0, b"")]),
        writer.run(lambda tx: bots.add(tx, a_bot("ada"))),
        writer.run(lambda tx: bots.add(tx, a_bot("cy"))),
        writer.append(_rows(3)),
    ]
    answers = await asyncio.gather(*units, return_exceptions=True)

    assert [type(answer) for answer in answers] == [
        type(None),
        KeyError,
        JournalConflict,
        type(None),
        NotStored,
        AlreadyStored,
        type(None),
        type(None),
    ]
    assert _written(store) == [0, 2, 3]
    with store.read() as tx:
        assert bots.get(tx, "half") is None
        assert bots.get(tx, "cy") is not None


@pytest.mark.parametrize("error", [StopIteration, SystemExit, KeyboardInterrupt, ValueError])
async def test_whatever_a_unit_raises_reaches_its_waiter_and_the_writer_goes_on(
    writer: StoreWriter, error: type[BaseException]
) -> None:
    def work(tx: WriteTx) -> None:
        raise error("mine")

    answer = writer.run(work)
    await asyncio.wait([answer])

    raised = answer.exception()
    assert "mine" in str(raised)
    assert isinstance(raised, RuntimeError if error is StopIteration else error)
    assert await writer.run(lambda tx: "on it goes") == "on it goes"


async def test_to_stop_waiting_does_not_take_a_unit_back(writer: StoreWriter, store: Store) -> None:
    hold = threading.Event()
    first = writer.run(lambda tx: hold.wait(30))
    waiting = writer.append(_rows(0))
    waiting.cancel()
    hold.set()
    await first
    await writer.append(_rows(1))

    assert waiting.cancelled()
    assert _written(store) == [0, 1]


async def test_closing_commits_what_was_handed_over_and_turns_away_what_comes_later(
    writer: StoreWriter, store: Store
) -> None:
    appended = [writer.append(_rows(sequence)) for sequence in range(100)]
    await asyncio.gather(writer.close(), writer.close())

    assert all(unit.done() and unit.exception() is None for unit in appended)
    assert _written(store) == list(range(100))
    with pytest.raises(StoreClosed, match="the writer is closed"):
        await writer.append(_rows(100))
    with pytest.raises(StoreClosed):
        await writer.run(lambda tx: None)
    with store.write() as tx:
        journal.append(tx, _rows(100))


async def test_a_writer_of_a_closed_store_says_so(writer: StoreWriter, store: Store) -> None:
    store.close()

    answers = await asyncio.gather(
        writer.append(_rows(0)), writer.run(lambda tx: None), return_exceptions=True
    )

    assert [type(answer) for answer in answers] == [StoreClosed, StoreClosed]


def test_a_loop_that_is_gone_is_not_waited_for(store: Store) -> None:
    with store.write() as tx:
        add_cup(tx, "ada", "bo")
    begin_match(store, 0)
    writer = StoreWriter(store)
    hold = threading.Event()

    async def hand_over_and_leave() -> None:
        held = writer.run(lambda tx: hold.wait(30))
        left = writer.append(_rows(0))
        assert not held.done()
        assert not left.done()

    async def come_back() -> None:
        await writer.append(_rows(1))
        await writer.close()

    asyncio.run(hand_over_and_leave())
    hold.set()
    asyncio.run(come_back())

    assert _written(store) == [0, 1]


@dataclass
class _Model:
    """What the store should hold after units done one after the other."""

    sequences: set[int] = field(default_factory=set)
    values: list[int] = field(default_factory=list)

    def append(self, sequences: list[int]) -> str:
        if len(set(sequences)) < len(sequences) or self.sequences & set(sequences):
            return "JournalConflict"
        self.sequences |= set(sequences)
        return "None"

    def push(self, value: int) -> str:
        if value < 0:
            return "ValueError"
        self.values.append(value)
        return str(self.values)


UNITS = st.lists(
    st.one_of(
        st.tuples(st.just("append"), st.lists(st.integers(0, 12), max_size=3)),
        st.tuples(st.just("push"), st.integers(-3, 9)),
    ),
    max_size=25,
)


@given(units=UNITS)
@settings(
    max_examples=25,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_units_have_the_effect_of_being_done_one_after_the_other(
    store: Store, units: list[tuple[str, Any]]
) -> None:
    """Ordering, isolation and answers, for any mixture that is handed over at once."""
    match_id = _fresh_match(store)
    model = _Model()
    expected = [getattr(model, kind)(argument) for kind, argument in units]

    answers = asyncio.run(_hand_over_all(store, match_id, units))

    assert answers == expected
    with store.read() as tx:
        found = {row.sequence for row in journal.entries(tx, match_id)}
    assert found == model.sequences


async def _hand_over_all(store: Store, match_id: str, units: list[tuple[str, Any]]) -> list[str]:
    def push(value: int) -> Any:
        def work(tx: WriteTx) -> str:
            values = [*(meta.get(tx, match_id) or b""), value % 256]
            meta.put(tx, match_id, bytes(values))
            if value < 0:
                raise ValueError(value)
            return str(values)

        return work

    async with StoreWriter(store) as writer:
        waiters = [
            writer.append([JournalRow(match_id, sequence, b"") for sequence in argument])
            if kind == "append"
            else writer.run(push(argument))
            for kind, argument in units
        ]
        answers = await asyncio.gather(*waiters, return_exceptions=True)
    return [
        type(answer).__name__ if isinstance(answer, Exception) else str(answer)
        for answer in answers
    ]


def _fresh_match(store: Store) -> str:
    with store.write() as tx:
        number = int(meta.get(tx, "matches") or b"0")
        meta.put(tx, "matches", b"%d" % (number + 1))
        if number == 0:
            add_cup(tx, "ada", "bo")
    return begin_match(store, number)
