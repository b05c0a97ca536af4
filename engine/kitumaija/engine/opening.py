"""The deal: from a key to the first decision (S12–S16, B1–B3)."""

from __future__ import annotations

from kitumaija.engine.cards import card_set
from kitumaija.engine.deal import Chance, Shuffle, shuffled_deck
from kitumaija.engine.events import Dealt, Event
from kitumaija.engine.options import GameOptions
from kitumaija.engine.pickup import turn_start_card
from kitumaija.engine.position import MAIJA_STREAM
from kitumaija.engine.state import NO_HISTORY, Draft, Step
from kitumaija.engine.turn import start_turn
from kitumaija.engine.values import HAND_SIZE, MAX_SEATS, MIN_SEATS, Phase, Seat


def new_game(
    key: bytes,
    seats: int,
    *,
    options: GameOptions = GameOptions(),  # noqa: B008 - a frozen value
    dealer: Seat | None = None,
    shuffle: Shuffle = shuffled_deck,
) -> Step:
    """Deal a game; the events are those of the deal, in the order dealt.

    `key` (32 bytes, see `deal_key`) is all the chance of the game. The seat after `dealer` starts
    (B1); without one the highest seat deals, so seat 0 starts. `shuffle` may lay the deck out
    otherwise than by the key; what is drawn later follows from the key all the same.

    Raises `ValueError` for a number of players or a dealer that cannot be.
    """
    if not MIN_SEATS <= seats <= MAX_SEATS:
        raise ValueError(f"got {seats} players, wanted {MIN_SEATS} to {MAX_SEATS} (S4)")
    dealer = Seat(seats - 1) if dealer is None else dealer
    if not 0 <= dealer < seats:
        raise ValueError(f"got dealer {dealer}, wanted a seat from 0 to {seats - 1}")
    deck = shuffle(key)
    hands = [0] * seats
    events: list[Event] = []
    for turn in range(seats):
        # B2: one card at a time, five rounds, from the seat after the dealer.
        seat = Seat((dealer + 1 + turn) % seats)
        dealt = deck[turn : HAND_SIZE * seats : seats]
        hands[seat] = card_set(dealt)
        events.append(Dealt(seat, len(dealt), dealt))
    draft = Draft(
        options=options,
        dealer=dealer,
        hands=tuple(hands),
        pile=(),
        stock=deck[HAND_SIZE * seats :],
        mover=Seat((dealer + 1) % seats),  # S16
        phase=Phase.CATCH,
        luck=False,
        maija_pending=False,
        out=(),
        turns=0,
        outcome=None,
        chance=Chance(key, MAIJA_STREAM),
        history=NO_HISTORY,
    )
    turn_start_card(draft, events)
    start_turn(draft, events)
    return Step(draft.frozen(), tuple(events))
