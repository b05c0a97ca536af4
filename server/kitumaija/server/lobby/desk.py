"""The desk: takes what a bot says to where it belongs.

Every message is dealt with to its end in the call that brings it. What may be said when is the
session machine's matter (`kitumaija.wire.session`), and was checked before.
"""

from __future__ import annotations

from kitumaija.server.lobby.connection import BotInfo, Connection, Line
from kitumaija.server.lobby.hall import Hall
from kitumaija.server.lobby.hooks import EntropyStep
from kitumaija.server.lobby.presence import Presence
from kitumaija.server.lobby.pulse import StallWatch
from kitumaija.server.lobby.tell import unknown_match
from kitumaija.server.match.events import AnswerArrived, ReadyArrived, ResyncAsked
from kitumaija.server.match.refusals import OUR_TROUBLE
from kitumaija.server.match.values import Fault, Nanos
from kitumaija.server.store.rows import BotRow
from kitumaija.v1 import arena_pb2
from kitumaija.wire.codec import CodecError, action_from_message
from kitumaija.wire.limits import DEFAULT_CAPACITY
from kitumaija.wire.times import think_time_from_message

_STEPS = {
    arena_pb2.ENTROPY_STEP_COMMIT: EntropyStep.COMMIT,
    arena_pb2.ENTROPY_STEP_REVEAL: EntropyStep.REVEAL,
}


class Desk:
    """Where the streams bring what bots say, with the stamp of its arrival."""

    def __init__(
        self,
        hall: Hall,
        presence: Presence,
        watch: StallWatch,
        *,
        capacity_max: int,
        server: str,
    ) -> None:
        self._hall = hall
        self._presence = presence
        self._watch = watch
        self._capacity_max = capacity_max
        self._server = server

    def look(self, at: Nanos) -> None:
        """Have a stall of the server noticed before what was stamped `at` is dealt with."""
        self._watch.look(at)

    def capacity(self, hello: arena_pb2.Hello) -> int:
        """Return how many matches at once a bot gets: what it says, or what the server allows."""
        return min(hello.capacity or DEFAULT_CAPACITY, self._capacity_max)

    def matches_of(self, bot_id: str) -> tuple[str, ...]:
        """Return the matches that a new stream of the bot will be told of."""
        return self._hall.matches_of(bot_id)

    def hello(self, bot: BotRow, hello: arena_pb2.Hello, line: Line, at: Nanos) -> Connection:
        """Open a bot's stream: Welcome, then what its matches have to say.

        Raises `ResourceExhausted` for a token that is locked.
        """
        self._presence.admit(bot.bot_id, at)
        connection = Connection(
            bot_id=bot.bot_id,
            display_name=bot.display_name,
            info=BotInfo(version=hello.bot_version, sdk=hello.sdk, language=hello.language),
            capacity=self.capacity(hello),
            line=line,
            matches=tuple(hello.match_ids),
        )
        # What the bot still plays is told of on this stream, its end if it is over.
        told_of = dict.fromkeys((*self._hall.matches_of(bot.bot_id), *connection.matches))
        welcome = arena_pb2.Welcome(
            bot_id=bot.bot_id,
            display_name=bot.display_name,
            server=self._server,
            capacity=connection.capacity,
            match_ids=told_of,
        )
        line.put(arena_pb2.ServerMessage(welcome=welcome))
        self._presence.arrive(connection, at)
        return connection

    def answer(self, connection: Connection, answer: arena_pb2.Answer, at: Nanos) -> None:
        """Bring a match the answer to a decision."""
        match = self._hall.match(connection.bot_id, answer.match_id)
        if match is None:
            self._hall.say(connection, unknown_match(answer))
            return
        try:
            action, problem = action_from_message(answer.action), ""
        except CodecError as error:
            action, problem = None, str(error)
        seat = match.seat_of(connection.bot_id)
        think_time = think_time_from_message(answer)
        event = AnswerArrived(seat, answer.decision_id, action, at, problem, think_time)
        self._hall.input(match, event)

    def mishandled(self, connection: Connection, answer: arena_pb2.Answer, at: Nanos) -> None:
        """Count an answer that brought the server to an error as an illegal one."""
        match = self._hall.match(connection.bot_id, answer.match_id)
        if match is not None:
            seat = match.seat_of(connection.bot_id)
            self._hall.input(match, AnswerArrived(seat, answer.decision_id, None, at, OUR_TROUBLE))

    def ready(self, connection: Connection, ready: arena_pb2.Ready, at: Nanos) -> None:
        """Bring a match that a bot is ready; a match that is over meanwhile needs it no more."""
        match = self._hall.match(connection.bot_id, ready.match_id)
        if match is not None:
            self._hall.input(match, ReadyArrived(match.seat_of(connection.bot_id), at))

    def resync(self, connection: Connection, resync: arena_pb2.Resync, at: Nanos) -> None:
        """Have all of a match's events sent again; one that is over has said its last."""
        match = self._hall.match(connection.bot_id, resync.match_id)
        if match is not None:
            self._hall.input(match, ResyncAsked(match.seat_of(connection.bot_id), at))

    def entropy(self, connection: Connection, entropy: arena_pb2.Entropy) -> None:
        """Bring the director a bot's entropy; a step that is not known is passed over."""
        step = _STEPS.get(entropy.step)
        if step is not None:
            self._hall.entropy(connection.bot_id, entropy.tournament_id, step, entropy.value)

    def round_trip(self, connection: Connection, nanos: int) -> None:
        """Note how long a Ping took to come back."""
        self._hall.round_trip(connection.bot_id, connection.measured(nanos))

    def broke(self, connection: Connection, fault: Fault, detail: str) -> None:
        """Forfeit the bot's seats: it flooded the server, or broke the protocol.

        `detail` says it in a sentence, for whoever has the forfeit explained.
        """
        if self._presence.connection(connection.bot_id) is connection:
            self._hall.order_forfeit(connection.bot_id, fault, detail=detail)

    def gone(self, connection: Connection, at: Nanos, *, goodbye: bool) -> None:
        """Note that a stream is gone."""
        self._watch.look(at)
        self._presence.leave(connection, at, goodbye=goodbye)
