"""Information sets: all worlds that agree with what a player has been told (H1–H3).

A player who searches plays on in *worlds*: complete states that could be the true one
(determinization). `InformationSet` draws them, all equally likely: uniform over the deals and the
placings of the queen under which each thing that he has seen happen was legal. There is no model of
how anybody plays in it; who has one weighs the worlds himself, by what `retrace` shows.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from kitumaija.engine.account import Account, Contradiction
from kitumaija.engine.actions import PASS, PLAYS, TURN, Action, IllegalAction, TakeCards
from kitumaija.engine.cards import DECK, MAIJA, Card, CardSet, card_set
from kitumaija.engine.deal import Chance, world_key
from kitumaija.engine.events import (
    CardCaught,
    CardLed,
    CardsPickedUp,
    Event,
    FreePlayed,
    FreeTurned,
    LuckTurned,
    MaijaReturned,
    Passed,
    event_for,
)
from kitumaija.engine.opening import new_game
from kitumaija.engine.options import GameOptions
from kitumaija.engine.placings import MOST_STATES, Placings
from kitumaija.engine.position import MAIJA_STREAM
from kitumaija.engine.rules import apply
from kitumaija.engine.state import NO_HISTORY, Draft, Position, State, Step
from kitumaija.engine.values import Seat

_DRAWS = "world"
_NOTHING = bytes(32)


@dataclass(frozen=True, slots=True)
class World:
    """One way that everything could be."""

    state: State
    """The state now, to be played on with `apply`. What chance is left in it is the world's own."""
    deck: tuple[Card, ...]
    """The cards in the order they were dealt from (B2)."""
    queen_places: tuple[int, ...]
    """Where in the stock the queen went each time she was turned as a start card (B3); not in it
    is the time when she was the only card (B4)."""


class InformationSet:
    """All worlds that agree with the events that a player was told, from the deal on.

    Faces that are in the events are known: those of a seat are what `event_for` gives it. Raises
    `Contradiction` for events that no game by these options could have brought about, and
    `SamplingLimit` if it takes more than `most_states` steps to count what is hidden.

    Making one takes time in proportion to the events, and some for what is hidden; drawing takes
    the same for each world.
    """

    def __init__(
        self,
        events: Sequence[Event],
        options: GameOptions = GameOptions(),  # noqa: B008 - a frozen value
        *,
        most_states: int = MOST_STATES,
    ) -> None:
        self._events = tuple(events)
        self._options = options
        try:
            self._account = Account(self._events, options)
            self._placings = Placings(self._account, most_states)
            if not self._placings.size:
                raise self._no_deal()
            *_, (_, self._model) = self._steps(*self._dealt(self._placings.at(0)))
        except Contradiction as found:
            raise _earliest(found, self._events, options) from None
        self._not_shown = ~card_set(self._account.shown)
        self._hidden: list[list[int]] = [[] for _ in range(self._account.seats)]
        for group in self._account.hidden:
            self._hidden[group.seat] += group.places
        self._history = [
            (size, _exchanged(positions, self._model.hands))
            for size, positions in enumerate(self._model.history)
            if positions
        ]

    @property
    def size(self) -> int:
        """How many worlds there are: the deals, times the placings of the queen, that agree."""
        return self._placings.size

    def worlds(self, seed: bytes, first: int = 0) -> Iterator[World]:
        """Yield worlds without end, each drawn anew; equal seeds (32 bytes) yield equal worlds.

        With `first` the worlds before that index are left out.
        """
        for index in count(first):
            yield self.world(seed, index)

    def world(self, seed: bytes, index: int) -> World:
        """Return the world of an index, as `worlds` yields it."""
        key = world_key(seed, index)
        number, _ = Chance(key, _DRAWS).below_any(self._placings.size)
        return self._made(self._placings.at(number), key)

    def all_worlds(self) -> Iterator[World]:
        """Yield every world once, in no order that means anything; `size` says how many."""
        for number in range(self._placings.size):
            yield self._made(self._placings.at(number), _NOTHING)

    def retrace(self, world: World) -> Iterator[tuple[State, Action]]:
        """Yield how it all happened in one of these worlds: each state, and what was done there.

        For who has a model of how others play: a world in which they did what is likely is worth
        more.
        """
        steps = self._steps(world.deck, world.queen_places)
        _, before = next(steps)
        for action, after in steps:
            assert action is not None  # noqa: S101 - only the first step is the deal
            yield before, action
            before = after

    ##### Drawing #####

    def _made(self, cards: tuple[Card, ...], key: bytes) -> World:
        """Return the world with these cards in their places."""
        account, draft = self._account, Draft.of(self._model)
        draft.hands = tuple(
            [
                held | card_set([cards[place] for place in places]) & self._not_shown
                for held, places in zip(account.held, self._hidden, strict=True)
            ]
        )
        draft.stock = cards[account.used :]
        draft.chance = Chance(key, MAIJA_STREAM)
        history = list(NO_HISTORY)
        for size, changes in self._history:
            history[size] = _exchanged(changes, draft.hands)
        draft.history = tuple(history)
        return World(draft.frozen(), *self._dealt(cards))

    def _dealt(self, cards: tuple[Card, ...]) -> tuple[tuple[Card, ...], tuple[int, ...]]:
        """Return the deck that the cards were dealt from, and the queen's placings."""
        returns = self._account.returns
        if not returns:
            return cards, ()
        at_last = cards.index(MAIJA)
        places: list[int] = []
        for index, at in enumerate(returns):
            then = returns[index + 1] if index + 1 < len(returns) else at_last
            # The start card comes before her place counts; without one she stayed alone (B4).
            if at < len(DECK) - 1:
                places.append(then - at - 1)
        others = [card for card in cards if card is not MAIJA]
        return (*others[: returns[0]], MAIJA, *others[returns[0] :]), tuple(places)

    ##### By the rules #####

    def _steps(
        self, deck: tuple[Card, ...], queen_places: tuple[int, ...]
    ) -> Iterator[tuple[Action | None, State]]:
        """Play the events with the production rules; yield the deal, then each action's result.

        Raises `Contradiction` for the first event that the rules do not bring about.
        """
        events, places = self._events, iter(queen_places)
        account = self._account
        step = new_game(
            _NOTHING,
            account.seats,
            options=self._options,
            dealer=account.dealer,
            shuffle=lambda _: deck,
        )
        action, told = None, 0
        while True:
            told = self._agreeing(step, told)
            state = _with_queen(step, places)
            yield action, state
            if told == len(events):
                return
            seat, action = _action(events[told], told)
            if state.over:
                raise Contradiction(told, "the game is over before it")
            if seat != state.mover:
                raise Contradiction(told, f"it is the turn of seat {state.mover}, not of {seat}")
            try:
                step = apply(state, action)
            except IllegalAction as error:
                raise Contradiction(told, error.reason.sentence) from error

    def _agreeing(self, step: Step, told: int) -> int:
        """Compare what the rules bring about with what was told; return how much is told then."""
        for index, made in enumerate(step.events, start=told):
            if index == len(self._events):
                raise Contradiction(
                    index, f"the events end before all is told: {_public(made)} is to follow"
                )
            event = self._events[index]
            if event != (made if _has_faces(event) else event_for(made, None)):
                raise Contradiction(
                    index, f"by the rules {_public(made)} comes here, got {_public(event)}"
                )
        return told + len(step.events)

    def _no_deal(self) -> Contradiction:
        """Find the first event that together with all before it agrees with no deal."""
        seats = self._account.seats

        def impossible(told: int) -> bool:
            return not Placings(Account(self._events[:told], self._options)).size

        every = range(seats, len(self._events) + 1)
        return Contradiction(
            every[bisect_left(every, True, key=impossible)] - 1,
            "no deal agrees with it and with all before it: a hand, or the stock, would have to"
            " hold cards that it is known not to hold (D7, B3, E5)",
        )


