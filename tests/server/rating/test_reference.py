"""What the cards alone are worth: a function of the deal."""

from __future__ import annotations

from itertools import islice

import pytest

from kitumaija.engine import Deal, GameOptions, text_seed
from kitumaija.server.rating.reference import PLAYOUTS, TURNS, cards_alone, played_alone

OPTIONS = GameOptions()


def _key(name: str) -> bytes:
    return Deal(f"reference/{name}", text_seed("reference"), (("ada", b"\x01" * 16),)).key


@pytest.mark.parametrize("seats", range(2, 11))
def test_all_seats_together_always_have_all_places(seats: int) -> None:
    for places in islice(played_alone(_key(str(seats)), seats, OPTIONS, turns=10), 3):
        assert len(places) == seats
        assert sum(places) == seats * (seats + 1) / 2
        assert all(1 <= place <= seats for place in places)


def test_whoever_works_it_out_again_gets_the_same() -> None:
    """Pinned: a change of the player changes published numbers."""
    assert cards_alone(_key("pinned"), 3, OPTIONS) == (1.0625, 2.0625, 2.875)


def test_it_is_the_mean_of_games_that_differ_by_whims() -> None:
    games = list(islice(played_alone(_key("whims"), 4, OPTIONS, turns=TURNS), PLAYOUTS))

    assert len(set(games)) > 1
    assert cards_alone(_key("whims"), 4, OPTIONS) == tuple(
        sum(places) / PLAYOUTS for places in zip(*games, strict=True)
    )


def test_it_plays_under_the_rules_of_the_tournament() -> None:
    short = GameOptions(turns_per_player=1)

    assert next(played_alone(_key("rules"), 4, short, turns=20)) == next(
        played_alone(_key("rules"), 4, OPTIONS, turns=1)
    )
    share_last = GameOptions.from_dict({"stopped": "share_last", "turns_per_player": 1})
    assert next(played_alone(_key("rules"), 4, share_last, turns=20)) == (2.5,) * 4


def test_no_cap_of_the_tournament_is_a_cap_of_ours() -> None:
    endless = GameOptions(turns_per_player=0)

    assert cards_alone(_key("endless"), 2, endless) == cards_alone(_key("endless"), 2, OPTIONS)
