"""A server for each test."""

from tests.support.servers import arena, organizer

__all__ = ["arena", "organizer"]
