"""What a server says of a game, from the values that a local game has."""

from __future__ import annotations

from collections.abc import Iterable

from kitumaija.engine import Event
from kitumaija.sdk.clocks import nanoseconds
from kitumaija.sdk.match import Match, Result
from kitumaija.sdk.turn import Turn
from kitumaija.v1 import arena_pb2
from kitumaija.wire.codec import (
    cards_to_message,
    decision_message,
    events_to_message,
    legal_to_message,
    options_to_message,
    termination_to_message,
)
from kitumaija.wire.record import fault_to_message
from kitumaija.wire.times import limits_to_message


def match_start(match: Match) -> arena_pb2.ServerMessage:
    """Return the offer of a match."""
    start = arena_pb2.MatchStart(
        match_id=match.match_id, seats=match.seats, limits=limits_to_message(match.limits)
    )
    return arena_pb2.ServerMessage(match_start=start)


def seating(match: Match) -> arena_pb2.ServerMessage:
    """Return who sits where, told to the match's own seat."""
    return arena_pb2.ServerMessage(seating=_seating(match))


def decision(turn: Turn, first_event: int, events: Iterable[Event]) -> arena_pb2.ServerMessage:
    """Return the question that a turn is, with those of its events that were not told yet."""
    return decision_message(
        match_id=turn.match.match_id,
        decision_id=turn.decision_id,
        view=turn.view,
        legal=turn.legal,
        first_event=first_event,
        events=events,
        time_left_us=nanoseconds(turn.remaining()) // 1000,
        bank_us=nanoseconds(turn.bank) // 1000,
        last_used_us=nanoseconds(turn.last_used) // 1000,
        round_trip_us=0,
    )


def match_sync(match: Match, events: Iterable[Event]) -> arena_pb2.ServerMessage:
    """Return all that a seat knows of a match; `events` are its own from the first."""
    sync = arena_pb2.MatchSync(
        match_id=match.match_id,
        seating=_seating(match),
        events=events_to_message(events),
        limits=limits_to_message(match.limits),
    )
    return arena_pb2.ServerMessage(match_sync=sync)


def accepted(answer: arena_pb2.Answer) -> arena_pb2.ServerMessage:
    """Return that an answer counts."""
    taken = arena_pb2.Accepted(match_id=answer.match_id, decision_id=answer.decision_id)
    return arena_pb2.ServerMessage(accepted=taken)


def refusal(
    answer: arena_pb2.Answer, reason: arena_pb2.RefusalReason.ValueType, detail: str
) -> arena_pb2.Refusal:
    """Return that an answer does not count, and that nothing is to be answered any more."""
    return arena_pb2.Refusal(
        match_id=answer.match_id,
        decision_id=answer.decision_id,
        action=answer.action,
        reason=reason,
        detail=detail,
    )


def leave_open(refused: arena_pb2.Refusal, turn: Turn, retries_left: int) -> None:
    """Have a refusal leave its decision open."""
    refused.legal.CopyFrom(legal_to_message(turn.legal))
    refused.retries_left = retries_left


def match_end(result: Result, first_event: int) -> arena_pb2.ServerMessage:
    """Return how a game that was played to its end ended; `first_event` counts those told."""
    deal = result.deal
    return arena_pb2.ServerMessage(
        match_end=arena_pb2.MatchEnd(
            match_id=result.match.match_id,
            ending=arena_pb2.MATCH_ENDING_PLAYED,
            termination=termination_to_message(result.termination),
            places=result.places,
            faults=[
                arena_pb2.SeatFaults(seat=seat, faults=map(fault_to_message, faults))
                for seat, faults in enumerate(result.faults)
                if faults
            ],
            first_event=first_event,
            events=events_to_message(result.events),
            hands=[
                arena_pb2.FinalHand(seat=seat, cards=cards_to_message(hand))
                for seat, hand in enumerate(result.hands)
            ],
            stock=cards_to_message(result.stock),
            pile=cards_to_message(result.pile),
            deal_id="" if deal is None else deal.deal_id,
            deal_seed=b"" if deal is None else deal.seed,
        )
    )


def _seating(match: Match) -> arena_pb2.Seating:
    return arena_pb2.Seating(
        match_id=match.match_id,
        seat=match.seat,
        players=[
            arena_pb2.SeatedPlayer(seat=player.seat, bot_id=player.bot_id, display_name=player.name)
            for player in match.players
        ],
        options=options_to_message(match.options),
    )
