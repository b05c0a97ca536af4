"""What is read from files and frames, without a server: a wrong one is refused by its own error."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from google.protobuf.message import DecodeError

from kitumaija.sdk.errors import UsageError
from kitumaija.sdk.records import read_record, verify
from kitumaija.server.rpc.incoming import incoming
from kitumaija.server.settings import ServerSettings, SettingsError
from kitumaija.server.store.errors import BadPageToken
from kitumaija.server.store.paging import read_token, write_token
from kitumaija.v1 import arena_pb2
from kitumaija.wire.record import RecordFormatError
from kitumaija.wire.session import RemoteProtocolError, Role, Session
from tests.fuzz.figures import Figures, GoesOn
from tests.fuzz.mutating import fill, mutated, noise, text

GOLDEN = Path(__file__).parents[1] / "golden"

SETTINGS = """
host = "127.0.0.1"
port = 4800
data = "kitumaija-data"
durability = "normal"
open_registration = true
invite_code = "long enough"
metrics_port = 4801
capacity_max = 64
log_level = "info"
log_format = "json"
"""


async def record_files(chance: Random, goes_on: GoesOn) -> Figures:
    """Record files in both forms, nearly right; one that can be read can be verified."""
    binary = (GOLDEN / "record.kiturec").read_bytes()
    as_json = (GOLDEN / "record.json").read_bytes()
    figures = Figures()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "record"
        while goes_on(figures.inputs):
            kind = chance.randrange(4)
            if kind == 0:
                data = mutated(chance, binary)
            elif kind == 1:
                data = mutated(chance, as_json)
            elif kind == 2:
                data = _json_changed(chance, as_json)
            else:
                data = noise(chance)
            file.write_bytes(data)
            _try(figures, data, (RecordFormatError, UsageError), lambda: _read_and_verify(file))
    return figures


def _read_and_verify(file: Path) -> str:
    findings = verify(read_record(file))
    return "verified" if all(finding.holds for finding in findings) else "found wrong"


def _json_changed(chance: Random, data: bytes) -> bytes:
    """Return a JSON text with one value somewhere replaced by another of any kind."""
    value = json.loads(data)
    at: Any = value
    while True:
        keys: list[Any] = list(at) if isinstance(at, dict) else list(range(len(at)))
        if not keys:
            break
        key = chance.choice(keys)
        if isinstance(at[key], dict | list) and chance.random() < 0.8:
            at = at[key]
            continue
        strange: tuple[Any, ...] = (
            None,
            True,
            -1,
            10**30,
            1.5,
            text(chance),
            [],
            {},
            [[]],
            "1e999s",
            "NaN",
        )
        at[key] = chance.choice(strange)
        break
    return json.dumps(value, ensure_ascii=chance.random() < 0.5).encode("utf-8", "surrogatepass")


async def settings_files(chance: Random, goes_on: GoesOn) -> Figures:
    """Settings files, nearly right, or with any value for any setting."""
    figures = Figures()
    names = [line.split(" ")[0] for line in SETTINGS.split("\n") if line]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "settings.toml"
        while goes_on(figures.inputs):
            if chance.random() < 0.5:
                data = mutated(chance, SETTINGS.encode())
            else:
                name = chance.choice([*names, "store", "tls_cert", "tls_key", "metrics_host"])
                value = chance.choice(
                    (json.dumps(text(chance)), "[]", "{}", "nan", "1e400", "0x" + "f" * 40, "1979")
                )
                data = f"{name} = {value}\n".encode("utf-8", "surrogatepass")
            file.write_bytes(data)
            _try(figures, data, (SettingsError,), lambda: _load(file))
    return figures


def _load(file: Path) -> str:
    ServerSettings.load(file)
    return "loaded"


async def frames(chance: Random, goes_on: GoesOn) -> Figures:
    """Frames of a bot, of bytes and of messages, one after the other at the session machine."""
    figures = Figures()
    hello = arena_pb2.PlayRequest(messages=[arena_pb2.BotMessage(hello=arena_pb2.Hello())])
    session = Session(Role.SERVER)
    while goes_on(figures.inputs):
        frame = arena_pb2.PlayRequest()
        fill(chance, frame)
        data = frame.SerializeToString()
        if chance.random() < 0.3:
            data = mutated(chance, data)

        before = figures.outcomes["RemoteProtocolError"]
        _try(figures, data, (DecodeError, RemoteProtocolError), partial(_hear, session, data))
        if figures.outcomes["RemoteProtocolError"] > before:
            session = Session(Role.SERVER)
            if chance.random() < 0.8:
                list(session.received_frame(hello))
    return figures


def _hear(session: Session, data: bytes) -> str:
    came = incoming(data)
    assert came.frame is not None
    kinds = [kind.value for kind, _ in session.received_frame(came.frame)]
    return kinds[0] if kinds else "nothing known"


async def page_tokens(chance: Random, goes_on: GoesOn) -> Figures:
    """Page tokens, forged and mistyped."""
    figures = Figures()
    listing, kinds = ("matches", "cup", 2), (int, str)
    while goes_on(figures.inputs):
        key = (chance.choice((0, -1, 2**31, 2**70)), text(chance))
        token = write_token(listing, key)
        kind = chance.randrange(3)
        if kind == 1:
            token = mutated(chance, token.encode()).decode("utf-8", "replace")
        elif kind == 2:
            token = text(chance)

        def read(token: str = token) -> str:
            return "none" if read_token(listing, token, kinds) is None else "read"

        _try(figures, token, (BadPageToken,), read)
    return figures


def _try(
    figures: Figures,
    given: object,
    expected: tuple[type[Exception], ...],
    attempt: Callable[[], str],
) -> None:
    try:
        figures.came_to(attempt())
    except expected as error:
        figures.came_to(type(error).__name__)
    except Exception as error:  # noqa: BLE001 - this is what is looked for
        figures.broke(given, error)
