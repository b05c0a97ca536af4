"""The pulse, and the watch over the server's own delays."""

from __future__ import annotations

import asyncio
from datetime import timedelta

from kitumaija.server.clock import MonotonicClock
from kitumaija.server.lobby.pulse import Pulse, StallWatch
from kitumaija.server.match import Nanos
from tests.support.clock import ManualClock, ms


def watch_telling(told: list[tuple[int, int]]) -> StallWatch:
    return StallWatch(
        lambda since, until: told.append((since // ms(1), until // ms(1))),
        worth_telling=timedelta(milliseconds=20),
    )


def instant(milliseconds: float) -> Nanos:
    return Nanos(ms(milliseconds))


def test_a_beat_that_comes_in_time_or_little_late_is_no_stall() -> None:
    told: list[tuple[int, int]] = []
    watch = watch_telling(told)
    watch.expect(instant(100))

    watch.look(instant(90))
    watch.look(instant(120))

    assert told == []


def test_a_stall_is_told_from_when_the_beat_was_due_to_now() -> None:
    told: list[tuple[int, int]] = []
    watch = watch_telling(told)
    watch.expect(instant(100))

    watch.look(instant(121))

    assert told == [(100, 121)]


def test_a_stall_that_goes_on_is_told_in_parts_that_do_not_overlap() -> None:
    told: list[tuple[int, int]] = []
    watch = watch_telling(told)
    watch.expect(instant(100))

    watch.look(instant(3_000))
    watch.look(instant(3_010))
    watch.look(instant(3_100))

    assert told == [(100, 3_000), (3_000, 3_100)]


def test_before_the_first_beat_is_due_nothing_is_watched() -> None:
    told: list[tuple[int, int]] = []

    watch_telling(told).look(instant(99_999))

    assert told == []


async def test_a_pulse_calls_every_sweep_with_one_stamp_until_it_is_stopped() -> None:
    clock = ManualClock()
    beats: list[tuple[str, Nanos]] = []
    pulse = Pulse(
        clock,
        watch_telling([]),
        timedelta(milliseconds=1),
        [lambda now: beats.append(("a", now)), lambda now: beats.append(("b", now))],
    )

    pulse.beat()

    assert beats == [("a", clock.now()), ("b", clock.now())]


async def test_a_pulse_that_is_started_goes_on_by_itself_though_a_sweep_raises() -> None:
    loop = asyncio.get_running_loop()
    reported: list[str] = []
    loop.set_exception_handler(lambda _, context: reported.append(str(context["exception"])))
    thrice = loop.create_future()
    beats = 0

    def sweep(_now: Nanos) -> None:
        nonlocal beats
        beats += 1
        if beats == 3:
            thrice.set_result(None)
        raise RuntimeError("a sweep failed")

    pulse = Pulse(MonotonicClock(), watch_telling([]), timedelta(milliseconds=1), [sweep])
    pulse.start()
    await thrice
    pulse.stop()

    assert reported[:2] == ["a sweep failed", "a sweep failed"]
