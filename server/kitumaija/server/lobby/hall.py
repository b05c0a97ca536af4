"""The hall: every running match of this server, its machine, its journal, its bots.

An input of a match is handled to the end in one call: the machine steps, its journal entries and
its messages join the batch of this turn of the event loop (`outgoing.py`), and nothing waits. There
is no task a match and no timer a decision; `sweep` looks at all deadlines at once.

Verdicts are the machine's, from stamps. A reader stamps a message and hands it on in the same
breath, so at a `Tick` no answer with an earlier stamp is still under way.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

import structlog

from kitumaija.engine import Action, Seat
from kitumaija.server.clock import Clock, Wall
from kitumaija.server.lobby.clockstarts import ClockStarts
from kitumaija.server.lobby.connection import Asked, Connection
from kitumaija.server.lobby.hooks import EntropyStep, HallHooks, MatchOver
from kitumaija.server.lobby.outgoing import JournalWriter, Outgoing
from kitumaija.server.lobby.presence import Presence
from kitumaija.server.lobby.running import RunningMatch
from kitumaija.server.lobby.tell import message_for, unknown_match
from kitumaija.server.limits import ServerLimits

__all__ = ["EntropyStep", "Hall", "HallHooks", "MatchOver"]


class Hall:
    """Runs matches. The director opens and closes them, the streams bring what bots say.

    `on_fatal` is called with the first error after which the server cannot keep its promises: the
    store failed, or a hook raised.
    """

    def __init__(
        self,
        *,
        clock: Clock,
        wall: Wall,
        writer: JournalWriter,
        presence: Presence,
        limits: ServerLimits,
        on_fatal: Callable[[BaseException], None],
    ) -> None:
        raise NotImplementedError

    def bind(self, hooks: HallHooks) -> None:
        """Say who is asked about ended matches; once, before anything is opened."""

    # For the director

    def open(
        self,
        setup: MatchSetup,
        *,
        names: Mapping[str, str],
        started_at: datetime | None = None,
        resume_from: Sequence[JournalEntry] | None = None,
    ) -> None:
        """Offer a match to its bots, or go on with one from its journal.

        `names` are the display names by bot id. `started_at` is when it was first offered, for one
        that is resumed. Each bot's seat counts as taken from here on. Raises `ValueError` for a
        match that runs already.
        """

    def order_forfeit(
        self, bot_id: str, fault: Fault, *, match_ids: Collection[str] | None = None
    ) -> None:
        """Forfeit the bot's seats, in all of its running matches or in those named."""

    def void(self, match_id: str, reason: str) -> None:
        """End a match without a result; `reason` is a sentence for its bots. Nothing happens if it
        does not run."""

    def running(self, bot_id: str) -> int:
        """Return in how many matches the bot sits."""

    def match_ids(self) -> tuple[str, ...]:
        """Return the running matches."""

    def ask_entropy(
        self, bot_id: str, tournament_id: str, step: EntropyStep, master_commitment: bytes
    ) -> bool:
        """Send a bot an EntropyRequest; False if it is not connected."""
