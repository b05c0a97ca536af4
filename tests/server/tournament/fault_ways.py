"""How a bot over a socket brings about each fault there is: one way for each row of the table."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta

from kitumaija.engine import Pass
from kitumaija.server.match import Nanos
from kitumaija.server.match.faults import Stage
from kitumaija.server.match.values import Fault
from kitumaija.v1 import arena_pb2
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.codec import legal_from_message
from kitumaija.wire.status import ErrorReason
from kitumaija.wire.times import Limits
from tests.support.organizer import Organizer
from tests.support.raw_bot import RawBot

VICTIM = "vic"
OTHERS = ("ann", "bob")
DECISION_LOST = timedelta(seconds=12)
"""Longer than a decision and the bank may take, and within the grace."""
GRACE_LOST = timedelta(seconds=16)


class Case:
    """The server with the victim's match, and what the victim does."""

    def __init__(self, organizer: Organizer) -> None:
        self.organizer = organizer
        self.bot = RawBot(organizer.app.address, organizer.tokens[VICTIM])

    async def connect(self) -> None:
        """Open a stream for the victim, after the one that it had."""
        self.bot = RawBot(self.organizer.app.address, self.organizer.tokens[VICTIM])
        await self.bot.hello(capacity=1, bot_version="1")

    async def offer(self) -> str:
        """Wait for the victim's next match and return its id."""
        return (await self.bot.until("match_start")).match_start.match_id

    async def asked(self) -> arena_pb2.Decision:
        """Be ready for the next match, and return the victim's first decision in it.

        Its clock runs then: the next write on the stream comes after that which starts it.
        """
        await self.bot.ready(await self.offer())
        decision = await self.bot.decision()
        await self.bot.heard()
        return decision

    async def answer(self, decision: arena_pb2.Decision) -> None:
        """Answer with the first legal action."""
        await self.bot.answer(decision, legal_from_message(decision.legal)[0])

    async def play_on(self) -> None:
        """Answer everything until the match is over."""
        while True:
            message = await self.bot.next()
            kind = message.WhichOneof("message")
            if kind == "decision":
                await self.answer(message.decision)
            elif kind == "match_end":
                return

    async def lose_stream(self) -> None:
        """Break off, and wait until the server has seen it."""
        await self.bot.close()
        presence = self.organizer.app.hall.presence
        bell = self.organizer.director.bell("cup")
        while presence.connected(VICTIM):
            await bell.next().wait()

    async def break_protocol(self) -> None:
        """Say Hello twice, and hear the end of the stream."""
        await self.bot.say(arena_pb2.BotMessage(hello=arena_pb2.Hello()))
        assert (await self.bot.end())[1] is ErrorReason.PROTOCOL_VIOLATION

    async def flood(self) -> None:
        """Say more than the server takes, and hear the end of the stream."""
        await self.bot.say(*[arena_pb2.BotMessage()] * 600)
        assert (await self.bot.end())[1] is ErrorReason.FLOODING

    async def withdraw(self) -> None:
        """The victim withdraws itself, with its own token."""
        tournaments = self.organizer.tournaments
        request = v1.WithdrawEntrantRequest(tournament_id="cup", bot_id=VICTIM)
        token = self.organizer.tokens[VICTIM]
        await self.organizer.call(tournaments.WithdrawEntrant, request, token=token)

    async def disqualify(self) -> None:
        """The organizer takes the victim out."""
        request = v1.DisqualifyEntrantRequest(
            tournament_id="cup", bot_id=VICTIM, reason="sold its cards"
        )
        await self.organizer.call(self.organizer.tournaments.DisqualifyEntrant, request)


Cause = Callable[[Case], Awaitable[None]]


@dataclass(frozen=True)
class Way:
    """How a cell is brought about, under which settings."""

    cause: Cause
    faults: v1.FaultPolicy | None = None
    limits: Limits | None = None


##### Before the start #####


async def stay_away(case: Case) -> None:
    await case.organizer.miss(1, VICTIM)


async def never_ready(case: Case) -> None:
    await case.connect()
    await case.offer()
    await case.organizer.miss(1, VICTIM)


async def flood_before(case: Case) -> None:
    await case.connect()
    await case.offer()
    await case.flood()


async def break_before(case: Case) -> None:
    await case.connect()
    await case.offer()
    await case.break_protocol()


async def withdraw_before(case: Case) -> None:
    await case.connect()
    await case.offer()
    await case.withdraw()


