"""Presence: one stream a bot, the newest one, and room for so many matches."""

from __future__ import annotations

import pytest

from kitumaija.server.errors import PermissionDenied, ResourceExhausted
from kitumaija.server.limits import ServerLimits
from kitumaija.server.lobby.connection import Connection
from kitumaija.server.lobby.presence import Presence
from kitumaija.server.match import Nanos
from kitumaija.wire.status import ErrorReason
from tests.support.clock import ManualClock, ms
from tests.support.lobby import ListLine, info


class Watching:
    """Keeps who came and went."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    def arrived(self, connection: Connection, at: Nanos) -> None:
        self.seen.append(f"{connection.bot_id} {connection.info.version} arrived")

    def left(self, connection: Connection, at: Nanos, *, goodbye: bool) -> None:
        how = " with a goodbye" if goodbye else ""
        self.seen.append(f"{connection.bot_id} {connection.info.version} left{how}")


class Door:
    """A presence, a clock, and bots that come in."""

    def __init__(self) -> None:
        self.clock = ManualClock()
        self.presence = Presence(ServerLimits())
        self.watching = Watching()
        self.presence.listen(self.watching)

    def come(self, bot_id: str, version: str = "1", capacity: int = 8) -> Connection:
        connection = Connection(bot_id, bot_id, info(version), capacity, ListLine(self.clock))
        self.presence.admit(bot_id, self.clock.now())
        self.presence.arrive(connection, self.clock.now())
        return connection

    def go(self, connection: Connection, *, goodbye: bool = False) -> None:
        self.presence.leave(connection, self.clock.now(), goodbye=goodbye)


def line_of(connection: Connection) -> ListLine:
    assert isinstance(connection.line, ListLine)
    return connection.line


def test_the_newest_stream_of_a_bot_wins_and_the_older_is_told_why() -> None:
    door = Door()
    older = door.come("alice", "old")
    newer = door.come("alice", "new")

    assert door.presence.connection("alice") is newer
    error = line_of(older).error
    assert error is not None
    assert error.reason is ErrorReason.REPLACED
    assert not line_of(newer).ended
    assert door.watching.seen == ["alice old arrived", "alice new arrived"]


def test_the_end_of_a_replaced_stream_takes_nobody_away() -> None:
    door = Door()
    older = door.come("alice", "old")
    newer = door.come("alice", "new")

    door.go(older)
    assert door.presence.connected("alice")
    assert door.watching.seen[2:] == []

    door.go(newer, goodbye=True)
    assert not door.presence.connected("alice")
    assert door.watching.seen[2:] == ["alice new left with a goodbye"]


def test_a_token_is_locked_when_its_streams_replace_each_other_too_often() -> None:
    door = Door()
    last = [door.come("alice") for _ in range(1 + 5)][-1]

    with pytest.raises(ResourceExhausted) as refused:
        door.come("alice")

    assert refused.value.reason is ErrorReason.TOO_MANY_REPLACEMENTS
    assert refused.value.metadata == {"retry_seconds": "60"}
    assert door.presence.connection("alice") is last, "the stream that is there goes on"


def test_a_locked_token_is_refused_for_a_minute_even_when_its_stream_is_gone() -> None:
    door = Door()
    last = [door.come("alice") for _ in range(1 + 5)][-1]
    with pytest.raises(ResourceExhausted):
        door.come("alice")
    door.go(last)

    door.clock.advance(ms(60_000) - 1)
    with pytest.raises(ResourceExhausted) as refused:
        door.come("alice")
    assert refused.value.metadata == {"retry_seconds": "1"}

    door.clock.advance(1)
    door.come("alice")


def test_replacements_that_are_a_minute_old_are_forgotten() -> None:
    door = Door()
    for _ in range(20):
        door.come("alice")
        door.clock.advance(ms(12_000))

    assert door.presence.connected("alice")


def test_coming_back_after_the_end_of_a_stream_replaces_nothing() -> None:
    door = Door()
    for _ in range(100):
        door.go(door.come("alice"))

    door.come("alice")


def test_a_bot_has_room_for_what_its_hello_says_less_what_it_plays() -> None:
    door = Door()
    door.come("alice", capacity=2)

    door.presence.take("alice")
    assert door.presence.free("alice") == 1
    door.presence.take("alice")
    assert door.presence.free("alice") == 0
    door.presence.give_back("alice")
    assert door.presence.free("alice") == 1


def test_a_bot_that_comes_back_with_less_room_is_given_no_more() -> None:
    door = Door()
    connection = door.come("alice", capacity=4)
    for _ in range(3):
        door.presence.take("alice")
    door.go(connection)
    door.come("alice", capacity=2)

    assert door.presence.free("alice") == 0


def test_a_bot_that_is_away_has_room_for_one_match() -> None:
    door = Door()

    assert door.presence.free("nobody") == 1
    door.presence.take("nobody")
    assert door.presence.free("nobody") == 0


def test_a_bot_that_is_shut_out_has_its_stream_ended_with_the_reason() -> None:
    door = Door()
    connection = door.come("alice")
    error = PermissionDenied(ErrorReason.BOT_DISABLED, "bot 'alice' is shut out")

    door.presence.shut_out("alice", error)
    door.presence.shut_out("bob", error)

    assert line_of(connection).error is error
