"""Merkle trees against the test vectors of RFC 6962's first implementation."""

from __future__ import annotations

import hashlib

import pytest

from kitumaija.wire.merkle import MerkleTree, beside, leaf, levels, root_of_path

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


def path_of(things: list[bytes], position: int) -> list[bytes]:
    """The path as the RFC defines it, from the root downwards, turned round."""
    if len(things) == 1:
        return []
    left = 1 << (len(things) - 1).bit_length() - 1
    if position < left:
        return [*path_of(things[:left], position), MerkleTree(things[left:]).root]
    return [*path_of(things[left:], position - left), MerkleTree(things[:left]).root]


@pytest.mark.parametrize("count", [*range(1, 18), 33])
def test_a_path_is_that_of_the_rfc_and_leads_to_the_root(count: int) -> None:
    things = [bytes([number]) for number in range(count)]
    root = MerkleTree(things).root
    for position, thing in enumerate(things):
        path, at = [], position
        for level in levels([leaf(one) for one in things]):
            path += beside(level, at)
            at >>= 1
        assert path == path_of(things, position)
        assert root_of_path(thing, position, count, path) == root


def test_no_other_thing_place_or_path_leads_to_the_root() -> None:
    count, position = 13, 9
    things = [bytes([number]) for number in range(count)]
    root, path = MerkleTree(things).root, path_of(things, position)
    for other in range(count):
        if other != position:
            assert root_of_path(things[position], other, count, path) != root
            assert root_of_path(things[other], position, count, path) != root
    for wrong in (path[:-1], [*path, root], [path[1], path[0], *path[2:]], []):
        assert root_of_path(things[position], position, count, wrong) != root
    for place, many in ((count, count), (-1, count), (0, 0)):
        assert root_of_path(things[0], place, many, path) is None
