from __future__ import annotations

import random
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kitumaija.engine import (
    DECK,
    MAIJA,
    Card,
    NotationError,
    Phase,
    Seat,
    State,
    Termination,
    apply,
    format_position,
    legal_actions,
    new_game,
    parse_position,
    position,
    text_seed,
)
from tests.support.playouts import choose

LINE = "catch P1 stock=[5C 7S AH] pile=[7H] P0={9C} P1={2D 9D 8H 4S KS} P2=out1"


@st.composite
def positions(draw: st.DrawFn) -> State:
    """Any position that no rule of holding and lying forbids, with some or all of the cards."""
    seats = draw(st.integers(2, 10))
    out = draw(st.permutations(range(seats)))[: draw(st.integers(0, seats - 2))]
    playing = [seat for seat in range(seats) if seat not in out]
    deck = draw(st.permutations([card for card in DECK if card != MAIJA]))
    cuts = sorted(draw(st.lists(st.integers(0, 51), min_size=12, max_size=12)))
    parts = [deck[start:end] for start, end in zip([0, *cuts], cuts, strict=False)]
    pile, stock, *hands = parts[:2] + parts[2:12]
    pending = bool(pile) and draw(st.booleans())
    if pending:
        pile = [*pile, MAIJA]
    elif draw(st.booleans()):
        hands[playing[0]] = [*hands[playing[0]], MAIJA]
    ended = draw(st.sampled_from([None, Termination.REPETITION, Termination.TURN_CAP]))
    phase = None
    if pile and not pending and ended is None:
        phase = draw(st.sampled_from([Phase.CATCH, Phase.FREE, Phase.PICKUP]))
    return position(
        seats=seats,
        mover=draw(st.sampled_from(playing)),
        hands={seat: hands[seat] for seat in playing},
        pile=pile,
        stock=stock,
        phase=phase,
        luck=phase is Phase.FREE and draw(st.booleans()),
        maija_pending=pending,
        out=out,
        ended=ended,
    )


@given(positions())
def test_a_position_comes_back_from_its_line(state: State) -> None:
    assert parse_position(format_position(state)) == state


@pytest.mark.parametrize("seats", range(2, 11))
def test_every_position_of_a_game_has_a_line_that_reads_back_as_itself(seats: int) -> None:
    rng = random.Random(seats)
    state = new_game(text_seed(f"lines {seats}"), seats).state
    while True:
        line = format_position(state)
        again = parse_position(line)
        assert format_position(again) == line
        assert legal_actions(again) == legal_actions(state)
        if state.over:
            break
        state = apply(state, choose(legal_actions(state), rng)).state


def test_a_line_reads_like_the_worked_positions_of_the_rules() -> None:
    state = position(
        seats=3,
        mover=1,
        hands={0: "9C", 1: "8H 2D KS 4S 9D"},
        pile="7H",
        stock="5C 7S AH",
        out=[2],
    )

    assert format_position(state) == LINE
    assert parse_position(LINE) == state


@given(st.text(alphabet="catch P01=[]{} 5C7HQSout:luck maija", max_size=80))
def test_what_is_read_as_a_position_is_that_positions_line(text: str) -> None:
    with suppress(NotationError):
        assert format_position(parse_position(text)) == text


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("catch", "grab", "wanted a line as"),
        ("P2=out1", "P3=out1", "players P0, P1, ... in order"),
        ("P2=out1", "P2=out2", "out1, out2, ... each once"),
        ("9C", "9X", "no card: '9X'"),
        ("9C", "8H", "the card 8H is in two places"),
        ("catch P1", "catch P2", "only the players still in"),
        ("P0={9C}", "P0=out2", "finished when one player is left"),
    ],
)
def test_a_line_that_no_game_could_hold_is_refused_with_the_reason(
    old: str, new: str, message: str
) -> None:
    with pytest.raises(NotationError, match=message.replace("...", r"\.\.\.")):
        parse_position(LINE.replace(old, new))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"seats": 1}, "got 1 players, wanted 2 to 10"),
        ({"seats": 11}, "got 11 players, wanted 2 to 10"),
        ({"out": [1, 1]}, "wanted different seats"),
        ({"out": [7]}, "wanted different seats below 3"),
        ({"hands": {3: "2C"}}, "only the players still in"),
        ({"mover": 3}, "only the players still in"),
        ({"pile": "QS"}, "never at its bottom"),
        ({"pile": "2C QS 3C"}, "only on top of a pile"),
        ({"pile": ""}, "led to an empty pile only"),
        ({"phase": Phase.LEAD}, "led to an empty pile only"),
        ({"pile": "2C QS"}, "picked up at once, got phase catch"),
        ({"luck": True}, "only a free card follows a luck card"),
        ({"maija_pending": True}, "pending only while she lies on top"),
        ({"stock": [Card.CLUBS_TWO, Card.CLUBS_TWO]}, "the card 2C is in two places"),
        ({"ended": Termination.FINISHED}, "finished when one player is left, got 3"),
    ],
)
def test_a_position_that_no_game_could_hold_is_refused(
    settings: dict[str, Any], message: str
) -> None:
    fine: dict[str, Any] = {
        "seats": 3,
        "mover": Seat(0),
        "hands": {0: "9C"},
        "pile": "3C 7H",
        "phase": Phase.CATCH,
    }
    assert position(**fine).seats == 3

    with pytest.raises(ValueError, match=message):
        position(**{**fine, **settings})
