"""A server's settings: where they come from, and which are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from kitumaija.server.choices import Durability, LogLevel
from kitumaija.server.settings import ServerSettings, SettingsError


@pytest.fixture(autouse=True)
def nothing_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ServerSettings.model_fields:
        monkeypatch.delenv(f"KITUMAIJA_{name.upper()}", raising=False)


def file_with(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "kitumaija.toml"
    file.write_text(text)
    return file


def test_without_anything_a_server_listens_on_this_machine_alone() -> None:
    settings = ServerSettings.load()

    assert settings.host == "127.0.0.1"
    assert settings.durability is Durability.FULL
    assert not settings.open_registration
    assert settings.tls is None


def test_an_argument_wins_over_a_variable_and_that_over_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = file_with(tmp_path, 'port = 1\nlog_level = "debug"\ndata = "of-the-file"\n')
    monkeypatch.setenv("KITUMAIJA_PORT", "2")
    monkeypatch.setenv("KITUMAIJA_DATA", "of-the-variable")

    settings = ServerSettings.load(file, port=3, host=None)

    assert settings.port == 3
    assert settings.data == Path("of-the-variable")
    assert settings.log_level is LogLevel.DEBUG
    assert settings.host == "127.0.0.1", "an argument that is None was not given"


def test_the_variables_of_bots_are_none_of_the_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KITUMAIJA_TOKEN", "a bot's")
    monkeypatch.setenv("KITUMAIJA_ADDRESS", "elsewhere:1")

    ServerSettings.load()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("port = 70000", "port"),
        ('port = "x"', "port"),
        ("prot = 1", "prot"),
        ('durability = "most"', "durability"),
        ("capacity_max = 0", "capacity_max"),
        ("this is no TOML", "kitumaija.toml"),
        ("open_registration = true", "invite_code"),
        ('open_registration = true\ninvite_code = "short"', "invite_code"),
        ('[invite_codes]\nAnn = "short"', "invite_codes.Ann"),
        ('[invite_codes]\nAnn = "12345678"\nBob = "12345678"', "given twice"),
        ('tls_cert = "cert.pem"', "tls_key"),
        ('tls_cert = "cert.pem"\ntls_key = "key.pem"', "cert.pem"),
        ('tls_client_ca = "ca.pem"', "tls_cert"),
        ('host = "0.0.0.0"', "insecure_bind"),
        ('host = "192.168.1.1"', "tls_cert"),
        ('host = "example.org"', "insecure_bind"),
        ('host = "::"', "insecure_bind"),
    ],
)
def test_settings_that_cannot_be_are_refused_in_one_line(
    tmp_path: Path, text: str, said: str
) -> None:
    with pytest.raises(SettingsError, match=said) as refused:
        ServerSettings.load(file_with(tmp_path, text))

    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "::1", "[::1]", "localhost"])
def test_this_machine_is_listened_on_without_tls(host: str) -> None:
    assert ServerSettings.load(host=host).host == host


def test_a_host_that_others_reach_is_listened_on_with_tls_or_if_asked_for(tmp_path: Path) -> None:
    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    for file in (cert, key):
        file.touch()

    assert ServerSettings.load(host="0.0.0.0", tls_cert=cert, tls_key=key).tls is not None
    assert ServerSettings.load(host="0.0.0.0", insecure_bind=True).tls is None


def test_a_settings_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"nowhere\.toml"):
        ServerSettings.load(tmp_path / "nowhere.toml")


def test_the_store_is_in_the_data_directory_unless_it_is_named() -> None:
    assert ServerSettings.load(data="d").store_at == "d"
    assert ServerSettings.load(data="d", store="postgresql://x/y").store_at == "postgresql://x/y"
