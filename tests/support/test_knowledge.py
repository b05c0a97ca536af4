"""The knowledge oracle, held against what the engine shows and tells."""

from __future__ import annotations

import random

import pytest

from kitumaija.engine import (
    DECK,
    RULES_VERSION,
    Deal,
    DecidedBy,
    Decision,
    GameOptions,
    GameRecord,
    RecordedResult,
    Seat,
    apply,
    legal_actions,
    new_game,
    shuffled_deck,
    text_seed,
)
from kitumaija.server.leaks import seen_by
from tests.support.knowledge import knowledge_of, rearranged, stays_legal
from tests.support.other_worlds import dealt
from tests.support.playouts import choose


def played(number: int, seats: int, decisions: int) -> GameRecord:
    rng = random.Random(number)
    deal = Deal(f"oracle/{number}", text_seed(str(number)))
    options = GameOptions(turns_per_player=30)
    state = new_game(deal.key, seats, options=options).state
    made: list[Decision] = []
    while not state.over and len(made) < decisions:
        action = choose(legal_actions(state), rng)
        made.append(Decision(state.mover, action, DecidedBy.BOT))
        state = apply(state, action).state
    entrants = tuple(f"bot-{seat}" for seat in range(seats))
    return GameRecord(RULES_VERSION, options, deal, entrants, tuple(made), RecordedResult(None, ()))


@pytest.mark.parametrize("seats", range(2, 11))
def test_a_seat_knows_by_the_rules_what_it_is_shown_and_told(seats: int) -> None:
    for number in range(5):
        record = played(number, seats, decisions=3 + 17 * number)
        deck = shuffled_deck(record.deal.key)
        course = [decision.action for decision in record.decisions]
        if record_is_over(record):
            continue
        for seat in (Seat(0), Seat(seats - 1)):
            known = knowledge_of(dealt(record, deck), deck, seat, course)
            shown = {card for card in DECK if seen_by(record, seat) >> card & 1}
            assert known == shown, f"deal {number}, seat {seat}"


def record_is_over(record: GameRecord) -> bool:
    state = new_game(record.deal.key, len(record.seats), options=record.options).state
    for decision in record.decisions:
        state = apply(state, decision.action).state
    return state.over


def test_worlds_move_nothing_that_is_known_and_everything_else_somewhere() -> None:
    record = played(3, 4, decisions=12)
    deck = shuffled_deck(record.deal.key)
    course = [decision.action for decision in record.decisions]
    known = knowledge_of(dealt(record, deck), deck, 1, course)
    moved: set[object] = set()

    worlds = rearranged(deck, known, random.Random(1))
    for _, other in zip(range(40), worlds, strict=False):
        assert sorted(other) == sorted(deck)
        moved |= {card for card, instead in zip(deck, other, strict=True) if card != instead}

    assert moved == set(deck) - known


def test_a_world_in_which_somebody_could_not_have_played_so_is_none() -> None:
    record = played(3, 2, decisions=1)
    course = [decision.action for decision in record.decisions]
    deck = shuffled_deck(record.deal.key)
    reversed_deck = deck[::-1]

    assert stays_legal(dealt(record, deck), course)
    assert not stays_legal(dealt(record, reversed_deck), course)
