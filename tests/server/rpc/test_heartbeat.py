"""The heartbeat of a stream: silence, Pings, and what a stall of the server's own is not."""

from __future__ import annotations

from kitumaija.server.limits import ROUND_TRIPS_KEPT, ServerLimits
from kitumaija.server.match import Nanos
from kitumaija.server.rpc.heartbeat import Heartbeat
from tests.support.clock import in_nanos, ms

LIMITS = ServerLimits()
EVERY = in_nanos(LIMITS.ping_every) // ms(1)


def instant(milliseconds: float) -> Nanos:
    return Nanos(ms(milliseconds))


def pinged(heartbeat: Heartbeat, *, due: float, written: float | None) -> int:
    """Have a Ping made that is due, and its write return, if it does; return its number."""
    ping = heartbeat.ping(instant(due))
    assert ping is not None
    message, delivery = ping
    if written is not None:
        delivery.written(instant(written))
    return message.ping.nonce


def test_silence_lasts_since_something_was_heard() -> None:
    heartbeat = Heartbeat(LIMITS, instant(0))
    assert heartbeat.silence(instant(700)) == ms(700)

    heartbeat.heard(instant(700))
    assert heartbeat.silence(instant(1_000)) == ms(300)


def test_a_ping_is_due_at_once_and_then_every_few_seconds_under_another_number() -> None:
    heartbeat = Heartbeat(LIMITS, instant(0))
    first = pinged(heartbeat, due=0, written=0)

    assert heartbeat.ping(instant(EVERY - 1)) is None
    assert pinged(heartbeat, due=EVERY, written=EVERY) != first


def test_a_round_trip_is_from_the_return_of_the_write_to_the_pong_and_counts_once() -> None:
    heartbeat = Heartbeat(LIMITS, instant(0))
    nonce = pinged(heartbeat, due=0, written=40)

    assert heartbeat.pong(nonce, instant(70)) == ms(30)
    assert heartbeat.pong(nonce, instant(80)) is None


def test_a_pong_to_no_ping_or_to_one_of_long_ago_says_nothing() -> None:
    heartbeat = Heartbeat(LIMITS, instant(0))
    nonces = [
        pinged(heartbeat, due=EVERY * number, written=EVERY * number)
        for number in range(ROUND_TRIPS_KEPT + 1)
    ]
    now = instant(EVERY * ROUND_TRIPS_KEPT)

    assert heartbeat.pong(nonces[0], now) is None
    assert heartbeat.pong(nonces[1], now) is not None
    assert heartbeat.pong(12_345, now) is None


def test_that_the_server_stood_still_is_neither_silence_nor_a_long_way() -> None:
    heartbeat = Heartbeat(LIMITS, instant(0))
    nonce = pinged(heartbeat, due=0, written=10)

    heartbeat.stalled(instant(100), instant(60_100))

    assert heartbeat.silence(instant(60_200)) == ms(200)
    assert heartbeat.pong(nonce, instant(60_200)) == ms(190)
