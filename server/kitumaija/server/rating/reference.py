"""What the cards alone were worth: a match that is over, played by one simple player in every seat.

The server, or whoever has the results, plays the deal on with its own player and no bot. How that
comes out says which seat the cards favoured, and nothing of who sat there: what the batch fit takes
out of the results (`fit/luck.py`).

The player follows rules of thumb and sees all cards, which is no matter: it is not there to play
well, but to come out as the bots do where the cards decide. One game of it says little. So it is
played PLAYOUTS times, each time with other whims, which are drawn from the deal, and cut short
after TURNS turns of each seat: what comes later has more to do with the players than with the deal.
`server/docs/luck.md` says how it was chosen. All of it is whole numbers and follows from the deal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count, islice

from kitumaija.engine import (
    DECK,
    MAIJA,
    Action,
    Chance,
    GameOptions,
    Phase,
    PlayCard,
    State,
    Suit,
    TurnCard,
    apply,
    cards_in,
    catchers,
    legal_actions,
    new_game,
)

PLAYOUTS = 16
"""How often a deal is played."""

TURNS = 5
"""How many turns each seat has, if the tournament's own cap is not lower."""

_PLAYS = tuple(PlayCard(card) for card in DECK)
_TURN = TurnCard()

# In quarters of a rank. To catch with: low cards first, trumps after all others.
_COST = tuple(4 * card.rank + 44 * (card.suit is Suit.DIAMONDS) for card in DECK)
_KEEP = {Suit.CLUBS: 16, Suit.DIAMONDS: 48, Suit.HEARTS: 6, Suit.SPADES: -6}
_SLOPE = {Suit.CLUBS: 5, Suit.DIAMONDS: 7, Suit.HEARTS: 4, Suit.SPADES: 1}
_SHED_AT_ONCE = -1_000
# To shed: what catches much is worth keeping, and the queen of spades is not.
_WORTH = tuple(
    _SHED_AT_ONCE if card is MAIJA else _KEEP[card.suit] + _SLOPE[card.suit] * (card.rank - 8)
    for card in DECK
)


def cards_alone(key: bytes, seats: int, options: GameOptions) -> tuple[float, ...]:
    """Return the place of each seat, from 1, that the cards of a deal make by themselves.

    `key` is the deal's (`Deal.key`). It is the mean of PLAYOUTS games. Raises ValueError for a
    number of players that cannot be.
    """
    games = islice(played_alone(key, seats, options, turns=TURNS), PLAYOUTS)
    return tuple(sum(places) / PLAYOUTS for places in zip(*games, strict=True))


def played_alone(
    key: bytes, seats: int, options: GameOptions, *, turns: int
) -> Iterator[tuple[float, ...]]:
    """Yield the places by seat of one game after another, each with whims of its own, without end.

    A game ends after so many `turns` of each seat. Those who share a place have the mean of the
    places that they share, so all seats together always have the same.
    """
    cap = options.turns_per_player
    short = replace(options, turns_per_player=min(cap, turns) if cap else turns)
    dealt = new_game(key, seats, options=short).state
    for number in count():
        whims, _ = Chance(key, f"reference/{number}").shuffled(range(len(DECK)))
        places = _played(dealt, whims)
        yield tuple(place + (places.count(place) - 1) / 2 for place in places)


def _played(state: State, whims: Sequence[int]) -> tuple[int, ...]:
    """Play a game to its end; `whims` say by how many quarters of a rank each card is liked."""
    cost = [price + whim for price, whim in zip(_COST, whims, strict=True)]
    worth = [value + whim for value, whim in zip(_WORTH, whims, strict=True)]
    while state.outcome is None:
        state = apply(state, _action(state, cost, worth)).state
    return state.outcome.places


def _action(state: State, cost: Sequence[int], worth: Sequence[int]) -> Action:
    hand, phase = state.hands[state.mover], state.phase
    if phase is Phase.CATCH:
        able = cards_in(hand & catchers(state.pile[-1]))
        if able:
            return _PLAYS[min(able, key=cost.__getitem__)]
        # The catch card may be turned as long as there is a stock (S18).
        return _TURN if state.stock else legal_actions(state)[0]
    if phase is Phase.FREE:
        return _PLAYS[min(cards_in(hand), key=worth.__getitem__)]
    legal = legal_actions(state)
    if phase is Phase.LEAD:
        cards = [action.card for action in legal if isinstance(action, PlayCard)]
        return _PLAYS[min(cards, key=worth.__getitem__)] if cards else legal[0]
    # Of two players, who takes the bottom card too leaves the other nothing to catch.
    return legal[-1] if state.seats - len(state.out) == 2 else legal[0]
