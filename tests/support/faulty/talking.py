"""Faults of what a bot says on its stream, and of how it takes frames."""

from __future__ import annotations

import asyncio

from google.protobuf.unknown_fields import UnknownFieldSet

from kitumaija.v1 import arena_pb2, game_pb2
from kitumaija.wire.kinds import Kind, kind_of
from tests.support.faulty.fault import Fault
from tests.support.faulty.hand_written import HandWritten, Leaves


class PongFirst(HandWritten):
    async def open(self) -> None:
        await self.say(pong=arena_pb2.Pong(nonce=1))
        await super().open()


class TwiceHello(HandWritten):
    async def on_welcome(self, welcome: arena_pb2.Welcome) -> None:
        await super().on_welcome(welcome)
        await self.say(hello=self.hello())


class NoToken(HandWritten):
    def metadata(self) -> tuple[tuple[str, str], ...]:
        return ()


class BareToken(HandWritten):
    def metadata(self) -> tuple[tuple[str, str], ...]:
        return (("authorization", self.token),)


class WrongToken(HandWritten):
    def metadata(self) -> tuple[tuple[str, str], ...]:
        return (("authorization", "Bearer changeme"),)


class Nameless(HandWritten):
    def hello(self) -> arena_pb2.Hello:
        return arena_pb2.Hello(capacity=8, match_ids=self.names())


class Insatiable(HandWritten):
    def hello(self) -> arena_pb2.Hello:
        hello = super().hello()
        hello.capacity = 2**32 - 1
        return hello


class Talkative(HandWritten):
    """Its version does not fit."""

    def hello(self) -> arena_pb2.Hello:
        hello = super().hello()
        hello.bot_version = "the best version ever " * 10
        return hello


class NoPong(HandWritten):
    async def on_ping(self, ping: arena_pb2.Ping) -> None:
        pass


class WrongNonce(HandWritten):
    async def on_ping(self, ping: arena_pb2.Ping) -> None:
        await self.say(pong=arena_pb2.Pong(nonce=(ping.nonce + 1) % 2**64))


class FirstOfFrame(HandWritten):
    async def hear_frame(self, messages: list[arena_pb2.ServerMessage]) -> None:
        await super().hear_frame(messages[:1])


class EmptyFrames(HandWritten):
    """Sends a frame without a message after each Pong."""

    async def on_ping(self, ping: arena_pb2.Ping) -> None:
        await super().on_ping(ping)
        await self.say_all()


class LastOfFrame(HandWritten):
    """Goes through frames from behind."""

    async def hear_frame(self, messages: list[arena_pb2.ServerMessage]) -> None:
        await super().hear_frame(messages[::-1])


class WaitsForMore(HandWritten):
    """Acts on a frame when the next one is there."""

    waiting: list[arena_pb2.ServerMessage] | None = None

    async def hear_frame(self, messages: list[arena_pb2.ServerMessage]) -> None:
        alone = len(messages) == 1 and kind_of(messages[0]) is Kind.DECISION
        held, self.waiting = self.waiting or [], messages if alone else None
        await super().hear_frame(held if alone else [*held, *messages])


class SmallFrames(HandWritten):
    reads_bytes = 64 << 10


class Impatient(HandWritten):
    """Gives up a match that is not seated at once."""

    seated = False

    async def on_match_start(self, start: arena_pb2.MatchStart) -> None:
        await super().on_match_start(start)
        asyncio.get_running_loop().call_later(0.05, self._look)

    async def on_seating(self, seating: arena_pb2.Seating) -> None:
        self.seated = True
        await super().on_seating(seating)

    async def on_match_end(self, end: arena_pb2.MatchEnd) -> None:
        self.seated = True
        await super().on_match_end(end)

    def _look(self) -> None:
        if not self.seated and self.call is not None:
            self.call.cancel()
            self.address = "127.0.0.1:1"


class LeavesOnDrain(HandWritten):
    async def on_drain(self, drain: arena_pb2.Drain) -> None:
        raise Leaves(0)


class StaysWithin(HandWritten):
    """Takes a message with a field that it does not know for broken."""

    async def hear(self, message: arena_pb2.ServerMessage) -> None:
        kind = kind_of(message)
        if kind is not Kind.UNKNOWN and len(UnknownFieldSet(getattr(message, kind.value))):
            raise ValueError("there is a field that nobody told me of")
        await super().hear(message)


class KnowsAllKinds(HandWritten):
    async def hear(self, message: arena_pb2.ServerMessage) -> None:
        if kind_of(message) is Kind.UNKNOWN:
            raise ValueError("what does the server want?")
        await super().hear(message)


class CountsWhatItKnows(HandWritten):
    """Leaves events of an unknown kind out of the numbering."""

    async def on_decision(self, decision: arena_pb2.Decision) -> None:
        await super().on_decision(decision)
        known = game_pb2.EventKind.values()
        match = self.match(decision.match_id)
        match.events -= sum(event.kind not in known for event in decision.events)


class KnowsAllPhases(HandWritten):
    def choose(self, decision: arena_pb2.Decision) -> game_pb2.Action | None:
        game_pb2.Phase.Name(decision.view.phase)
        return super().choose(decision)


class MakesOneUp(HandWritten):
    """Answers something where it knows nothing that is legal."""

    def choose(self, decision: arena_pb2.Decision) -> game_pb2.Action | None:
        return super().choose(decision) or game_pb2.Action(take=1)


class Ascii(HandWritten):
    async def on_seating(self, seating: arena_pb2.Seating) -> None:
        for player in seating.players:
            player.display_name.encode("ascii")
        await super().on_seating(seating)


FAULTS = (
    Fault(PongFirst, "hello", "hello not first: PONG"),
    Fault(TwiceHello, "hello", "second hello"),
    Fault(Talkative, "hello", "Hello.bot_version: got 220 characters"),
    Fault(NoToken, "token", "no such metadata"),
    Fault(BareToken, "token", "does not begin with `Bearer `"),
    Fault(WrongToken, "token", "another token"),
    Fault(Nameless, "introduction", "wanted Hello.sdk"),
    Fault(Insatiable, "introduction", "wanted a capacity that can be meant"),
    Fault(NoPong, "ping", "wanted a Pong with nonce 7 within 1 s; got nothing"),
    Fault(WrongNonce, "ping", "got a Pong with nonce 8"),
    Fault(EmptyFrames, "ping", "a frame holds at least one message"),
    Fault(FirstOfFrame, "pings", "wanted a Pong with nonce 2"),
    Fault(LastOfFrame, "pings", "got a Pong with nonce 5"),
    Fault(WaitsForMore, "apart", "wanted an Answer"),
    Fault(SmallFrames, "big-frame", "the bot ended the stream"),
    Fault(Impatient, "slow-link", "the bot ended the stream"),
    Fault(LeavesOnDrain, "drain", "ended the stream; its process has ended, with exit code 0"),
    Fault(StaysWithin, "unknown-fields", "wanted Ready"),
    Fault(KnowsAllKinds, "unknown-kinds", "with exit code 1"),
    Fault(CountsWhatItKnows, "unknown-events", "but RESYNC"),
    Fault(KnowsAllPhases, "unknown-values", "wanted an Answer"),
    Fault(MakesOneUp, "unknown-actions", "wanted no Answer where no action of a kind"),
    Fault(Ascii, "texts", "ended the stream"),
)
