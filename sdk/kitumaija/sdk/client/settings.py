"""What a client has to be told: where the server is, who the bot is, what it takes on."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Self

from kitumaija.sdk.calls import OnError
from kitumaija.sdk.errors import UsageError
from kitumaija.sdk.online import PATIENCE
from kitumaija.wire.limits import BOT_VERSION_CHARS_MAX, DEFAULT_CAPACITY, SILENCE_MAX

_ADDRESS = re.compile(r"(?:(https?)://)?(\[[0-9a-fA-F:.]+\]|[^\[\]:/\s]+):(\d{1,5})/?")


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server listens."""

    host: str
    port: int
    tls: bool

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``host:port``, ``http://host:port`` or ``https://host:port``.

        Raises `UsageError` for anything else.
        """
        match = _ADDRESS.fullmatch(text.strip())
        if match is None or not 0 < int(match[3]) < 65_536:
            raise UsageError(
                f"got {text!r} as the server's address, wanted host:port, as localhost:4800, "
                "or https://host:port"
            )
        return cls(match[2], int(match[3]), tls=match[1] == "https")

    @property
    def target(self) -> str:
        """The address as gRPC dials it."""
        return f"{self.host}:{self.port}"

    @property
    def local(self) -> bool:
        """Whether the server is on this machine, as far as the address tells."""
        host = self.host.strip("[]")
        try:
            return ip_address(host).is_loopback
        except ValueError:
            return host == "localhost"

    def __str__(self) -> str:
        return f"https://{self.target}" if self.tls else self.target


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a client; raises `UsageError` for values that cannot be meant so."""

    address: Address
    token: str = field(repr=False)
    """The bot's token, as the organizer gave it."""
    capacity: int = DEFAULT_CAPACITY
    """How many matches the bot plays at once."""
    version: str = "1"
    """The bot's version; a tournament freezes it."""
    on_error: OnError = "fallback"
    """What becomes of an error in the bot: the first legal action is played for it and the error
    is logged, or the client leaves and raises it."""
    tls_ca: Path | None = None
    """A file of certificates (PEM) to trust instead of the machine's; implies TLS."""
    tls_cert: Path | None = None
    """The bot's own certificate (PEM), for a server that wants to see one; implies TLS."""
    tls_key: Path | None = None
    """Its key (PEM)."""
    patience: timedelta = PATIENCE
    """How long the server may be out of reach before the client gives up."""
    silence: timedelta = SILENCE_MAX
    """How long the server may say nothing before the stream is taken to be dead."""

    def __post_init__(self) -> None:
        if not self.token.strip() or not self.token.isascii():
            raise UsageError("got no token, wanted the one that was given for this bot")
        if not 1 <= self.capacity <= 10_000:
            raise UsageError(f"got capacity {self.capacity}, wanted 1 to 10000 matches at once")
        if len(self.version) > BOT_VERSION_CHARS_MAX:
            raise UsageError(
                f"got a version of {len(self.version)} characters, "
                f"wanted at most {BOT_VERSION_CHARS_MAX}"
            )
        if self.on_error not in ("fallback", "raise"):
            raise UsageError(f"got on_error={self.on_error!r}, wanted 'fallback' or 'raise'")
        if (self.tls_cert is None) != (self.tls_key is None):
            raise UsageError("tls_cert and tls_key go together: give both, or neither")
        for file in (self.tls_ca, self.tls_cert, self.tls_key):
            if file is not None and not file.is_file():
                raise UsageError(f"there is no file {file}: name a PEM file that exists")

    @property
    def tls(self) -> bool:
        """Whether the connection is encrypted."""
        return self.address.tls or self.tls_ca is not None or self.tls_cert is not None
