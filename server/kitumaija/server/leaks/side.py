"""One of the two servers: on a real socket, with the clock and the chance that both have."""

from __future__ import annotations

import asyncio
import logging
import urllib.request
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
from google.protobuf.message import Message
from structlog.testing import capture_logs

from kitumaija.engine import Shuffle
from kitumaija.server.app import App, Surroundings
from kitumaija.server.choices import Durability
from kitumaija.server.leaks.bots import PATIENCE, Bell, Player, Stuck
from kitumaija.server.leaks.held import HeldClock, RepeatedBytes
from kitumaija.server.leaks.said import Said, Source
from kitumaija.server.leaks.seating import SeatingDirector, Tables
from kitumaija.server.limits import ServerLimits
from kitumaija.server.lobby.connection import Connection
from kitumaija.server.match.values import Nanos
from kitumaija.server.settings import ServerSettings
from kitumaija.v1 import (
    bot_pb2,
    bot_pb2_grpc,
    replay_pb2_grpc,
    tournament_pb2_grpc,
    world_pb2_grpc,
)

_NO_LIMITS = ServerLimits(
    # When the clock is moved on, nobody has had the time to answer a Ping.
    silence_max=timedelta(days=1),
    # And while it stands still, nothing that was spent comes back.
    unasked_burst=200_000,
    calls_burst=1_000_000,
    # So that a few frames are a flood all the same.
    frame_bytes_per_message=1,
)

_BY_THE_MACHINE = ("_created", "kitumaija_commit")
"""Numbers that depend on how fast this machine is: when each was first counted, and how many
entries went into one commit."""

_NOTHING_WAITS = "kitumaija_outbox_messages 0.0\n"


class Side:
    """A running server, its organizer, and what the watcher was told by it."""

    def __init__(self, app: App, clock: HeldClock, channel: grpc.aio.Channel) -> None:
        self.app = app
        self.clock = clock
        self.bell = Bell()
        self.told: list[Said] = []
        self.players: list[Player] = []
        self.tournaments: Any = tournament_pb2_grpc.TournamentServiceStub(channel)
        self.registry: Any = bot_pb2_grpc.BotServiceStub(channel)
        self.replays: Any = replay_pb2_grpc.ReplayServiceStub(channel)
        self.worlds: Any = world_pb2_grpc.WorldServiceStub(channel)
        self._channel = channel
        token = app.settings.organizer_token_file.read_text(encoding="utf-8").strip()
        self._organizer = (("authorization", f"Bearer {token}"),)
        app.presence.listen(self)

    # Of the presence (`PresenceListener`)

    def arrived(self, connection: Connection, at: Nanos) -> None:
        """Look again."""
        self.bell.ring()

    def left(self, connection: Connection, at: Nanos, *, goodbye: bool) -> None:
        """Look again."""
        self.bell.ring()

    async def gone(self, player: Player) -> None:
        """Wait until the server has noticed that a bot's stream is gone."""
        presence = self.app.presence
        await self.bell.until(
            lambda: not presence.connected(player.bot_id), f"{player.bot_id} is still connected"
        )

    # What is done to it

    async def register(self, bot_id: str, hear: Callable[[Any], None] | None = None) -> Player:
        """Register a bot; `hear` gets every message of its stream."""
        # Names and owners are as long as no other bot's: lengths carry nothing either.
        request = bot_pb2.RegisterBotRequest(
            bot_id=bot_id,
            display_name=f"The {'very ' * len(self.players)}first",
            owner=f"owner{'s' * len(self.players)}",
        )
        token = (await self.order(self.registry.RegisterBot, request)).token
        player = Player(self._channel, bot_id, token, self.bell, hear or (lambda message: None))
        self.players.append(player)
        return player

    async def order(self, method: Any, request: Message) -> Any:
        """Call a method as the organizer; raises `Stuck` if that is refused."""
        try:
            async with asyncio.timeout(PATIENCE):
                return await method(request, metadata=self._organizer)
        except grpc.aio.AioRpcError as error:
            raise Stuck(f"the organizer was refused: {error.details()}") from error
        except TimeoutError:
            raise Stuck(f"the server did not answer a {type(request).__name__}") from None

    def advance(self, duration: timedelta) -> None:
        """Let time pass, and everything that is due happen."""
        self.clock.advance(duration)
        self.app.pulse.beat()

    def stall(self, duration: timedelta) -> None:
        """Stand still for so long, and know it, as a server whose machine slept."""
        since = self.clock.now()
        self.clock.advance(duration)
        self.app.stalled(since, self.clock.now())
        self.app.pulse.beat()

    # What the watcher asks

    async def ask(
        self, watcher: Player, method: Any, request: Message, match_id: str = "", kind: str = ""
    ) -> Message | None:
        """Call a method as the watcher, keep what it answers or refuses with, and return the first.

        What was said is called `kind`, or by the method.
        """
        kind = kind or type(request).__name__.removesuffix("Request")
        said: Message | str
        try:
            async with asyncio.timeout(PATIENCE):
                call = method(request, metadata=watcher.metadata)
                # Of a call that answers with a stream, the first message.
                said = await (call.read() if hasattr(call, "read") else call)
                if hasattr(call, "read") and not isinstance(said, Message):
                    said = str(await call.code())
                call.cancel()
        except grpc.aio.AioRpcError as error:
            trailing = tuple(error.trailing_metadata() or ())
            said = f"{error.code()} {error.details()} {trailing}"
        except TimeoutError:
            raise Stuck(f"the server did not answer a {kind}") from None
        self.told.append(Said(Source.CALL, kind, match_id, said))
        return said if isinstance(said, Message) else None

    async def read_metrics(self) -> None:
        """Keep the numbers for Prometheus as they are now."""
        url = f"http://127.0.0.1:{self.app.metrics_port}/metrics"

        def get() -> str:
            with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
                return str(answer.read(), "utf-8")

        text = await asyncio.to_thread(get)
        for _ in range(500):
            if _NOTHING_WAITS in text:
                break
            # What was heard is written, which the server is about to notice.
            await asyncio.sleep(0.01)
            text = await asyncio.to_thread(get)
        for line in text.splitlines():
            if not any(name in line for name in _BY_THE_MACHINE):
                self.told.append(Said(Source.METRICS, "line", "", line))


