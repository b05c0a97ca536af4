"""The game section of a record, and its one form in bytes."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

from google.protobuf.message import DecodeError, Message
from google.protobuf.unknown_fields import UnknownFieldSet

from kitumaija.engine import Deal, Outcome, Seat
from kitumaija.engine.record import DecidedBy, Decision, GameRecord, RecordedResult
from kitumaija.v1 import arena_pb2, record_pb2
from kitumaija.wire.codec import (
    action_from_message,
    action_to_message,
    options_from_message,
    options_to_message,
    termination_from_message,
    termination_to_message,
)
from kitumaija.wire.codec.enums import EnumTable
from kitumaija.wire.record.errors import RecordFormatError
from kitumaija.wire.record.faults import fault_from_message, fault_to_message

DECIDED_BY: Final = EnumTable(DecidedBy, "DECIDED_BY", record_pb2.DecidedBy.Value)
"""Who decided, in the engine's and in the messages' words."""


def game_to_bytes(game: GameRecord) -> bytes:
    """Return the canonical bytes of a game: equal games give equal bytes, others give others."""
    return canonical(game_to_message(game))


def game_from_bytes(data: bytes) -> GameRecord:
    """Return the game of canonical bytes.

    Raises `RecordFormatError` for bytes that are no GameSection, that hold values or fields not
    known here, or that are another form of the game than `game_to_bytes` makes.
    """
    try:
        message = record_pb2.GameSection.FromString(data)
    except DecodeError:
        raise RecordFormatError(
            f"game section: got {len(data)} bytes that are no GameSection, or not all of one"
        ) from None
    game = game_from_message(message)
    if (wanted := game_to_bytes(game)) != data:
        alike = (got == want for got, want in zip(data, wanted, strict=False))
        offset = next(
            (at for at, same in enumerate(alike) if not same), min(len(data), len(wanted))
        )
        raise RecordFormatError(
            f"game section: from byte {offset} on, these are not the bytes of this game; "
            "wanted every field once, in ascending order, and none that has its default"
        )
    return game


def canonical(message: Message) -> bytes:
    """Return a message's bytes with its fields in ascending order."""
    return message.SerializeToString(deterministic=True)


def game_to_message(game: GameRecord) -> record_pb2.GameSection:
    """Return the message of a game."""
    return record_pb2.GameSection(
        rules_version=game.rules_version,
        options=options_to_message(game.options),
        deal=record_pb2.RecordedDeal(
            deal_id=game.deal.deal_id,
            seed=game.deal.seed,
            entropies=[
                arena_pb2.EntrantEntropy(entrant_id=entrant, entropy=entropy)
                for entrant, entropy in game.deal.entropies
            ],
        ),
        seats=game.seats,
        decisions=[decision_to_message(decision) for decision in game.decisions],
        result=_result_to_message(game.result),
    )


def game_from_message(message: record_pb2.GameSection) -> GameRecord:
    """Return the game of a message.

    Raises `RecordFormatError` for what is missing, and for values and fields not known here: a game
    of which something is not understood cannot be replayed.
    """
    _refuse_unknown(message, "game section")
    with _reading("options"):
        options = options_from_message(message.options)
    with _reading("deal"):
        entropies = tuple((each.entrant_id, each.entropy) for each in message.deal.entropies)
        deal = Deal(message.deal.deal_id, message.deal.seed, entropies)
    decisions: list[Decision] = []
    for index, decision in enumerate(message.decisions):
        with _reading(f"decisions[{index}]"):
            decisions.append(_decision_from_message(decision))
    with _reading("result"):
        result = _result_from_message(message.result)
    return GameRecord(
        rules_version=message.rules_version,
        options=options,
        deal=deal,
        seats=tuple(message.seats),
        decisions=tuple(decisions),
        result=result,
    )


def decision_to_message(decision: Decision) -> record_pb2.RecordedDecision:
    """Return the message of one decision."""
    return record_pb2.RecordedDecision(
        seat=decision.seat,
        action=action_to_message(decision.action),
        by=DECIDED_BY.to_message(decision.by),
        fault=fault_to_message(decision.fault),
    )


def _decision_from_message(message: record_pb2.RecordedDecision) -> Decision:
    by = DECIDED_BY.from_message(message.by)
    if by is None:
        raise ValueError("by: got nothing, wanted who decided")
    return Decision(
        seat=Seat(message.seat),
        action=action_from_message(message.action),
        by=by,
        fault=fault_from_message(message.fault),
    )


def _result_to_message(result: RecordedResult) -> record_pb2.RecordedResult:
    outcome = result.outcome
    return record_pb2.RecordedResult(
        ending=_ending(result),
        termination=termination_to_message(outcome.termination if outcome else None),
        game_places=outcome.places if outcome else (),
        places=result.placing,
        forfeited=result.forfeits,
    )


def _result_from_message(message: record_pb2.RecordedResult) -> RecordedResult:
    termination = termination_from_message(message.termination)
    outcome = None if termination is None else Outcome(termination, tuple(message.game_places))
    result = RecordedResult(
        outcome=outcome,
        placing=tuple(message.places),
        forfeits=tuple(Seat(seat) for seat in message.forfeited),
    )
    if message.ending != (wanted := _ending(result)):
        has = "a termination" if outcome else "no termination"
        places = "no places" if result.void else "places"
        raise ValueError(
            f"ending: got {message.ending}, wanted {wanted}, for the game has {has} and {places}"
        )
    return result


def _ending(result: RecordedResult) -> arena_pb2.MatchEnding.ValueType:
    if result.outcome is not None:
        return arena_pb2.MATCH_ENDING_PLAYED
    return arena_pb2.MATCH_ENDING_VOID if result.void else arena_pb2.MATCH_ENDING_FORFEITS


@contextmanager
def _reading(part: str) -> Generator[None]:
    """Say in which part of the game section a value was refused."""
    try:
        yield
    except ValueError as error:
        raise RecordFormatError(f"game section, {part}: {error}") from None


def _refuse_unknown(message: Message, place: str) -> None:
    """Raise `RecordFormatError` for a field, at any depth, that this version does not know."""
    unknown = UnknownFieldSet(message)
    if len(unknown):
        raise RecordFormatError(
            f"{place}: got field {unknown[0].field_number}, which is not known here; "
            "the record is of a newer version, or damaged"
        )
    for field, value in message.ListFields():
        if field.message_type is None:
            continue
        if isinstance(value, Message):
            _refuse_unknown(value, f"{place}, {field.name}")
        else:
            for index, each in enumerate(value):
                _refuse_unknown(each, f"{place}, {field.name}[{index}]")
