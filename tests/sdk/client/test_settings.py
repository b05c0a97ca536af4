"""What a client is told: addresses, tokens, numbers."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from kitumaija.sdk.client import Address, Settings
from kitumaija.sdk.errors import UsageError

LOCAL = Address.parse("localhost:4800")


@pytest.mark.parametrize(
    ("text", "target", "tls", "local"),
    [
        ("localhost:4800", "localhost:4800", False, True),
        ("127.0.0.1:1", "127.0.0.1:1", False, True),
        ("[::1]:4800", "[::1]:4800", False, True),
        ("http://arena.example:80", "arena.example:80", False, False),
        ("https://arena.example:443/", "arena.example:443", True, False),
        (" 10.0.0.7:65535 ", "10.0.0.7:65535", False, False),
    ],
)
def test_an_address_is_read(text: str, target: str, *, tls: bool, local: bool) -> None:
    address = Address.parse(text)

    assert (address.target, address.tls, address.local) == (target, tls, local)
    assert Address.parse(str(address)) == address


@pytest.mark.parametrize(
    "text", ["", "localhost", "localhost:", ":4800", "a:0", "a:65536", "ftp://a:1", "::1:4800"]
)
def test_what_is_no_address_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(UsageError, match="wanted host:port, as localhost:4800"):
        Address.parse(text)


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"token": "  "}, "got no token"),
        ({"token": "tökén"}, "got no token"),
        ({"capacity": 0}, "got capacity 0, wanted 1"),
        ({"version": "v" * 41}, "wanted at most 40"),
        ({"on_error": "ignore"}, "wanted 'fallback' or 'raise'"),
        ({"tls_ca": Path("nowhere.pem")}, "there is no file nowhere.pem"),
        ({"tls_cert": Path("nowhere.pem")}, "tls_cert and tls_key go together"),
        ({"tls_key": Path("nowhere.key")}, "tls_cert and tls_key go together"),
        (
            {"tls_cert": Path("nowhere.pem"), "tls_key": Path("nowhere.key")},
            "there is no file nowhere.pem",
        ),
    ],
)
def test_a_setting_that_cannot_be_meant_so_is_refused(changed: dict[str, Any], says: str) -> None:
    with pytest.raises(UsageError, match=says):
        Settings(**{"address": LOCAL, "token": "token", **changed})


@pytest.mark.parametrize("capacity", [1, 10_000])
def test_the_edges_of_the_capacity_are_taken(capacity: int) -> None:
    assert Settings(LOCAL, "token", capacity=capacity).capacity == capacity


def test_a_token_is_never_shown() -> None:
    assert "secret" not in repr(Settings(LOCAL, "secret", patience=timedelta(1)))
