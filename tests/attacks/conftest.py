"""A server for each attack: every one is tried with the sources at hand, over real sockets."""

from tests.support.servers import arena, organizer

__all__ = ["arena", "organizer"]
