"""Ratings as they are kept."""

from __future__ import annotations

import math

from kitumaija.server.store import RatingState, Store, ratings
from tests.support.stores import add_cup


def test_ratings_are_kept_by_table_size_to_the_last_bit(store: Store) -> None:
    state = {"ada": {"mu": math.pi * 1e-7, "sigma": 25 / 3}, "bö": {"mu": -0.1 - 0.2}}
    with store.write() as tx:
        add_cup(tx, "ada")
        assert ratings.load(tx, "cup", 2) is None
        ratings.save(tx, "cup", 2, 3, {"old": True})
        ratings.save(tx, "cup", 4, 1, {"four": 4})
        ratings.save(tx, "cup", 2, 7, state)

    with store.read() as tx:
        assert ratings.load(tx, "cup", 2) == RatingState(7, state)
        assert ratings.load(tx, "cup", 4) == RatingState(1, {"four": 4})
        assert ratings.load(tx, "cup", 3) is None
