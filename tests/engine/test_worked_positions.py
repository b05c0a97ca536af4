"""The worked positions of `engine/RULES.md`, part 3, by number."""

from __future__ import annotations

import pytest

from kitumaija.engine import (
    DECK,
    CardsDrawn,
    CardsPickedUp,
    GameOptions,
    MaijaReturned,
    Phase,
    PickUp,
    Seat,
    StartCardTurned,
    State,
    Termination,
    WentOut,
    beats,
    format_cards,
    new_game,
    parse_card,
    parse_cards,
    position,
    text_seed,
    view,
)
from tests.support.cycle import ACTIONS, cycle_start
from tests.support.tables import P0, P1, P2, events_of, holds, legal, play, table, three, two


@pytest.mark.parametrize(
    "pair", ["8C/7C", "8D/7D", "2D/AH", "2D/AS", "8H/7H", "KS/JS", "AC/KC", "AD/KD"], ids=str
)
def test_w1_these_cards_beat(pair: str) -> None:
    card, top = pair.split("/")

    assert beats(parse_card(card), parse_card(top))


@pytest.mark.parametrize(
    "pair", ["AD/7C", "6D/7D", "AC/7D", "AC/7H", "8S/7H", "7H/7S", "QS/JS", "QS/2S"], ids=str
)
def test_w1_these_cards_do_not_beat(pair: str) -> None:
    card, top = pair.split("/")

    assert not beats(parse_card(card), parse_card(top))


@pytest.mark.parametrize("top", ["AC", "AD", "QS"])
def test_w1_nothing_beats_these(top: str) -> None:
    assert not any(beats(card, parse_card(top)) for card in DECK)


def test_w2_a_turn_is_a_catch_a_free_card_and_a_draw() -> None:
    start = three(1, pile="7H", stock="5C 7S AH", p1="8H 2D KS 4S 9D")

    after = play(start, "8H", "4S")

    assert table(after) == {"pile": "7H 8H 4S", "stock": "AH"}
    assert holds(after, P1, "2D KS 9D 5C 7S")
    assert after.mover == P2


def test_w3_who_cannot_catch_may_turn_or_take_the_lone_card() -> None:
    start = three(1, pile="QC", stock="5C KC 9H", p1="2D AD KS AH 4S")

    assert legal(start) == ["turn", "take 1"]


W4 = three(1, pile="3D 9D 6H", stock="TH JC 6D", p1="2S 3S 4S 7C 8C")


def test_w4_a_luck_card_that_fits_is_the_catch_card() -> None:
    lucky = play(W4, "turn")
    assert format_cards(lucky.pile) == "3D 9D 6H TH"

    after = play(lucky, "2S")

    assert holds(after, P1, "3S 4S 7C 8C JC")
    assert format_cards(after.stock) == "6D"


def test_w5_after_a_luck_card_the_free_card_may_be_turned() -> None:
    after = play(W4, "turn", "turn")

    assert table(after) == {"pile": "3D 9D 6H TH JC", "stock": "6D"}
    assert after.hands[P1] == W4.hands[P1]


W6 = two(1, pile="2H 9H 3D 9D 6H", stock="TH QS 6D", p0="AH 2C 3C 4C 5C", p1="2S 3S 4S 7C 8C")


def test_w6_a_queen_turned_as_free_card_makes_the_next_player_pick_up_five() -> None:
    after = play(W6, "turn", "turn")

    assert holds(after, P0, "AH 2C 3C 4C 5C 3D 9D 6H TH QS")
    assert format_cards(after.pile) == "2H 9H"
    assert (after.mover, after.phase) == (P1, Phase.CATCH)


def test_w6_the_forced_pick_up_is_reported_bottom_to_top() -> None:
    last = events_of(W6, "turn", "turn")[-1]

    assert last == CardsPickedUp(P0, 5, parse_cards("3D 9D 6H TH QS"))


def test_w7_a_luck_card_that_fails_is_picked_up_with_two_more() -> None:
    start = three(1, pile="5S 3D 9D 6H", stock="JC TH 6D", p1="2S 3S 4S 7C 8C")

    after = play(start, "turn")

    assert holds(after, P1, "2S 3S 4S 7C 8C 9D 6H JC")
    assert table(after) == {"pile": "5S 3D", "stock": "TH 6D"}
    assert after.mover == P2


W8 = three(1, pile="6H", stock="JC TH 6D", p1="2S 3S 4S 7C 8C")


def test_w8_the_bottom_card_need_not_be_picked_up() -> None:
    failed = play(W8, "turn")

    assert format_cards(failed.pile) == "6H JC"
    assert failed.phase is Phase.PICKUP
    assert legal(failed) == ["take 1", "take 2"]


@pytest.mark.parametrize(
    ("choice", "pile", "stock"), [("take 1", "6H", "TH 6D"), ("take 2", "TH", "6D")]
)
def test_w8_an_emptied_pile_gets_a_new_start_card(choice: str, pile: str, stock: str) -> None:
    assert table(play(W8, "turn", choice)) == {"pile": pile, "stock": stock}


