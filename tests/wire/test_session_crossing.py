"""Two ends that each keep to their own machine never break the other's, whatever crosses.

The tables are small enough to look at everything: each state of the one end with each of the
other's and all that can be under way between them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Mapping
from itertools import chain
from typing import Generic, NamedTuple, TypeVar

from kitumaija.wire.kinds import Tag
from kitumaija.wire.session import (
    MATCH_TABLE,
    STREAM_TABLE,
    MatchEvent,
    MatchState,
    StreamEvent,
    StreamState,
    Violation,
)

State = TypeVar("State", bound=Tag)
Event = TypeVar("Event", bound=Tag)

UNDER_WAY_MAX = 3
"""How many messages may be under way in each direction."""


class Moment(NamedTuple, Generic[State, Event]):
    """Where each end stands, and what is on its way to it."""

    bot: State
    server: State
    to_bot: tuple[Event, ...] = ()
    to_server: tuple[Event, ...] = ()


class Explorer(Generic[State, Event]):
    """Visits every moment that can be reached; each end says at any time whatever it may.

    `refused` are the deliveries that the hearer's machine did not take.
    """

    def __init__(
        self,
        table: Mapping[tuple[State, Event], State | Violation],
        start: State,
        bot_says: Collection[Event],
        server_says: Collection[Event],
    ) -> None:
        self._table = table
        self._bot_says, self._server_says = bot_says, server_says
        self.refused: list[tuple[Moment[State, Event], Event]] = []
        first: Moment[State, Event] = Moment(start, start)
        self.seen = {first}
        waiting = deque([first])
        while waiting:
            now = waiting.popleft()
            for following in chain(self._sayings(now), self._deliveries(now)):
                if following not in self.seen:
                    self.seen.add(following)
                    waiting.append(following)

    def _sayings(self, now: Moment[State, Event]) -> Iterator[Moment[State, Event]]:
        if len(now.to_server) < UNDER_WAY_MAX:
            for event in self._bot_says:
                bot = self._table[now.bot, event]
                if not isinstance(bot, Violation):
                    yield now._replace(bot=bot, to_server=(*now.to_server, event))
        if len(now.to_bot) < UNDER_WAY_MAX:
            for event in self._server_says:
                server = self._table[now.server, event]
                if not isinstance(server, Violation):
                    yield now._replace(server=server, to_bot=(*now.to_bot, event))

    def _deliveries(self, now: Moment[State, Event]) -> Iterator[Moment[State, Event]]:
        for event in now.to_server[:1]:
            server = self._table[now.server, event]
            if isinstance(server, Violation):
                self.refused.append((now, event))
            else:
                yield now._replace(server=server, to_server=now.to_server[1:])
        for event in now.to_bot[:1]:
            bot = self._table[now.bot, event]
            if isinstance(bot, Violation):
                self.refused.append((now, event))
            else:
                yield now._replace(bot=bot, to_bot=now.to_bot[1:])


def test_no_crossing_of_what_both_may_say_of_a_match_breaks_it() -> None:
    bot_says = [MatchEvent.READY, MatchEvent.ANSWER]
    server_says = [event for event in MatchEvent if event not in bot_says]
    explorer = Explorer(MATCH_TABLE, MatchState.UNKNOWN, bot_says, server_says)
    assert explorer.refused == []
    assert {moment.bot for moment in explorer.seen} == set(MatchState)
    assert {moment.server for moment in explorer.seen} == set(MatchState)


def test_no_crossing_of_what_both_may_say_on_a_stream_breaks_it() -> None:
    bot_says = [StreamEvent.HELLO, StreamEvent.BOT_SPEAKS, StreamEvent.GOODBYE]
    server_says = [event for event in StreamEvent if event not in bot_says]
    explorer = Explorer(STREAM_TABLE, StreamState.OPENING, bot_says, server_says)
    assert explorer.refused == []
    assert {moment.server for moment in explorer.seen} == set(StreamState) - {StreamState.CLOSED}


def test_a_machine_that_tolerated_less_would_be_found_out() -> None:
    strict = {**MATCH_TABLE, (MatchState.ENDED, MatchEvent.READY): Violation.AFTER_MATCH_END}
    bot_says = [MatchEvent.READY]
    server_says = [MatchEvent.START, MatchEvent.END]
    explorer = Explorer(strict, MatchState.UNKNOWN, bot_says, server_says)
    assert any(
        moment.server is MatchState.ENDED and event is MatchEvent.READY
        for moment, event in explorer.refused
    )
