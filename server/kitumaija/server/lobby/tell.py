"""What a match machine says to a seat, as the message that its bot gets."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from kitumaija.engine import Action, Deal
from kitumaija.server.lobby.hooks import EntropyStep
from kitumaija.server.lobby.running import RunningMatch
from kitumaija.server.match.commands import (
    AcceptAnswer,
    AskDecision,
    EndMatch,
    OfferMatch,
    RefusalReason,
    RefuseAnswer,
    SeatMessage,
    SeatPlayers,
    SyncMatch,
)
from kitumaija.server.match.values import MatchEnding
from kitumaija.v1 import arena_pb2, game_pb2
from kitumaija.wire.codec import (
    action_to_message,
    cards_to_message,
    decision_message,
    events_to_message,
    legal_to_message,
    options_to_message,
    termination_to_message,
)
from kitumaija.wire.record import fault_to_message
from kitumaija.wire.times import limits_to_message

_ENDINGS = {
    MatchEnding.PLAYED: arena_pb2.MATCH_ENDING_PLAYED,
    MatchEnding.FORFEITS: arena_pb2.MATCH_ENDING_FORFEITS,
    MatchEnding.VOID: arena_pb2.MATCH_ENDING_VOID,
}
_REFUSALS = {
    RefusalReason.ILLEGAL_ACTION: arena_pb2.REFUSAL_REASON_ILLEGAL_ACTION,
    RefusalReason.DECIDED: arena_pb2.REFUSAL_REASON_DECIDED,
    RefusalReason.UNKNOWN_DECISION: arena_pb2.REFUSAL_REASON_UNKNOWN_DECISION,
    RefusalReason.UNKNOWN_MATCH: arena_pb2.REFUSAL_REASON_UNKNOWN_MATCH,
    RefusalReason.MALFORMED_ACTION: arena_pb2.REFUSAL_REASON_MALFORMED_ACTION,
    RefusalReason.FORFEITED: arena_pb2.REFUSAL_REASON_FORFEITED,
}
_STEPS = {
    EntropyStep.COMMIT: arena_pb2.ENTROPY_STEP_COMMIT,
    EntropyStep.REVEAL: arena_pb2.ENTROPY_STEP_REVEAL,
}


def message_for(match: RunningMatch, said: SeatMessage) -> arena_pb2.ServerMessage:
    """Return the message of what the match's machine says to one of its seats."""
    match_id = match.match_id
    if isinstance(said, AskDecision):
        return decision_message(
            match_id=match_id,
            decision_id=said.decision_id,
            view=said.view,
            legal=said.legal,
            first_event=said.first_event,
            events=said.events,
            time_left_us=said.time_left_us,
            bank_us=said.bank_us,
            last_used_us=said.last_used_us,
            round_trip_us=said.round_trip_us,
        )
    if isinstance(said, AcceptAnswer):
        return arena_pb2.ServerMessage(
            accepted=arena_pb2.Accepted(match_id=match_id, decision_id=said.decision_id)
        )
    if isinstance(said, RefuseAnswer):
        return arena_pb2.ServerMessage(refusal=_refusal(match_id, said))
    if isinstance(said, OfferMatch):
        offer = arena_pb2.MatchStart(
            match_id=match_id, seats=said.seats, limits=limits_to_message(said.limits)
        )
        return arena_pb2.ServerMessage(match_start=offer)
    if isinstance(said, SeatPlayers):
        return arena_pb2.ServerMessage(seating=_seating(match, said))
    if isinstance(said, SyncMatch):
        sync = arena_pb2.MatchSync(
            match_id=match_id,
            seating=_seating(match, said),
            events=events_to_message(said.events),
            limits=limits_to_message(said.limits),
        )
        return arena_pb2.ServerMessage(match_sync=sync)
    if match.aliases is not None and said.ending is not MatchEnding.VOID:
        said = replace(said, players=_real_players(match))
    return end_message(match_id, said)


