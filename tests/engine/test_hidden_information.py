"""Two worlds that are equal in all that a seat may know look the same to it (H1–H4).

For every number of players, phase and seat: the cards that the seat has not seen change places, and
its view, its legal actions, its default action and its events stay equal, before the next action
and after it.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator

import pytest

from kitumaija.engine import (
    MAIJA,
    Action,
    Card,
    CardsDrawn,
    CardSet,
    CardsPickedUp,
    Chance,
    Event,
    GameOptions,
    HandSizes,
    MaijaReturned,
    Passed,
    Phase,
    PickUp,
    PlayCard,
    Seat,
    State,
    apply,
    card_set,
    default_action,
    event_for,
    legal_actions,
    new_game,
    position,
    public_view,
    sample_world,
    shuffled_deck,
    text_seed,
    view,
    why_illegal,
)
from tests.support.playouts import LONGEST, choose

STATES_OF_A_PHASE = 20
WORLDS = 2
TRIES = 200


def options(hand_sizes: HandSizes) -> GameOptions:
    # Positions before the present one are the same in no two worlds; without a stop for repetition
    # they play no part.
    return GameOptions(pickup=PickUp.ALWAYS, hand_sizes=hand_sizes, repetition=0)


@pytest.mark.parametrize("hand_sizes", HandSizes)
@pytest.mark.parametrize("phase", Phase)
@pytest.mark.parametrize("seats", range(2, 11))
def test_nothing_hidden_can_be_told_from_what_a_seat_gets(
    seats: int, phase: Phase, hand_sizes: HandSizes
) -> None:
    name = f"{seats} {phase.value} {hand_sizes.value}"
    rng = random.Random(name)
    chance = Chance(text_seed(name), "worlds")
    compared = 0
    for state in _states(phase, seats, options(hand_sizes), rng):
        for watcher in (None, *map(Seat, range(seats))):
            action = rng.choice(legal_actions(state))
            for _ in range(WORLDS):
                other, chance = _another_world(state, watcher, action, chance)
                _compare(state, other, watcher)
                after, events = apply(state, action)
                after_other, events_other = apply(other, action)
                assert _told(events, watcher) == _told(events_other, watcher)
                _compare(after, after_other, watcher)
                compared += other != state

    assert compared > STATES_OF_A_PHASE


def test_another_world_is_another() -> None:
    """The comparison would hold of anything if the worlds were one."""
    state = new_game(text_seed("another"), 4).state

    other, _ = sample_world(state, Seat(1), Chance(text_seed("worlds"), "worlds"))

    assert other.hands[1] == state.hands[1]
    assert all(other.hands[seat] != state.hands[seat] for seat in (0, 2, 3))
    assert other.stock != state.stock


def _compare(one: State, other: State, watcher: Seat | None) -> None:
    if watcher is None:
        assert public_view(one) == public_view(other)
        return
    assert view(one, watcher) == view(other, watcher)
    if watcher == one.mover and not one.over:
        legal = legal_actions(one)
        assert legal == legal_actions(other)
        seen = view(one, watcher)
        assert default_action(seen, legal) == default_action(view(other, watcher), legal)


def _told(events: Iterable[Event], watcher: Seat | None) -> list[Event]:
    return [event_for(event, watcher) for event in events]


def _another_world(
    state: State, watcher: Seat | None, action: Action, chance: Chance
) -> tuple[State, Chance]:
    """Sample a world in which `action` is legal and reveals the same to the watcher."""
    keep = _revealed(state, watcher, action)
    for _ in range(TRIES):
        other, chance = sample_world(state, watcher, chance, keep=keep)
        if why_illegal(other, action) is None:
            return other, chance
    # Only a pick-up can fail so often: nearly every hand could catch.
    return state, chance


def _revealed(state: State, watcher: Seat | None, action: Action) -> CardSet:
    """The cards that the watcher gets to see by this action."""
    cards: list[Card] = [action.card] if isinstance(action, PlayCard) else []
    after, events = apply(state, action)
    # A pick-up uncovers a card that no event names: the top card is everybody's to see.
    cards += after.pile[-1:]
    for event in _told(events, watcher):
        if isinstance(event, MaijaReturned | Passed):
            cards.append(MAIJA)
        elif isinstance(event, CardsDrawn | CardsPickedUp):
            cards += event.cards or ()
        elif isinstance(card := getattr(event, "card", None), Card):
            cards.append(card)
    return card_set(cards)


def _states(phase: Phase, seats: int, options: GameOptions, rng: random.Random) -> Iterator[State]:
    found = 0
    for state in (
        _deals_to_lead(seats, options)
        if phase is Phase.LEAD
        else _played(phase, seats, options, rng)
    ):
        yield state
        found += 1
        if found == STATES_OF_A_PHASE:
            return
    raise AssertionError(f"only {found} states of {phase}")


def _played(phase: Phase, seats: int, options: GameOptions, rng: random.Random) -> Iterator[State]:
    """States of a phase, met in random games at random moments."""
    for number in range(1000):
        state = new_game(text_seed(f"{seats} {number}"), seats, options=options).state
        met = []
        for _ in range(LONGEST):
            if state.over:
                break
            if state.phase is phase:
                met.append(state)
            state = apply(state, choose(legal_actions(state), rng)).state
        yield from rng.sample(met, min(2, len(met)))


def _deals_to_lead(seats: int, options: GameOptions) -> Iterator[State]:
    """Whole decks in the hands, an empty pile, and in every third no stock but the queen (B4)."""
    for number in range(1000):
        deck = shuffled_deck(text_seed(f"lead {seats} {number}"))
        stock = (MAIJA,) if number % 3 == 0 else ()
        cards = [card for card in deck if card not in stock]
        yield position(
            seats=seats,
            mover=number % seats,
            hands={seat: cards[seat::seats] for seat in range(seats)},
            stock=stock,
            options=options,
        )
