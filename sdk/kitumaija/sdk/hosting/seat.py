"""The player of one game that is a process: what is said to it and heard of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from kitumaija.engine import Action, Event, format_action
from kitumaija.sdk.answers import why_not
from kitumaija.sdk.clocks import Clock, nanoseconds, real_clock
from kitumaija.sdk.errors import BotError
from kitumaija.sdk.hosting import messages
from kitumaija.sdk.hosting.stream import Gone, Said, Stream
from kitumaija.sdk.match import Match, Result
from kitumaija.sdk.players import About, Asked, Report
from kitumaija.sdk.turn import Turn
from kitumaija.v1 import arena_pb2
from kitumaija.wire.codec import action_from_message
from kitumaija.wire.codec.errors import CodecError
from kitumaija.wire.kinds import Kind

if TYPE_CHECKING:
    from kitumaija.sdk.hosting.guest import Guest

TIMEOUT: Final = "decision_timeout"
ILLEGAL: Final = "illegal_action"
DISCONNECTED: Final = "disconnected"
"""The faults, as records name them."""

ILLEGAL_RETRIES: Final = 2
"""How many illegal answers to one decision are refused before the default action is made: as many
as in a tournament, unless its organizer says otherwise."""


class HostedBot:
    """Plays one game on a stream, by the protocol and the machine's clock.

    A bot whose stream ends is away for the rest of the game, and all is made by default for it.
    That, an illegal answer, one that nobody asked for, and a Ready that does not come are reported
    once each.
    """

    def __init__(self, name: str, stream: Stream, report: Report, guest: Guest) -> None:
        self._name = name
        self._stream: Stream | None = stream
        self._report = report
        self._guest = guest
        self._told: list[Event] = []
        self._answer: arena_pb2.Answer | None = None
        self._accepted: dict[int, Action] = {}
        self._strayed = False

    @property
    def clock(self) -> Clock:
        """The machine's."""
        return real_clock

    @property
    def about(self) -> About:
        """What its Hello told."""
        hello = self._guest.hello
        return About(hello.language, hello.sdk, hello.bot_version)

    def start(self, match: Match) -> None:
        """Offer the match, wait until the bot is ready, and say who plays."""
        self._say(messages.match_start(match), asking=True)
        until = real_clock() + nanoseconds(match.limits.startup)
        while (heard := self._hear(until)) is not None:
            kind, message = heard
            if kind is Kind.READY and message.match_id == match.match_id:
                self._say(messages.seating(match))
                return
        if not self._is_away():
            seconds = match.limits.startup.total_seconds()
            self._lose(f"did not say Ready within {seconds:g} s", None)

    def ask(self, turn: Turn) -> Asked:
        """Ask, and wait for an answer that is legal, for as long as the decision has time."""
        if self._is_away():
            return Asked(None, DISCONNECTED)
        self._answer = None
        first = len(self._told)
        self._told += turn.events
        self._say(messages.decision(turn, first, turn.events), asking=True)
        limits = turn.match.limits
        # A microsecond beyond what the margin forgives: then it is too late by the table's clock.
        until = turn.asked_at + nanoseconds(turn.time_left + limits.margin) + 1000
        refused = 0
        while (heard := self._hear(until, turn)) is not None:
            answer = self._to_this(heard, turn)
            if answer is None:
                continue
            action, problem, reason = _judged(answer, turn)
            if action is not None:
                self._answer = answer
                return Asked(action)
            refused += 1
            left = ILLEGAL_RETRIES + 1 - refused
            refusal = messages.refusal(answer, reason, problem)
            if left:
                messages.leave_open(refusal, turn, left)
            self._say(arena_pb2.ServerMessage(refusal=refusal))
            self._report(BotError(self._name, f"answered what is not legal: {problem}", turn))
            if not left:
                return Asked(None, ILLEGAL)
        return Asked(None, DISCONNECTED if self._is_away() else TIMEOUT)

    def settled(self, *, accepted: bool) -> None:
        """Say that the answer counts. Of one that came too late its bot is told by a refusal."""
        answer = self._answer
        if answer is None:
            return
        if accepted:
            self._accepted[answer.decision_id] = action_from_message(answer.action)
            self._say(messages.accepted(answer))
        else:
            self._refuse_decided(answer)

    def end(self, result: Result) -> None:
        """Say how the game ended."""
        self._say(messages.match_end(result, len(self._told)))

    def _is_away(self) -> bool:
        return self._stream is None

    def _say(self, *said: arena_pb2.ServerMessage, asking: bool = False) -> None:
        if self._stream is not None:
            self._stream.say(*said, asking=asking)

    def _hear(self, until: int, turn: Turn | None = None) -> Said | None:
        """Return the next message; None if none comes in time, or the stream is over."""
        if self._stream is None:
            return None
        try:
            heard = self._stream.hear(until)
        except Gone as gone:
            self._lose(str(gone), turn)
            return None
        if heard is not None and heard[0] is Kind.GOODBYE:
            self._lose(f"said Goodbye: {heard[1].reason or 'no reason given'}", turn)
            return None
        return heard

    def _lose(self, why: str, turn: Turn | None) -> None:
        self._stream = None
        sentence = self._guest.lost(why)
        self._report(
            BotError(
                self._name, f"{sentence}\nthe rest of the game is made by default for it", turn
            )
        )

    def _to_this(self, heard: Said, turn: Turn) -> arena_pb2.Answer | None:
        """Return the answer to this decision; deal with everything else."""
        kind, message = heard
        if kind is Kind.RESYNC and message.match_id == turn.match.match_id:
            self._say(
                messages.match_sync(turn.match, self._told),
                messages.decision(turn, len(self._told), ()),
            )
        if kind is not Kind.ANSWER:
            return None
        answer: arena_pb2.Answer = message
        if answer.match_id != turn.match.match_id:
            self._refuse(answer, arena_pb2.REFUSAL_REASON_UNKNOWN_MATCH, "No such match is played.")
            if self._stream is not None and answer.match_id not in self._stream.offered:
                self._stray(f"match {answer.match_id!r}, which it was never offered", turn)
        elif answer.decision_id == turn.decision_id:
            return answer
        elif not 0 < answer.decision_id < turn.decision_id:
            wrong = arena_pb2.REFUSAL_REASON_UNKNOWN_DECISION
            self._refuse(answer, wrong, "No such decision has been asked of this seat.")
            self._stray(f"decision {answer.decision_id}, which it was not asked", turn)
        elif self._is_again(answer):
            self._say(messages.accepted(answer))
        else:
            self._refuse_decided(answer)
        return None

    def _stray(self, what: str, turn: Turn) -> None:
        """Report, once a game, an answer that nobody can have asked for."""
        if not self._strayed:
            self._strayed = True
            self._report(BotError(self._name, f"answered {what}", turn))

    def _is_again(self, answer: arena_pb2.Answer) -> bool:
        try:
            action = action_from_message(answer.action)
        except CodecError:
            return False
        return self._accepted.get(answer.decision_id) == action

    def _refuse_decided(self, answer: arena_pb2.Answer) -> None:
        self._refuse(
            answer,
            arena_pb2.REFUSAL_REASON_DECIDED,
            "The decision was made before, by default or by another answer.",
        )

    def _refuse(
        self, answer: arena_pb2.Answer, reason: arena_pb2.RefusalReason.ValueType, detail: str
    ) -> None:
        refusal = messages.refusal(answer, reason, detail)
        self._say(arena_pb2.ServerMessage(refusal=refusal))


def _judged(
    answer: arena_pb2.Answer, turn: Turn
) -> tuple[Action | None, str, arena_pb2.RefusalReason.ValueType]:
    """Return the legal action of an answer; or None, what is wrong with it, and the reason."""
    try:
        action = action_from_message(answer.action)
    except CodecError as error:
        return None, f"it holds no action ({error})", arena_pb2.REFUSAL_REASON_MALFORMED_ACTION
    if action in turn.legal:
        return action, "", arena_pb2.REFUSAL_REASON_UNSPECIFIED
    problem = f"{format_action(action)!r}: {why_not(turn, action)}"
    return None, problem, arena_pb2.REFUSAL_REASON_ILLEGAL_ACTION
