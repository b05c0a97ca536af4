"""`run`: from a class of bots, or the name of one, to a bot that plays on a server."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import signal
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import timedelta
from functools import partial
from pathlib import Path
from random import SystemRandom
from typing import TYPE_CHECKING, NoReturn, Protocol, TypeAlias, cast

from kitumaija.console.quiet import silence_grpc
from kitumaija.console.text import plain_lines
from kitumaija.sdk.bot import BotFactory
from kitumaija.sdk.calls import OnError
from kitumaija.sdk.clocks import real_clock
from kitumaija.sdk.errors import BotError, SdkError, UsageError, author_traceback
from kitumaija.sdk.loading import HOSTILE, load
from kitumaija.wire.exits import ExitCode
from kitumaija.wire.limits import DEFAULT_CAPACITY

if TYPE_CHECKING:
    from kitumaija.sdk.client import Settings
    from kitumaija.sdk.testing.hostile import Animal

ADDRESS = "KITUMAIJA_ADDRESS"
TOKEN = "KITUMAIJA_TOKEN"
PATIENCE = timedelta(minutes=10)
"""How long a server may be out of reach, unless told otherwise."""


class Player(Protocol):
    """What plays on a server until it is stopped."""

    async def run(self) -> None:
        """Play."""

    def stop(self, reason: str = ...) -> None:
        """Let `run` return."""


Role: TypeAlias = "BotFactory | type[Animal]"
"""What makes a player: a bot on the SDK, or one that misbehaves below it."""


def run(
    bot: BotFactory | str,
    *,
    address: str | None = None,
    token: str | None = None,
    capacity: int = DEFAULT_CAPACITY,
    version: str | None = None,
    on_error: OnError = "fallback",
    tls_ca: str | Path | None = None,
    tls_cert: str | Path | None = None,
    tls_key: str | Path | None = None,
    patience: timedelta = PATIENCE,
) -> None:
    """Play on a server until Ctrl-C or SIGTERM, then say Goodbye and return.

    `bot` is a class of bots, or the name of one as `kitumaija.sdk.loading.load` takes it; here any
    ``hostile:NAME`` will do.

    `address` (``host:port`` or ``https://host:port``) and `token` default to the environment's
    KITUMAIJA_ADDRESS and KITUMAIJA_TOKEN, `version` to the class's. `capacity` is how many matches
    the bot plays at once. `tls_ca` is a file of certificates to trust instead of the machine's;
    `tls_cert` and `tls_key` are what the bot shows to a server that wants to see a certificate.

    An error in the bot is logged with its traceback, and the first legal action is answered for it;
    with `on_error="raise"` it ends the run. A broken stream is dialled again for as long as
    `patience`. Whatever makes going on impossible is written to stderr and ends the process: with
    exit code 2 for a wrong call, 3 if there is no server, 4 if the server refuses, 1 for an error
    in the bot.
    """
    silence_grpc()
    try:
        role = _role_named(bot) if isinstance(bot, str) else bot
        settings = settings_from(
            os.environ,
            role,
            address=address,
            token=token,
            capacity=capacity,
            version=version,
            on_error=on_error,
            tls_ca=tls_ca,
            tls_cert=tls_cert,
            tls_key=tls_key,
            patience=patience,
        )
        _log_to_stderr()
        asyncio.run(_play(_player(role, settings)))
    except SdkError as error:
        end_with(error)
    except KeyboardInterrupt:
        # The second Ctrl-C, or the first where the loop cannot hear signals.
        sys.exit(ExitCode.INTERRUPTED)


def settings_from(
    environment: Mapping[str, str],
    bot: Role,
    *,
    address: str | None,
    token: str | None,
    capacity: int,
    version: str | None,
    on_error: OnError,
    tls_ca: str | Path | None,
    tls_cert: str | Path | None = None,
    tls_key: str | Path | None = None,
    patience: timedelta,
) -> Settings:
    """Return the client's settings; what is not given comes from the environment.

    Raises `UsageError`, saying what is missing and where to put it.
    """
    from kitumaija.sdk.client import Address, Settings  # noqa: PLC0415 - local play needs no gRPC

    address = address or environment.get(ADDRESS)
    token = token or environment.get(TOKEN)
    if not address:
        raise UsageError(
            f"no server: set {ADDRESS} to its host:port, or pass address=... "
            "(to play without a server: kitumaija.sdk.play, or `kitumaija arena`)"
        )
    if not token:
        raise UsageError(
            f"no token: set {TOKEN} to the one that the organizer gave for this bot, "
            "or pass token=..."
        )
    return Settings(
        address=Address.parse(address),
        token=token.strip(),
        capacity=capacity,
        version=str(getattr(bot, "version", "1")) if version is None else version,
        on_error=on_error,
        tls_ca=None if tls_ca is None else Path(tls_ca),
        tls_cert=None if tls_cert is None else Path(tls_cert),
        tls_key=None if tls_key is None else Path(tls_key),
        patience=patience,
    )


def end_with(error: SdkError) -> NoReturn:
    """Write an error to stderr and end the process with its exit code.

    What an author's code raised is shown with its traceback, from the author's first line on.
    """
    cause = error.__cause__ if isinstance(error, BotError) else None
    trace = "" if cause is None else f"{author_traceback(cause)}\n"
    sys.stderr.write(f"{plain_lines(str(error))}\n{trace}")
    sys.exit(error.exit_code)


def _role_named(name: str) -> Role:
    if not name.startswith(HOSTILE):
        return load(name)
    from kitumaija.sdk.testing.hostile import species_named  # noqa: PLC0415 - it needs gRPC

    return species_named(name).kind


def _player(role: Role, settings: Settings) -> Callable[[], Player]:
    from kitumaija.sdk.client import Client  # noqa: PLC0415 - local play needs no gRPC
    from kitumaija.sdk.testing.hostile import Animal  # noqa: PLC0415 - as above

    random, secret = SystemRandom(), secrets.token_bytes(32)
    if isinstance(role, type) and issubclass(role, Animal):
        return partial(role, settings, random=random, secret=secret)
    # What is no such class makes bots; mypy cannot tell a class from a function that makes them.
    factory = cast("BotFactory", role)
    return partial(Client, factory, settings, clock=real_clock, random=random, secret=secret)


async def _play(make: Callable[[], Player]) -> None:
    player = make()
    _stop_on_signals(player)
    await player.run()


def _stop_on_signals(player: Player) -> None:
    """Leave politely on the first Ctrl-C or SIGTERM; the second one has its usual effect."""
    loop = asyncio.get_running_loop()

    def stop(name: str) -> None:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)
        player.stop(f"stopped by {name}")

    # Windows has no such handlers, and neither has a thread that is not the main one.
    with suppress(NotImplementedError, RuntimeError, ValueError):
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, stop, number.name)


class _Plain(logging.Formatter):
    """Lines in which nothing moves a cursor: the server says much of what is in them."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, or lines, of a record."""
        return plain_lines(super().format(record))


def _log_to_stderr() -> None:
    """Show the SDK's messages, unless the author has set up logging."""
    log = logging.getLogger("kitumaija.sdk")
    if log.hasHandlers() or log.level != logging.NOTSET:
        return
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Plain("%(asctime)s %(levelname)s %(message)s", "%H:%M:%S"))
    log.addHandler(handler)
    log.setLevel(logging.INFO)
