"""The settings of a server: from arguments, then `KITUMAIJA_*` variables, then a TOML file.

    host = "127.0.0.1"
    port = 4800
    data = "kitumaija-data"

Every field of `ServerSettings` is a key of the file and, in upper case behind `KITUMAIJA_`, the
name of a variable.
"""

from __future__ import annotations

import ipaddress
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, StringConstraints, ValidationError, model_validator
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    TomlConfigSettingsSource,
)

from kitumaija.server.choices import DEFAULT_PORT, Durability, LogFormat, LogLevel
from kitumaija.server.tls import TlsFiles
from kitumaija.wire.limits import OWNER_CHARS_MAX

_Owner = Annotated[str, StringConstraints(min_length=1, max_length=OWNER_CHARS_MAX)]
_InviteCode = Annotated[str, StringConstraints(min_length=8)]


class SettingsError(ValueError):
    """Settings that cannot be used; the message is one line and says what to do."""


class ServerSettings(BaseSettings):
    """Everything that an organizer sets for a server."""

    model_config = SettingsConfigDict(
        env_prefix="KITUMAIJA_", extra="forbid", frozen=True, validate_default=True
    )

    host: str = "127.0.0.1"
    """The address to listen on. One that others can reach needs TLS, or `insecure_bind`."""
    port: int = Field(default=DEFAULT_PORT, ge=0, le=65535)
    """The port to listen on; 0 takes a free one."""
    data: Path = Path("kitumaija-data")
    """The data directory: the organizer's token and, without `store`, the database."""
    store: str | None = None
    """The database as an SQLAlchemy URL; without it `DATA/kitumaija.sqlite3`."""
    durability: Durability = Durability.FULL
    """What a crash of the machine may cost: nothing, or with `normal` the last moments."""
    open_registration: bool = False
    """Whether a bot can be registered by an invite code."""
    invite_code: _InviteCode | None = None
    """A code for everybody. Whoever has it says himself who owns his bot."""
    invite_codes: dict[_Owner, _InviteCode] = Field(default_factory=dict)
    """A code for each owner, by the owner. What is registered by it is that owner's."""
    tls_cert: Path | None = None
    """The certificate chain, PEM."""
    tls_key: Path | None = None
    """The certificate's private key, PEM."""
    tls_client_ca: Path | None = None
    """The authorities, PEM, one of which has to have signed what a client shows: mutual TLS."""
    insecure_bind: bool = False
    """Listen without TLS where others can reach it: tokens then travel in the clear."""
    metrics_port: int | None = Field(default=None, ge=0, le=65535)
    """The port on which numbers for Prometheus are shown, 0 for a free one; without it, none."""
    metrics_host: str = "127.0.0.1"
    """The address to show them on. They are no secrets, but there is no TLS and no token."""
    connections_per_address: int = Field(default=1024, ge=1)
    """How many connections one address may have. Behind a proxy all have the proxy's address."""
    capacity_max: int = Field(default=64, ge=1, le=1024)
    """The most matches at once of one bot."""
    log_level: LogLevel = LogLevel.INFO
    log_format: LogFormat = LogFormat.CONSOLE

    @classmethod
    def load(cls, file: Path | None = None, **given: Any) -> ServerSettings:
        """Read the settings; an argument that is None is not given.

        Raises `SettingsError` with one line for the first thing that is wrong.
        """
        if file is not None and not file.is_file():
            raise SettingsError(f"no settings file {file}: name one that exists, or none")
        kept = {name: value for name, value in given.items() if value is not None}
        try:
            return _from_file(file)(**kept)
        except ValidationError as error:
            raise SettingsError(_first_line(error)) from error
        except ValueError as error:
            raise SettingsError(f"{file}: {error}") from error

    @property
    def store_at(self) -> str:
        """Where the store is: its URL, or the data directory."""
        return self.store or str(self.data)

    @property
    def organizer_token_file(self) -> Path:
        """Where the organizer's token is written when it is made."""
        return self.data / "organizer.token"

    @property
    def tls(self) -> TlsFiles | None:
        """Where the server's certificate is; None if it does not speak TLS."""
        if self.tls_cert is None or self.tls_key is None:
            return None
        return TlsFiles(self.tls_cert, self.tls_key, self.tls_client_ca)

    @model_validator(mode="after")
    def _whole(self) -> ServerSettings:
        if (self.tls_cert is None) != (self.tls_key is None):
            raise ValueError("tls_cert and tls_key go together: give both, or neither")
        if self.tls_client_ca is not None and self.tls_cert is None:
            raise ValueError(
                "tls_client_ca is for a server that speaks TLS: give tls_cert and tls_key too"
            )
        files = {name: getattr(self, name) for name in ("tls_cert", "tls_key", "tls_client_ca")}
        for name, file in files.items():
            if file is not None and not file.is_file():
                raise ValueError(f"{name}: no file {file}: name a PEM file that exists")
        codes = [*self.invite_codes.values(), *filter(None, (self.invite_code,))]
        if self.open_registration and not codes:
            raise ValueError(
                "open_registration needs an invite_code of at least 8 characters, or invite_codes"
            )
        if len(set(codes)) < len(codes):
            raise ValueError("invite_codes: one code is given twice, wanted another for each owner")
        if not (self.tls or self.insecure_bind or _is_loopback(self.host)):
            raise ValueError(
                f"host {self.host!r} can be reached by others, who could read tokens on the way: "
                "give tls_cert and tls_key, or say insecure_bind = true"
            )
        return self


def _from_file(file: Path | None) -> type[ServerSettings]:
    """Return the settings class that reads the file too, as the last of its sources."""

    class Sources(ServerSettings):
        @classmethod
        def settings_customise_sources(
            cls,
            settings_cls: type[BaseSettings],
            init_settings: PydanticBaseSettingsSource,
            env_settings: PydanticBaseSettingsSource,
            dotenv_settings: PydanticBaseSettingsSource,
            file_secret_settings: PydanticBaseSettingsSource,
        ) -> tuple[PydanticBaseSettingsSource, ...]:
            del dotenv_settings, file_secret_settings
            if file is None:
                return init_settings, env_settings
            toml = TomlConfigSettingsSource(settings_cls, toml_file=file)
            return init_settings, env_settings, toml

    return Sources


def _is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def _first_line(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    field = ".".join(str(part) for part in first["loc"])
    said = first["msg"].removeprefix("Value error, ")
    if not field:
        return said
    return f"setting {field}: {said}, got {first['input']!r}"
