"""What a step works with: the bot, its stream, matches to play, and how long to wait for what."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final, TypeAlias

from kitumaija.sdk.check.journal import Journal
from kitumaija.sdk.check.lives import Running, Starter, ended
from kitumaija.sdk.check.stand import Door, Stand
from kitumaija.sdk.check.step import Absent, Failed
from kitumaija.sdk.check.stream import Stream
from kitumaija.sdk.check.table import Table
from kitumaija.sdk.check.times import Times
from kitumaija.sdk.testing.checks import Checked
from kitumaija.sdk.testing.host import Referee
from kitumaija.v1 import arena_pb2
from kitumaija.wire.kinds import Kind
from kitumaija.wire.limits import DEFAULT_CAPACITY

MATCHES_MAX: Final = 32
"""How many matches at once a bot is given at most, however many more it says it can play."""


CUTS_MAX: Final = 3
"""After so many broken streams a new bot is sooner there than the old one is back."""

LocalGames: TypeAlias = Callable[[], Checked]
"""Plays games with a bot in this process. Raises `BotError`."""


class Exam:
    """One bot, and the steps that it goes through one after the other.

    The bot, and the stream on which it was greeted, stay from one step to the next. After a step
    that failed both are given up: where bots are started here, the next one has a new bot.
    """

    def __init__(
        self,
        stand: Stand,
        starter: Starter,
        times: Times,
        new_token: Callable[[], str],
        local: LocalGames | None = None,
    ) -> None:
        """`new_token` draws a token for each bot that is started."""
        self.times = times
        self.local = local
        """Plays games without a server; None for a bot that needs one."""
        self.starts = starter.starts
        self.journal = Journal()
        self.hello = arena_pb2.Hello()
        """The Hello of the stream that is open."""
        self.unready = 0
        """How many matches in a row the bot was offered and said no Ready to."""
        self._stand = stand
        self._starter = starter
        self._new_token = new_token
        self._bot: Running | None = None
        self._door: Door | None = None
        self._stream: Stream | None = None
        self._tables: list[Table] = []
        self._matches = 0
        self._cuts = 0

    @staticmethod
    def now() -> float:
        """Return the time, in seconds of the loop's clock."""
        return asyncio.get_running_loop().time()

    ##### The bot and its streams #####

    @property
    def stream(self) -> Stream:
        """The stream that the bot was greeted on last."""
        if self._stream is None:
            raise RuntimeError("no stream is open yet: a step begins with `here` or `sit`")
        return self._stream

    @property
    def door(self) -> Door:
        """Where the bot comes in."""
        if self._door is None:
            raise RuntimeError("no bot was started yet: a step begins with `here` or `sit`")
        return self._door

    @property
    def bot(self) -> Running:
        """The bot."""
        if self._bot is None:
            raise RuntimeError("no bot was started yet: a step begins with `here` or `sit`")
        return self._bot

    @property
    def running(self) -> Running | None:
        """The bot, if one was started."""
        return self._bot

    @property
    def capacity(self) -> int:
        """How many matches the bot may be given at once."""
        return min(self.hello.capacity or DEFAULT_CAPACITY, MATCHES_MAX)

    async def here(self) -> Stream:
        """Return the stream of a bot that is greeted: the one that is open, or a new one."""
        if self._stream is not None and self._stream.open:
            return self._stream
        if self._bot is None:
            await self._start(self._stand.address)
        first = not self.door.dials or not self.starts
        within = self.times.dial if first else self.times.back
        await self.greet(await self.dialled(within))
        return self.stream

    @property
    def address(self) -> str:
        """Where bots dial."""
        return self._stand.address

    async def start(self, address: str) -> None:
        """Start a new bot that dials somewhere else, on the way to here."""
        await self.abandon()
        await self._start(address)

    async def _start(self, address: str) -> None:
        if self._door is None:
            self._door = self._stand.open(self._new_token(), self.journal)
        self._bot = await self._starter.start(address, self._door.token)

    async def dialled(self, within: float, wanted: str = "") -> Stream:
        """Return the next stream that the bot opens, not greeted yet.

        Raises `Absent` if none comes, or none can come any more since its process has ended.
        """
        wanted = wanted or f"the bot to open a stream within {within:g} s"
        dialling = asyncio.create_task(self.door.dialled(within, wanted))
        ending = asyncio.create_task(ended(self.bot, within + 1))
        try:
            await asyncio.wait({dialling, ending}, return_when=asyncio.FIRST_COMPLETED)
            if not dialling.done():
                raise Absent(wanted, "no stream")
            return dialling.result()
        finally:
            for task in (dialling, ending):
                task.cancel()
            await asyncio.gather(dialling, ending, return_exceptions=True)

    async def greet(self, stream: Stream, *match_ids: str) -> arena_pb2.Hello:
        """Hear Hello on a new stream and say Welcome, naming the matches that the bot is in."""
        self._stream = stream
        heard = await stream.hear(
            Kind.HELLO, self.times.patience, wanted="Hello as the first message of the stream"
        )
        self.hello = heard.said
        welcome = arena_pb2.Welcome(
            bot_id="examinee",
            display_name="Examinee",
            server="kitumaija check",
            capacity=self.capacity,
            match_ids=match_ids,
        )
        await stream.say(arena_pb2.ServerMessage(welcome=welcome))
        return self.hello

    async def back(self, *tables: Table) -> arena_pb2.Hello:
        """Wait for the bot to come back after its stream broke, into these matches; greet it."""
        self._cuts += 1
        try:
            stream = await self.dialled(
                self.times.back,
                f"the bot to dial again, within {self.times.back:g} s of the stream's end",
            )
        except Absent as absent:
            raise Failed(absent.wanted, absent.got) from None
        return await self.greet(stream, *(table.match_id for table in tables))

    async def cut(self, *tables: Table) -> arena_pb2.Hello:
        """Break the stream off, and wait for the bot to come back into these matches."""
        await self.stream.cut()
        return await self.back(*tables)

    ##### Matches #####

    def table(self, match_id: str = "", **match: Any) -> Table:
        """Return a match that nothing was said of yet; for `match` see `Referee`."""
        self._matches += 1
        match.setdefault("limits", self.times.limits)
        match.setdefault("seed", self._matches)
        table = Table(self, Referee(match_id or f"check-{self._matches}", **match))
        self._tables.append(table)
        return table

    async def sit(self, match_id: str = "", **match: Any) -> Table:
        """Return a match that the bot was offered, was ready for and is seated in."""
        await self.here()
        table = self.table(match_id, **match)
        await table.sit()
        return table

    def forget(self, table: Table) -> None:
        """Drop a match that is over: a step of many would hold on to all of them."""
        self._tables.remove(table)

    async def quiet(self, *kinds: Kind, wanted: str) -> None:
        """Listen for a moment. Raises `Failed` if the bot says anything of these kinds."""
        await asyncio.sleep(self.times.quiet)
        self.stream.raise_violation()
        said = [heard.kind.name for heard in self.stream.heard if heard.kind in kinds]
        if said:
            raise Failed(wanted, ", ".join(said))

    ##### From one step to the next #####

    async def begin(self) -> None:
        """Begin a step, with a new bot if this one's waits have grown long."""
        if self.starts and self._cuts >= CUTS_MAX:
            await self.abandon()
        self.journal.begin(self.now())
        self._tables.clear()

    async def finish(self) -> None:
        """End a step that went well: its matches are over, and what was said is forgotten."""
        if self._stream is None:
            return
        self._stream.raise_violation()
        for table in self._tables:
            if self._stream.open and table.started and not table.over:
                await table.void()
        self._stream.heard.clear()

    async def abandon(self) -> None:
        """Give up the bot and its stream."""
        if self._stream is not None:
            await self._stream.cut()
            self._stream = None
        if not self.starts:
            return
        self._cuts = 0
        if self._bot is not None:
            await self._bot.stop()
            self._bot = None
        if self._door is not None:
            await self._door.forget()
            self._stand.shut(self._door)
            self._door = None
