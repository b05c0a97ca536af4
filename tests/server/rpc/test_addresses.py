"""Which address counts for a caller."""

from __future__ import annotations

import pytest

from kitumaija.server.rpc.addresses import Peer, peer_of


@pytest.mark.parametrize(
    ("text", "peer"),
    [
        ("ipv4:192.0.2.1:4801", Peer("192.0.2.1", 4801)),
        ("ipv6:%5B::1%5D:4801", Peer("::/64", 4801)),
        ("ipv6:[2001:db8:1:2:3:4:5:6]:1", Peer("2001:db8:1:2::/64", 1)),
        ("ipv6:%5B::ffff:192.0.2.1%5D:7", Peer("192.0.2.1", 7)),
        ("ipv6:%5Bfe80::1%25eth0%5D:7", Peer("fe80::/64", 7)),
        ("unix:/run/kitumaija", Peer("unix:/run/kitumaija", 0)),
        ("ipv4:", Peer("ipv4:", 0)),
    ],
)
def test_a_peer_counts_as_its_address_and_in_ipv6_as_its_network(text: str, peer: Peer) -> None:
    assert peer_of(text) == peer
