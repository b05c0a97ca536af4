from __future__ import annotations

import random
from collections import Counter

import pytest

from kitumaija.engine import (
    DECK,
    MAIJA,
    Chance,
    Seat,
    State,
    apply,
    card_set,
    legal_actions,
    new_game,
    parse_cards,
    position,
    public_view,
    sample_world,
    text_seed,
    view,
)
from tests.support.playouts import check_state, choose

CHANCE = Chance(text_seed("worlds"), "worlds")


def moments(seats: int) -> list[State]:
    rng = random.Random(seats)
    state = new_game(text_seed(f"moments {seats}"), seats).state
    met = [state]
    while not state.over:
        state = apply(state, choose(legal_actions(state), rng)).state
        met.append(state)
    return rng.sample(met, 30)


@pytest.mark.parametrize("seats", range(2, 11))
def test_a_sampled_world_is_a_state_that_looks_the_same_to_the_seat(seats: int) -> None:
    chance = CHANCE
    for state in moments(seats):
        for seat in map(Seat, range(seats)):
            world, chance = sample_world(state, seat, chance)
            check_state(world, turn_begins=False)
            assert view(world, seat) == view(state, seat)


def test_a_world_for_the_public_keeps_no_hand() -> None:
    state = new_game(text_seed("public"), 3).state

    world, _ = sample_world(state, None, CHANCE)

    assert public_view(world) == public_view(state)
    assert all(new != old for new, old in zip(world.hands, state.hands, strict=True))


def test_what_is_to_be_kept_stays_where_it_is() -> None:
    state = new_game(text_seed("kept"), 3).state
    keep = card_set([*state.stock[:3], state.hand(Seat(1))[0]])

    world, _ = sample_world(state, Seat(0), CHANCE, keep=keep)

    assert world.stock[:3] == state.stock[:3]
    assert state.hand(Seat(1))[0] in world.hand(Seat(1))


def test_the_same_chance_makes_the_same_world_and_moves_on() -> None:
    state = new_game(text_seed("same"), 3).state

    once = sample_world(state, Seat(0), CHANCE)

    assert sample_world(state, Seat(0), CHANCE) == once
    assert once[1].position > CHANCE.position


def test_every_hidden_card_is_equally_likely_everywhere_but_the_queen_not_in_the_pile() -> None:
    hidden = parse_cards("2C 3C QS 4C")
    state = position(
        seats=2, mover=0, hands={0: "KH", 1: hidden[:1]}, pile=[hidden[1], DECK[30]],
        stock=hidden[2:],
    )  # fmt: skip
    samples, chance = 3000, CHANCE
    buried: Counter[str] = Counter()
    for _ in range(samples):
        world, chance = sample_world(state, Seat(0), chance)
        buried[str(world.pile[0])] += 1

    # The queen is elsewhere, so each of the three others lies in the pile a third of the time;
    # five standard deviations are 130.
    assert buried[str(MAIJA)] == 0
    assert all(abs(buried[name] - samples / 3) < 130 for name in ("2C", "3C", "4C"))
