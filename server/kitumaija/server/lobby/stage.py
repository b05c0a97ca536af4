"""One step of one match: the machine moves, and what it wants is carried out.

A mistake of ours in one match, an exception in its machine or in what it says, never reaches the
other matches: it costs the bot whose answer brought it about that answer, or makes the match void.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from kitumaija.engine import Seat
from kitumaija.server.clock import Clock
from kitumaija.server.lobby import chronicle
from kitumaija.server.lobby.clockstarts import ClockStarts
from kitumaija.server.lobby.connection import Asked, Connection
from kitumaija.server.lobby.outgoing import Outgoing
from kitumaija.server.lobby.presence import Presence
from kitumaija.server.lobby.running import RunningMatch
from kitumaija.server.lobby.storewatch import StoreWatch, Wait
from kitumaija.server.lobby.tell import message_for
from kitumaija.server.match.commands import (
    AskDecision,
    Command,
    Ended,
    EndMatch,
    Journal,
    OfferMatch,
    RefuseAnswer,
    SeatMessage,
    Tell,
)
from kitumaija.server.match.events import AnswerArrived, MatchEvent, Tick, VoidOrdered
from kitumaija.server.match.journal import JournalEntry, Voided, entry_to_bytes
from kitumaija.server.match.machine import step
from kitumaija.server.match.refusals import OUR_TROUBLE
from kitumaija.server.match.values import MatchEnding, MatchResult, MatchVoid, Nanos
from kitumaija.server.metrics import Metrics
from kitumaija.server.store.rows import JournalRow
from kitumaija.v1 import arena_pb2

MatchEnded: TypeAlias = Callable[[RunningMatch, MatchResult], None]
"""Called once a match, when its machine has a result, which is not committed yet."""

_OUR_MISTAKE = "The server made a mistake with this match."


class Stage:
    """Where matches are stepped. What they say joins `outgoing`, in order."""

    def __init__(
        self,
        *,
        clock: Clock,
        presence: Presence,
        outgoing: Outgoing,
        starts: ClockStarts,
        store_watch: StoreWatch,
        ended: MatchEnded,
        metrics: Metrics,
    ) -> None:
        self._clock = clock
        self._presence = presence
        self._outgoing = outgoing
        self._starts = starts
        self._store_watch = store_watch
        self._ended = ended
        self._metrics = metrics

    def step(self, match: RunningMatch, event: MatchEvent) -> None:
        """Let `event` happen to the match."""
        try:
            match.state, commands = step(match.state, event)
        except Exception as error:  # noqa: BLE001 - one match's mistake must not stop the others
            chronicle.mistake(match, type(event).__name__, error)
            self._after_mistake(match, event)
        else:
            self.carry_out(match, commands)

    def look(self, match: RunningMatch, now: Nanos) -> None:
        """Let the match rule on what time alone decides, if anything is due."""
        try:
            due = match.is_due(now)
        except Exception as error:  # noqa: BLE001 - as above
            chronicle.mistake(match, "its deadline", error)
            self.give_up(match)
            return
        if due:
            self.step(match, Tick(now))

    def carry_out(self, match: RunningMatch, commands: Sequence[Command]) -> None:
        """Do what the match's machine wants done."""
        try:
            self._do(match, commands)
        except Exception as error:  # noqa: BLE001 - as above
            chronicle.mistake(match, "what a step wanted", error)
            self.give_up(match)

    def show(self, match: RunningMatch) -> None:
        """Show the audience what has happened, once it is committed.

        Before all are ready nobody sees a card: a bot could choose its games by the start card. Of
        a match that ended before that nobody ever does.
        """
        if match.audience is not None and match.begun:
            self._outgoing.then(partial(match.audience.reached, len(match.state.events)))

    def tell_end(self, match: RunningMatch) -> None:
        """Tell the bots that are connected how the match ended; whoever came back late, too."""
        for seat, ending in match.endings.items():
            try:
                self._tell(match, Tell(seat, ending))
            except Exception as error:  # noqa: BLE001 - the result stands, told or not
                chronicle.mistake(match, "what its end says", error)

    def _after_mistake(self, match: RunningMatch, event: MatchEvent) -> None:
        """Go on after an exception in a step, which has left the state as it was."""
        if isinstance(event, AnswerArrived) and event.action is not None:
            self.step(match, replace(event, action=None, problem=OUR_TROUBLE))
        else:
            self.give_up(match)

    def give_up(self, match: RunningMatch) -> None:
        """End a match that we made a mistake with, by its machine if that still works."""
        if match.ended:
            return
        if not match.given_up:
            match.given_up = True
            self.step(match, VoidOrdered(_OUR_MISTAKE, self._clock.now()))
        if not match.ended:
            # Its machine fails, or takes the match for over while its end was never carried out.
            self._end_without_machine(match)

    def _end_without_machine(self, match: RunningMatch) -> None:
        try:
            self._journal(match, Voided(_OUR_MISTAKE))
        except Exception as error:  # noqa: BLE001 - as above
            chronicle.mistake(match, "its last entry", error)
        ending = EndMatch(MatchEnding.VOID, reason=_OUR_MISTAKE)
        match.endings = dict.fromkeys(map(Seat, range(match.setup.seats)), ending)
        self._end(match, MatchVoid(_OUR_MISTAKE))

    def _do(self, match: RunningMatch, commands: Sequence[Command]) -> None:
        match.note_whether_begun()
        for command in commands:
            if isinstance(command, Journal):
                self._journal(match, command.entry)
            elif isinstance(command, Ended):
                self._end(match, command.result)
            elif isinstance(command.message, EndMatch):
                match.endings[command.seat] = command.message
            else:
                self._tell(match, command)
        self.show(match)

    def _journal(self, match: RunningMatch, entry: JournalEntry) -> None:
        chronicle.noted(match, entry)
        self._metrics.noted(entry)
        self._outgoing.journal(JournalRow(match.match_id, match.sequence, entry_to_bytes(entry)))
        match.sequence += 1

    def _end(self, match: RunningMatch, result: MatchResult) -> None:
        match.ended = True
        self._ended(match, result)

    def _tell(self, match: RunningMatch, tell: Tell) -> None:
        if isinstance(tell.message, RefuseAnswer):
            self._metrics.refused(tell.message.reason)
        connection = self._presence.connection(match.setup.entrants[tell.seat])
        if connection is None:
            return
        if _clock_runs(match, tell.message):
            wait = self._store_watch.began(match.match_id, _about(tell), self._clock.now())
            if wait is not None:
                self._outgoing.then(partial(self._committed, wait))
        message = message_for(match, tell.message)
        if isinstance(tell.message, AskDecision):
            asked = Asked(match.match_id, tell.seat, tell.message.decision_id)
            self._outgoing.then(partial(self._ask, connection, message, asked))
        else:
            self._outgoing.then(partial(connection.line.put, message))

    def _committed(self, wait: Wait) -> None:
        self._store_watch.over(wait, self._clock.now())

    def _ask(self, connection: Connection, message: arena_pb2.ServerMessage, asked: Asked) -> None:
        self._starts.handed_over(asked, self._clock.now())
        connection.line.put(message, self._starts.delivery(asked))


def _clock_runs(match: RunningMatch, said: SeatMessage) -> bool:
    """Tell whether some clock of the receiver's runs while this is on its way to the disk."""
    if isinstance(said, OfferMatch):
        return True
    if isinstance(said, RefuseAnswer):
        return said.retries_left > 0
    if not isinstance(said, AskDecision):
        return False
    pending = match.state.pending
    return pending is not None and pending.started is not None


def _about(tell: Tell) -> tuple[Seat, int] | None:
    """Return the decision that something is said about; None for an offer."""
    said = tell.message
    if isinstance(said, AskDecision | RefuseAnswer):
        return tell.seat, said.decision_id
    return None