def test_w9_the_queen_as_luck_card_simply_fails() -> None:
    start = three(1, pile="5D 3D 9D 6H", stock="QS TH 6D", p1="2S 3S 4S 7C 8C")

    after = play(start, "turn")

    assert holds(after, P1, "2S 3S 4S 7C 8C 9D 6H QS")
    assert format_cards(after.pile) == "5D 3D"
    assert (after.mover, after.phase) == (P2, Phase.CATCH)


def test_w10_the_queen_as_free_card_makes_the_next_player_pick_up_five() -> None:
    start = three(
        0,
        pile="7D JH 4H AH 8S 5S 7H",
        stock="KD TS 6D",
        p0="QS 8H 3C 4C 5C",
        p1="AD 2S 3S 4S 7C",
        p2="2C",
    )

    after = play(start, "8H", "QS")

    assert holds(after, P0, "3C 4C 5C KD TS")
    assert holds(after, P1, "AD 2S 3S 4S 7C 8S 5S 7H 8H QS")
    assert format_cards(after.pile) == "7D JH 4H AH"
    assert (after.mover, after.phase) == (P2, Phase.CATCH)


W11 = three(0, pile="5S 3D 7H", stock="KD TS 6D JD", p0="QS 8H 3C 4C 5C", p1="2S", p2="2C")


def test_w11_with_five_cards_in_the_pile_the_queen_asks_how_many() -> None:
    hit = play(W11, "8H", "QS")

    assert (hit.mover, hit.phase) == (P1, Phase.PICKUP)
    assert legal(hit) == ["take 4", "take 5"]


@pytest.mark.parametrize(
    ("choice", "pile", "stock"), [("take 4", "5S", "6D JD"), ("take 5", "6D", "JD")]
)
def test_w11_either_amount_ends_the_turn(choice: str, pile: str, stock: str) -> None:
    after = play(W11, "8H", "QS", choice)

    assert table(after) == {"pile": pile, "stock": stock}
    assert after.mover == P2


W12 = three(1, pile="6H", stock="JC QS 6D TS", p1="2S 3S 4S 7C 8C", p2="2C")


def test_w12_a_queen_as_start_card_goes_back_into_the_stock() -> None:
    after = play(W12, "turn", "take 2")

    assert format_cards(after.pile) == "6D"
    assert set(after.stock) == set(parse_cards("TS QS"))
    assert events_of(W12, "turn", "take 2")[-2:] == [
        MaijaReturned(),
        StartCardTurned(parse_card("6D")),
    ]


def test_w12_her_new_place_is_drawn_from_the_games_own_randomness() -> None:
    orders = {
        format_cards(
            play(
                position(
                    seats=3,
                    mover=1,
                    hands={1: "2S 3S 4S 7C 8C"},
                    pile="6H",
                    stock="JC QS 6D TS",
                    key=text_seed(f"W12 {number}"),
                ),
                "turn",
                "take 2",
            ).stock
        )
        for number in range(40)
    }

    assert orders == {"QS TS", "TS QS"}


W12B = two(1, pile="6H", stock="JC QS", p0="9H 2C 3C 4C 5C", p1="2S 3S 4S 7C 8C")


def test_w12b_a_queen_alone_in_the_stock_stays_and_the_next_player_leads() -> None:
    empty = play(W12B, "turn", "take 2")
    assert table(empty) == {"pile": "", "stock": "QS"}
    assert (empty.mover, empty.phase) == (P0, Phase.LEAD)

    after = play(empty, "9H")

    assert table(after) == {"pile": "9H", "stock": ""}
    assert holds(after, P0, "2C 3C 4C 5C QS")


W13 = three(1, pile="7H 8H 2D 5D AC", p1="2S 3S 8C", p2="2C")


def test_w13_without_stock_who_cannot_catch_must_pick_up() -> None:
    assert legal(W13) == ["take 3"]

    after = play(W13, "take 3")

    assert format_cards(after.pile) == "7H 8H"
    assert (after.mover, after.phase) == (P2, Phase.CATCH)


def test_w14_after_the_last_card_was_picked_up_the_next_player_leads() -> None:
    start = three(0, pile="AC", p0="9H 2C", p1="QS 3S 8C", p2="4C")
    assert legal(start) == ["take 1"]

    after = play(start, "take 1")

    assert format_cards(after.pile) == ""
    assert (after.mover, after.phase) == (P1, Phase.LEAD)
    assert legal(after) == ["8C", "3S"]


def test_w14b_who_holds_only_the_queen_passes() -> None:
    start = three(0, pile="AC", p0="9H 2C", p1="QS", p2="4C")
    lead = play(start, "take 1")
    assert legal(lead) == ["pass"]

    after = play(lead, "pass")

    assert (after.mover, after.phase) == (P2, Phase.LEAD)


