"""Where a call or a connection comes from: one connection, and the address that counts for it."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from urllib.parse import unquote

_ONE_CUSTOMER_V6 = 64
"""Who has one address of IPv6 has all that share so many of its bits."""


@dataclass(frozen=True, slots=True)
class Peer:
    """The other end of a connection: its address, as it is counted, and its port."""

    address: str
    port: int


def peer_of(text: str) -> Peer:
    """Return the peer that gRPC names, as `ipv4:192.0.2.1:4801` or `ipv6:%5B::1%5D:4801`.

    What is none of these, as a socket of Unix, is an address by itself, of port 0.
    """
    family, _, rest = unquote(text).partition(":")
    host, _, port = rest.rpartition(":")
    if family not in {"ipv4", "ipv6"} or not port.isascii() or not port.isdigit():
        return Peer(text, 0)
    return Peer(counted(host.strip("[]")), int(port))


def counted(host: str) -> str:
    """Return the address that counts for a host: IPv6 by its network, IPv4 by itself however it is
    written. What is no address is returned as it is."""
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, _ONE_CUSTOMER_V6), strict=False))
    return str(address)
