"""A real server with a director, and an organizer who calls its services over a socket."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
from google.protobuf.message import Message

from kitumaija.server.app import App, Surroundings
from kitumaija.server.clock import MonotonicClock
from kitumaija.server.limits import ServerLimits
from kitumaija.server.lobby.running import RunningMatch
from kitumaija.server.match.state import MatchPhase
from kitumaija.server.settings import ServerSettings
from kitumaija.server.store import matches
from kitumaija.server.store.failpoints import Watch
from kitumaija.server.store.rows import MatchState
from kitumaija.server.tournament.director import Director
from kitumaija.v1 import bot_pb2 as bots_v1
from kitumaija.v1 import (
    bot_pb2_grpc,
    game_pb2,
    replay_pb2_grpc,
    tournament_pb2_grpc,
    world_pb2_grpc,
)
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.status import ErrorReason, reason_of
from tests.support.autobot import AutoBot
from tests.support.chance import RepeatableBytes
from tests.support.clock import ManualClock, ms
from tests.support.raw_bot import PATIENCE

WHEN = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


class Refused(Exception):
    """A call was refused."""

    def __init__(self, error: grpc.aio.AioRpcError) -> None:
        super().__init__(f"{error.code()}: {error.details()}")
        found = reason_of(error)
        self.code = error.code()
        self.reason: ErrorReason | None = found[0] if found else None
        self.metadata = found[1] if found else {}
        self.message = error.details() or ""


class Organizer:
    """Calls the services. `token` is whose calls they are; None calls as anybody."""

    def __init__(self, app: App, clock: ManualClock, closing: AsyncExitStack, token: str) -> None:
        self.app = app
        self.clock = clock
        self._closing = closing
        self.token: str | None = token
        self._channel = grpc.aio.insecure_channel(
            app.address, options=(("grpc.use_local_subchannel_pool", 1),)
        )
        closing.push_async_callback(self._channel.close)
        self.tournaments: Any = tournament_pb2_grpc.TournamentServiceStub(self._channel)
        self.registry: Any = bot_pb2_grpc.BotServiceStub(self._channel)
        self.replays: Any = replay_pb2_grpc.ReplayServiceStub(self._channel)
        self.worlds: Any = world_pb2_grpc.WorldServiceStub(self._channel)
        self.tokens: dict[str, str] = {}

    @property
    def director(self) -> Director:
        """The director of the server."""
        assert isinstance(self.app.planner, Director)
        return self.app.planner

    # Calling

    async def call(self, method: Any, request: Any, *, token: str | None = "own") -> Any:
        """Make a call with a token, the organizer's if none is said. Raises `Refused`."""
        try:
            async with asyncio.timeout(PATIENCE):
                return await method(request, metadata=self._metadata(token))
        except grpc.aio.AioRpcError as error:
            raise Refused(error) from None

    async def told(self, method: Any, request: Any, *, token: str | None = "own") -> bytes:
        """Make a call; return what its caller reads, be it the answer or a refusal."""
        try:
            answer: Message = await self.call(method, request, token=token)
        except Refused as refused:
            return f"{refused} {refused.metadata}".encode()
        return answer.SerializeToString()

    async def stream(
        self, method: Any, request: Any, *, token: str | None = "own"
    ) -> AsyncIterator[Any]:
        """Make a call that answers with a stream. Raises `Refused`."""
        call = method(request, metadata=self._metadata(token))
        try:
            async for response in call:
                yield response
        except grpc.aio.AioRpcError as error:
            raise Refused(error) from None
        finally:
            call.cancel()

    def _metadata(self, token: str | None) -> tuple[tuple[str, str], ...]:
        chosen = self.token if token == "own" else token
        return () if chosen is None else (("authorization", f"Bearer {chosen}"),)

    # Bots

    async def register(self, *bot_ids: str, **fields: Any) -> None:
        """Register bots."""
        for bot_id in bot_ids:
            request = bots_v1.RegisterBotRequest(bot_id=bot_id, **fields)
            response = await self.call(self.registry.RegisterBot, request)
            self.tokens[bot_id] = response.token

    async def connect(self, bot_id: str, **options: Any) -> AutoBot:
        """Have a bot play from now on; it commits to entropy of its own unless told otherwise."""
        options.setdefault("entropy", f"entropy of {bot_id}".encode())
        bot = AutoBot(self.app.address, self.tokens[bot_id], **options)
        await self._closing.enter_async_context(bot)
        return bot

    # Tournaments

    async def create(self, tournament_id: str = "cup", **settings: Any) -> v1.Tournament:
        """Make a tournament and open it; its games are cut short unless its options are given."""
        settings.setdefault("options", game_pb2.GameOptions(turns_per_player=3))
        request = v1.CreateTournamentRequest(
            tournament_id=tournament_id, settings=v1.TournamentSettings(**settings)
        )
        await self.call(self.tournaments.CreateTournament, request)
        opened = await self.call(
            self.tournaments.OpenTournament, v1.OpenTournamentRequest(tournament_id=tournament_id)
        )
        return opened.tournament  # type: ignore[no-any-return]

    async def enter(self, *bot_ids: str, tournament_id: str = "cup") -> None:
        """Enter bots."""
        for bot_id in bot_ids:
            request = v1.EnterTournamentRequest(tournament_id=tournament_id, bot_id=bot_id)
            await self.call(self.tournaments.EnterTournament, request)

    async def close(self, tournament_id: str = "cup") -> v1.Tournament:
        """Close the entries."""
        request = v1.CloseTournamentRequest(tournament_id=tournament_id)
        return (await self.call(self.tournaments.CloseTournament, request)).tournament  # type: ignore[no-any-return]

    async def start(
        self, tournament_id: str = "cup", *, allow_absent: bool = False
    ) -> v1.Tournament:
        """Start."""
        request = v1.StartTournamentRequest(tournament_id=tournament_id, allow_absent=allow_absent)
        return (await self.call(self.tournaments.StartTournament, request)).tournament  # type: ignore[no-any-return]

    async def begin(
        self,
        *bot_ids: str,
        tournament_id: str = "cup",
        absent: tuple[str, ...] = (),
        **settings: Any,
    ) -> None:
        """Register and connect bots, enter them and those that are absent, and start."""
        await self.register(*[bot for bot in (*bot_ids, *absent) if bot not in self.tokens])
        await self.create(tournament_id, **settings)
        for bot_id in bot_ids:
            await self.connect(bot_id)
        await self.enter(*bot_ids, *absent, tournament_id=tournament_id)
        await self.close(tournament_id)
        await self.start(tournament_id, allow_absent=bool(absent))

    async def get(self, tournament_id: str = "cup") -> v1.Tournament:
        """Return a tournament."""
        request = v1.GetTournamentRequest(tournament_id=tournament_id)
        return (await self.call(self.tournaments.GetTournament, request)).tournament  # type: ignore[no-any-return]

    async def pause(self, tournament_id: str = "cup") -> v1.Tournament:
        """Pause a tournament: what runs goes on."""
        request = v1.PauseTournamentRequest(tournament_id=tournament_id)
        answer = await self.call(self.tournaments.PauseTournament, request)
        return answer.tournament  # type: ignore[no-any-return]

    async def resume(self, tournament_id: str = "cup") -> v1.Tournament:
        """Go on with a tournament that was paused."""
        request = v1.ResumeTournamentRequest(tournament_id=tournament_id)
        answer = await self.call(self.tournaments.ResumeTournament, request)
        return answer.tournament  # type: ignore[no-any-return]

    async def standings(self, tournament_id: str = "cup") -> v1.GetStandingsResponse:
        """Return the standings."""
        request = v1.GetStandingsRequest(tournament_id=tournament_id)
        return await self.call(self.tournaments.GetStandings, request)  # type: ignore[no-any-return]

    async def matches(self, tournament_id: str = "cup", **filters: Any) -> list[v1.Match]:
        """Return all matches, page by page."""
        found: list[v1.Match] = []
        token = ""
        while True:
            request = v1.ListMatchesRequest(
                tournament_id=tournament_id, page_token=token, **filters
            )
            page = await self.call(self.tournaments.ListMatches, request)
            found += page.matches
            token = page.next_page_token
            if not token:
                return found

    # Time

    async def until(
        self,
        reached: Callable[[v1.WatchTournamentResponse], bool],
        tournament_id: str = "cup",
    ) -> v1.WatchTournamentResponse:
        """Watch a tournament until it is as wanted."""
        request = v1.WatchTournamentRequest(tournament_id=tournament_id)
        async with asyncio.timeout(PATIENCE):
            async for update in self.stream(self.tournaments.WatchTournament, request):
                if reached(update):
                    return update  # type: ignore[no-any-return]
        raise AssertionError("the tournament ended before it was as wanted")

    async def finished(self, tournament_id: str = "cup") -> v1.WatchTournamentResponse:
        """Wait until a tournament is finished."""
        return await self.until(
            lambda now: now.state == v1.TOURNAMENT_STATE_FINISHED, tournament_id
        )

    async def miss(self, attempts: int, *away: str, tournament_id: str = "cup") -> None:
        """Let the start-up time of what waits for `away` run out, until so many attempts are void.

        Everybody else is given the time to be ready, and matches that are played to be over.
        """
        bell = self.director.bell(tournament_id)
        async with asyncio.timeout(PATIENCE):
            while True:
                heard = bell.next()
                if self._voids(tournament_id) >= attempts:
                    return
                while not heard.is_set():
                    running = self.running_matches()
                    if running and all(_waits_only_for(match, away) for match in running):
                        self.advance(timedelta(seconds=31))
                    if any(match.state.phase is MatchPhase.GATHERING for match in running):
                        # What bots say rings no bell; they are on this very event loop.
                        await asyncio.sleep(0)
                    else:
                        await heard.wait()

    async def all_but(self, *away: str) -> None:
        """Wait until what runs waits for `away` alone: everybody else has said Ready."""
        async with asyncio.timeout(PATIENCE):
            while True:
                if all(_waits_only_for(match, away) for match in self.running_matches()):
                    return
                # As above: it is said on this very event loop.
                await asyncio.sleep(0)

    def _voids(self, tournament_id: str) -> int:
        with self.app.store.read() as tx:
            rows = matches.page(tx, tournament_id, size=1000).rows
        return sum(seated.match.state is MatchState.VOID for seated in rows)

    def running_matches(self) -> list[RunningMatch]:
        """Return the matches that run, as the hall keeps them."""
        hall = self.app.hall
        bots = {bot for bot in self.tokens for _ in hall.matches_of(bot)}
        found = [hall.match(bot, match_id) for bot in bots for match_id in hall.matches_of(bot)]
        return [match for match in found if match is not None]

    def advance(self, duration: timedelta) -> None:
        """Let time pass, and everything that is due happen."""
        self.clock.advance(ms(duration / timedelta(milliseconds=1)))
        self.app.pulse.beat()