async def disqualified_before(case: Case) -> None:
    await case.connect()
    await case.offer()
    await case.disqualify()


##### At a decision #####


async def think_too_long(case: Case) -> None:
    await case.connect()
    await case.asked()
    case.organizer.advance(DECISION_LOST)
    await case.play_on()


async def answer_illegally(case: Case) -> None:
    await case.connect()
    decision = await case.asked()
    for _ in range(3):
        await case.bot.answer(decision, Pass())
    await case.play_on()


async def miss_a_decision(case: Case) -> None:
    await case.connect()
    await case.asked()
    await case.lose_stream()
    case.organizer.advance(DECISION_LOST)
    await case.connect()
    await case.play_on()


async def wait_for_a_stalled_server(case: Case) -> None:
    await case.connect()
    decision = await case.asked()
    stalled = 60_000_000_000
    now = case.organizer.clock.advance(stalled)
    case.organizer.app.hall.stalled(Nanos(now - stalled), now)
    await case.answer(decision)
    await case.play_on()


##### For the seat #####


async def think_too_long_for_the_seat(case: Case) -> None:
    await case.connect()
    await case.asked()
    case.organizer.advance(DECISION_LOST)
    await case.bot.until("match_end")


async def answer_illegally_for_the_seat(case: Case) -> None:
    await case.connect()
    await case.bot.answer(await case.asked(), Pass())
    await case.bot.until("match_end")


async def stay_away_for_the_seat(case: Case) -> None:
    await case.connect()
    await case.asked()
    await case.lose_stream()
    case.organizer.advance(GRACE_LOST)


async def flood_in_play(case: Case) -> None:
    await case.connect()
    await case.asked()
    await case.flood()


async def break_in_play(case: Case) -> None:
    await case.connect()
    await case.asked()
    await case.break_protocol()


async def withdraw_in_play(case: Case) -> None:
    await case.connect()
    await case.asked()
    await case.withdraw()
    await case.bot.until("match_end")


async def disqualified_in_play(case: Case) -> None:
    await case.connect()
    await case.asked()
    await case.disqualify()
    await case.bot.until("match_end")


##### For the match #####


async def take_longer_than_the_cap(case: Case) -> None:
    await case.connect()
    await case.asked()
    cap = (await case.organizer.get()).settings.limits.match_cap.ToTimedelta()
    case.organizer.advance(cap + timedelta(hours=1))
    assert (await case.bot.until("match_end")).match_end.void_reason


ONE_FAULT = v1.FaultPolicy(faults_to_forfeit=1)
WAYS: dict[tuple[Fault, Stage], Way] = {
    (Fault.NO_SHOW, Stage.START): Way(stay_away),
    (Fault.STARTUP_TIMEOUT, Stage.START): Way(never_ready),
    (Fault.DECISION_TIMEOUT, Stage.DECISION): Way(think_too_long),
    (Fault.DECISION_TIMEOUT, Stage.SEAT): Way(think_too_long_for_the_seat, ONE_FAULT),
    (Fault.ILLEGAL_ACTION, Stage.DECISION): Way(answer_illegally),
    (Fault.ILLEGAL_ACTION, Stage.SEAT): Way(
        answer_illegally_for_the_seat,
        v1.FaultPolicy(illegal_actions=v1.ILLEGAL_ACTIONS_FORFEIT_AT_ONCE),
    ),
    (Fault.DISCONNECTED, Stage.DECISION): Way(miss_a_decision),
    (Fault.DISCONNECTED, Stage.SEAT): Way(
        stay_away_for_the_seat, limits=Limits(per_decision=timedelta(seconds=60))
    ),
    (Fault.FLOODING, Stage.START): Way(flood_before),
    (Fault.FLOODING, Stage.SEAT): Way(flood_in_play),
    (Fault.PROTOCOL_VIOLATION, Stage.START): Way(break_before),
    (Fault.PROTOCOL_VIOLATION, Stage.SEAT): Way(break_in_play),
    (Fault.WITHDRAWN, Stage.START): Way(withdraw_before),
    (Fault.WITHDRAWN, Stage.SEAT): Way(withdraw_in_play),
    (Fault.DISQUALIFIED, Stage.START): Way(disqualified_before),
    (Fault.DISQUALIFIED, Stage.SEAT): Way(disqualified_in_play),
    (Fault.SERVER_FAULT, Stage.DECISION): Way(wait_for_a_stalled_server),
    (Fault.SERVER_FAULT, Stage.MATCH): Way(take_longer_than_the_cap),
}
