"""A real server on a free port of this machine, with a clock that only the test moves."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from kitumaija.engine import Deal, GameOptions, replay, text_seed
from kitumaija.server.app import App, Surroundings
from kitumaija.server.clock import Wall
from kitumaija.server.ids import TokenBytes, random_token, token_hash
from kitumaija.server.limits import ServerLimits
from kitumaija.server.lobby.connection import Connection
from kitumaija.server.lobby.hall import EntropyStep, Hall, MatchOver
from kitumaija.server.match import (
    FaultPolicy,
    JournalEntry,
    MatchSetup,
    Nanos,
    entry_from_bytes,
)
from kitumaija.server.match.commands import EndMatch
from kitumaija.server.settings import ServerSettings
from kitumaija.server.store import (
    BotRow,
    MatchRow,
    Store,
    StoreWriter,
    TournamentRow,
    TournamentState,
    bots,
    journal,
    matches,
    tournaments,
)
from kitumaija.server.tournament.endings import ending_of
from kitumaija.wire.times import Limits
from tests.support.chance import RepeatableBytes
from tests.support.clock import ManualClock, ms
from tests.support.raw_bot import PATIENCE, RawBot

TOURNAMENT = "t"
WHEN = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


class ScriptedPlan:
    """A planner that plans nothing: the test opens the matches. It keeps what the hall reports.

    While `may_commit` is not set, no result is committed.
    """

    def __init__(
        self,
        store: Store,
        writer: StoreWriter,
        hall: Hall,
        wall: Wall,
        token_bytes: TokenBytes,
        *,
        reveal_within: timedelta,
    ) -> None:
        self.store = store
        self.hall = hall
        self.over: asyncio.Queue[MatchOver] = asyncio.Queue()
        self.freed: asyncio.Queue[tuple[str, ...]] = asyncio.Queue()
        self.entropies: asyncio.Queue[tuple[str, str, EntropyStep, bytes]] = asyncio.Queue()
        self.connected: list[str] = []
        self.gone: asyncio.Queue[tuple[str, bool]] = asyncio.Queue()
        hall.presence.listen(self)
        self.may_commit = asyncio.Event()
        self.may_commit.set()
        self.commit_error: Exception | None = None

    @property
    def hooks(self) -> ScriptedPlan:
        return self

    async def start(self) -> None:
        """Nothing is unfinished."""

    async def stop(self) -> None:
        """Nothing was begun."""

    def sweep(self, now: Nanos) -> None:
        """Nothing is planned that could stand still."""

    def arrived(self, connection: Connection, at: Nanos) -> None:
        """The hook `bot_connected` tells it."""

    def left(self, connection: Connection, at: Nanos, *, goodbye: bool) -> None:
        self.gone.put_nowait((connection.bot_id, goodbye))

    async def match_over(self, over: MatchOver) -> None:
        await self.may_commit.wait()
        if self.commit_error is not None:
            raise self.commit_error
        self.over.put_nowait(over)

    async def seats_freed(self, bot_ids: tuple[str, ...]) -> None:
        self.freed.put_nowait(bot_ids)

    async def bot_connected(self, bot_id: str) -> None:
        self.connected.append(bot_id)

    async def ending_of(self, bot_id: str, match_id: str) -> EndMatch | None:
        with self.store.read() as tx:
            return ending_of(tx, bot_id, match_id, lambda game: replay(game).steps)

    async def entropy_given(
        self, bot_id: str, tournament_id: str, step: EntropyStep, value: bytes
    ) -> None:
        self.entropies.put_nowait((bot_id, tournament_id, step, value))


@dataclass
class Arena:
    """A running server and what a test does to it."""

    app: App
    clock: ManualClock
    plan: ScriptedPlan
    _chance: RepeatableBytes
    _bots: AsyncExitStack
    tokens: dict[str, str] = field(default_factory=dict)
    _numbers: int = 0

    @property
    def hall(self) -> Hall:
        return self.app.hall

    def register(self, bot_id: str, **fields: Any) -> str:
        """Register a bot and return its token."""
        token = random_token(self._chance)
        row = BotRow(
            bot_id=bot_id,
            display_name=fields.pop("display_name", f"The {bot_id}"),
            owner=bot_id,
            token_hash=token_hash(token),
            created_at=WHEN,
            **fields,
        )
        with self.app.store.write() as tx:
            bots.add(tx, row)
        self.app.authenticator.learn(row)
        self.tokens[bot_id] = token
        return token

    def dial(self, bot_id: str, **options: Any) -> RawBot:
        """Open a stream for a bot, which is registered if need be; it has not said Hello yet."""
        token = self.tokens.get(bot_id) or self.register(bot_id)
        return self.dial_with(token, **options)

    def dial_with(self, token: str | None, **options: Any) -> RawBot:
        """Open a stream with a token."""
        bot = RawBot(self.app.address, token, **options)
        self._bots.push_async_callback(bot.close)
        return bot

    async def connect(self, bot_id: str, **hello: Any) -> RawBot:
        """Open a stream for a bot and say Hello."""
        bot = self.dial(bot_id)
        await bot.hello(**hello)
        return bot

    def open_match(
        self,
        *entrants: str,
        match_id: str = "",
        deal: str = "a deal",
        limits: Limits | None = None,
        policy: FaultPolicy | None = None,
        options: GameOptions | None = None,
        names: Mapping[str, str] | None = None,
        resume_from: Sequence[JournalEntry] | None = None,
    ) -> MatchSetup:
        """Offer a match; bots that are not registered are."""
        self._numbers += 1
        setup = MatchSetup(
            match_id=match_id or f"m{self._numbers}",
            deal=Deal(f"{TOURNAMENT}/{deal}/{self._numbers}", text_seed(deal), ()),
            entrants=entrants,
            limits=limits or Limits(),
            policy=policy or FaultPolicy(),
            options=options or GameOptions(),
        )
        for bot_id in entrants:
            if bot_id not in self.tokens:
                self.register(bot_id)
        self._store(setup)
        known = {bot_id: f"The {bot_id}" for bot_id in entrants}
        self.hall.open(setup, names=names or known, resume_from=resume_from)
        return setup

    def entries(self, match_id: str) -> list[JournalEntry]:
        """Return what the store holds of a match's journal."""
        with self.app.store.read() as tx:
            return [entry_from_bytes(row.payload) for row in journal.entries(tx, match_id)]

    def advance(self, milliseconds: float) -> None:
        """Let time pass, and everything that is due happen."""
        self.clock.advance(ms(milliseconds))
        self.app.pulse.beat()

    async def over(self) -> MatchOver:
        """Return the next match that is over."""
        async with asyncio.timeout(PATIENCE):
            return await self.plan.over.get()

    async def left(self) -> tuple[str, bool]:
        """Wait until the server notices that a stream is gone; return the bot, and if it said
        Goodbye."""
        async with asyncio.timeout(PATIENCE):
            return await self.plan.gone.get()

    def _store(self, setup: MatchSetup) -> None:
        with self.app.store.write() as tx:
            if tournaments.get(tx, TOURNAMENT) is None:
                tournaments.add(tx, _tournament())
            matches.add(
                tx,
                MatchRow(
                    match_id=setup.match_id,
                    tournament_id=TOURNAMENT,
                    table_size=setup.seats,
                    number=self._numbers,
                    attempt=1,
                    deal_id=setup.deal.deal_id,
                    created_at=WHEN,
                    epoch=self.app.store.epoch,
                ),
                setup.entrants,
            )


def _tournament() -> TournamentRow:
    return TournamentRow(
        tournament_id=TOURNAMENT,
        title="A tournament",
        state=TournamentState.RUNNING,
        settings={},
        master_seed=bytes(32),
        master_commitment=bytes(32),
        created_at=WHEN,
    )


@asynccontextmanager
async def running_arena(
    data: Path,
    *,
    limits: ServerLimits | None = None,
    seed: str = "tests",
    **settings: Any,
) -> AsyncIterator[Arena]:
    """Run a server for a test; it is stopped with all of its bots at the end."""
    clock = ManualClock()
    chance = RepeatableBytes(seed)
    around = Surroundings(
        clock=clock,
        wall=lambda: WHEN,
        token_bytes=chance,
        limits=limits or ServerLimits(),
        beating=False,
    )
    settings.setdefault("durability", "normal")
    chosen = ServerSettings.load(data=data, port=0, **settings)
    app = App(chosen, around, plan=ScriptedPlan)
    await app.start()
    try:
        async with AsyncExitStack() as dialled:
            assert isinstance(app.planner, ScriptedPlan)
            yield Arena(app, clock, app.planner, chance, dialled)
    finally:
        await app.stop()
