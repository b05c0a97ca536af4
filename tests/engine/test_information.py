"""Worlds are sound, complete and equally likely: by replay, by brute force, by counting draws."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from itertools import islice
from math import factorial

import pytest

from kitumaija.engine import (
    CardCaught,
    CardsDrawn,
    CardsPickedUp,
    Contradiction,
    Dealt,
    Event,
    GameOptions,
    InformationSet,
    LuckTurned,
    Passed,
    PickUp,
    SamplingLimit,
    Seat,
    apply,
    default_action,
    event_for,
    legal_actions,
    new_game,
    public_view,
    text_seed,
    view,
)
from tests.support.information import Played, agreeing, play_at_random, replayed
from tests.support.pairs import Row
from tests.support.playouts import ROWS, check_state, games_of

SEED = text_seed("worlds of the tests")


@pytest.mark.parametrize("row", ROWS)
def test_a_world_dealt_and_played_by_the_rules_is_what_the_seat_was_told(
    row: Row,
) -> None:
    game = next(games_of(row, 1))
    rng = random.Random(str(row))
    for decisions in (1, rng.randrange(4, 30), rng.randrange(30, 150)):
        played = play_at_random(f"sound {decisions}", game.seats, decisions, game.options)
        for seat in (played.state.mover, Seat(rng.randrange(game.seats)), None):
            told = played.told(seat)
            world = InformationSet(told, game.options).world(SEED, decisions)

            state, events = replayed(world.deck, world.queen_places, played)

            assert tuple(event_for(event, seat) for event in events) == told
            assert replace(state, chance=world.state.chance) == world.state
            check_state(world.state, turn_begins=False)
            assert public_view(world.state) == public_view(played.state)
            if seat is not None:
                assert view(world.state, seat) == view(played.state, seat)


Case = tuple[str, int, int, tuple[int, ...], int]

# Games in which a few cards are hidden from one who saw the faces of all events but these: named by
# the seed, how many sit down, decisions, the events hidden, and how many worlds there are.
PLAIN: list[Case] = [
    ("hidden 50", 5, 38, (26, 50), 720),
    ("hidden 1", 3, 76, (17, 23, 31, 53), 4),  # who shows a card had drawn it before
    ("hidden 867", 3, 85, (52, 59, 66), 36),
]
UNABLE: list[Case] = [  # picking up at once says what was not held (D7)
    ("hidden 512", 2, 78, (25, 65, 70, 86), 24),
    ("hidden 96", 4, 44, (7, 24, 41), 16),
    ("hidden 145", 5, 70, (2, 55), 360),
    ("hidden 33", 9, 25, (5, 14), 120),
    ("hidden 84", 10, 40, (9, 13), 120),
    ("hidden 329", 5, 43, (12, 15, 21), 48),
]
RETURNED: list[Case] = [  # the queen went back into the stock (B3)
    ("hidden 818", 5, 72, (25, 36, 49), 240),
    ("hidden 451", 2, 79, (21, 37), 48),
    ("hidden 711", 9, 66, (13, 16, 19), 32),
    ("last 98", 4, 96, (3,), 120),  # as its only card (B4)
    ("last 5", 8, 16, (13, 16, 30), 12),
]
PASSED: list[Case] = [  # who passes holds her (E5)
    ("lone 617", 10, 106, (6, 13), 120),
    ("lone 130", 8, 65, (11, 14, 21), 8),
]
CASES = [*PLAIN, *UNABLE, *RETURNED, *PASSED]


def hidden_game(case: Case) -> tuple[Played, list[Event]]:
    name, seats, decisions, hidden, _ = case
    game = play_at_random(
        name,
        seats,
        decisions,
        emptying=not name.startswith("hidden"),
        queen_last=name.startswith("last"),
    )
    told = [
        event_for(event, None) if at in hidden else event for at, event in enumerate(game.events)
    ]
    return game, told


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_every_world_that_brute_force_finds_is_there_once_and_no_other(
    case: Case,
) -> None:
    game, told = hidden_game(case)

    known = InformationSet(told, game.options)
    worlds = [(world.deck, world.queen_places) for world in known.all_worlds()]

    assert len(worlds) == known.size == case[-1]
    assert len(set(worlds)) == known.size
    assert set(worlds) == agreeing(game, told)


@pytest.mark.parametrize("case", UNABLE, ids=lambda case: case[0])
def test_who_may_pick_up_at_any_time_tells_nothing_by_it(case: Case) -> None:
    anybody = GameOptions(pickup=PickUp.ALWAYS)

    assert InformationSet(hidden_game(case)[1], anybody).size > case[-1]


@pytest.mark.parametrize(
    "case", [PLAIN[2], UNABLE[3], UNABLE[5], RETURNED[1]], ids=lambda case: case[0]
)
def test_all_worlds_are_drawn_equally_often(
    case: Case,
) -> None:
    known = InformationSet(hidden_game(case)[1])
    draws = 60 * known.size

    drawn = Counter((world.deck, world.queen_places) for world in islice(known.worlds(SEED), draws))

    chi_square = sum((times - 60) ** 2 / 60 for times in drawn.values())
    freedom = known.size - 1
    assert len(drawn) == known.size
    assert abs(chi_square - freedom) < 3 * (2 * freedom) ** 0.5


def test_before_the_first_decision_every_order_of_the_hidden_cards_is_possible() -> None:
    _, events = new_game(text_seed("whole"), 4)
    hidden = 52 - 5 - 1

    assert InformationSet([event_for(event, Seat(0)) for event in events]).size == factorial(hidden)


def test_equal_seeds_draw_equal_worlds_and_an_index_is_one_of_them() -> None:
    game = play_at_random("seeds", 3, 20)
    known = InformationSet(game.told(Seat(1)))
    again = InformationSet(game.told(Seat(1)))

    worlds = list(islice(known.worlds(SEED), 5))

    assert list(islice(again.worlds(SEED, first=2), 3)) == worlds[2:]
    assert again.world(SEED, 4) == worlds[4]
    assert known.world(text_seed("another"), 4) != worlds[4]
    assert len({world.deck for world in worlds}) == 5


def test_a_world_is_the_same_in_every_process_and_version() -> None:
    game = play_at_random("fixed", 4, 12)
    world = InformationSet(game.told(Seat(2))).world(text_seed("fixed"), 7)

    assert " ".join(map(str, world.deck[:20])) == (
        "5D 9S 8D AC 7C 8H 2D 2S 9C 4H QH KS TC 4C QC TD 5H 9D 7S AH"
    )


def test_who_searches_knows_no_more_than_he_was_told() -> None:
    """Two games that are told alike to a seat are the same information set."""
    game = play_at_random("alike", 3, 25)
    known = InformationSet(game.told(Seat(0)))
    other = known.world(SEED, 0)
    state, events = replayed(other.deck, other.queen_places, game)
    assert state.hands != game.state.hands

    from_there = InformationSet([event_for(event, Seat(0)) for event in events])

    assert list(islice(from_there.worlds(SEED), 3)) == list(islice(known.worlds(SEED), 3))


def test_a_world_can_be_played_on_to_the_end_and_its_own_chance_places_the_queen() -> None:
    game = play_at_random("on", 2, 6)
    known = InformationSet(game.told(Seat(0)))
    worlds = list(islice(known.worlds(SEED), 20))
    assert len({world.state.chance.key for world in worlds}) == 20

    for world in worlds:
        state = world.state
        while not state.over:
            legal = legal_actions(state)
            state = apply(state, default_action(view(state, state.mover), legal)).state
        assert state.outcome is not None


def test_what_happened_in_a_world_can_be_gone_through_again() -> None:
    game = play_at_random("retrace", 4, 40)
    known = InformationSet(game.told(Seat(3)))
    world = known.world(SEED, 0)

    steps = list(known.retrace(world))

    assert [action for _, action in steps] == list(game.actions)
    last, action = steps[-1]
    assert apply(last, action).state.hands == world.state.hands
    assert steps[0][0].hands != new_game(bytes(32), 4).state.hands


##### Events that cannot be #####


def contradiction(told: list[Event]) -> tuple[int, str]:
    with pytest.raises(Contradiction) as caught:
        InformationSet(told)
    return caught.value.event, caught.value.why


def told_to(seat: int, name: str = "wrong", decisions: int = 9) -> list[Event]:
    return list(play_at_random(name, 3, decisions).told(Seat(seat)))


def test_events_that_do_not_begin_with_the_deal_are_refused() -> None:
    assert contradiction(told_to(0)[2:]) == (
        0,
        (
            "events are told from the deal on, which begins with the cards dealt to each of 2 to 10"
            " players; got 1"
        ),
    )


def test_a_card_known_to_be_elsewhere_is_refused() -> None:
    told = told_to(0)
    mine = next(event.cards for event in told if isinstance(event, Dealt) and event.cards)
    at = next(
        at for at, event in enumerate(told) if isinstance(event, CardCaught) and event.seat != 0
    )
    event = told[at]
    assert isinstance(event, CardCaught)
    told[at] = CardCaught(event.seat, mine[0])

    assert contradiction(told) == (
        at,
        f"seat {event.seat} cannot have the card {mine[0]}: it is known to be elsewhere",
    )


def test_other_faces_than_those_of_the_pile_are_refused() -> None:
    game = play_at_random("hidden 14", 2, 82)
    told = list(game.told(game.dealer))
    at, event = next(
        (at, event)
        for at, event in enumerate(told)
        if isinstance(event, CardsPickedUp) and event.cards
    )
    assert event.cards is not None
    told[at] = replace(event, cards=event.cards[::-1])

    where, why = contradiction(told)

    assert (where, "the cards picked up are" in why) == (at, len(event.cards) > 1)


def test_another_players_turn_is_refused() -> None:
    told = told_to(0)
    at = next(at for at, event in enumerate(told) if isinstance(event, CardCaught | LuckTurned))
    event = told[at]
    assert isinstance(event, CardCaught | LuckTurned)
    other = Seat((event.seat + 1) % 3)

    where, why = contradiction([*told[:at], CardsPickedUp(other, 1, None)])

    assert (where, why) == (at, f"it is the turn of seat {event.seat}, not of {other}")


def test_what_the_rules_do_not_allow_is_refused_with_the_rule() -> None:
    told = told_to(0, decisions=0)
    mover = Seat(play_at_random("wrong", 3, 0).state.mover)

    assert (
        contradiction([*told, CardsPickedUp(mover, 1, None), CardsPickedUp(mover, 1, None)])[0]
        == len(told) + 1
    )
    assert contradiction([*told, Passed(mover)]) == (
        len(told),
        "passing is only for a leader who holds nothing but the queen (E5)",
    )


def test_an_action_told_by_half_is_refused() -> None:
    game = play_at_random("half", 2, 20)
    told = list(game.told(Seat(0)))
    at = next(at for at, event in enumerate(told) if isinstance(event, CardsDrawn))

    where, why = contradiction(told[:at])

    assert (where, "the events end before all is told: CardsDrawn" in why) == (at, True)


@pytest.mark.parametrize(
    ("name", "seats", "at"),
    [("open 142", 2, 8), ("open 101", 2, 11), ("open 5", 4, 51), ("open 54", 4, 13)],
)
def test_picking_up_and_then_showing_what_would_have_caught_is_refused(
    name: str, seats: int, at: int
) -> None:
    """Games by the option that opens picking up to all, told as if it were not so."""
    anybody = GameOptions(pickup=PickUp.ALWAYS)
    game = play_at_random(name, seats, 30 if seats == 2 else 50, anybody)
    told = list(game.told(Seat(0)))

    where, why = contradiction(told)

    assert (where, why.startswith("no deal agrees with it and with all before it")) == (at, True)
    assert InformationSet(told[:at]).size > 0
    assert InformationSet(told, anybody).size > 0


def test_of_two_things_that_cannot_be_the_first_is_named() -> None:
    told = told_to(0)
    at = next(at for at, event in enumerate(told) if isinstance(event, CardCaught | LuckTurned))
    event = told[at]
    assert isinstance(event, CardCaught | LuckTurned)
    other = Seat((event.seat + 1) % 3)

    # The rules are asked last, and yet it is what they forbid.
    assert contradiction([*told[:at], CardsPickedUp(other, 1, None), *told])[0] == at


def test_counting_that_takes_too_long_is_given_up() -> None:
    told = play_at_random("long", 4, 60).told(Seat(0))

    with pytest.raises(SamplingLimit, match="more than 20 steps"):
        InformationSet(told, most_states=20)
