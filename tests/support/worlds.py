"""Two worlds that a seat cannot tell apart, before an action and after it."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from kitumaija.engine import (
    DECK,
    MAIJA,
    Action,
    Card,
    CardsDrawn,
    CardSet,
    CardsPickedUp,
    Chance,
    Dealt,
    Event,
    GameOptions,
    MaijaReturned,
    Passed,
    Phase,
    PlayCard,
    Seat,
    State,
    apply,
    card_set,
    event_for,
    legal_actions,
    new_game,
    position,
    sample_world,
    shuffled_deck,
    text_seed,
    why_illegal,
)
from tests.support.playouts import LONGEST, choose

_TRIES = 200


@dataclass(frozen=True)
class World:
    """A game with what happened in it so far."""

    state: State
    events: tuple[Event, ...]


@dataclass(frozen=True)
class Pair:
    """Two worlds equal in all that `watcher` may know, now and after the mover's `action`."""

    here: World
    there: World
    watcher: Seat
    action: Action


def pair(world: World, watcher: Seat, action: Action, name: str) -> Pair | None:
    """Return a world beside `world`, or None where chance finds none that is another."""
    chance = Chance(text_seed(name), "worlds")
    keep = _revealed(world.state, watcher, action)
    for _ in range(_TRIES):
        other, chance = sample_world(world.state, watcher, chance, keep=keep)
        if other != world.state and why_illegal(other, action) is None:
            events = tuple(_with_other_faces(event, watcher, name) for event in world.events)
            return Pair(world, World(other, events), watcher, action)
    return None


def worlds_in(phase: Phase, seats: int, options: GameOptions) -> Iterator[World]:
    """Yield worlds in which the mover is asked in `phase`, and the game goes on after it."""
    if phase is Phase.LEAD:
        yield from _deals_to_lead(seats, options)
        return
    rng = random.Random(f"{seats} {phase.value}")
    for number in range(1000):
        state, events = new_game(text_seed(f"{seats} {number}"), seats, options=options)
        met = []
        for _ in range(LONGEST):
            if state.over:
                break
            if state.phase is phase:
                met.append(World(state, events))
            step = apply(state, choose(legal_actions(state), rng))
            state, events = step.state, events + step.events
        yield from rng.sample(met, min(2, len(met)))


def an_action(world: World, rng: random.Random) -> Action | None:
    """Return something that the mover may do and that does not end the game."""
    legal = list(legal_actions(world.state))
    rng.shuffle(legal)
    return next((action for action in legal if not apply(world.state, action).state.over), None)


def _deals_to_lead(seats: int, options: GameOptions) -> Iterator[World]:
    """Whole decks in the hands, an empty pile, and in every third no stock but the queen (B4)."""
    for number in range(1000):
        deck = shuffled_deck(text_seed(f"lead {seats} {number}"))
        stock = (MAIJA,) if number % 3 == 0 else ()
        cards = [card for card in deck if card not in stock]
        hands = {seat: cards[seat::seats] for seat in range(seats)}
        state = position(
            seats=seats, mover=number % seats, hands=hands, stock=stock, options=options
        )
        yield World(state, ())


def _revealed(state: State, watcher: Seat, action: Action) -> CardSet:
    """Return the cards that the watcher gets to see by this action."""
    cards: list[Card] = [action.card] if isinstance(action, PlayCard) else []
    after, events = apply(state, action)
    # A pick-up uncovers a card that no event names: the top card is everybody's to see.
    cards += after.pile[-1:]
    for event in _seen(events, watcher):
        if isinstance(event, MaijaReturned | Passed):
            cards.append(MAIJA)
        elif isinstance(event, CardsDrawn | CardsPickedUp):
            cards += event.cards or ()
        elif isinstance(card := getattr(event, "card", None), Card):
            cards.append(card)
    return card_set(cards)


def _seen(events: Iterable[Event], watcher: Seat) -> list[Event]:
    return [event_for(event, watcher) for event in events]


def _with_other_faces(event: Event, watcher: Seat, name: str) -> Event:
    """Return the event with other cards where the watcher does not see their faces."""
    if isinstance(event, Dealt | CardsDrawn | CardsPickedUp) and event.seat != watcher:
        other = random.Random(f"{name} {event}").sample(DECK, event.count)
        return replace(event, cards=tuple(other))
    return event
