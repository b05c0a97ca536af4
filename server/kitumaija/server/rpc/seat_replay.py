"""A finished match as one seat saw it, made of its record."""

from __future__ import annotations

from collections.abc import Sequence

from kitumaija.engine import Event, Seat, Step, event_for, legal_actions, view
from kitumaija.v1 import arena_pb2, replay_pb2
from kitumaija.wire.codec import (
    events_to_message,
    legal_to_message,
    options_to_message,
    view_to_message,
)
from kitumaija.wire.record import MatchRecord
from kitumaija.wire.record.game import game_to_message
from kitumaija.wire.record.times import timing_to_message


def seat_replay(
    match_id: str, record: MatchRecord, steps: Sequence[Step], seat: int
) -> replay_pb2.GetSeatReplayResponse:
    """Return what the seat was told, and its decisions with what it knew at each.

    `steps` are those of the record, played again.
    """
    game = record.game
    viewer = Seat(seat)
    told: list[Event] = []
    response = replay_pb2.GetSeatReplayResponse(seating=_seating(match_id, record, seat))
    recorded = game_to_message(game).decisions
    for number, step in enumerate(steps):
        told += (event_for(event, viewer) for event in step.events)
        if number == len(game.decisions) or game.decisions[number].seat != viewer:
            continue
        response.decisions.append(
            replay_pb2.SeatDecision(
                events_before=len(told),
                view=view_to_message(view(step.state, viewer)),
                legal=legal_to_message(legal_actions(step.state)),
                decision=recorded[number],
                timing=timing_to_message(record.timings.decisions[number]),
            )
        )
    response.events.extend(events_to_message(told))
    return response


def public_events(steps: Sequence[Step]) -> tuple[Event, ...]:
    """Return all events of a match, played again, as the public may know them."""
    return tuple(event_for(event, None) for step in steps for event in step.events)


def _seating(match_id: str, record: MatchRecord, seat: int) -> arena_pb2.Seating:
    names = {bot.seat: bot.display_name for bot in record.timings.bots}
    return arena_pb2.Seating(
        match_id=match_id,
        seat=seat,
        players=[
            arena_pb2.SeatedPlayer(
                seat=number, bot_id=bot_id, display_name=names.get(Seat(number), "")
            )
            for number, bot_id in enumerate(record.game.seats)
        ],
        options=options_to_message(record.game.options),
    )
