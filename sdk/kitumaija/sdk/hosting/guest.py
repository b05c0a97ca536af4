"""One bot that is a process: started, greeted, stopped, and what it said kept."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from queue import Empty, SimpleQueue

from kitumaija.console.children import UNLIMITED, Allowance, Child, Children
from kitumaija.console.commands import Command
from kitumaija.console.text import plain_lines
from kitumaija.sdk.clocks import nanoseconds
from kitumaija.sdk.errors import BotError, SdkError
from kitumaija.sdk.hosting.host import Host
from kitumaija.sdk.hosting.seat import HostedBot
from kitumaija.sdk.hosting.stream import Gone, Stream
from kitumaija.sdk.online import ADDRESS, TOKEN
from kitumaija.sdk.players import Remote, Report
from kitumaija.v1 import arena_pb2
from kitumaija.wire.kinds import Kind
from kitumaija.wire.limits import DEFAULT_CAPACITY

SHOWN_LINES = 20
"""How many lines of what a bot wrote last are shown where it failed."""

_LOOK_SECONDS = 0.05
_END_SECONDS = 2.0


class Guest(Remote):
    """A bot's process and its stream. It plays one game after the other, and is started when the
    first begins, or when the one before ended it."""

    def __init__(
        self,
        command: Command,
        children: Children,
        host: Host,
        *,
        label: str,
        new_token: Callable[[], str],
        startup: timedelta,
        allowance: Allowance = UNLIMITED,
        fresh: bool = False,
    ) -> None:
        """`label` is what its processes are called among the `children`, one after the other: what
        the last one wrote is kept.

        It may take `startup` until it has dialled in. With `fresh` every game has a process of its
        own. What goes beyond the `allowance` is ended, and is a bot that crashed.
        """
        self._command = command
        self._children = children
        self._host = host
        self._label = label
        self._new_token = new_token
        self._startup = startup
        self._allowance = allowance
        self._fresh = fresh
        self._child: Child | None = None
        self._came: SimpleQueue[Stream] = SimpleQueue()
        self._stream: Stream | None = None
        self.hello = arena_pb2.Hello()
        """What it said of itself when it came."""

    @property
    def name(self) -> str:
        """What the command calls it."""
        return self._command.name

    def begin(self) -> None:
        """Start the process if none runs; do not wait until it is there."""
        if self._child is not None and self._child.code is None:
            return
        token = self._new_token()
        self._came, self._stream = SimpleQueue(), None
        self._host.expect(token, self._came.put)
        self._child = self._children.start(
            self._label,
            self._command.words,
            environment={ADDRESS: self._host.address, TOKEN: token},
            allowance=self._allowance,
        )

    def seated(self, name: str, report: Report) -> HostedBot:
        """Return its player of the next game.

        Raises `SdkError` for a bot that does not dial in: without it there is no game.
        """
        if self._fresh:
            self.stop()
        elif self._child is not None and self._child.code is not None:
            report(BotError(name, self.lost("its process ended between two games")))
        self.begin()
        return HostedBot(name, self.greeted(), report, self)

    def greeted(self) -> Stream:
        """Wait until the process is there and has said Hello; return its stream."""
        if self._stream is not None:
            return self._stream
        until = self._host.clock() + nanoseconds(self._startup)
        stream = self._dialled(until)
        wanted = f"did not say Hello within {self._startup.total_seconds():g} s"
        try:
            heard = stream.hear(until)
        except Gone as gone:
            raise self.failed(f"said no Hello: {gone}") from None
        if heard is None or heard[0] is not Kind.HELLO:
            raise self.failed(wanted)
        self.hello = heard[1]
        welcome = arena_pb2.Welcome(
            bot_id=self.name,
            display_name=self.name,
            server="kitumaija arena",
            capacity=self.hello.capacity or DEFAULT_CAPACITY,
        )
        stream.say(arena_pb2.ServerMessage(welcome=welcome))
        self._stream = stream
        return stream

    def lost(self, why: str) -> str:
        """Give the process up, and return a sentence on it: `why`, how it ended, what it said last.

        The next game has another one.
        """
        child, self._child, self._stream = self._child, None, None
        if child is None:
            return why
        try:
            # Whoever crashed is given the moment to say so.
            code: int | None = child.wait(_END_SECONDS)
        except TimeoutError:
            code = None
        child.stop()
        ended = "" if code is None else f"; its process ended with exit code {code}"
        said = plain_lines(child.tail()).splitlines()[-SHOWN_LINES:]
        last = "\n  ".join(["; the last that it wrote:", *said]) if said else "; it wrote nothing"
        return f"{why}{ended}{last}"

    def failed(self, why: str) -> SdkError:
        """Give the process up, and return the error for it."""
        return SdkError(f"{self._command.name}: {self.lost(why)}")

    def stop(self) -> None:
        """End the process, if one runs, with all that it started."""
        child, self._child, self._stream = self._child, None, None
        if child is not None:
            child.stop()

    def _dialled(self, until: int) -> Stream:
        assert self._child is not None, "it was begun"  # noqa: S101
        while self._host.clock() < until:
            try:
                return self._came.get(timeout=_LOOK_SECONDS)
            except Empty:
                if self._child.code is not None:
                    raise self.failed("ended before it connected") from None
        raise self.failed(f"did not connect within {self._startup.total_seconds():g} s")
