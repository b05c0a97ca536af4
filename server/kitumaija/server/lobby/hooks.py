"""What the hall asks of whoever plans the matches (`tournament/director.py`)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Protocol

from kitumaija.server.lobby.connection import BotInfo
from kitumaija.server.match.commands import EndMatch
from kitumaija.server.match.values import MatchNotStarted, MatchPlayed, MatchSetup, MatchVoid


class EntropyStep(Enum):
    """The two steps by which a bot gives its share in the shuffling."""

    COMMIT = "commit"
    """The SHA-256 of the entropy, 32 bytes."""
    REVEAL = "reveal"
    """The entropy, at most 64 bytes."""


@dataclass(frozen=True, slots=True)
class MatchOver:
    """A match that ended, whose end nobody has been told yet.

    `started_at` and `ended_at` are wall-clock dates in UTC; `bots` is what the Hello of each seat's
    bot said when it was last connected, None for one that never was since the server started.
    """

    setup: MatchSetup
    result: MatchPlayed | MatchNotStarted | MatchVoid
    started_at: datetime
    ended_at: datetime
    bots: tuple[BotInfo | None, ...]


class HallHooks(Protocol):
    """Called by the hall, each call in a task of its own.

    A hook that raises means that the server can no longer keep its promises: the hall reports it to
    `on_fatal`, and the server stops. Refusals that concern one bot are not raised but dealt with.
    """

    async def match_over(self, over: MatchOver) -> None:
        """Commit a result. Nobody is told that the match ended before this returns.

        The seats of the match count as taken until it has returned and the bots were told; then
        `seats_freed` is called.
        """
        ...

    async def seats_freed(self, bot_ids: tuple[str, ...]) -> None:
        """These bots have room for a match more: their MatchEnd is on its way to them."""
        ...

    async def bot_connected(self, bot_id: str) -> None:
        """A bot opened a stream and said Hello (`Presence.info` has what it said)."""
        ...

    async def ending_of(self, bot_id: str, match_id: str) -> EndMatch | None:
        """Return how a match that does not run here ended for the bot; None if it is to run."""
        ...

    async def entropy_given(
        self, bot_id: str, tournament_id: str, step: EntropyStep, value: bytes
    ) -> None:
        """A bot sent entropy, asked or not; sizes were checked, nothing else."""
        ...
