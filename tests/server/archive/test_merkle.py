"""Merkle trees against the test vectors of RFC 6962's first implementation."""

from __future__ import annotations

import hashlib

import pytest

from kitumaija.server.archive.merkle import MerkleTree

THINGS = [
    bytes.fromhex(text)
    for text in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
]
ROOTS = {
    1: "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    2: "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    3: "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    5: "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    8: "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
}


@pytest.mark.parametrize(("count", "root"), ROOTS.items())
def test_a_root_is_that_of_the_rfc(count: int, root: str) -> None:
    assert MerkleTree(THINGS[:count]).root.hex() == root


def test_a_tree_of_nothing_has_the_hash_of_nothing() -> None:
    assert MerkleTree().root == hashlib.sha256().digest()


def test_no_order_and_no_number_of_things_has_the_root_of_another() -> None:
    lists = [THINGS[:count] for count in range(9)]
    lists += [[*THINGS[:6], THINGS[7], THINGS[6]], [*THINGS, THINGS[7]]]
    # A node's own bytes, given as a thing, do not stand for the node.
    lists.append([MerkleTree(THINGS[:1]).root + MerkleTree(THINGS[1:2]).root])

    assert len({MerkleTree(things).root for things in lists}) == len(lists)
    assert [len(MerkleTree(things)) for things in lists[:9]] == list(range(9))
