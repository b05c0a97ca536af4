"""Page sizes of listings (AIP-158). The tokens are the store's: they hold the last row's key."""

from __future__ import annotations

from kitumaija.server.rpc.fields import wrong_field
from kitumaija.wire.limits import PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX


def page_size(asked: int) -> int:
    """Return how many rows a page has: 0 is the default, and more than the most is the most.

    Raises `InvalidArgument` for a size below 0.
    """
    if asked < 0:
        raise wrong_field("page_size", str(asked), f"0 for {PAGE_SIZE_DEFAULT}, or 1 and more")
    return min(asked or PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX)
