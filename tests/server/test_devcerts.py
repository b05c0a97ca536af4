"""Certificates of one's own: what is written, and what is not written over."""

from __future__ import annotations

import ipaddress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from typer.testing import CliRunner

from kitumaija.server.__main__ import commands
from kitumaija.server.devcerts import FILES, NotMade, make
from kitumaija.wire.exits import ExitCode

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
WEEK = timedelta(days=7)


def certificate(file: Path) -> x509.Certificate:
    return x509.load_pem_x509_certificate(file.read_bytes())


def test_all_files_are_written_and_keys_are_for_their_owner_alone(tmp_path: Path) -> None:
    make(tmp_path / "certs", ["localhost"], WEEK, NOW)

    written = {file.name: file.stat().st_mode & 0o777 for file in (tmp_path / "certs").iterdir()}
    assert set(written) == set(FILES)
    assert {name: mode for name, mode in written.items() if name.endswith(".key")} == {
        "server.key": 0o600,
        "client.key": 0o600,
    }


def test_the_key_of_the_authority_is_kept_nowhere(tmp_path: Path) -> None:
    make(tmp_path, ["localhost"], WEEK, NOW)

    authority = certificate(tmp_path / "ca.pem").public_key()
    for name in ("server.pem", "client.pem"):
        certificate(tmp_path / name).verify_directly_issued_by(certificate(tmp_path / "ca.pem"))
        assert certificate(tmp_path / name).public_key() != authority


def test_the_certificate_is_for_the_names_and_addresses_that_were_given(tmp_path: Path) -> None:
    make(tmp_path, ["arena.example", "192.0.2.7", "[2001:db8::1]"], WEEK, NOW)

    names = certificate(tmp_path / "server.pem").extensions.get_extension_for_class(
        x509.SubjectAlternativeName
    )
    assert names.value.get_values_for_type(x509.DNSName) == ["arena.example"]
    assert names.value.get_values_for_type(x509.IPAddress) == [
        ipaddress.ip_address("192.0.2.7"),
        ipaddress.ip_address("2001:db8::1"),
    ]


def test_a_certificate_is_good_for_as_long_as_was_asked_for(tmp_path: Path) -> None:
    make(tmp_path, ["localhost"], WEEK, NOW)

    for name in ("ca.pem", "server.pem", "client.pem"):
        made = certificate(tmp_path / name)
        assert made.not_valid_before_utc < NOW
        assert made.not_valid_after_utc == NOW + WEEK


@pytest.mark.parametrize("there", FILES)
def test_nothing_is_written_over_and_nothing_is_left_of_the_attempt(
    tmp_path: Path, there: str
) -> None:
    (tmp_path / there).write_text("mine")

    with pytest.raises(NotMade, match="is not written over"):
        make(tmp_path, ["localhost"], WEEK, NOW)

    assert [file.name for file in tmp_path.iterdir()] == [there]
    assert (tmp_path / there).read_text() == "mine"


@pytest.mark.parametrize("name", ["", "two words", "https://arena.example", "a:4800", "ä.example"])
def test_a_name_that_no_client_could_dial_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(NotMade, match="a host name"):
        make(tmp_path / "certs", ["localhost", name], WEEK, NOW)

    assert not (tmp_path / "certs").exists()


def test_the_command_says_how_to_use_what_it_made_and_refuses_to_make_it_twice(
    tmp_path: Path,
) -> None:
    words = ["certs", "dev", str(tmp_path / "certs"), "--name", "arena.example"]
    first = CliRunner().invoke(commands(), words)
    second = CliRunner().invoke(commands(), words)

    assert first.exit_code == ExitCode.OK
    assert f"--tls-cert {tmp_path / 'certs' / 'server.pem'}" in first.stdout
    assert "https://arena.example:PORT" in first.stdout
    assert second.exit_code == ExitCode.USAGE
    assert "is there already" in second.stderr
