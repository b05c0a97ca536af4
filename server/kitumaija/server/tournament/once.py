"""How a command is done once however often it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from kitumaija.server.store.transactions import WriteTx


class Once(Protocol):
    """Somebody's request for a command; `rpc/requests.py` keeps its answer in the store."""

    def __call__(self, tx: WriteTx, work: Callable[[], None]) -> bool:
        """Do `work` unless this request was done before; return whether it was done now.

        What was done and what is answered are in the same transaction.
        """
        ...

    def known(self, tx: WriteTx) -> bool:
        """Return whether this request was done before."""
        ...
