"""Ids and tokens from random bytes that are an argument."""

from __future__ import annotations

import hashlib

from kitumaija.server.ids import random_id, random_token, token_hash
from tests.support.chance import RepeatableBytes


def test_an_id_is_128_bits_in_26_characters_of_base32() -> None:
    assert random_id(lambda size: bytes(range(size))) == "aaaqeayeaudaocajbifqydiob4"
    assert random_id(lambda size: b"\xff" * size) == "7" * 25 + "4"


def test_a_token_is_256_bits_in_characters_that_need_no_quoting() -> None:
    token = random_token(lambda size: b"\xfb" * size)

    assert len(token) == 43
    assert token.replace("-", "").replace("_", "").isalnum()


def test_no_two_draws_are_alike() -> None:
    chance = RepeatableBytes()

    assert len({random_id(chance) for _ in range(1_000)}) == 1_000


def test_of_a_token_only_its_sha256_is_kept() -> None:
    assert token_hash("secret") == hashlib.sha256(b"secret").digest()
