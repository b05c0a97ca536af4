"""Pages of listings, by key: a page begins behind the last row of the one before.

So a listing that grows while it is read shows nothing twice, and the last page is as quick as the
first. A token holds the key of that row and the listing it is good for; it is not secret, and a
forged one shows nothing that the listing would not.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Sequence
from typing import TypeVar

from kitumaija.server.store.errors import BadPageToken
from kitumaija.server.store.rows import Page

RowT = TypeVar("RowT")
Key = tuple[str | int, ...]

_INT_LIMIT = 2**31


def write_token(listing: Sequence[str | int], key: Key) -> str:
    """The token of the page behind `key` in this listing; `listing` is its name and filters."""
    text = json.dumps([list(listing), list(key)], separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode("utf-8")).decode("ascii").rstrip("=")


def read_token(listing: Sequence[str | int], token: str, kinds: Sequence[type]) -> Key | None:
    """The key in a token, None for the empty token of the first page.

    `kinds` are the types of the key's parts. Raises BadPageToken unless the token was made for
    this listing.
    """
    if not token:
        return None
    try:
        padded = token + "=" * (-len(token) % 4)
        named, key = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
        fits = (
            named == list(listing)
            and [type(part) for part in key] == list(kinds)
            and all(map(_storable, key))
        )
    except (ValueError, TypeError, RecursionError):
        fits, key = False, ()
    if not fits:
        raise BadPageToken(
            f"got the page token {token[:80]!r}; wanted the next_page_token of the last answer to "
            f"the same question, or none for the first page"
        )
    return tuple(key)


def _storable(part: str | int) -> bool:
    """Whether every database can compare with it; no key of ours fails that."""
    if isinstance(part, int):
        return 0 <= part < _INT_LIMIT
    return part.isascii() and part.isprintable()


def page_of(
    rows: Sequence[RowT],
    size: int,
    listing: Sequence[str | int],
    key: Callable[[RowT], Key],
) -> Page[RowT]:
    """Make a page of `size` rows out of a query for one row more."""
    shown = tuple(rows[:size])
    more = len(rows) > size
    return Page(shown, write_token(listing, key(shown[-1])) if more and shown else "")
