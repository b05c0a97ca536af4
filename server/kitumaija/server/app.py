"""The composition root: every part of the server is made and joined here, and only here."""

from __future__ import annotations

import asyncio
import importlib.metadata
import secrets
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Protocol

import structlog

from kitumaija.engine import Shuffle, shuffled_deck
from kitumaija.server.clock import Clock, MonotonicClock, Wall, utc_now
from kitumaija.server.guard import Heart
from kitumaija.server.ids import TokenBytes
from kitumaija.server.limits import ServerLimits
from kitumaija.server.lobby.desk import Desk
from kitumaija.server.lobby.hall import Hall, HallHooks
from kitumaija.server.lobby.metered import Attendance, MeteredWriter
from kitumaija.server.lobby.presence import Presence
from kitumaija.server.lobby.pulse import Pulse, StallWatch
from kitumaija.server.logs import place_of
from kitumaija.server.match.values import Nanos
from kitumaija.server.metrics import Exposed, Metrics, expose
from kitumaija.server.organizer import organizer_hash
from kitumaija.server.rpc.admission import Admission
from kitumaija.server.rpc.auth import Authenticator
from kitumaija.server.rpc.door import Door
from kitumaija.server.rpc.interceptor import Faults, Guard
from kitumaija.server.rpc.lastwords import LastWords
from kitumaija.server.rpc.play import ArenaService, add_arena
from kitumaija.server.rpc.search_process import SearchProcess
from kitumaija.server.rpc.server import Health, bind, make_server
from kitumaija.server.rpc.services import add_services
from kitumaija.server.rpc.sockets import Sockets
from kitumaija.server.rpc.world_service import add_worlds
from kitumaija.server.settings import ServerSettings
from kitumaija.server.signing_key import signer_of
from kitumaija.server.store import Store, StoreWriter, bots
from kitumaija.server.store.failpoints import Watch
from kitumaija.server.tournament.director import Director

_log = structlog.stdlib.get_logger(__name__)

_SETTLE_WITHIN = 2.0
"""How long, in seconds, a stop waits for results that are being committed."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What the server takes from the machine: time and chance, and where it is to die in a test.

    `beating` is whether the sweeps run by themselves; a test that moves the clock calls
    `App.pulse.beat` instead. `watch` is called at every failpoint of the store that is passed.
    `shuffle` lays out the decks: by their keys, but where it is checked what the cards give away.
    """

    clock: Clock = field(default_factory=MonotonicClock)
    wall: Wall = utc_now
    token_bytes: TokenBytes = secrets.token_bytes
    limits: ServerLimits = field(default_factory=ServerLimits)
    beating: bool = True
    watch: Watch | None = None
    shuffle: Shuffle = shuffled_deck


class Planner(Protocol):
    """Who decides which matches are played: the director, or something simpler in a test."""

    @property
    def hooks(self) -> HallHooks:
        """What the hall calls."""
        ...

    async def start(self) -> None:
        """Go on with everything that is unfinished."""
        ...

    async def stop(self) -> None:
        """Start no more matches."""
        ...

    def sweep(self, now: Nanos) -> None:
        """Look whether what is planned goes on."""
        ...


class Plan(Protocol):
    """What makes a planner: the director's class, or a test's."""

    def __call__(
        self,
        store: Store,
        writer: StoreWriter,
        hall: Hall,
        wall: Wall,
        token_bytes: TokenBytes,
        *,
        reveal_within: timedelta,
    ) -> Planner:
        """Return a planner, which has done nothing yet."""
        ...


