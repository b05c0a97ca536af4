"""The gate: how many decisions are out at once, whose turn it is, what a busy loop changes."""

from __future__ import annotations

import asyncio

from kitumaija.server.rpc.gate import LONG_ROUND, PLACES_MIN, SOON, Gate, Outing


class Time:
    """Seconds that pass when the test says so."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


async def fill(gate: Gate) -> Outing:
    """Let out as many decisions as there are places, together."""
    await gate.turn()
    return gate.let_out(gate.room)


async def another_round() -> None:
    """Let the event loop go round."""
    await asyncio.sleep(0)


def waiting_for(gate: Gate, names: str, passed: list[str]) -> list[asyncio.Task[None]]:
    """Come to the gate, one after another, each with one decision."""

    async def come(name: str) -> None:
        await gate.turn()
        passed.append(name)
        gate.let_out(1)

    return [asyncio.create_task(come(name)) for name in names]


async def test_a_gate_with_places_keeps_nobody_waiting() -> None:
    gate = Gate(Time())

    for _ in range(gate.places):
        assert not gate.waits
        await gate.turn()
        gate.let_out(1)

    assert gate.waits


async def test_an_answer_lets_the_next_one_through_in_the_order_they_came() -> None:
    gate = Gate(Time())
    outing = await fill(gate)
    passed: list[str] = []
    tasks = waiting_for(gate, "abc", passed)
    await another_round()
    assert (passed, gate.waiting) == ([], 3)

    gate.answered(outing)
    await another_round()
    assert passed == ["a"]
    gate.answered(outing)
    gate.answered(outing)
    await asyncio.gather(*tasks)

    assert passed == ["a", "b", "c"]
    assert gate.waits


async def test_a_decision_has_one_answer_that_counts() -> None:
    gate = Gate(Time())
    await gate.turn()
    first = gate.let_out(1)
    for _ in range(gate.places - 1):
        await gate.turn()
        gate.let_out(1)

    for _ in range(3):
        gate.answered(first)

    await gate.turn()
    gate.let_out(1)
    assert gate.waits


async def test_a_bot_that_thinks_keeps_nobody_waiting_for_long() -> None:
    time = Time()
    gate = Gate(time)
    outing = await fill(gate)
    passed: list[str] = []
    tasks = waiting_for(gate, "ab", passed)
    await another_round()

    time.now += SOON
    await asyncio.gather(*tasks)

    assert passed == ["a", "b"]
    assert outing.places == 0


async def test_who_goes_away_while_waiting_or_with_nothing_to_say_takes_no_place() -> None:
    gate = Gate(Time())
    outing = await fill(gate)
    passed: list[str] = []
    leaving, cut_off, staying = waiting_for(gate, "abc", passed)
    await another_round()

    leaving.cancel()
    gate.answered(outing)
    await another_round()
    cut_off.cancel()
    await asyncio.gather(leaving, cut_off, staying, return_exceptions=True)
    assert leaving.cancelled(), leaving.exception()
    assert passed[-1] == "c"
    gate.answered(outing)
    if "b" in passed:
        gate.answered(outing)
    await gate.turn()
    gate.let_out(0)

    assert not gate.waits


async def test_a_round_of_the_loop_that_took_long_lessens_the_places() -> None:
    time = Time()
    gate = Gate(time)

    for _ in range(50):
        await gate.turn()
        outing = gate.let_out(1)
        time.now += 2 * LONG_ROUND
        await another_round()
        gate.answered(outing)

    assert gate.places == PLACES_MIN


async def test_while_somebody_waits_and_the_rounds_are_short_there_are_more_places() -> None:
    gate = Gate(Time())
    before = gate.places
    outings = [await fill(gate)]

    async def come() -> None:
        await gate.turn()
        outings.append(gate.let_out(1))

    tasks = [asyncio.create_task(come()) for _ in range(2 * before)]
    await another_round()
    while gate.waiting:
        gate.answered(next(outing for outing in outings if outing.places))
        await another_round()
    await asyncio.gather(*tasks)

    assert gate.places > before


async def test_without_anybody_waiting_there_are_never_more_places() -> None:
    gate = Gate(Time())
    before = gate.places

    for _ in range(100):
        await gate.turn()
        gate.answered(gate.let_out(1))
        await another_round()

    assert gate.places == before
