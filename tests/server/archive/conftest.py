"""A server with a director for each test."""

from tests.support.servers import organizer

__all__ = ["organizer"]
