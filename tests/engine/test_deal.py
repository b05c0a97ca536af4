"""Deals byte for byte: the vectors of `engine/RULES.md`, and what makes a deal fair."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kitumaija.engine import (
    DECK,
    Card,
    Chance,
    Deal,
    MaijaReturned,
    Seat,
    StartCardTurned,
    commitment,
    deal_key,
    deal_seed,
    format_cards,
    new_game,
    parse_card,
    shuffled_deck,
    text_seed,
)

SEED = bytes(range(32))
DEAL_ID = "t1/s1/d1"
ENTROPIES = {"alice": bytes([1] * 16), "bob": bytes([2] * 16)}
KEY = bytes.fromhex("a4f75d77382dce6e077a8add5f88301931b19c8fd2ef78929649efdd365aa7e0")


def test_the_vector_of_the_commitment() -> None:
    assert commitment(SEED).hex() == (
        "3d76e99839db16b2b8ba7bbaf4486764f6ddb2f0265e45be612b10dd543ad2eb"
    )


def test_the_vector_of_the_key() -> None:
    assert deal_key(SEED, DEAL_ID, ENTROPIES) == KEY


def test_the_vector_of_the_shuffle() -> None:
    deck = format_cards(shuffled_deck(KEY))

    assert deck.startswith("8H QH KC 8C 6C 7S TC JH AC 7H QS KS 6D TD 3C 4S ")
    assert deck.endswith(" KH 8D")


def test_the_vector_of_the_stream() -> None:
    chance = Chance(KEY, "maija")
    drawn = []
    for bound in (2, 3, 10, 47):
        value, chance = chance.below(bound)
        drawn.append(value)

    assert drawn == [1, 2, 0, 39]


def test_the_vector_of_a_queen_as_start_card() -> None:
    state, events = new_game(deal_key(SEED, "qs-6", {}), 2, dealer=Seat(0))

    assert events[-2:] == (MaijaReturned(), StartCardTurned(parse_card("2H")))
    assert len(state.stock) == 41
    assert state.stock.index(Card.SPADES_QUEEN) == 36


def test_the_seed_of_a_deal_is_an_hmac_of_the_master_over_the_deals_id() -> None:
    message = b"kitumaija/seed/v1\x00" + b"\x08\x00\x00\x00" + b"t1/s1/d1"

    assert deal_seed(SEED, DEAL_ID) == hmac.new(SEED, message, hashlib.sha256).digest()


def test_a_text_seed_is_a_digest_of_its_utf8_bytes() -> None:
    expected = hashlib.sha256(b"kitumaija/text-seed/v1\x00" + "pöytä".encode()).digest()

    assert text_seed("pöytä") == expected
    assert text_seed("") == hashlib.sha256(b"kitumaija/text-seed/v1\x00").digest()


def test_entropies_count_in_the_order_of_the_ids_bytes_whatever_order_they_come_in() -> None:
    backwards = dict(reversed(ENTROPIES.items()))

    assert deal_key(SEED, DEAL_ID, backwards) == KEY


@pytest.mark.parametrize(
    "other",
    [
        deal_key(bytes(32), DEAL_ID, ENTROPIES),
        deal_key(SEED, "t1/s1/d2", ENTROPIES),
        deal_key(SEED, DEAL_ID, {**ENTROPIES, "bob": b""}),
        deal_key(SEED, DEAL_ID, {**ENTROPIES, "carol": b""}),
        deal_key(SEED, DEAL_ID, {"alic": b"e" + ENTROPIES["alice"], "bob": ENTROPIES["bob"]}),
    ],
    ids=["seed", "deal id", "entropy", "entrant", "borders"],
)
def test_everything_that_goes_into_a_key_changes_it(other: bytes) -> None:
    assert other != KEY


def test_a_deal_keeps_its_entropies_in_one_order() -> None:
    forwards = Deal(DEAL_ID, SEED, tuple(ENTROPIES.items()))
    backwards = Deal(DEAL_ID, SEED, tuple(reversed(ENTROPIES.items())))

    assert forwards == backwards
    assert (forwards.key, forwards.commitment) == (KEY, commitment(SEED))


def test_a_deal_refuses_an_entrant_named_twice() -> None:
    with pytest.raises(ValueError, match="twice"):
        Deal(DEAL_ID, SEED, (("alice", b""), ("alice", b"1")))


@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_seed_of_another_length_is_refused_with_that_length(length: int) -> None:
    for use in (commitment, lambda seed: deal_seed(seed, ""), lambda seed: Deal("", seed)):
        with pytest.raises(ValueError, match=f"32 bytes, got {length}"):
            use(bytes(length))


@pytest.mark.parametrize("bound", [0, 2**32 + 1])
def test_a_draw_below_an_impossible_bound_is_refused(bound: int) -> None:
    with pytest.raises(ValueError, match=f"got {bound}"):
        Chance(KEY, "maija").below(bound)


@pytest.mark.parametrize("bound", [1, 2**32])
def test_a_draw_below_the_outermost_bounds_is_possible(bound: int) -> None:
    value, _ = Chance(KEY, "maija").below(bound)

    assert 0 <= value < bound


@given(st.integers(1, 2**32), st.integers(0, 100))
def test_a_draw_is_below_its_bound_and_moves_on(bound: int, position: int) -> None:
    chance = Chance(KEY, "maija", position)

    value, after = chance.below(bound)

    assert 0 <= value < bound
    assert after.position > position
    assert chance.below(bound) == (value, after)


@pytest.mark.parametrize("position", range(100))
def test_words_that_would_favour_small_numbers_are_passed_over(position: int) -> None:
    # Just above half of all words, a bound refuses nearly half of them.
    bound = 2**31 + 1

    value, after = Chance(KEY, "maija", position).below(bound)

    *refused, taken = [
        Chance(KEY, "maija", place).below(2**32)[0] for place in range(position, after.position)
    ]
    assert all(word >= bound for word in refused)
    assert taken == value < bound


def test_up_to_seven_words_in_a_row_are_passed_over_where_the_bound_is_bad() -> None:
    used = [Chance(KEY, "maija", place).below(2**31 + 1)[1].position - place for place in range(99)]

    assert max(used) == 8


@pytest.mark.parametrize("bound", [1, 2, 52, 2**32, 2**32 + 1, 3**60, 2**200])
def test_a_number_of_any_size_is_drawn_by_whole_words(bound: int) -> None:
    drawn, chance = [], Chance(KEY, "world")
    words = -(-bound.bit_length() // 32)
    for _ in range(40):
        before = chance.position
        value, chance = chance.below_any(bound)
        assert (chance.position - before) % words == 0
        drawn.append(value)

    assert all(0 <= value < bound for value in drawn)
    assert bound < 40 or len({value * 4 // bound for value in drawn}) == 4


def test_the_words_of_a_large_number_begin_with_the_least() -> None:
    first, second = (Chance(KEY, "world", place).below(2**32)[0] for place in range(2))

    value, _ = Chance(KEY, "world").below_any(2**64 - 1)

    assert value == first + (second << 32)


def test_the_streams_of_two_labels_differ() -> None:
    drawn = {label: Chance(KEY, label).below(2**32)[0] for label in ("shuffle", "maija", "")}

    assert len(set(drawn.values())) == 3


@given(st.lists(st.integers(), max_size=12))
def test_a_shuffle_swaps_by_the_draws_of_its_stream_and_moves_on(items: list[int]) -> None:
    order, chance = list(items), Chance(KEY, "seats", 3)
    for last in range(len(items) - 1, 0, -1):
        chosen, chance = chance.below(last + 1)
        order[last], order[chosen] = order[chosen], order[last]

    assert Chance(KEY, "seats", 3).shuffled(items) == (tuple(order), chance)


@given(st.binary(min_size=32, max_size=32))
def test_a_shuffled_deck_is_the_deck(key: bytes) -> None:
    assert tuple(sorted(shuffled_deck(key))) == DECK


def test_every_card_comes_first_about_equally_often() -> None:
    games = 5200
    first = Counter(shuffled_deck(text_seed(str(number)))[0] for number in range(games))

    # Chi-squared with 51 degrees of freedom: about one in a million exceeds 111.
    expected = games / 52
    assert sum((first[card] - expected) ** 2 / expected for card in DECK) < 111
