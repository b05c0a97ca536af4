from __future__ import annotations

import pytest

from kitumaija.engine import (
    MAIJA,
    Card,
    Dealt,
    MaijaReturned,
    Phase,
    Seat,
    StartCardTurned,
    new_game,
    shuffled_deck,
    text_seed,
)

KEY = text_seed("opening")
MANY = 2000


@pytest.mark.parametrize("seats", range(2, 11))
@pytest.mark.parametrize("dealer", [0, 1])
def test_b2_cards_are_dealt_one_at_a_time_from_the_seat_after_the_dealer(
    seats: int, dealer: int
) -> None:
    deck = list(shuffled_deck(KEY))
    hands: dict[int, list[Card]] = {seat: [] for seat in range(seats)}
    for number in range(5 * seats):
        hands[(dealer + 1 + number) % seats].append(deck.pop(0))

    state, events = new_game(KEY, seats, dealer=Seat(dealer))

    dealt = [event for event in events if isinstance(event, Dealt)]
    assert [event.seat for event in dealt] == [(dealer + 1 + seat) % seats for seat in range(seats)]
    assert {event.seat: list(event.cards or ()) for event in dealt} == hands
    assert all(event.count == 5 for event in dealt)
    assert [set(state.hand(Seat(seat))) for seat in range(seats)] == [
        set(hands[seat]) for seat in range(seats)
    ]


@pytest.mark.parametrize("dealer", [0, 1, 2])
def test_b1_the_seat_after_the_dealer_starts_with_a_catch_card(dealer: int) -> None:
    state, _ = new_game(KEY, 3, dealer=Seat(dealer))

    assert (state.dealer, state.mover) == (dealer, (dealer + 1) % 3)
    assert (state.phase, state.turns) == (Phase.CATCH, 0)


def test_b1_without_a_dealer_the_highest_seat_deals() -> None:
    assert new_game(KEY, 4) == new_game(KEY, 4, dealer=Seat(3))


def test_s12_the_start_card_is_the_next_card_of_the_deck() -> None:
    deck = shuffled_deck(KEY)

    state, events = new_game(KEY, 4)

    assert deck[20] is not MAIJA
    assert events[-1] == StartCardTurned(deck[20])
    assert (state.pile, state.stock) == (deck[20:21], deck[21:])


def test_s13_the_queen_is_never_the_start_card_and_comes_up_one_time_in_52() -> None:
    returned = 0
    for number in range(MANY):
        state, events = new_game(text_seed(f"start {number}"), 2)
        assert state.top is not MAIJA
        if MaijaReturned() in events:
            returned += 1
            assert MAIJA in state.stock
            assert events[-1] == StartCardTurned(state.pile[0])

    # 38 are expected; five standard deviations are 31.
    assert 7 < returned < 70


@pytest.mark.parametrize("seats", [1, 11])
def test_s4_a_table_of_another_size_is_refused(seats: int) -> None:
    with pytest.raises(ValueError, match=f"got {seats} players, wanted 2 to 10"):
        new_game(KEY, seats)


@pytest.mark.parametrize("dealer", [-1, 3])
def test_a_dealer_who_is_not_there_is_refused(dealer: int) -> None:
    with pytest.raises(ValueError, match=f"got dealer {dealer}, wanted a seat from 0 to 2"):
        new_game(KEY, 3, dealer=Seat(dealer))
