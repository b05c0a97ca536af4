"""What entrants contribute to chance."""

from __future__ import annotations

import hashlib

from kitumaija.server.tournament.entropy import is_commitment, opens, schedule_seed


def test_a_reveal_opens_what_was_committed_to_and_nothing_else() -> None:
    commitment = hashlib.sha256(b"mine").digest()
    assert opens(commitment, b"mine")
    assert not opens(commitment, b"yours")
    assert not opens(b"", b"mine")


def test_entropy_has_1_to_64_bytes() -> None:
    for size in (1, 64):
        assert opens(hashlib.sha256(b"x" * size).digest(), b"x" * size)
    for size in (0, 65):
        assert not opens(hashlib.sha256(b"x" * size).digest(), b"x" * size)


def test_a_commitment_has_32_bytes() -> None:
    assert [size for size in (0, 31, 32, 33) if is_commitment(bytes(size))] == [32]


def test_the_schedules_seed_is_made_of_all_entropies_in_the_order_of_ids() -> None:
    joined = b"\x03\x00\x00\x00abc" + b"\x00\x00\x00\x00" + b"\x01\x00\x00\x00z"
    expected = hashlib.sha256(joined).digest()
    assert schedule_seed({"c": b"z", "a": b"abc", "b": b""}) == expected


def test_where_one_entropy_ends_and_the_next_begins_makes_a_difference() -> None:
    assert schedule_seed({"a": b"xy", "b": b""}) != schedule_seed({"a": b"x", "b": b"y"})
