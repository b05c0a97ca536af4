"""Faults of coming back, of staying away, and of entropy."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
import grpc.aio

from kitumaija.v1 import arena_pb2, game_pb2
from kitumaija.wire.status import ErrorReason, reason_of
from tests.support.faulty.fault import Fault
from tests.support.faulty.hand_written import HandWritten, Leaves, first_of


class NeverBack(HandWritten):
    def back_off(self) -> float:
        raise Leaves(1)


class Forgets(HandWritten):
    """Knows only matches that were offered on the stream that is open."""

    async def open(self) -> None:
        self.matches.clear()
        await super().open()

    async def on_match_sync(self, sync: arena_pb2.MatchSync) -> None:
        pass

    async def on_decision(self, decision: arena_pb2.Decision) -> None:
        if decision.match_id in self.matches:
            await super().on_decision(decision)


class AnswersOnce(HandWritten):
    """Says nothing to a decision that it has answered on an earlier stream."""

    async def on_decision(self, decision: arena_pb2.Decision) -> None:
        match = self.match(decision.match_id)
        if match.answer is None or match.asked != decision.decision_id:
            await super().on_decision(decision)


class ChangesItsMind(HandWritten):
    """Thinks anew about a decision that is asked again."""

    times = 0

    async def on_decision(self, decision: arena_pb2.Decision) -> None:
        self.match(decision.match_id).answer = None
        await super().on_decision(decision)

    def choose(self, decision: arena_pb2.Decision) -> game_pb2.Action | None:
        self.times += 1
        if self.times % 2 or not decision.legal.play:
            return first_of(decision.legal)
        return game_pb2.Action(play=decision.legal.play[-1])


class NamesNone(HandWritten):
    def names(self) -> list[str]:
        return []


class NamesAll(HandWritten):
    """Names matches that are long over."""

    ever: tuple[str, ...] = ()

    async def on_match_start(self, start: arena_pb2.MatchStart) -> None:
        self.ever = (*self.ever, start.match_id)
        await super().on_match_start(start)

    def names(self) -> list[str]:
        return list(self.ever)


class WaitsForWelcome(HandWritten):
    """Hears the end of a match only if Welcome named it."""

    named: set[str]

    async def on_welcome(self, welcome: arena_pb2.Welcome) -> None:
        self.named = set(welcome.match_ids)

    async def on_match_start(self, start: arena_pb2.MatchStart) -> None:
        self.named.add(start.match_id)
        await super().on_match_start(start)

    async def on_match_end(self, end: arena_pb2.MatchEnd) -> None:
        if end.match_id in self.named:
            await super().on_match_end(end)


class KnowsWhatWasOffered(HandWritten):
    async def on_match_sync(self, sync: arena_pb2.MatchSync) -> None:
        if sync.match_id in self.matches:
            await super().on_match_sync(sync)

    async def on_decision(self, decision: arena_pb2.Decision) -> None:
        if decision.match_id in self.matches:
            await super().on_decision(decision)


class SilentOnAGap(HandWritten):
    async def on_decision(self, decision: arena_pb2.Decision) -> None:
        if decision.first_event <= self.match(decision.match_id).events:
            await super().on_decision(decision)


class AddsUp(HandWritten):
    """Takes the events of a MatchSync for new ones."""

    async def on_match_sync(self, sync: arena_pb2.MatchSync) -> None:
        self.match(sync.match_id).events += len(sync.events)

    async def on_decision(self, decision: arena_pb2.Decision) -> None:
        match = self.match(decision.match_id)
        if decision.first_event != match.events:
            await self.say(resync=arena_pb2.Resync(match_id=match.match_id))
            return
        await super().on_decision(decision)


class TakesPeaceForTheEnd(HandWritten):
    def ended(self, code: grpc.StatusCode, error: grpc.aio.AioRpcError | None) -> float:
        if code is grpc.StatusCode.OK and not self._stopping.is_set():
            raise Leaves(0)
        return super().ended(code, error)


class AtOnce(HandWritten):
    """Dials again without any wait."""

    def back_off(self) -> float:
        return 0.0


class DoesNotWait(HandWritten):
    def ended(self, code: grpc.StatusCode, error: grpc.aio.AioRpcError | None) -> float:
        super().ended(code, error)
        return 0.0


class Faithful(HandWritten):
    """Never gives up a stream on which nothing is said."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **{**settings, "silence": 3600.0})


class FightsBack(HandWritten):
    def ended(self, code: grpc.StatusCode, error: grpc.aio.AioRpcError | None) -> float:
        return self.back_off() if code is grpc.StatusCode.ABORTED else super().ended(code, error)


class Stubborn(HandWritten):
    def ended(self, code: grpc.StatusCode, error: grpc.aio.AioRpcError | None) -> float:
        wrong = code is grpc.StatusCode.UNAUTHENTICATED
        return self.back_off() if wrong else super().ended(code, error)