def _earliest(
    found: Contradiction, events: tuple[Event, ...], options: GameOptions
) -> Contradiction:
    """Return what is wrong before what was found: the rules are asked last."""
    before = events[: found.event]
    if len(before) < len(events):
        try:
            InformationSet(before, options)
        except Contradiction as earlier:
            # What is cut off in the middle of an action is no fault of the events.
            return earlier if earlier.event < found.event else found
    return found


def _exchanged(positions: Iterable[Position], hands: tuple[CardSet, ...]) -> tuple[Position, ...]:
    """Exchange the hands for what they differ in from `hands`, or that for the hands.

    At the positions that can recur only open cards lay elsewhere: no unseen one has moved since.
    """
    return tuple(
        [
            (mover, pending, tuple([a ^ b for a, b in zip(then, hands, strict=True)]), pile)
            for mover, pending, then, pile in positions
        ]
    )


def _with_queen(step: Step, places: Iterator[int]) -> State:
    """Put the queen where the world has her, if she went back into the stock in this step (B3).

    Nothing is taken from the stock between that and the end of the step. Where she was its only
    card she stays, and the pile stays empty (B4).
    """
    state = step.state
    if MaijaReturned() not in step.events or not state.pile:
        return state
    draft, place = Draft.of(state), next(places)
    others = [card for card in state.stock if card is not MAIJA]
    draft.stock = (*others[:place], MAIJA, *others[place:])
    return draft.frozen()


def _action(event: Event, at: int) -> tuple[Seat, Action]:
    """Return what was done, of the first event that it brought about."""
    match event:
        case CardCaught(seat, card) | FreePlayed(seat, card) | CardLed(seat, card):
            return seat, PLAYS[card]
        case LuckTurned(seat, _) | FreeTurned(seat, _):
            return seat, TURN
        case CardsPickedUp(seat, count):
            return seat, TakeCards(count)
        case Passed(seat):
            return seat, PASS
        case _:
            raise Contradiction(at, f"nothing by the rules leads to {_public(event)} here")


def _has_faces(event: Event) -> bool:
    return getattr(event, "cards", None) is not None


def _public(event: Event) -> str:
    """Return what everybody may know of an event, as text."""
    return repr(event_for(event, None))
