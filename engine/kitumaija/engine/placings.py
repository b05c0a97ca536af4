"""All ways to put the cards into their places that agree with an account: counted, and numbered.

Places that may hold the same cards are a *class*; what counts of a class is how many of its places
are still open. Cards are put one after another, and after each the classes that no card left tells
apart are one. So the order of the cards matters much: first come those without a choice, then those
that keep two classes apart. What could be known of many hundred places is then a few dozen numbers,
for who shows what he held, or could not do, tells it of all that he had got until then.

The ways from each of those states on are counted from the end. With that a number is turned into
the way of that number, as one reads a number digit by digit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import factorial, log
from typing import TypeAlias

from kitumaija.engine.account import Account
from kitumaija.engine.cards import DECK, Card, CardSet, cards_in

MOST_STATES = 20_000
"""After so many states of open places counting is given up: some tenths of a second. Games have
some hundred."""

Open: TypeAlias = tuple[int, ...]
"""How many places are open, by class."""


class SamplingLimit(RuntimeError):
    """What was seen leaves so many different cases that counting them would take too long."""


@dataclass(frozen=True, slots=True)
class _Choice:
    """One of the classes that a card may go into from some state."""

    ways: int
    """How many ways there are with this choice, its open places told apart."""
    rest: int
    """How many of them with each of the places."""
    of_class: int
    then: Open


@dataclass(slots=True)
class _Put:
    """The putting of one card, from all states in which it may be its turn."""

    card: Card
    into: list[int]
    """The classes that may hold it."""
    joined: list[int]
    """Which class each class is part of afterwards."""
    after: list[CardSet]
    """What the classes may hold afterwards."""
    choices: dict[Open, list[_Choice]]


class Placings:
    """The ways to put the 52 cards into their places that agree with `account`.

    `size` is how many there are, and may be 0. Raises `SamplingLimit` if counting them takes more
    than `most_states` states.
    """

    def __init__(self, account: Account, most_states: int = MOST_STATES) -> None:
        self._known = account.known
        self._classes = _classes(account)
        classes = list(self._classes)
        start = tuple(len(places) for places in self._classes.values())
        self._puts, self._last = _order(account.unseen, classes)
        self._start = start
        ends = self._lay_out(start, most_states)
        self.size = self._count(ends)

    def at(self, number: int) -> tuple[Card, ...]:
        """Return the card of each place for a number from 0 to `size` − 1.

        Different numbers give different placings.
        """
        cards = [DECK[0]] * len(DECK)
        for place, card in self._known.items():
            cards[place] = card
        state, places = self._start, [places.copy() for places in self._classes.values()]
        for put in self._puts:
            for choice in put.choices[state]:
                if number < choice.ways:
                    break
                number -= choice.ways
            else:
                raise ValueError(f"wanted a number from 0 to {self.size - 1}")
            chosen, number = divmod(number, choice.rest)
            _take(places[choice.of_class], chosen, put.card, cards)
            state = choice.then
            if len(state) < len(places):
                joined: list[list[int]] = [[] for _ in state]
                for part, whole in enumerate(put.joined):
                    joined[whole] += places[part]
                places = joined
        for card in self._last:
            number, chosen = divmod(number, len(places[0]))
            _take(places[0], chosen, card, cards)
        return tuple(cards)

    def _lay_out(self, start: Open, most_states: int) -> set[Open]:
        """Find the states that each card may be put from; return those after the last of them."""
        states: set[Open] = {start}
        met = 1
        for put in self._puts:
            put.choices = {state: [] for state in states}
            # A class with more places open than cards left for it cannot be filled.
            able = [cards.bit_count() for cards in put.after]
            states = set()
            for state, choices in put.choices.items():
                for of_class in put.into:
                    if not state[of_class]:
                        continue
                    then = [0] * len(able)
                    for part, whole in enumerate(put.joined):
                        then[whole] += state[part] - (part == of_class)
                    if all(count <= most for count, most in zip(then, able, strict=True)):
                        choices.append(_Choice(0, 0, of_class, tuple(then)))
                        states.add(tuple(then))
            met += len(states)
            if met > most_states:
                raise SamplingLimit(
                    "players showed so often, and so differently, what they could not hold that"
                    f" counting what they may hold takes more than {most_states} steps"
                )
        return states

    def _count(self, ends: set[Open]) -> int:
        """Count the ways from each state on, the last card's first; return those of all."""
        ways = dict.fromkeys(ends, factorial(len(self._last)))
        for put in reversed(self._puts):
            before: dict[Open, int] = {}
            for state, choices in put.choices.items():
                counted = [
                    _Choice(state[one.of_class] * rest, rest, one.of_class, one.then)
                    for one in choices
                    if (rest := ways[one.then])
                ]
                put.choices[state] = counted
                before[state] = sum(one.ways for one in counted)
            ways = before
        return ways.get(self._start, 0)


def _take(places: list[int], chosen: int, card: Card, cards: list[Card]) -> None:
    """Put a card into one of the open places, which is then open no more."""
    cards[places[chosen]] = card
    places[chosen] = places[-1]
    places.pop()


def _classes(account: Account) -> dict[CardSet, list[int]]:
    """Return the places by what they may hold."""
    classes: dict[CardSet, list[int]] = {}
    for group in account.hidden:
        classes.setdefault(account.allowed(group), []).extend(group.places)
    stock = range(account.used, len(DECK))
    if stock:
        classes.setdefault(account.allowed(None), []).extend(stock)
    return classes


def _order(cards: CardSet, classes: list[CardSet]) -> tuple[list[_Put], tuple[Card, ...]]:
    """Return how the cards are put one after another, and those that may go anywhere at last."""
    puts: list[_Put] = []
    while len(classes) > 1:
        for card in _next_cards(cards, classes):
            cards &= ~(1 << card)
            into = [part for part, able in enumerate(classes) if able >> card & 1]
            found: dict[CardSet, int] = {}
            joined = [found.setdefault(able & cards, len(found)) for able in classes]
            classes = list(found)
            puts.append(_Put(card, into, joined, classes, {}))
    return puts, cards_in(cards)


def _next_cards(cards: CardSet, classes: Sequence[CardSet]) -> tuple[Card, ...]:
    """Return the cards to put next: those without a choice, or what keeps two classes apart.

    Of all pairs of classes it is the pair whose cards have the fewest choices, taken together.
    """
    several = once = 0
    for able in classes:
        several |= once & able
        once |= able
    if no_choice := cards & ~several:
        return cards_in(no_choice)
    with_choices: dict[int, CardSet] = {}
    for card in cards_in(cards):
        choices = sum(able >> card & 1 for able in classes)
        with_choices[choices] = with_choices.get(choices, 0) | 1 << card
    weights = [(log(choices), those) for choices, those in with_choices.items()]
    apart = min(
        (one ^ other for one, other in combinations(classes, 2)),
        key=lambda apart: sum([weight * (apart & those).bit_count() for weight, those in weights]),
    )
    return tuple(
        card for _, those in sorted(with_choices.items()) for card in cards_in(apart & those)
    )
