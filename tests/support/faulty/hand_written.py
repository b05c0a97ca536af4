"""A bot written by hand over the stubs, which does all that the protocol asks.

The faulty ones derive from it, each with one thing done wrong (`faults`). It plays the first legal
action in every decision.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from typing import Any

import grpc
import grpc.aio

from kitumaija.v1 import arena_pb2, arena_pb2_grpc, game_pb2
from kitumaija.wire.kinds import Kind, kind_of
from kitumaija.wire.status import PASSING, reason_of
from kitumaija.wire.truthful import truthful

FINAL = {
    grpc.StatusCode.UNAUTHENTICATED,
    grpc.StatusCode.PERMISSION_DENIED,
    grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.FAILED_PRECONDITION,
    grpc.StatusCode.UNIMPLEMENTED,
}
FAREWELL = 2.0


class Leaves(Exception):
    """Ends the bot, with an exit code."""

    def __init__(self, code: int) -> None:
        super().__init__(f"leaves with {code}")
        self.code = code


@dataclass
class Match:
    """What the bot keeps of one match."""

    match_id: str
    events: int = 0
    """How many it has heard."""
    asked: int = 0
    """The decision asked last."""
    answer: arena_pb2.Answer | None = None
    """What it answered to that."""
    seats: int = 0


class HandWritten:
    """The bot. `pace` is by how much its own waits are longer than they should be, 1 for a server;
    `silence` is how long a stream may be silent, in seconds."""

    reads_bytes = 4 << 20
    """The largest frame that it takes."""

    def __init__(
        self,
        address: str,
        token: str,
        *,
        random: Random,
        secret: bytes,
        pace: float = 1.0,
        silence: float = 12.0,
    ) -> None:
        self.address = address
        self.token = token
        self.random = random
        self.secret = secret
        self.pace = pace
        self.silence = silence
        self.matches: dict[str, Match] = {}
        self.committed: set[str] = set()
        self.failures = 0
        self.call: Any = None
        self.given_up = False
        """Whether its process is gone: a task that is cancelled while it dials goes on."""
        self.written: list[str] = []
        """What it writes to standard error."""
        self._stopping = asyncio.Event()

    ##### Its life #####

    async def run(self) -> int:
        """Play until stopped or not wanted; return the exit code."""
        living = asyncio.create_task(self._live())
        stopping = asyncio.create_task(self._stopping.wait())
        try:
            await asyncio.wait({living, stopping}, return_when=asyncio.FIRST_COMPLETED)
            if living.done():
                return living.result()
            await self.leave()
            await asyncio.wait({living}, timeout=FAREWELL)
            return self.exit_code(0)
        finally:
            await ended_at_once({living, stopping})

    def stop(self) -> None:
        """Have it end, as SIGTERM does."""
        self._stopping.set()

    async def leave(self) -> None:
        """Say Goodbye, and nothing after it."""
        if self.call is not None:
            await self.say(goodbye=arena_pb2.Goodbye(reason="stopped"))
            await self.call.done_writing()

    def exit_code(self, code: int) -> int:
        return code

    async def _live(self) -> int:
        try:
            while not self.given_up:
                wait = await self._stream()
                if self._stopping.is_set():
                    break
                await asyncio.sleep(wait)
            return self.exit_code(0)
        except Leaves as leaves:
            return self.exit_code(leaves.code)
        except Exception as error:  # noqa: BLE001 - so ends a process, whatever it was
            self.written.append(f"{type(error).__name__}: {error}")
            return 1

    async def _stream(self) -> float:
        """Serve one stream to its end; return how long to wait before the next one."""
        options = (
            ("grpc.use_local_subchannel_pool", 1),
            ("grpc.max_receive_message_length", self.reads_bytes),
        )
        async with grpc.aio.insecure_channel(self.address, options=options) as channel:
            play = arena_pb2_grpc.ArenaServiceStub(channel).Play
            self.call = truthful(play(metadata=self.metadata()))
            try:
                await self.open()
                while True:
                    frame = await asyncio.wait_for(self.call.read(), self.silence)
                    if not isinstance(frame, arena_pb2.PlayResponse):
                        return self.ended(grpc.StatusCode.OK, None)
                    await self.hear_frame(list(frame.messages))
            except grpc.aio.AioRpcError as error:
                return self.ended(error.code(), error)
            except TimeoutError:
                return self.back_off()
            finally:
                self.call.cancel()
                self.call = None

    ##### Ends #####

    def ended(self, code: grpc.StatusCode, error: grpc.aio.AioRpcError | None) -> float:
        """Return how long to wait before the next dial. Raises `Leaves` where there is none."""
        known = None if error is None else reason_of(error)
        if known is None:
            if code in FINAL:
                raise Leaves(4)
            return self.back_off()
        reason, metadata = known
        if reason not in PASSING:
            self.written.append(f"not wanted: {reason}")
            raise Leaves(4)
        return float(metadata.get("retry_seconds", 0)) + self.back_off()

    def back_off(self) -> float:
        bound = min(5.0, 0.25 * 2**self.failures)
        self.failures += 1
        return self.random.uniform(0, bound) * self.pace

    ##### What it says #####

    def metadata(self) -> tuple[tuple[str, str], ...]:
        return (("authorization", f"Bearer {self.token}"),)

    async def open(self) -> None:
        await self.say(hello=self.hello())

    def hello(self) -> arena_pb2.Hello:
        return arena_pb2.Hello(
            sdk="by-hand/1",
            language="python",
            bot_version="1",
            capacity=8,
            match_ids=self.names(),
        )

    def names(self) -> list[str]:
        return list(self.matches)

    async def say(self, **message: Any) -> None:
        """Send a message. Where the stream has ended, what is read next tells why."""
        await self.say_all(arena_pb2.BotMessage(**message))

    async def say_all(self, *messages: arena_pb2.BotMessage) -> None:
        with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
            await self.call.write(arena_pb2.PlayRequest(messages=messages))

    ##### What it hears #####

    async def hear_frame(self, messages: list[arena_pb2.ServerMessage]) -> None:
        for message in messages:
            await self.hear(message)

    async def hear(self, message: arena_pb2.ServerMessage) -> None:
        kind = kind_of(message)
        if kind is not Kind.UNKNOWN:
            await getattr(self, f"on_{kind.value}")(getattr(message, kind.value))

    async def on_welcome(self, welcome: arena_pb2.Welcome) -> None:
        for match_id in [known for known in self.matches if known not in welcome.match_ids]:
            del self.matches[match_id]

    async def on_match_start(self, start: arena_pb2.MatchStart) -> None:
        self.match(start.match_id)
        await self.say(ready=arena_pb2.Ready(match_id=start.match_id))

    async def on_seating(self, seating: arena_pb2.Seating) -> None:
        self.match(seating.match_id).seats = len(seating.players)

    async def on_match_sync(self, sync: arena_pb2.MatchSync) -> None:
        await self.on_seating(sync.seating)
        self.match(sync.match_id).events = len(sync.events)

    async def on_decision(self, decision: arena_pb2.Decision) -> None:
        match = self.match(decision.match_id)
        if decision.first_event > match.events:
            await self.say(resync=arena_pb2.Resync(match_id=match.match_id))
            return
        match.events = decision.first_event + len(decision.events)
        if decision.decision_id != match.asked or match.answer is None:
            action = self.choose(decision)
            if action is None:
                return
            match.asked = decision.decision_id
            match.answer = self.answer(decision, action)
        await self.say(answer=match.answer)

    def choose(self, decision: arena_pb2.Decision) -> game_pb2.Action | None:
        """Return the first legal action; None where none is known."""
        return first_of(decision.legal)

    def answer(self, decision: arena_pb2.Decision, action: game_pb2.Action) -> arena_pb2.Answer:
        return arena_pb2.Answer(
            match_id=decision.match_id, decision_id=decision.decision_id, action=action
        )

    async def on_accepted(self, accepted: arena_pb2.Accepted) -> None:
        pass

    async def on_refusal(self, refusal: arena_pb2.Refusal) -> None:
        match = self.matches.get(refusal.match_id)
        if match is None or match.answer is None or match.asked != refusal.decision_id:
            return
        action = first_of(refusal.legal)
        if action is not None:
            match.answer.action.CopyFrom(action)
            await self.say(answer=match.answer)

    async def on_match_end(self, end: arena_pb2.MatchEnd) -> None:
        self.matches.pop(end.match_id, None)

    async def on_drain(self, drain: arena_pb2.Drain) -> None:
        pass

    async def on_ping(self, ping: arena_pb2.Ping) -> None:
        await self.say(pong=arena_pb2.Pong(nonce=ping.nonce))

    async def on_entropy_request(self, request: arena_pb2.EntropyRequest) -> None:
        value = self.entropy(request.tournament_id)
        if request.step == arena_pb2.ENTROPY_STEP_COMMIT:
            self.committed.add(request.tournament_id)
            value = hashlib.sha256(value).digest()
        elif request.tournament_id not in self.committed:
            return
        await self.say(
            entropy=arena_pb2.Entropy(
                tournament_id=request.tournament_id, value=value, step=request.step
            )
        )

    def entropy(self, tournament: str) -> bytes:
        return hmac.digest(self.secret, tournament.encode(), "sha256")

    def match(self, match_id: str) -> Match:
        return self.matches.setdefault(match_id, Match(match_id))


async def ended_at_once(tasks: set[asyncio.Task[Any]]) -> None:
    """Cancel tasks. One that is just dialling may not hear of it: it ends when the server does."""
    for task in tasks:
        task.cancel()
    await asyncio.wait(tasks, timeout=0.2)


def first_of(legal: game_pb2.LegalActions) -> game_pb2.Action | None:
    """Return the first action of a list; None where there is none that is known here."""
    if legal.play:
        return game_pb2.Action(play=legal.play[0])
    if legal.turn:
        return game_pb2.Action(turn=game_pb2.TurnCard())
    if legal.take:
        return game_pb2.Action(take=legal.take[0])
    if legal.pass_lead:
        return game_pb2.Action(pass_lead=game_pb2.Pass())
    return None
