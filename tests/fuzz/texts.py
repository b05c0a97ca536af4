"""Texts of all kinds: files of settings, page tokens, notation, addresses, durations, sources."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from random import Random

from kitumaija.engine import (
    NotationError,
    format_action,
    format_cards,
    format_position,
    parse_action,
    parse_cards,
    parse_position,
)
from kitumaija.sdk.client.settings import Address
from kitumaija.sdk.errors import UsageError
from kitumaija.server.cli.names import bot_ids
from kitumaija.server.errors import InvalidArgument
from kitumaija.server.rpc.settings_messages import settings_from_message
from kitumaija.server.settable.messages import message_of
from kitumaija.server.settable.reading import UNKNOWN_SHOWN, WrongFile, read_file
from kitumaija.server.settable.table import BY_PATH, GROUPS
from kitumaija.server.settable.writing import written_file
from kitumaija.server.settings import ServerSettings, SettingsError
from kitumaija.server.store.errors import BadPageToken
from kitumaija.server.store.paging import read_token, write_token
from kitumaija.wire.limits import ID_PATTERN
from kitumaija.wire.times import parse_duration
from tests.fuzz.decoding import Reader, Readers
from tests.fuzz.mutating import NUMBERS, text

SETTINGS = """
host = "127.0.0.1"
port = 4800
data = "kitumaija-data"
durability = "normal"
open_registration = true
invite_code = "long enough"
invite_codes = { ann = "of ann alone" }
metrics_port = 4801
capacity_max = 64
log_level = "info"
log_format = "json"
"""
TOURNAMENT = """
id = "cup"
title = "The cup"
entrants = ["ann", "bob"]
table_sizes = [2, 3]
limits = { bank = "1.5s", match_cap = "1h" }
[options]
pickup = "always"
[faults]
illegal_actions = "forfeit_at_once"
illegal_retries = 0
"""
NAMES = (*re.findall(r"^\w+", SETTINGS, re.MULTILINE), "store", "tls_cert", "tls_key")
POSITIONS = (
    "catch P0 stock=[5C 2S] pile=[7H] P0={8H 2D} P1={9C} P2=out1",
    "pickup P1 stock=[] pile=[2C QS] P0={3D} P1={4D} maija",
    "over:finished P0 stock=[] pile=[5C] P0={8H} P1=out1",
)
LISTING, KINDS = ("matches", "cup", 2), (int, str)


def readers(folder: Path) -> Readers:
    """Return what texts are read by; `folder` is for the settings file."""
    file = folder / "settings.toml"

    def settings(data: bytes) -> str:
        file.write_bytes(data)
        ServerSettings.load(file)
        return "loaded"

    return (
        Reader("settings", settings, (SettingsError,), [SETTINGS.encode()], _setting),
        Reader(
            "tournament",
            _tournament,
            (WrongFile,),
            [TOURNAMENT.encode(), written_file({}).encode()],
            _tournament_key,
        ),
        _reader(
            "page token", _page_token, BadPageToken, [write_token(LISTING, (7, "cup"))], _token
        ),
        _reader("position", _position, NotationError, POSITIONS),
        _reader("cards", _cards, NotationError, ["8H TC QS", ""]),
        _reader("action", _action, NotationError, ["8H", "take 3", "turn", "pass"]),
        _reader("duration", _duration, ValueError, ["1.5s", "250ms", "40us", "2h", "3m"]),
        _reader("address", _address, UsageError, ["a.example:4800", "https://[::1]:1/"]),
        _reader("source of a bot", _source, UsageError, ["bots/my_bot.py:MyBot", "sample:a"], text),
    )


def _reader(
    name: str,
    read: Callable[[str], str],
    refusal: type[Exception],
    honest: list[str] | tuple[str, ...],
    made: Callable[[Random], str] | None = None,
) -> Reader:
    """Return the reader of a text. Bytes that are no UTF-8 come in as a shell hands them over."""

    def make(chance: Random) -> bytes:
        assert made is not None
        return made(chance).encode("utf-8", "surrogatepass")

    return Reader(
        name,
        lambda data: read(data.decode("utf-8", "surrogateescape")),
        (refusal,),
        [each.encode() for each in honest],
        make if made else None,
    )


def _setting(chance: Random, name: str = "") -> bytes:
    value = chance.choice(
        (json.dumps(text(chance)), "[]", "{}", "nan", "1e400", "0x" + "f" * 40, "1979-01-01")
    )
    return f"{name or chance.choice(NAMES)} = {value}\n".encode("utf-8", "surrogatepass")


def _tournament_key(chance: Random) -> bytes:
    """Return a file of keys that there are, or nearly, with any values."""
    lines = [
        _setting(chance, chance.choice((*BY_PATH, text(chance) or "key")))
        for _ in range(chance.randrange(1, 4))
    ]
    return b"".join(lines)


def _tournament(data: bytes) -> str:
    """What is read is written and read again; what is wrong is said in lines fit for a terminal."""
    try:
        values = read_file(data)
    except WrongFile as error:
        fit = all(problem.isprintable() for problem in error.problems)
        if not (fit and 0 < len(error.problems) <= UNKNOWN_SHOWN + 1 + len(BY_PATH) + len(GROUPS)):
            raise AssertionError(error.problems) from error
        raise
    read = read_file(written_file(values).encode())
    assert read == {**read, **values}
    try:
        settings_from_message(message_of(values))
    except InvalidArgument:  # as a whole it is none, such as a cap below what matches take
        return "read"
    return "taken"


def _token(chance: Random) -> str:
    return write_token(LISTING, (chance.choice(NUMBERS), text(chance)))


def _page_token(given: str) -> str:
    key = read_token(LISTING, given, KINDS)
    assert key is None or [type(part) for part in key] == list(KINDS)
    return "none" if key is None else "read"


def _position(given: str) -> str:
    state = parse_position(given)
    assert parse_position(format_position(state)) == state
    return "read"


def _cards(given: str) -> str:
    cards = parse_cards(given)
    assert parse_cards(format_cards(cards)) == cards
    return "read"


def _action(given: str) -> str:
    action = parse_action(given)
    assert format_action(action) == given
    return "read"


def _duration(given: str) -> str:
    parse_duration(given)
    return "read"


def _address(given: str) -> str:
    address = Address.parse(given)
    assert Address.parse(str(address)) == address
    return "local" if address.local else "read"


def _source(given: str) -> str:
    """An id is made of whatever a bot is named by, and is safe as the name of a file."""
    made = bot_ids([given, f"{given} "])
    assert all(re.fullmatch(ID_PATTERN, bot_id) for bot_id in made)
    return "named"