class GoesByReasons(HandWritten):
    """Dials again after any error that has no reason of ours."""

    def ended(self, code: grpc.StatusCode, error: grpc.aio.AioRpcError | None) -> float:
        unknown = error is not None and reason_of(error) is None
        return self.back_off() if unknown else super().ended(code, error)


class EndsWell(HandWritten):
    """Ends with exit code 0 whatever happened."""

    def exit_code(self, code: int) -> int:
        return 0


class Lingers(HandWritten):
    """Hears that it is not wanted, and sits there."""

    def ended(self, code: grpc.StatusCode, error: grpc.aio.AioRpcError | None) -> float:
        known = None if error is None else reason_of(error)
        if known is not None and known[0] is ErrorReason.BOT_DISABLED:
            return 3600.0
        return super().ended(code, error)


class CannotBeTold(HandWritten):
    def stop(self) -> None:
        pass


class LastWord(HandWritten):
    async def leave(self) -> None:
        await self.say(goodbye=arena_pb2.Goodbye(reason="stopped"))
        await self.say(pong=arena_pb2.Pong(nonce=1))
        await asyncio.sleep(0.1)


class EndsBadly(HandWritten):
    """Ends with an error when it is told to leave."""

    def exit_code(self, code: int) -> int:
        return code or 143


##### Entropy #####


class DrawsAnew(HandWritten):
    """Draws other bytes whenever it is asked to commit."""

    draws = 0

    def entropy(self, tournament: str) -> bytes:
        self.draws += 1
        return super().entropy(f"{tournament}/{self.draws}")


class OneForAll(HandWritten):
    """Has the same bytes for each tournament."""

    def entropy(self, tournament: str) -> bytes:
        return super().entropy("")


class ForgetsOnANewStream(HandWritten):
    streams = 0

    async def open(self) -> None:
        self.streams += 1
        await super().open()

    def entropy(self, tournament: str) -> bytes:
        return super().entropy(f"{tournament}/{self.streams if tournament == 'winter' else 0}")


class RevealsAnything(HandWritten):
    async def on_entropy_request(self, request: arena_pb2.EntropyRequest) -> None:
        self.committed.add(request.tournament_id)
        await super().on_entropy_request(request)


class ShortHash(HandWritten):
    async def on_entropy_request(self, request: arena_pb2.EntropyRequest) -> None:
        entropy = arena_pb2.Entropy(
            tournament_id=request.tournament_id, value=b"secret", step=request.step
        )
        await self.say(entropy=entropy)


FAULTS = (
    Fault(NeverBack, "ready-again", "wanted the bot to dial again, within 3 s"),
    Fault(Forgets, "back-seated", "wanted an Answer"),
    Fault(AnswersOnce, "back-asked", "wanted an Answer"),
    Fault(ChangesItsMind, "back-answered", "wanted the same action as before"),
    Fault(NamesNone, "hello-names", "wanted Hello.match_ids with the match that it still plays"),
    Fault(NamesAll, "hello-names", "wanted Hello.match_ids without the match whose end it heard"),
    Fault(WaitsForWelcome, "ended-away", "wanted Hello.match_ids without the match that ended"),
    Fault(KnowsWhatWasOffered, "newborn", "wanted an Answer"),
    Fault(SilentOnAGap, "gap", "wanted Resync, or an Answer, to a Decision with a gap"),
    Fault(AddsUp, "sync-replaces", "wanted an Answer"),
    Fault(TakesPeaceForTheEnd, "peaceful-end", "wanted the bot to dial again"),
    Fault(AtOnce, "back-off", "wanted waits that grow"),
    Fault(DoesNotWait, "retry-seconds", "wanted 1 s without a dial"),
    Fault(Faithful, "silence", "wanted that it leaves a stream on which nothing is heard"),
    Fault(FightsBack, "replaced", "wanted no further stream: this end is for good"),
    Fault(Stubborn, "bad-token", "wanted no further stream: this end is for good"),
    Fault(GoesByReasons, "newer-reason", "wanted no further stream: this end is for good"),
    Fault(EndsWell, "exit-code", "the server does not want it; got exit code 0"),
    Fault(Lingers, "exit-code", "got that it still runs"),
    Fault(CannotBeTold, "goodbye", "wanted that it ends its stream within 1 s of SIGTERM"),
    Fault(LastWord, "goodbye", "after goodbye: PONG"),
    Fault(EndsBadly, "goodbye", "wanted exit code 0: it was told to leave, and left"),
    Fault(ShortHash, "entropy-commit", "Entropy.value: got 6 bytes to commit"),
    Fault(DrawsAnew, "entropy-commit", "wanted the same hash when it is asked again"),
    Fault(OneForAll, "entropy-commit", "wanted another hash for another tournament"),
    Fault(ForgetsOnANewStream, "entropy-reveal", "the bytes whose SHA-256 it committed to"),
    Fault(RevealsAnything, "entropy-unpromised", "wanted no Entropy"),
)
