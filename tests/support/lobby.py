"""A lobby without a network or a disk: lines are lists, and the test commits the journal."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from kitumaija.engine import Action, Deal, text_seed
from kitumaija.server.errors import KitumaijaError
from kitumaija.server.limits import ServerLimits
from kitumaija.server.lobby.connection import BotInfo, Connection, Delivery
from kitumaija.server.lobby.desk import Desk
from kitumaija.server.lobby.hall import EntropyStep, Hall, MatchOver
from kitumaija.server.lobby.presence import Presence
from kitumaija.server.lobby.pulse import StallWatch
from kitumaija.server.match import FaultPolicy, JournalEntry, MatchSetup, entry_from_bytes
from kitumaija.server.match.commands import EndMatch
from kitumaija.server.metrics import Metrics
from kitumaija.server.store import BotRow, JournalRow
from kitumaija.v1 import arena_pb2
from kitumaija.wire.codec import legal_from_message
from kitumaija.wire.times import Limits
from tests.support.clock import ManualClock, ms
from tests.support.raw_bot import answer

WHEN = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


class ManualJournal:
    """A journal that commits when the test says so, or at once if it is `prompt`."""

    def __init__(self, *, prompt: bool) -> None:
        self.prompt = prompt
        self.appends: list[tuple[JournalRow, ...]] = []
        self._waiting: list[asyncio.Future[None]] = []

    def append(self, rows: Sequence[JournalRow], /) -> asyncio.Future[None]:
        self.appends.append(tuple(rows))
        written: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if self.prompt:
            written.set_result(None)
        else:
            self._waiting.append(written)
        return written

    def commit(self) -> None:
        """Commit everything that waits."""
        for written in self._waiting:
            written.set_result(None)
        self._waiting.clear()

    def fail(self, error: Exception) -> None:
        """Fail everything that waits."""
        for written in self._waiting:
            written.set_exception(error)
        self._waiting.clear()

    def entries(self, match_id: str) -> list[JournalEntry]:
        """Return a match's journal, committed or not."""
        rows = [row for rows in self.appends for row in rows if row.match_id == match_id]
        assert [row.sequence for row in rows] == list(range(len(rows)))
        return [entry_from_bytes(row.payload) for row in rows]


class ListLine:
    """A line whose other end is a list. Unless it is `reading`, no write of it ever returns."""

    def __init__(self, clock: ManualClock, *, reading: bool = True) -> None:
        self._clock = clock
        self._reading = reading
        self.messages: list[arena_pb2.ServerMessage] = []
        self.ended = False
        self.error: KitumaijaError | None = None

    def put(self, message: arena_pb2.ServerMessage, delivery: Delivery | None = None) -> None:
        self.messages.append(message)
        if delivery is not None and self._reading:
            delivery.written(self._clock.now())

    def end(self, error: KitumaijaError | None = None) -> None:
        self.ended, self.error = True, error

    def kinds(self) -> list[str | None]:
        """Return the kinds of the messages, in order."""
        return [message.WhichOneof("message") for message in self.messages]

    def last(self, kind: str) -> Any:
        """Return the content of the last message of a kind."""
        found = [m for m in self.messages if m.WhichOneof("message") == kind]
        return getattr(found[-1], kind)

    def take(self) -> list[str | None]:
        """Return the kinds of the messages since the last call, and forget them."""
        kinds = self.kinds()
        self.messages.clear()
        return kinds


@dataclass
class Hooks:
    """What the hall reported. A result is committed when `may_commit` is set."""

    over: list[MatchOver] = field(default_factory=list)
    freed: list[tuple[str, ...]] = field(default_factory=list)
    connected: list[str] = field(default_factory=list)
    entropies: list[tuple[str, str, EntropyStep, bytes]] = field(default_factory=list)
    may_commit: asyncio.Event = field(default_factory=asyncio.Event)
    error: Exception | None = None

    async def match_over(self, over: MatchOver) -> None:
        self.over.append(over)
        await self.may_commit.wait()
        if self.error is not None:
            raise self.error

    async def seats_freed(self, bot_ids: tuple[str, ...]) -> None:
        self.freed.append(bot_ids)

    async def bot_connected(self, bot_id: str) -> None:
        self.connected.append(bot_id)

    async def ending_of(self, bot_id: str, match_id: str) -> EndMatch | None:
        return None

    async def entropy_given(
        self, bot_id: str, tournament_id: str, step: EntropyStep, value: bytes
    ) -> None:
        self.entropies.append((bot_id, tournament_id, step, value))


