"""A whole match over a scripted server's line, by the rules, against default actions."""

from __future__ import annotations

from kitumaija.engine import (
    Deal,
    Event,
    GameOptions,
    Outcome,
    Seat,
    State,
    apply,
    default_action,
    event_for,
    legal_actions,
    new_game,
    text_seed,
    view,
)
from kitumaija.sdk.testing.server import Line
from kitumaija.v1 import arena_pb2
from kitumaija.wire.codec import (
    action_from_message,
    cards_to_message,
    events_to_message,
    termination_to_message,
)
from kitumaija.wire.kinds import Kind


async def host_match(
    line: Line,
    match_id: str,
    *,
    seed: str | int,
    seats: int = 2,
    seat: int = 0,
    options: GameOptions = GameOptions(),  # noqa: B008 - a frozen value
) -> Outcome:
    """Play a match with the bot on the line, which was greeted, at `seat`; return its outcome.

    The other players do what the rules' default action says. Raises `IllegalAction` for an illegal
    answer: this server knows no mercy.
    """
    deal = Deal(match_id, text_seed(str(seed)))
    await line.offer(match_id, seats=seats)
    names = ["Bot" if number == seat else f"Other-{number}" for number in range(seats)]
    await line.seat(match_id, seat=seat, names=names, options=options)
    state, events = new_game(deal.key, seats, options=options)
    told, decisions = 0, 0
    news: list[Event] = [event_for(event, Seat(seat)) for event in events]
    while state.outcome is None:
        if state.mover == seat:
            decisions += 1
            await line.ask(match_id, decisions, state, first_event=told, events=news)
            told, news = told + len(news), []
            answer = await line.hear(Kind.ANSWER)
            state, events = apply(state, action_from_message(answer.action))
            await line.accept(match_id, decisions)
        else:
            legal = legal_actions(state)
            state, events = apply(state, default_action(view(state, state.mover), legal))
        news += [event_for(event, Seat(seat)) for event in events]
    await line.say(_end(match_id, state, state.outcome, deal, first_event=told, events=news))
    return state.outcome


def _end(
    match_id: str,
    state: State,
    outcome: Outcome,
    deal: Deal,
    *,
    first_event: int,
    events: list[Event],
) -> arena_pb2.ServerMessage:
    return arena_pb2.ServerMessage(
        match_end=arena_pb2.MatchEnd(
            match_id=match_id,
            ending=arena_pb2.MATCH_ENDING_PLAYED,
            termination=termination_to_message(outcome.termination),
            places=outcome.places,
            first_event=first_event,
            events=events_to_message(events),
            hands=[
                arena_pb2.FinalHand(seat=number, cards=cards_to_message(state.hand(Seat(number))))
                for number in range(state.seats)
            ],
            stock=cards_to_message(state.stock),
            pile=cards_to_message(state.pile),
            deal_id=deal.deal_id,
            deal_seed=deal.seed,
        )
    )
