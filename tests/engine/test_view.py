from __future__ import annotations

import random

import pytest

from kitumaija.engine import (
    GameOptions,
    HandSizes,
    Phase,
    Seat,
    State,
    TurnCard,
    View,
    apply,
    event_for,
    legal_actions,
    new_game,
    position,
    public_view,
    text_seed,
    view,
)
from tests.support.follower import Follower
from tests.support.playouts import PARAMETERS, ROWS, choose, games_of

# One under the full cap, one under none, and short ones: see `games_of`.
GAME_NUMBERS = {0, 70, 140, 141, 142, 143}

RUNNING = position(seats=3, mover=1, hands={0: "2H 3H", 1: "4C", 2: "5S"}, pile="7D 9S", stock="6D")
STOCKLESS = position(seats=3, mover=1, hands={0: "2H 3H", 1: "4C 6C"}, pile="7D 9S", out=[2])


@pytest.mark.parametrize(
    "row", ROWS, ids=lambda row: "-".join(str(value) for value in row.values())
)
def test_every_view_says_what_a_bookkeeper_works_out_from_the_seats_events(
    row: dict[str, str | int],
) -> None:
    for game in games_of(row, max(GAME_NUMBERS) + 1):
        if game.number not in GAME_NUMBERS:
            continue
        rng = random.Random(game.key)
        state, events = new_game(game.key, game.seats, options=game.options)
        watchers = [None, *(Seat(seat) for seat in range(game.seats))]
        followers = [Follower(watcher, game.seats) for watcher in watchers]
        for _ in range(game.longest):
            for follower in followers:
                follower.follow(event_for(event, follower.seat) for event in events)
                follower.compare(_seen(state, follower.seat))
            if state.over:
                break
            state, events = apply(state, choose(legal_actions(state), rng))


def test_the_rows_hold_every_option_value_that_a_view_depends_on() -> None:
    assert {row["hand_sizes"] for row in ROWS} == set(PARAMETERS["hand_sizes"])
    assert {row["seats"] for row in ROWS} == set(range(2, 11))


def test_a_view_tells_who_is_asked_for_what() -> None:
    seen = view(RUNNING, Seat(0))

    assert (seen.mover, seen.phase) == (Seat(1), Phase.CATCH)
    assert (seen.luck, seen.maija_pending) == (False, False)


def test_the_public_view_holds_no_hand() -> None:
    seen = public_view(RUNNING)

    assert (seen.seat, seen.hand) == (None, ())
    assert seen.hand_sizes == (2, 1, 1)


@pytest.mark.parametrize(
    ("shown", "with_stock", "without"),
    [
        (HandSizes.UNTIL_STOCK_EMPTY, (2, 1, 1), (2, None, 0)),
        (HandSizes.ALWAYS, (2, 1, 1), (2, 2, 0)),
        (HandSizes.NEVER, (2, None, None), (2, None, 0)),
    ],
)
def test_h4_the_others_hand_sizes_are_shown_as_the_option_says(
    shown: HandSizes, with_stock: tuple[int | None, ...], without: tuple[int | None, ...]
) -> None:
    options = GameOptions(hand_sizes=shown)

    assert view(_under(RUNNING, options), Seat(0)).hand_sizes == with_stock
    assert view(_under(STOCKLESS, options), Seat(0)).hand_sizes == without


def test_h4_the_sizes_go_with_the_luck_card_that_empties_the_stock() -> None:
    start = position(
        seats=2, mover=0, hands={0: "2S 3S 4S 5S 6S", 1: "7C 8C"}, pile="2H", stock="3H"
    )

    lucky = apply(start, TurnCard()).state

    assert view(start, Seat(0)).hand_sizes == (5, 2)
    assert view(lucky, Seat(0)).hand_sizes == (5, None)


def test_a_view_of_a_finished_game_asks_nobody() -> None:
    seen = public_view(_over())

    assert (seen.mover, seen.phase) == (None, None)


@pytest.mark.parametrize("seat", [-1, 3])
def test_there_is_no_view_for_a_seat_that_is_not(seat: int) -> None:
    with pytest.raises(ValueError, match=f"got seat {seat}, wanted one from 0 to 2"):
        view(RUNNING, Seat(seat))


def _seen(state: State, seat: Seat | None) -> View:
    return public_view(state) if seat is None else view(state, seat)


def _under(state: State, options: GameOptions) -> State:
    return position(
        seats=state.seats,
        mover=state.mover,
        hands={seat: state.hand(Seat(seat)) for seat in range(3) if seat not in state.out},
        pile=state.pile,
        stock=state.stock,
        out=state.out,
        options=options,
    )


def _over() -> State:
    rng = random.Random(1)
    state = new_game(text_seed("over"), 3).state
    while not state.over:
        state = apply(state, choose(legal_actions(state), rng)).state
    return state