class Lobby:
    """A hall with its presence and its desk."""

    def __init__(self, *, prompt: bool = True) -> None:
        self.clock = ManualClock()
        self.journal = ManualJournal(prompt=prompt)
        self.hooks = Hooks()
        if prompt:
            self.hooks.may_commit.set()
        self.fatal: list[BaseException] = []
        limits = ServerLimits()
        self.presence = Presence(limits)
        self.hall = Hall(
            clock=self.clock,
            wall=lambda: WHEN,
            writer=self.journal,
            presence=self.presence,
            limits=limits,
            on_fatal=self.fatal.append,
            metrics=Metrics(),
        )
        self.hall.bind(self.hooks)
        watch = StallWatch(self.hall.stalled, worth_telling=limits.stall_told, first=self.hall.look)
        self.desk = Desk(self.hall, self.presence, watch, capacity_max=64, server="test/1")

    async def turn(self) -> None:
        """Let the event loop do what is ready."""
        for _ in range(10):
            await asyncio.sleep(0)

    def connect(
        self, bot_id: str, *, reading: bool = True, **hello: Any
    ) -> tuple[Connection, ListLine]:
        """Open a stream for a bot and say Hello."""
        line = ListLine(self.clock, reading=reading)
        row = BotRow(bot_id, f"The {bot_id}", bot_id, bytes(32), WHEN)
        said = arena_pb2.Hello(**hello)
        return self.desk.hello(row, said, line, self.clock.now()), line

    def open(
        self,
        *entrants: str,
        match_id: str = "m1",
        limits: Limits | None = None,
        policy: FaultPolicy | None = None,
        names: Mapping[str, str] | None = None,
        resume_from: Sequence[JournalEntry] | None = None,
    ) -> MatchSetup:
        """Offer a match."""
        setup = MatchSetup(
            match_id=match_id,
            deal=Deal(f"t/{match_id}", text_seed("a deal"), ()),
            entrants=entrants,
            limits=limits or Limits(),
            policy=policy or FaultPolicy(),
        )
        self.hall.open(setup, names=names or {}, resume_from=resume_from)
        return setup

    def ready(self, match_id: str, *connections: Connection) -> None:
        """Have bots say that they are ready."""
        for connection in connections:
            ready = arena_pb2.Ready(match_id=match_id)
            self.desk.ready(connection, ready, self.clock.now())

    def answer(
        self, connection: Connection, decision: arena_pb2.Decision, action: Action | None = None
    ) -> None:
        """Answer a decision: with the first legal action, if none is given."""
        chosen = legal_from_message(decision.legal)[0] if action is None else action
        self.desk.answer(connection, answer(decision, chosen).answer, self.clock.now())

    def pass_time(self, milliseconds: float) -> None:
        """Let time pass, and everything that is due happen."""
        self.clock.advance(ms(milliseconds))
        self.hall.sweep(self.clock.now())

    def pass_steps(self, steps: int) -> None:
        """Let so many times 20 ms pass, with a look at the clock after each: nothing stalls."""
        for _ in range(steps):
            self.clock.advance(ms(20))
            self.desk.look(self.clock.now())
            self.hall.sweep(self.clock.now())


async def seated(
    lobby: Lobby, *, match_id: str = "m1", limits: Limits | None = None
) -> tuple[Connection, ListLine, Connection, ListLine]:
    """Have alice and bob seated at a match; return their connections and lines, emptied."""
    alice, alices = lobby.connect("alice")
    bob, bobs = lobby.connect("bob")
    lobby.open("alice", "bob", match_id=match_id, limits=limits)
    lobby.ready(match_id, alice, bob)
    await lobby.turn()
    lobby.journal.commit()
    await lobby.turn()
    return alice, alices, bob, bobs


async def play_out(lobby: Lobby, *bots: tuple[Connection, ListLine]) -> None:
    """Answer every decision of the bots with what is legal first, to the end."""
    while not lobby.hooks.over:
        await lobby.turn()
        for connection, line in bots:
            asked = [m.decision for m in line.messages if m.WhichOneof("message") == "decision"]
            line.messages.clear()
            for decision in asked:
                lobby.answer(connection, decision)


def info(version: str = "") -> BotInfo:
    """Return what a plain Hello says."""
    return BotInfo(version=version, sdk="", language="")
