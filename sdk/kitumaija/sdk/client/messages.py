"""From what the server says to the values that a bot is given."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from kitumaija.engine import Action, Deal, Event, Seat
from kitumaija.sdk.clocks import Clock
from kitumaija.sdk.match import Ending, Match, Player, Result
from kitumaija.sdk.turn import Turn
from kitumaija.v1 import arena_pb2
from kitumaija.wire.codec import (
    action_to_message,
    cards_from_message,
    legal_from_message,
    options_of_newer,
    termination_of_newer,
    view_from_message,
)
from kitumaija.wire.record import fault_from_message
from kitumaija.wire.times import Limits

_ENDINGS = {
    arena_pb2.MATCH_ENDING_PLAYED: Ending.PLAYED,
    arena_pb2.MATCH_ENDING_FORFEITS: Ending.FORFEITS,
    arena_pb2.MATCH_ENDING_VOID: Ending.VOID,
}


def match_from(seating: arena_pb2.Seating, limits: Limits) -> Match:
    """Return the match of a Seating."""
    return Match(
        match_id=seating.match_id,
        seat=Seat(seating.seat),
        players=_players_from(seating.players),
        options=options_of_newer(seating.options),
        limits=limits,
    )


def turn_from(
    decision: arena_pb2.Decision,
    match: Match,
    events: Iterable[Event],
    *,
    clock: Clock,
    asked_at: int,
) -> Turn:
    """Return the turn of a Decision; `events` are all that the bot has not been told yet."""
    return Turn(
        match=match,
        decision_id=decision.decision_id,
        view=view_from_message(decision.view),
        legal=legal_from_message(decision.legal),
        events=tuple(events),
        time_left=timedelta(microseconds=decision.time_left_us),
        bank=timedelta(microseconds=decision.bank_us),
        clock=clock,
        asked_at=asked_at,
        last_used=timedelta(microseconds=decision.last_used_us),
        round_trip=timedelta(microseconds=decision.round_trip_us),
    )


def result_from(end: arena_pb2.MatchEnd, match: Match, events: Iterable[Event]) -> Result:
    """Return the result of a MatchEnd."""
    faults: list[tuple[str, ...]] = [()] * match.seats
    for of_seat in end.faults:
        named = (fault_from_message(fault) for fault in of_seat.faults)
        faults[of_seat.seat] = tuple(fault for fault in named if fault is not None)
    hands = {hand.seat: cards_from_message(hand.cards) for hand in end.hands}
    return Result(
        match=match,
        ending=_ENDINGS.get(end.ending, Ending.VOID),
        termination=termination_of_newer(end.termination),
        places=tuple(end.places),
        events=tuple(events),
        forfeits=tuple(Seat(forfeit.seat) for forfeit in end.forfeits),
        faults=tuple(faults),
        hands=tuple(hands[seat] for seat in sorted(hands)),
        stock=cards_from_message(end.stock),
        pile=cards_from_message(end.pile),
        deal=_deal_from(end),
        void_reason=end.void_reason,
        players=_players_from(end.players) or match.players,
    )


def _players_from(players: Iterable[arena_pb2.SeatedPlayer]) -> tuple[Player, ...]:
    return tuple(
        Player(Seat(player.seat), player.bot_id, player.display_name) for player in players
    )


def _deal_from(end: arena_pb2.MatchEnd) -> Deal | None:
    if not end.deal_seed:
        return None
    entropies = tuple((given.entrant_id, given.entropy) for given in end.entropies)
    return Deal(end.deal_id, end.deal_seed, entropies)


def ready(match_id: str) -> arena_pb2.BotMessage:
    """Return a Ready."""
    return arena_pb2.BotMessage(ready=arena_pb2.Ready(match_id=match_id))


def resync(match_id: str) -> arena_pb2.BotMessage:
    """Return a Resync."""
    return arena_pb2.BotMessage(resync=arena_pb2.Resync(match_id=match_id))


def answer(
    match_id: str, decision_id: int, action: Action, thought: int | None = None
) -> arena_pb2.BotMessage:
    """Return an Answer; `thought` is how long the bot thought about it, in nanoseconds."""
    return arena_pb2.BotMessage(
        answer=arena_pb2.Answer(
            match_id=match_id,
            decision_id=decision_id,
            action=action_to_message(action),
            think_time_us=None if thought is None else thought // 1000,
        )
    )
