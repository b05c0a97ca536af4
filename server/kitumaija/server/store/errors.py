"""What can go wrong with a store.

Every message says what was got, what was wanted and what to do. A caller tells them apart by
class, never by text.
"""

from __future__ import annotations


class StoreError(Exception):
    """The store cannot be opened or used as asked."""


class StoreInUse(StoreError):
    """Another server has this store open for writing."""


class StoreTooNew(StoreError):
    """The store was written by a newer version of kitumaija."""


class StoreOutdated(StoreError):
    """The store has an older schema, and this reader may not change it."""


class StoreFailed(StoreError):
    """The database failed under a write; the store takes no more.

    Whatever was acknowledged before is kept. Of what was waiting nothing can be said, so nothing
    that depends on it may be told to anybody. The way on is to mend the cause and start the server
    again.
    """


class StoreClosed(StoreError):
    """The store was closed in an orderly way; there is no more writing to it."""


class AlreadyStored(StoreError):
    """A row of this key is there already, or one that may be there only once."""


class NotStored(StoreError):
    """The row that was to be changed, or one that was referred to, is not there."""


class JournalConflict(AlreadyStored):
    """A journal entry of this match and sequence number is there already."""


class RequestIdReused(StoreError):
    """A request id came again with another method or another body."""


class BadPageToken(StoreError):
    """A page token was not made by this server for this very listing."""
