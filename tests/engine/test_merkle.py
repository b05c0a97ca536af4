"""Merkle trees against the test vectors of RFC 6962's first implementation."""

from __future__ import annotations

import hashlib

import pytest

from kitumaija.engine import MerkleTree, merkle_leaf, merkle_path, root_of_path

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


@pytest.mark.parametrize("count", [1, 2, 3, 7, 8, 9, 33])
def test_every_path_leads_to_the_root_and_no_other_does(count: int) -> None:
    things = [bytes([number]) for number in range(count)]
    tree, leaves = MerkleTree(things), [merkle_leaf(thing) for thing in things]

    assert len(tree) == count
    for index, thing in enumerate(things):
        path = merkle_path(leaves, index)
        assert root_of_path(thing, index, count, path) == tree.root
        assert root_of_path(b"another", index, count, path) != tree.root
        assert root_of_path(thing, index, count, (*path, bytes(32))) is None
        if path:
            assert root_of_path(thing, index, count, path[:-1]) is None
        if count > 1:
            assert root_of_path(thing, (index + 1) % count, count, path) != tree.root
    assert root_of_path(things[0], count, count, merkle_path(leaves, 0)) is None


def test_there_is_no_path_from_a_leaf_that_is_not_there() -> None:
    with pytest.raises(IndexError):
        merkle_path([merkle_leaf(b"one")], 1)