def test_w15_a_lone_card_is_catch_and_free_card_in_one() -> None:
    start = three(0, pile="7C 8C 4D 6H", p0="9H", p1="2C", p2="4C")

    after = play(start, "9H")

    assert after.out == (P0,)
    assert (after.mover, after.top) == (P1, parse_card("9H"))
    assert WentOut(P0, 1) in events_of(start, "9H")


def test_w16_a_lone_queen_cannot_catch() -> None:
    start = three(0, pile="7C 8C 4D 6S", p0="QS", p1="2C", p2="4C")
    assert legal(start) == ["take 3"]

    after = play(start, "take 3")

    assert holds(after, P0, "QS 8C 4D 6S")
    assert format_cards(after.pile) == "7C"


def test_w17_the_queen_may_be_the_last_card_as_a_free_card() -> None:
    # P2 gets a third card so that the game goes on after his turn.
    start = three(0, pile="7C 8C 4H 6H 5D 9D", p0="QS TD", p1="2S 3S JH", p2="KD 4S 2C")

    after = play(start, "TD", "QS")

    assert after.out == (P0,)
    assert holds(after, P1, "2S 3S JH 6H 5D 9D TD QS")
    assert format_cards(after.pile) == "7C 8C 4H"
    assert after.mover == P2
    assert play(after, "KD", "4S").mover == P1


def test_w17b_with_one_player_left_nobody_picks_up() -> None:
    start = position(
        seats=3,
        mover=0,
        hands={0: "QS TD", 1: "2S 3S JH"},
        pile="7C 8C 4H 6H 5D 9D",
        out=[2],
    )

    after = play(start, "TD", "QS")

    assert after.outcome is not None
    assert after.outcome.termination is Termination.FINISHED
    assert after.outcome.kitumaija == P1
    assert after.outcome.places == (2, 3, 1)
    assert holds(after, P1, "2S 3S JH")


def test_w18_a_draw_ends_with_the_stock() -> None:
    start = three(0, pile="2C 7H", stock="3H", p0="8H 2D 4S 5S 6S", p1="2H")

    after = play(start, "8H", "4S")

    assert holds(after, P0, "2D 5S 6S 3H")
    assert after.stock == ()


def test_w18_a_hand_of_five_or_more_draws_nothing() -> None:
    start = three(0, pile="2C 7H", stock="3H 5H", p0="8H 2D 4S 5S 6S 7S 9S", p1="2H")

    events = events_of(start, "8H", "4S")

    assert not any(isinstance(event, CardsDrawn) for event in events)
    assert format_cards(play(start, "8H", "4S").stock) == "3H 5H"


@pytest.mark.parametrize(("stock", "turn"), [("3H 5H", ["turn"]), ("", [])])
@pytest.mark.parametrize(("pickup", "take"), [(PickUp.UNABLE, []), (PickUp.ALWAYS, ["take 3"])])
def test_w19_who_can_catch_picks_up_only_where_the_option_allows_it(
    stock: str, turn: list[str], pickup: PickUp, take: list[str]
) -> None:
    start = position(
        seats=3,
        mover=0,
        hands={0: "8H 2D 4S 5S 6S"},
        pile="2C 5C 9S 7H",
        stock=stock,
        options=GameOptions(pickup=pickup),
    )

    assert legal(start) == ["2D", "8H", *turn, *take]


def test_w20_six_turns_lead_to_the_same_position() -> None:
    start = cycle_start()

    again = play(start, *ACTIONS)

    assert (again.hands, again.pile, again.mover) == (start.hands, start.pile, start.mover)
    assert again.turns == 6
    assert not again.over


def test_w20_the_third_occurrence_stops_the_game_after_twelve_turns() -> None:
    stopped = play(cycle_start(), *ACTIONS, *ACTIONS)

    assert stopped.turns == 12
    assert stopped.outcome is not None
    assert stopped.outcome.termination is Termination.REPETITION
    assert stopped.outcome.kitumaija is None
    assert stopped.outcome.places == (1, 2)


def test_w21_ten_players_empty_the_stock_in_the_first_turn() -> None:
    start = _ten_players_of_whom_the_first_can_catch()
    assert len(start.stock) == 1
    assert view(start, Seat(3)).hand_sizes == (5,) * 10

    card = legal(start)[0]
    caught = play(start, card)
    after = play(caught, legal(caught)[0])

    assert (len(after.hand(P0)), after.stock) == (4, ())
    assert view(after, Seat(3)).hand_sizes == tuple(5 if seat == 3 else None for seat in range(10))
    assert "turn" not in legal(after)


def _ten_players_of_whom_the_first_can_catch() -> State:
    return next(
        state
        for number in range(100)
        if legal(state := new_game(text_seed(f"W21 {number}"), 10).state)[0] != "turn"
    )


def test_w22_without_a_catching_card_taking_is_one_decision_with_the_catch() -> None:
    start = three(0, pile="6H 9H", stock="3C", p0="2S 3S 4S 7C 8C")

    assert legal(start) == ["turn", "take 1", "take 2"]
