"""The client: dials, plays what it is offered, comes back when a stream breaks."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from importlib.metadata import version
from random import Random
from typing import Any, Final

import grpc.aio

from kitumaija.sdk.bot import BotFactory
from kitumaija.sdk.client.backoff import STEADY, Backoff
from kitumaija.sdk.client.channel import open_channel
from kitumaija.sdk.client.endings import Ended, ended_with
from kitumaija.sdk.client.entropy import EntropyKeeper
from kitumaija.sdk.client.link import Heard, Link, Silence
from kitumaija.sdk.client.seats import Seats
from kitumaija.sdk.client.settings import Settings
from kitumaija.sdk.clocks import Clock, nanoseconds
from kitumaija.sdk.errors import BotError, ConnectionFailed, SdkError
from kitumaija.v1 import arena_pb2, arena_pb2_grpc
from kitumaija.wire.kinds import Kind
from kitumaija.wire.limits import MATCHES_IN_HELLO_MAX
from kitumaija.wire.session import LocalProtocolError, RemoteProtocolError
from kitumaija.wire.truthful import truthful

_log = logging.getLogger("kitumaija.sdk")

FAREWELL: Final = 2.0
"""How long the server's end of the stream is waited for after a Goodbye, in seconds."""


class Client:
    """Plays one bot's matches on a server; `run` does so until `stop` is called.

    `factory` makes the bot of each match. Randomness (`random` for the waits between dials,
    `secret` for the bot's share in the shuffling, 32 bytes) and the clock are passed in.
    """

    def __init__(
        self,
        factory: BotFactory,
        settings: Settings,
        *,
        clock: Clock,
        random: Random,
        secret: bytes,
    ) -> None:
        self._settings = settings
        self._clock = clock
        self._backoff = Backoff(random)
        self._entropy = EntropyKeeper(secret)
        self._link: Link | None = None
        self._seats = Seats(
            factory,
            say=self._say,
            failed=self._bot_failed,
            on_error=settings.on_error,
            clock=clock,
        )
        self._acts: Final[dict[Kind, Callable[[Any], None]]] = {
            Kind.WELCOME: self._welcome,
            Kind.DRAIN: self._drain,
            Kind.PING: self._ping,
            Kind.ENTROPY_REQUEST: self._entropy_request,
        }
        self._stopping = asyncio.Event()
        self._failure: SdkError | None = None
        self._welcomed = False
        self._heard_at = clock()

    async def run(self) -> None:
        """Play until stopped.

        Raises `Refused` when the server does not want this bot, `ConnectionFailed` when it was out
        of reach for longer than the settings' patience, and, if the settings say so, the first
        `BotError`.
        """
        _warn_of_plain_token(self._settings)
        self._heard_at = self._clock()
        try:
            while not self._stopping.is_set():
                ended = await self._stream()
                self._seats.disconnected()
                if ended is not None and not self._stopping.is_set():
                    await self._wait_to_dial(ended)
        finally:
            await self._seats.close()
        if self._failure is not None:
            raise self._failure

    def stop(self, reason: str = "stopped") -> None:
        """Say Goodbye and let `run` return; running matches go on without the bot."""
        if self._stopping.is_set():
            return
        self._stopping.set()
        if self._link is not None:
            self._link.leave(reason)

    ##### Streams #####

    async def _stream(self) -> Ended | None:
        """Open a stream and serve it to its end; return why it ended, None where we left."""
        async with open_channel(self._settings) as channel:
            metadata = (("authorization", f"Bearer {self._settings.token}"),)
            call = truthful(arena_pb2_grpc.ArenaServiceStub(channel).Play(metadata=metadata))
            link = self._link = Link(call, self._clock, self._settings.silence)
            self._welcomed = False
            opened_at = self._clock()
            try:
                link.send(self._hello())
                return await self._serve(link)
            finally:
                self._link = None
                if self._welcomed and self._clock() - opened_at > STEADY * 1e9:
                    self._backoff.worked()
                await link.close()

    async def _serve(self, link: Link) -> Ended | None:
        """Act on what comes until the end; once we leave, for a short while only."""
        listening = asyncio.create_task(self._listen(link))
        leaving = asyncio.create_task(self._stopping.wait())
        try:
            await asyncio.wait({listening, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if not listening.done():
                await asyncio.wait({listening}, timeout=FAREWELL)
            return listening.result() if listening.done() else None
        finally:
            listening.cancel()
            leaving.cancel()
            await asyncio.gather(listening, leaving, return_exceptions=True)

    async def _listen(self, link: Link) -> Ended:
        try:
            async for heard in link.heard():
                self._heard_at = heard.at
                self._act(heard)
        except Silence:
            return Ended(ConnectionFailed("the server went silent"), passing=True)
        except RemoteProtocolError as error:
            return Ended(ConnectionFailed(f"the server broke the protocol: {error}"), passing=True)
        except grpc.aio.AioRpcError as error:
            return ended_with(error)
        return Ended(ConnectionFailed("the server ended the stream"), passing=True)

    async def _wait_to_dial(self, ended: Ended) -> None:
        """Wait before the next dial; raise what ended the stream where there will be none."""
        if not ended.passing:
            raise ended.error
        away = self._clock() - self._heard_at
        if away > nanoseconds(self._settings.patience):
            raise ConnectionFailed(
                f"no server at {self._settings.address} for {away / 1e9:.0f} s: {ended.error}"
            ) from ended.error
        wait = self._backoff.next_wait(ended.wait)
        _log.warning("%s: %s; dialling again in %.1f s", self._settings.address, ended.error, wait)
        try:
            await asyncio.wait_for(self._stopping.wait(), wait)
        except TimeoutError:
            return

    def _hello(self) -> arena_pb2.BotMessage:
        return arena_pb2.BotMessage(
            hello=arena_pb2.Hello(
                sdk=f"kitumaija-python/{version('kitumaija')}",
                language="python",
                bot_version=self._settings.version,
                capacity=self._settings.capacity,
                match_ids=self._seats.match_ids()[:MATCHES_IN_HELLO_MAX],
            )
        )

    def _say(self, message: arena_pb2.BotMessage) -> None:
        """Send on the stream that is open; without one, what matters is said on the next."""
        if self._link is None:
            return
        try:
            self._link.send(message)
        except LocalProtocolError:
            _log.exception("the SDK was about to break the protocol and kept silent")

    ##### What the server says #####

    def _act(self, heard: Heard) -> None:
        said = getattr(heard.message, heard.kind.value)
        try:
            act = self._acts.get(heard.kind)
            if act is not None:
                act(said)
            else:
                self._seats.hear(heard.kind, said, heard.at)
        except ValueError as error:
            _log.error("a message of the server cannot be read, %s: %s", heard.kind.name, error)

    def _welcome(self, welcome: arena_pb2.Welcome) -> None:
        self._welcomed = True
        _log.info(
            "connected to %s at %s as %s (%s), %d matches at once",
            welcome.server,
            self._settings.address,
            welcome.display_name,
            welcome.bot_id,
            welcome.capacity,
        )
        self._seats.known_to_server(welcome.match_ids)

    def _drain(self, _: arena_pb2.Drain) -> None:
        _log.info("the server shuts down for a while; nothing is lost, dialling again after it")

    def _ping(self, ping: arena_pb2.Ping) -> None:
        self._say(arena_pb2.BotMessage(pong=arena_pb2.Pong(nonce=ping.nonce)))

    def _entropy_request(self, request: arena_pb2.EntropyRequest) -> None:
        answer = self._entropy.answer(request)
        if answer is not None:
            self._say(answer)

    def _bot_failed(self, error: BotError) -> None:
        if self._failure is None:
            self._failure = error
            self.stop("the bot failed")


def _warn_of_plain_token(settings: Settings) -> None:
    if not settings.address.local and not settings.tls:
        _log.warning(
            "%s is another machine, and without TLS (https://…) all on the way can read the token",
            settings.address,
        )
