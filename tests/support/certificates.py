"""Certificates for servers on this machine, made as an organizer makes them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from typer.testing import CliRunner

from kitumaija.server.__main__ import commands


@dataclass(frozen=True, slots=True)
class Certificates:
    """What `kitumaija certs dev` has written, by file."""

    directory: Path

    @property
    def ca(self) -> Path:
        return self.directory / "ca.pem"

    @property
    def cert(self) -> Path:
        return self.directory / "server.pem"

    @property
    def key(self) -> Path:
        return self.directory / "server.key"

    @property
    def client_cert(self) -> Path:
        return self.directory / "client.pem"

    @property
    def client_key(self) -> Path:
        return self.directory / "client.key"


def make_certificates(directory: Path, *names: str) -> Certificates:
    """Make certificates for a server, by default for this machine's names."""
    options = [word for name in names for word in ("--name", name)]
    done = CliRunner().invoke(commands(), ["certs", "dev", str(directory), *options])
    assert done.exit_code == 0, done.output
    return Certificates(directory)