class App:
    """A server: `start` it, use it, `stop` it. Not to be started twice."""

    def __init__(
        self,
        settings: ServerSettings,
        surroundings: Surroundings | None = None,
        *,
        plan: Plan = Director,
    ) -> None:
        self.settings = settings
        self._around = surroundings or Surroundings()
        self._plan = plan
        self._closing = AsyncExitStack()
        self._fatal: asyncio.Future[BaseException] = asyncio.get_running_loop().create_future()
        self._port: int | None = None
        self.heart = Heart()
        self.metrics = Metrics()
        self._exposed: Exposed | None = None

    store: Store
    presence: Presence
    hall: Hall
    authenticator: Authenticator
    pulse: Pulse
    planner: Planner

    @property
    def port(self) -> int:
        """The port that the server listens on, once it is started."""
        if self._port is None:
            raise RuntimeError("the server is not started yet")
        return self._port

    @property
    def address(self) -> str:
        """What a client on this machine dials."""
        host = self.settings.host
        return f"[{host}]:{self.port}" if ":" in host else f"{host}:{self.port}"

    @property
    def metrics_port(self) -> int | None:
        """The port on which numbers are shown; None if they are not."""
        return None if self._exposed is None else self._exposed.port

    async def start(self) -> None:
        """Open the store, go on with what is unfinished, and take calls.

        Raises `StoreError`, `BindError` or `MetricsPortTaken`, whose messages are one line and say
        what to do; nothing is left open then.
        """
        try:
            await self._start()
        except BaseException:
            await self._closing.aclose()
            raise

    async def failed(self) -> BaseException:
        """Wait for an error after which the server cannot keep its promises, and return it."""
        return await asyncio.shield(self._fatal)

    def stalled(self, since: Nanos, until: Nanos) -> None:
        """Tell everything that measures time that the server stood still; the pulse finds out."""
        self.metrics.stalled(until - since)
        self._arena.stalled(since, until)
        self.hall.stalled(since, until)

    async def stop(self, *, drain: timedelta = timedelta(0)) -> None:
        """Serve on for `drain`, having said so to every bot, or until all have left; then end.

        No new match begins. What was told to a bot is on the disk, and goes on at the next start.
        """
        await self._health.say(serving=False)
        await self.planner.stop()
        await self._arena.drain(drain)
        await self._closing.aclose()

    async def _start(self) -> None:
        around, settings, closing = self._around, self.settings, self._closing
        settings.data.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.store = Store.open(
            settings.store_at, durability=settings.durability.value, watch=around.watch
        )
        closing.callback(self.store.close)
        organizer = organizer_hash(self.store, settings.organizer_token_file, around.token_bytes)
        signer = signer_of(self.store, around.token_bytes)
        writer = StoreWriter(self.store)
        closing.push_async_callback(writer.close)

        self.presence = Presence(around.limits)
        self.hall = Hall(
            clock=around.clock,
            wall=around.wall,
            writer=MeteredWriter(writer, around.clock, self.metrics),
            presence=self.presence,
            limits=around.limits,
            on_fatal=self._failed,
            metrics=self.metrics,
            shuffle=around.shuffle,
        )
        self.presence.listen(Attendance(self.metrics))
        closing.push_async_callback(self._settle)
        self.planner = self._plan(
            self.store,
            writer,
            self.hall,
            around.wall,
            around.token_bytes,
            reveal_within=around.limits.reveal_within,
        )
        self.hall.bind(self.planner.hooks)

        faults = Faults(around.token_bytes)
        with self.store.read() as tx:
            self.authenticator = Authenticator(bots.everyone(tx), organizer)
        watch = StallWatch(
            self.stalled, worth_telling=around.limits.stall_told, first=self.hall.look
        )
        desk = Desk(
            self.hall,
            self.presence,
            watch,
            capacity_max=settings.capacity_max,
            server=f"kitumaija/{importlib.metadata.version('kitumaija')}",
        )
        last_words = LastWords(around.limits)
        self._arena = ArenaService(
            desk,
            self.authenticator,
            clock=around.clock,
            limits=around.limits,
            faults=faults,
            last_words=last_words,
        )
        self.metrics.watch(
            connected=self.presence.__len__, phases=self.hall.phases, queued=self._arena.queued
        )
        self._health = Health()
        connections = settings.connections_per_address
        door = Door(self.authenticator.caller, around.clock, around.limits, connections=connections)
        server = make_server(
            (Guard(faults, around.limits, door, last_words), Admission(self.authenticator)),
            self._health,
        )
        add_arena(server, self._arena)
        if isinstance(self.planner, Director):
            add_services(server, self.planner, self.authenticator, settings, signer)
        search = SearchProcess(around.limits)
        closing.callback(search.close)
        add_worlds(server, search)
        self._port = bind(server, settings)
        sockets = Sockets(self._port, around.limits, most=connections, busy=door.busy)
        if settings.metrics_port is not None:
            self._exposed = expose(
                self.metrics.registry, host=settings.metrics_host, port=settings.metrics_port
            )
            closing.callback(self._exposed.close)

        await self.planner.start()
        closing.push_async_callback(server.stop, around.limits.last_words_within.total_seconds())
        await server.start()
        closing.push_async_callback(self._arena.close)
        self.pulse = Pulse(
            around.clock,
            watch,
            around.limits.sweep_every,
            # The heart comes last: it counts the beats in which nothing raised.
            (
                self.hall.sweep,
                self._arena.sweep,
                self.planner.sweep,
                sockets.sweep,
                self.heart.sweep,
            ),
        )
        if around.beating:
            self.pulse.start()
        closing.callback(self.pulse.stop)
        await self._health.say(serving=True)

    async def _settle(self) -> None:
        try:
            async with asyncio.timeout(_SETTLE_WITHIN):
                await self.hall.settle()
        except TimeoutError:
            _log.warning("stopped with results under way; they are made again at the next start")

    def _failed(self, error: BaseException) -> None:
        if not self._fatal.done():
            _log.critical("the server cannot go on", **place_of(error))
            self._fatal.set_result(error)
