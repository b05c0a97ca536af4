"""A connection's estimate of its round trip."""

from __future__ import annotations

from kitumaija.server.lobby.connection import Connection
from tests.support.clock import ManualClock
from tests.support.lobby import ListLine, info


def connection() -> Connection:
    return Connection("alice", "Alice", info(), 8, ListLine(ManualClock()))


def test_the_round_trip_is_not_known_before_the_first_measurement() -> None:
    assert connection().round_trip is None


def test_the_round_trip_is_the_shortest_of_the_last_eight() -> None:
    alice = connection()

    assert [alice.measured(nanos) for nanos in (900, 300, 500)] == [900, 300, 300]
    for _ in range(7):
        alice.measured(700)
    assert alice.round_trip == 500
    alice.measured(700)
    assert alice.round_trip == 700
