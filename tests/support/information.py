"""What is known in a game, and by brute force every world that agrees with it."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import count, permutations, product

from kitumaija.engine import (
    DECK,
    MAIJA,
    Action,
    Card,
    CardsDrawn,
    Chance,
    Dealt,
    Event,
    FreeTurned,
    GameOptions,
    IllegalAction,
    LuckTurned,
    MaijaReturned,
    PlayCard,
    Seat,
    StartCardTurned,
    State,
    Step,
    TakeCards,
    apply,
    event_for,
    legal_actions,
    new_game,
    text_seed,
)
from tests.support.playouts import choose


@dataclass(frozen=True)
class Played:
    """A game so far: the true one, with everything in the open."""

    options: GameOptions
    deck: tuple[Card, ...]
    queen_places: tuple[int, ...]
    dealer: Seat
    actions: tuple[Action, ...]
    events: tuple[Event, ...]
    state: State

    def told(self, seat: Seat | None) -> tuple[Event, ...]:
        """Return the events as a seat is told them."""
        return tuple(event_for(event, seat) for event in self.events)


def play_at_random(
    seed: str,
    seats: int,
    decisions: int,
    options: GameOptions = GameOptions(),  # noqa: B008 - a frozen value
    *,
    emptying: bool = False,
    queen_last: bool = False,
) -> Played:
    """Play this many decisions of a random game, or to its end.

    With `emptying` all that may be picked up is picked up, and the queen is kept; with `queen_last`
    she is the deck's last card. So she comes to be alone, in a hand or in the stock.
    """
    rng = random.Random(seed)
    key, dealer = text_seed(seed), Seat(rng.randrange(seats))
    decks: list[tuple[Card, ...]] = []

    def shuffle(key: bytes) -> tuple[Card, ...]:
        deck = list(Card)
        random.Random(key).shuffle(deck)
        if queen_last:
            deck.append(deck.pop(deck.index(MAIJA)))
        decks.append(tuple(deck))
        return decks[0]

    step = new_game(key, seats, options=options, dealer=dealer, shuffle=shuffle)
    events, places = list(step.events), _placed(step)
    actions: list[Action] = []
    while not step.state.over and len(actions) < decisions:
        legal = legal_actions(step.state)
        actions.append(_emptying(legal, rng) if emptying else choose(legal, rng))
        step = apply(step.state, actions[-1])
        events += step.events
        places += _placed(step)
    return Played(
        options, decks[0], tuple(places), dealer, tuple(actions), tuple(events), step.state
    )


def _emptying(legal: tuple[Action, ...], rng: random.Random) -> Action:
    """Pick up as much as possible, and keep the queen."""
    if isinstance(legal[-1], TakeCards):
        return legal[-1]
    others = [action for action in legal if action != PlayCard(MAIJA)]
    return choose(tuple(others), rng) if others else legal[0]


def replayed(
    deck: tuple[Card, ...],
    queen_places: Sequence[int],
    game: Played,
    told: Sequence[Event] | None = None,
) -> tuple[State, list[Event]]:
    """Play a game's actions over another deck and other places of the queen.

    The production rules draw her place from the state's chance, so it is set to one that draws the
    place that is wanted. Raises `IllegalAction`, and `LookupError` if she goes back more often, or
    less, or if what happens is not what is `told`.
    """
    wanted = list(queen_places)
    actions = iter(game.actions)
    key = bytes(32)
    while True:
        step = new_game(
            key,
            game.state.seats,
            options=game.options,
            dealer=game.dealer,
            shuffle=lambda _: deck,
        )
        placed = _placed(step)
        if not placed or placed[0] == wanted[0]:
            break
        key = _chance_of(len(step.state.stock), wanted[0]).key
    events: list[Event] = []
    while True:
        del wanted[: len(placed)]
        events += step.events
        if told is not None and not all(
            map(_agrees, step.events, told[len(events) - len(step.events) :])
        ):
            raise LookupError("it is told otherwise")
        action = next(actions, None)
        if action is None:
            break
        before = step.state
        step = apply(before, action)
        placed = _placed(step)
        if placed and placed[0] != wanted[0]:
            chance = _chance_of(len(step.state.stock), wanted[0])
            step = apply(replace(before, chance=chance), action)
    if wanted:
        raise LookupError("the queen goes back less often")
    return step.state, events


@cache
def _chance_of(places: int, place: int) -> Chance:
    """Return a chance that draws this place of so many."""
    chances = (Chance(text_seed(f"queen {number}"), "maija") for number in count())
    return next(chance for chance in chances if chance.below(places)[0] == place)


def agreeing(game: Played, told: Sequence[Event]) -> set[tuple[tuple[Card, ...], tuple[int, ...]]]:
    """Try every place of the queen, and every order of the cards that `told` does not place then.

    Each of them is played by the production rules.
    """
    found = set()
    for places in product(*map(range, _stocks_of_returns(game))):
        placed = _cards_placed(told, game.state.seats, places)
        if placed is None:
            continue
        hidden = [card for card in DECK if card not in placed.values()]
        deck = [placed.get(index, DECK[0]) for index in range(len(DECK))]
        indices = [index for index in range(len(DECK)) if index not in placed]
        for order in permutations(hidden):
            for index, card in zip(indices, order, strict=True):
                deck[index] = card
            try:
                _, events = replayed(tuple(deck), places, game, told)
            except (IllegalAction, LookupError):
                continue
            if len(events) == len(told):
                found.add((tuple(deck), places))
    return found


def _agrees(event: Event, told: Event) -> bool:
    return told in (event, event_for(event, None))


def _cards_placed(
    told: Sequence[Event], seats: int, queen_places: Sequence[int]
) -> dict[int, Card] | None:
    """Return the cards that were told by their index in the deck; None if two have the same."""
    stock, places = list(range(5 * seats, 52)), list(queen_places)
    seen: list[tuple[int, Card]] = []
    queen: int | None = None
    for number, event in enumerate(told):
        match event:
            case Dealt(_, _, faces):
                seen += zip(range(number, 5 * seats, seats), faces or (), strict=False)
            case CardsDrawn(_, drawn, faces):
                seen += zip(stock, faces or (), strict=False)
                del stock[:drawn]
            case MaijaReturned():
                seen.append((stock[0], MAIJA))
                queen = stock.pop(0) if len(stock) > 1 else None
            case StartCardTurned(card) | LuckTurned(_, card) | FreeTurned(_, card):
                seen.append((stock.pop(0), card))
                if queen is not None:
                    stock.insert(places.pop(0), queen)
                    queen = None
            case _:
                pass
    by_index = dict(seen)
    same = len(set(seen)) == len(by_index) == len(set(by_index.values()))
    return by_index if same else None


def _stocks_of_returns(game: Played) -> Iterator[int]:
    """Yield how many places the queen could go to, each time she was turned."""
    left = 52 - 5 * game.state.seats
    for event in game.events:
        match event:
            case CardsDrawn(_, drawn, _):
                left -= drawn
            case StartCardTurned() | LuckTurned() | FreeTurned():
                left -= 1
            case MaijaReturned() if left > 1:
                # The start card comes before she is put back.
                yield left - 1
            case _:
                pass


def _placed(step: Step) -> list[int]:
    """Return where the queen went in a step, if she went back among other cards."""
    if MaijaReturned() not in step.events or not step.state.pile:
        return []
    return [step.state.stock.index(MAIJA)]