def _waits_only_for(match: RunningMatch, away: tuple[str, ...]) -> bool:
    if match.state.phase is not MatchPhase.GATHERING:
        return False
    seats = zip(match.setup.entrants, match.state.seats, strict=True)
    return all(seat.ready or bot in away for bot, seat in seats)


@asynccontextmanager
async def organized(
    data: Path,
    *,
    seed: str = "tests",
    limits: ServerLimits | None = None,
    watch: Watch | None = None,
    real_time: bool = False,
    **settings: Any,
) -> AsyncIterator[Organizer]:
    """Run a server for a test; it and all bots are stopped at the end.

    Its clock stands still until the test moves it, unless it is to keep the `real_time`.
    """
    clock = ManualClock()
    seconds = itertools.count()
    around = Surroundings(
        clock=MonotonicClock() if real_time else clock,
        wall=lambda: WHEN + timedelta(seconds=next(seconds)),
        token_bytes=RepeatableBytes(seed),
        # When the clock is moved on, nobody has had the time to answer a Ping.
        limits=limits or ServerLimits(silence_max=timedelta(days=1)),
        beating=real_time,
        watch=watch,
    )
    settings.setdefault("durability", "normal")
    app = App(ServerSettings.load(data=data, port=0, **settings), around)
    await app.start()
    try:
        async with AsyncExitStack() as closing:
            token = app.settings.organizer_token_file.read_text().strip()
            yield Organizer(app, clock, closing, token)
    finally:
        await app.stop()