def end_message(match_id: str, said: EndMatch) -> arena_pb2.ServerMessage:
    """Return the message that tells a bot how a match ended."""
    return arena_pb2.ServerMessage(match_end=_match_end(match_id, said))


def entropy_request(
    tournament_id: str, step: EntropyStep, master_commitment: bytes
) -> arena_pb2.ServerMessage:
    """Return the message that asks a bot for its entropy."""
    request = arena_pb2.EntropyRequest(
        tournament_id=tournament_id, step=_STEPS[step], master_commitment=master_commitment
    )
    return arena_pb2.ServerMessage(entropy_request=request)


def unknown_match(answer: arena_pb2.Answer) -> arena_pb2.ServerMessage:
    """Return the refusal of an answer to a match that the bot does not play."""
    refusal = arena_pb2.Refusal(
        match_id=answer.match_id,
        decision_id=answer.decision_id,
        reason=arena_pb2.REFUSAL_REASON_UNKNOWN_MATCH,
        action=answer.action if answer.HasField("action") else None,
        detail="this bot plays no such match, or it is over",
    )
    return arena_pb2.ServerMessage(refusal=refusal)


def _refusal(match_id: str, said: RefuseAnswer) -> arena_pb2.Refusal:
    return arena_pb2.Refusal(
        match_id=match_id,
        decision_id=said.decision_id,
        reason=_REFUSALS[said.reason],
        action=_optional(said.action),
        detail=said.detail,
        legal=legal_to_message(said.legal) if said.legal else None,
        retries_left=said.retries_left,
    )


def _optional(action: Action | None) -> game_pb2.Action | None:
    return None if action is None else action_to_message(action)


def _seating(match: RunningMatch, said: SeatPlayers | SyncMatch) -> arena_pb2.Seating:
    players = list(_real_players(match))
    if match.aliases is not None:
        own = players[said.seat]
        players = [(alias, alias) for alias in match.aliases]
        players[said.seat] = own
    return arena_pb2.Seating(
        match_id=match.match_id,
        seat=said.seat,
        players=_players(players),
        options=options_to_message(said.options),
    )


def _real_players(match: RunningMatch) -> tuple[tuple[str, str], ...]:
    entrants = match.setup.entrants
    return tuple((bot_id, match.names.get(bot_id, bot_id)) for bot_id in entrants)


def _players(named: Iterable[tuple[str, str]]) -> list[arena_pb2.SeatedPlayer]:
    return [
        arena_pb2.SeatedPlayer(seat=seat, bot_id=bot_id, display_name=name)
        for seat, (bot_id, name) in enumerate(named)
    ]


def _match_end(match_id: str, said: EndMatch) -> arena_pb2.MatchEnd:
    end = arena_pb2.MatchEnd(
        match_id=match_id,
        ending=_ENDINGS[said.ending],
        termination=termination_to_message(
            None if said.outcome is None else said.outcome.termination
        ),
        places=said.places,
        first_event=said.first_event,
        events=events_to_message(said.events),
        stock=cards_to_message(said.stock),
        pile=cards_to_message(said.pile),
        void_reason=said.reason,
        players=_players(said.players),
    )
    for forfeit in said.forfeits:
        end.forfeits.add(seat=forfeit.seat, fault=fault_to_message(forfeit.fault), at=forfeit.at)
    for seat, faults in enumerate(said.faults):
        if faults:
            end.faults.add(seat=seat, faults=[fault_to_message(fault) for fault in faults])
    for seat, hand in enumerate(said.hands):
        end.hands.add(seat=seat, cards=cards_to_message(hand))
    if said.deal is not None:
        _show_deal(end, said.deal)
    return end


def _show_deal(end: arena_pb2.MatchEnd, deal: Deal) -> None:
    end.deal_id = deal.deal_id
    end.deal_seed = deal.seed
    for entrant_id, entropy in deal.entropies:
        end.entropies.add(entrant_id=entrant_id, entropy=entropy)