@asynccontextmanager
async def running_side(
    data: Path, shuffle: Shuffle, tables: Tables, seed: str
) -> AsyncIterator[Side]:
    """Run a server in a new directory; it is stopped at the end, and its log kept by then.

    `shuffle` lays out its decks, and `tables` its first matches. Nothing of it is taken from the
    environment.
    """
    clock = HeldClock()
    settings = ServerSettings(
        host="127.0.0.1",
        port=0,
        data=data,
        store=None,
        durability=Durability.NORMAL,
        open_registration=False,
        invite_code=None,
        tls_cert=None,
        tls_key=None,
        metrics_port=0,
        metrics_host="127.0.0.1",
        capacity_max=64,
    )
    around = Surroundings(
        clock=clock,
        wall=clock.wall,
        token_bytes=RepeatedBytes(seed),
        limits=_NO_LIMITS,
        beating=False,
        shuffle=shuffle,
    )
    with capture_logs() as entries, _library_lines() as lines:
        app = App(settings, around, plan=partial(SeatingDirector, tables=tables))
        await app.start()
        async with AsyncExitStack() as closing:
            closing.push_async_callback(app.stop)
            channel = grpc.aio.insecure_channel(
                app.address, options=(("grpc.use_local_subchannel_pool", 1),)
            )
            closing.push_async_callback(channel.close)
            side = Side(app, clock, channel)
            yield side
            for player in side.players:
                await player.close()
    # In no order: lines of different threads come as it happens.
    said = [str(sorted(entry.items())) for entry in entries] + lines
    side.told += (Said(Source.LOG, "line", "", line) for line in sorted(said))


@contextmanager
def _library_lines() -> Any:
    """Collect what libraries log."""
    lines: list[str] = []

    class Collector(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(f"{record.name} {record.getMessage()}")

    collector = Collector(logging.INFO)
    logging.getLogger().addHandler(collector)
    try:
        yield lines
    finally:
        logging.getLogger().removeHandler(collector)
