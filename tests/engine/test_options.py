from __future__ import annotations

import pytest

from kitumaija.engine import FreeFromStock, GameOptions, HandSizes, PickUp, Stopped

DEFAULTS: dict[str, str | int] = {
    "free_from_stock": "after_luck",
    "pickup": "unable",
    "repetition": 3,
    "turns_per_player": 100,
    "stopped": "by_hand_size",
    "hand_sizes": "until_stock_empty",
}


def test_the_defaults_are_those_of_the_rules() -> None:
    assert GameOptions().as_dict() == DEFAULTS


def test_the_values_are_those_of_the_rules() -> None:
    assert [choice.value for choice in FreeFromStock] == ["after_luck", "always", "never"]
    assert [choice.value for choice in PickUp] == ["unable", "always"]
    assert [choice.value for choice in Stopped] == ["by_hand_size", "share_last"]
    assert [choice.value for choice in HandSizes] == ["until_stock_empty", "always", "never"]


@pytest.mark.parametrize(
    "options",
    [
        GameOptions(),
        GameOptions(free_from_stock=FreeFromStock.NEVER, repetition=0),
        GameOptions(pickup=PickUp.ALWAYS, turns_per_player=7),
        GameOptions(stopped=Stopped.SHARE_LAST, hand_sizes=HandSizes.NEVER),
    ],
)
def test_options_come_back_from_their_plain_form(options: GameOptions) -> None:
    assert GameOptions.from_dict(options.as_dict()) == options


def test_what_is_left_out_has_its_default() -> None:
    assert GameOptions.from_dict({"pickup": "always"}) == GameOptions(pickup=PickUp.ALWAYS)


def test_an_unknown_option_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"unknown game option 'jokers'.*free_from_stock"):
        GameOptions.from_dict({"jokers": 2})


@pytest.mark.parametrize(
    ("name", "value", "wanted"),
    [
        ("pickup", "sometimes", "unable, always"),
        ("pickup", 1, "unable, always"),
        ("stopped", None, "by_hand_size, share_last"),
        ("repetition", -1, "a whole number from 0"),
        ("repetition", 1, "at least 2"),
        ("repetition", True, "a whole number"),
        ("repetition", 3.0, "a whole number"),
        ("turns_per_player", 1_000_001, "to 1000000"),
        ("turns_per_player", "100", "a whole number"),
    ],
)
def test_a_wrong_value_is_refused_by_name_with_what_is_wanted(
    name: str, value: object, wanted: str
) -> None:
    with pytest.raises(ValueError, match=rf"option {name}: got {value!r}, wanted .*{wanted}"):
        GameOptions.from_dict({name: value})


def test_a_text_in_place_of_a_choice_is_refused() -> None:
    with pytest.raises(ValueError, match=r"option pickup: got 'always', wanted a PickUp"):
        GameOptions(pickup="always")  # type: ignore[arg-type]


@pytest.mark.parametrize("repetition", [0, 2, 3])
@pytest.mark.parametrize("turns", [0, 1, 100])
def test_only_a_turn_cap_makes_sure_of_an_end(repetition: int, turns: int) -> None:
    options = GameOptions(repetition=repetition, turns_per_player=turns)

    assert options.always_ends == (turns > 0)
