"""Random games that hold every state against what the rules promise of all states."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from kitumaija.engine import (
    DECK,
    MAIJA,
    Action,
    CardsPickedUp,
    Event,
    FreePlayed,
    FreeTurned,
    GameOptions,
    Phase,
    PlayCard,
    State,
    Termination,
    apply,
    card_set,
    format_position,
    legal_actions,
    new_game,
    text_seed,
)
from tests.support.pairs import Row, covering_array

# Games under a low cap are the many, for they are short; every setting is played to the end, too.
SHORT_TURNS = 9
FULL_CAP = 100
NO_CAP = 0
# Where no cap ends a game, we do; under a cap this many decisions are hardly ever asked.
LONGEST_UNCAPPED = 250
LONGEST = 1500
GAMES_OF_EACH_LONG_KIND = 70

PARAMETERS: dict[str, list[str | int]] = {
    "seats": list(range(2, 11)),
    "free_from_stock": ["after_luck", "always", "never"],
    "pickup": ["unable", "always"],
    "repetition": [3, 0, 2],
    "stopped": ["by_hand_size", "share_last"],
    "hand_sizes": ["until_stock_empty", "always", "never"],
}
ROWS: list[Row] = covering_array(PARAMETERS)

CATCH, FREE, PICKUP, LEAD = Phase
WHOLE_DECK = card_set(DECK)


def short_cap(seats: int) -> int:
    """Return the turn cap a player under which a game has some `SHORT_TURNS` turns in all."""
    return SHORT_TURNS // seats + 1


@dataclass(frozen=True)
class Game:
    """One random game: how it is set up, and the choices made in it."""

    seats: int
    options: GameOptions
    number: int

    @property
    def key(self) -> bytes:
        """The game's chance; every game of a run has its own."""
        return text_seed(f"playout {self.seats} {self.options.as_dict()} {self.number}")

    @property
    def longest(self) -> int:
        """The number of decisions after which the game is left where it is."""
        return LONGEST if self.options.turns_per_player else LONGEST_UNCAPPED


def games_of(row: Row, count: int) -> Iterator[Game]:
    """Yield `count` games of a row of the covering array, under each of the turn caps."""
    plain = dict(row)
    seats = int(plain.pop("seats"))
    for number in range(count):
        if number < GAMES_OF_EACH_LONG_KIND:
            cap = FULL_CAP
        elif number < 2 * GAMES_OF_EACH_LONG_KIND:
            cap = NO_CAP
        else:
            cap = short_cap(seats)
        yield Game(seats, GameOptions.from_dict({**plain, "turns_per_player": cap}), number)


def play_and_check(game: Game) -> int:
    """Play a random game, checking every state; return how many decisions it had."""
    rng = random.Random(game.key)
    state = new_game(game.key, game.seats, options=game.options).state
    check_state(state, turn_begins=True)
    decisions = 0
    longest = game.longest
    while state.outcome is None and decisions < longest:
        legal = legal_actions(state)
        assert legal, f"nothing is legal: {format_position(state)}"
        action = choose(legal, rng)
        after, events = apply(state, action)
        check_change(state, after, events)
        check_state(after, turn_begins=after.turns > state.turns)
        state = after
        decisions += 1
    return decisions


def choose(legal: tuple[Action, ...], rng: random.Random) -> Action:
    """Choose at random, every second time the lowest card that may be played.

    Games of pure chance hardly ever come to their end: uncatchable cards go round and round.
    """
    number = int(rng.random() * 2 * len(legal))
    return legal[number] if number < len(legal) else min(legal, key=_rank)


def _rank(action: Action) -> int:
    return action.card % 13 if isinstance(action, PlayCard) else 13


def check_state(state: State, *, turn_begins: bool) -> None:
    """Check what holds of every state, or of every state at a turn's start."""
    pile, stock = state.pile, state.stock
    together = count = 0
    for part in (*state.hands, card_set(pile), card_set(stock)):
        together |= part
        count += part.bit_count()
    wrong = ""
    if together != WHOLE_DECK or count != len(DECK):
        wrong = "52 distinct cards lie in hands, stock and pile"
    elif turn_begins and stock and _smallest_hand(state) < 5:
        wrong = "with a stock every player still in holds five cards at a turn's start"
    elif MAIJA in pile and not _queen_may_lie(state):
        wrong = "the queen lies in the pile only from her playing to the next pick-up, never last"
    elif _finished(state) and len(state.out) != state.seats - 1:
        wrong = "in a finished game all players but one have gone out"
    assert not wrong, f"{wrong}: {format_position(state)}"


def check_change(before: State, after: State, events: tuple[Event, ...]) -> None:
    """Check that a decision changed no hand but the mover's, a forced pick-up's apart."""
    allowed = {before.mover}
    allowed.update(event.seat for event in events if isinstance(event, CardsPickedUp))
    changed = {
        seat
        for seat, (old, new) in enumerate(zip(before.hands, after.hands, strict=True))
        if old != new
    }
    assert changed <= allowed, f"{changed} changed after {format_position(before)}"
    queen_played = any(
        isinstance(event, FreePlayed | FreeTurned) and event.card == MAIJA for event in events
    )
    if queen_played and not after.over and not after.maija_pending:
        assert isinstance(events[-1], CardsPickedUp), "the queen makes the next player pick up"


def _finished(state: State) -> bool:
    return state.outcome is not None and state.outcome.termination is Termination.FINISHED


def _smallest_hand(state: State) -> int:
    return min(hand.bit_count() for seat, hand in enumerate(state.hands) if seat not in state.out)


def _queen_may_lie(state: State) -> bool:
    on_top_of_others = state.pile[-1] is MAIJA and len(state.pile) > 1
    played = state.maija_pending
    failed_as_luck_card = state.phase is PICKUP and not state.over
    return on_top_of_others and (played or failed_as_luck_card)
