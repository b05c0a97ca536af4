"""Requests of the unary calls, as bytes: what is read of them before anything else is done."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any, Final

from google.protobuf import symbol_database
from google.protobuf.message import DecodeError, Message

from kitumaija.server.errors import InvalidArgument
from kitumaija.server.rpc.fields import check_texts
from kitumaija.server.rpc.paging import page_size
from kitumaija.server.rpc.settings_messages import settings_from_message, settings_to_message
from kitumaija.v1 import bot_pb2, game_pb2, replay_pb2, tournament_pb2
from kitumaija.wire.limits import TEXT_CHARS_MAX
from tests.fuzz.decoding import Reader, Readers
from tests.fuzz.mutating import fill, mutated

KINDS: Final[tuple[type[Message], ...]] = tuple(
    symbol_database.Default().GetSymbol(method.input_type.full_name)
    for descriptor in (bot_pb2.DESCRIPTOR, replay_pb2.DESCRIPTOR, tournament_pb2.DESCRIPTOR)
    for service in descriptor.services_by_name.values()
    for method in service.methods
)
CREATE: Final = tournament_pb2.CreateTournamentRequest(
    tournament_id="cup",
    title="The cup",
    settings=tournament_pb2.TournamentSettings(
        table_sizes=[2, 4],
        rounds=3,
        options=game_pb2.GameOptions(),
        entries_per_owner=2,
        faults=tournament_pb2.FaultPolicy(illegal_retries=1),
    ),
)


def readers(folder: Path) -> Readers:
    """Return what requests are read by: of any method, and the settings of a tournament."""
    honest = [bytes((number,)) for number in range(len(KINDS))]
    settings = CREATE.settings.SerializeToString()
    return (
        Reader("request", _request, (DecodeError, InvalidArgument), honest, _any_request),
        Reader("settings", _settings, (DecodeError, InvalidArgument), [settings], _any_settings),
    )


def _request(data: bytes) -> str:
    kind = KINDS[data[0] % len(KINDS)] if data else KINDS[0]
    request: Any = kind.FromString(data[1:])
    check_texts(request)
    assert all(len(text) <= TEXT_CHARS_MAX and "\0" not in text for text in _texts(request))
    if "page_size" in request.DESCRIPTOR.fields_by_name:
        page_size(request.page_size)
    return type(request).__name__


def _texts(message: Message) -> list[str]:
    """Return every text of a request, but those of maps."""
    found = []
    for field, value in message.ListFields():
        for part in value if field.is_repeated else (value,):
            if isinstance(part, Message):
                found += _texts(part)
            elif field.type == field.TYPE_STRING:
                found.append(part)
    return found


def _settings(data: bytes) -> str:
    settings = settings_from_message(tournament_pb2.TournamentSettings.FromString(data))
    whole = settings_to_message(settings)
    assert settings_to_message(settings_from_message(whole)) == whole
    return "taken"


def _any_request(chance: Random) -> bytes:
    number = chance.randrange(len(KINDS))
    return bytes((number,)) + _filled(chance, KINDS[number]())


def _any_settings(chance: Random) -> bytes:
    settings = tournament_pb2.TournamentSettings()
    settings.CopyFrom(CREATE.settings)
    fill(chance, settings)
    return _filled(chance, settings)


def _filled(chance: Random, message: Message) -> bytes:
    fill(chance, message)
    data = message.SerializeToString()
    return mutated(chance, data) if chance.random() < 0.3 else data
