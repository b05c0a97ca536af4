"""Two worlds that are equal in all that a seat may know: whatever it is told is equal in both.

The worlds differ in the hidden cards, in the faces that other seats drew, and in everything that is
another bot's own affair: its clock, its faults, its stream. The end of a match that was played
shows everything, so it is the one message that is left out.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta

import pytest

from kitumaija.engine import (
    DECK,
    CardsDrawn,
    CardsPickedUp,
    Chance,
    Dealt,
    Event,
    GameOptions,
    Phase,
    Seat,
    TurnCard,
    View,
    event_for,
    legal_actions,
    sample_world,
    text_seed,
    view,
)
from kitumaija.server.match import (
    AcceptAnswer,
    AnswerArrived,
    AskDecision,
    Commands,
    Connected,
    EndMatch,
    Fault,
    ForfeitOrdered,
    MatchEnding,
    MatchEvent,
    MatchState,
    Nanos,
    OfferMatch,
    RefuseAnswer,
    ResyncAsked,
    SeatMessage,
    SyncMatch,
    Tell,
    VoidOrdered,
    step,
)
from kitumaija.server.match.trail import Trail
from kitumaija.wire.times import Limits
from tests.server.match.table import Table, illegal_for, scripted, setup_of
from tests.support.clock import ms


def other_world(state: MatchState, seat: Seat, number: int) -> MatchState:
    """Return a match that the seat cannot tell from `state`."""
    chance = Chance(text_seed(f"world {number}"), "worlds")
    game, _ = sample_world(state.game, seat, chance)
    seats = [
        record
        if other == seat
        else record._replace(
            bank=record.bank // 2 + 5,
            faults=(*record.faults, Fault.ILLEGAL_ACTION)[:4],
            last_used_us=record.last_used_us + 17,
            round_trip_us=record.round_trip_us + 4_000,
        )
        for other, record in enumerate(state.seats)
    ]
    events = [with_other_faces(event, seat, number) for event in state.events]
    pending = state.pending
    assert pending is not None
    if pending.seat != seat:
        pending = pending._replace(legal=legal_actions(game))
    told = [state.told[seat] if other == seat else 0 for other in range(len(seats))]
    return state._replace(
        game=game,
        seats=tuple(seats),
        told=tuple(told),
        events=Trail(events),
        pending=pending,
    )


def with_other_faces(event: Event, seat: Seat, number: int) -> Event:
    """Return the event with other cards where the seat does not see their faces."""
    if isinstance(event, Dealt | CardsDrawn | CardsPickedUp) and event.seat != seat:
        other = random.Random(f"{number} {event}").sample(DECK, event.count)
        return replace(event, cards=tuple(other))
    return event


def told(commands: Commands, seat: Seat) -> list[SeatMessage]:
    return [
        command.message
        for command in commands
        if isinstance(command, Tell) and command.seat == seat
    ]


def seen(before: MatchState, after: MatchState, seat: Seat) -> tuple[View, list[Event]]:
    """Return what the seat may know after a step: what it sees then, and what happened.

    A pick-up brings the card below to light, which is in the view alone.
    """
    happened = after.events.since(len(before.events))
    return view(after.game, seat), [event_for(event, seat) for event in happened]


def occasions(table: Table, seat: Seat) -> Iterator[MatchEvent]:
    """Return everything that may happen to the table now and tell the seat something."""
    now = table.now
    pending = table.state.pending
    assert pending is not None
    yield Connected(seat, now)
    yield ResyncAsked(seat, now)
    yield VoidOrdered("The lights went out.", now)
    yield AnswerArrived(seat, 1, None, now)
    yield AnswerArrived(seat, 10_000, TurnCard(), now)
    yield AnswerArrived(seat, pending.decision_id, illegal_for(table.question), now)
    yield AnswerArrived(pending.seat, pending.decision_id, scripted(table.question), now)
    yield AnswerArrived(pending.seat, pending.decision_id, None, Nanos(now + ms(3_600_000)))
    if pending.seat != seat:
        yield ForfeitOrdered(pending.seat, Fault.WITHDRAWN, now)
    others = {Seat(other) for other in range(table.setup.seats)} - {seat, pending.seat}
    for other in sorted(others)[:1]:
        yield ForfeitOrdered(other, Fault.DISQUALIFIED, now)


@pytest.mark.parametrize("seats", range(2, 11))
def test_what_a_seat_is_told_is_equal_in_worlds_that_are_equal_to_it(seats: int) -> None:
    kinds: set[type[SeatMessage]] = set()
    phases: set[Phase | None] = set()
    for deal in range(4):
        options = GameOptions(turns_per_player=40 // seats)
        table = Table(setup_of(seats, deal=f"secret {deal}", options=options))
        table.start()
        for number in range(10_000):
            if table.results:
                break
            rare = table.question.view.phase is Phase.PICKUP
            if rare or number % 7 == 0:
                seat = Seat(table.mover if rare else number // 7 % seats)
                for message in equal_in_both_worlds(table, seat, number):
                    kinds.add(type(message))
                    if isinstance(message, AskDecision):
                        phases.add(message.view.phase)
            table.play()
    assert kinds >= {AskDecision, SyncMatch, RefuseAnswer, AcceptAnswer, EndMatch}
    assert phases >= {Phase.CATCH, Phase.FREE, Phase.PICKUP}


def equal_in_both_worlds(table: Table, seat: Seat, number: int) -> Iterator[SeatMessage]:
    """Let everything happen in two worlds; yield what the seat was told, the same in both."""
    other = other_world(table.state, seat, number)
    assert view(table.state.game, seat) == view(other.game, seat)
    for event in occasions(table, seat):
        here, commands = step(table.state, event)
        there, commands_there = step(other, event)
        messages = told(commands, seat)
        # A hidden card that came to light differs between the worlds, and so does a game's end.
        if seen(table.state, here, seat) == seen(other, there, seat) and not any(
            map(shows_all, messages)
        ):
            assert messages == told(commands_there, seat), event
            yield from messages


def shows_all(message: SeatMessage) -> bool:
    return isinstance(message, EndMatch) and message.ending is not MatchEnding.VOID


def test_before_the_start_nothing_told_depends_on_who_plays_what() -> None:
    def everything(names: str, deal: str, others_ready: bool) -> list[SeatMessage]:
        setup = replace(setup_of(3, deal=deal), entrants=tuple(names))
        table = Table(setup)
        table.connect(0)
        if others_ready:
            table.connect(1)
            table.ready(1)
        table.ready(0)
        table.answer(TurnCard(), seat=0, decision_id=1)
        table.connect(0)
        table.tick_at_deadline()
        return table.told[0]

    here = everything("abc", "one deal", others_ready=True)
    there = everything("axy", "another", others_ready=False)
    assert here == there
    assert {type(message) for message in here} == {OfferMatch, RefuseAnswer, EndMatch}


def void_by_order(table: Table) -> None:
    table.do(VoidOrdered("The lights went out.", table.now))


def void_by_the_cap(table: Table) -> None:
    table.tick(ms(5_020) + 1)


def void_because_all_were_lost(table: Table) -> None:
    for seat in range(3):
        table.disconnect(seat)
    table.clock.advance(ms(1_001))
    table.connect()


@pytest.mark.parametrize(
    "how",
    [void_by_order, void_by_the_cap, void_because_all_were_lost],
    ids=lambda how: how.__name__,
)
def test_a_void_match_shows_no_card_and_no_seed(how: Callable[[Table], None]) -> None:
    limits = Limits(grace=timedelta(seconds=1), match_cap=timedelta(seconds=5))
    table = Table(setup_of(3, limits=limits))
    table.start()
    table.play()
    how(table)
    for seat in range(3):
        end = table.last(seat, EndMatch)
        assert end == EndMatch(MatchEnding.VOID, reason=end.reason)


def test_the_cards_of_no_other_seat_are_in_what_a_seat_is_told_before_the_end() -> None:
    table = Table(setup_of(2))
    table.start()
    dealt = set(table.state.game.hand(Seat(1)))
    text = repr(table.told[0])
    assert not [card for card in dealt if f"<Card.{card.name}:" in text]
