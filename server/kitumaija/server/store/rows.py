"""The rows of the store as plain frozen values.

Nothing here knows SQL. Times are aware datetimes in UTC; hashes, seeds and commitments are raw
bytes; ids are text. Identifiers of bots are those of entrants too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Generic, TypeVar

RowT = TypeVar("RowT")


class TournamentState(StrEnum):
    """Where a tournament stands; the words of `kitumaija.v1.TournamentState`."""

    DRAFT = "draft"
    OPEN = "open"
    CLOSED = "closed"
    RUNNING = "running"
    PAUSED = "paused"
    FINISHED = "finished"
    CANCELLED = "cancelled"

    @property
    def over(self) -> bool:
        """Whether nothing more will happen in it."""
        return self in {TournamentState.FINISHED, TournamentState.CANCELLED}


class EntrantState(StrEnum):
    """How an entrant stands in a tournament; the words of `kitumaija.v1.EntrantState`."""

    ENTERED = "entered"
    WITHDRAWN = "withdrawn"
    DISQUALIFIED = "disqualified"
    BENCHED = "benched"
    """Out for a while: its matches are postponed until it is back."""

    @property
    def left(self) -> bool:
        """Whether it plays no more, for good."""
        return self in {EntrantState.WITHDRAWN, EntrantState.DISQUALIFIED}


class MatchState(StrEnum):
    """Where a match stands; the words of `kitumaija.v1.MatchState`."""

    RUNNING = "running"
    FINISHED = "finished"
    VOID = "void"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class BotRow:
    """A registered bot.

    `token_hash` is the SHA-256 of its token (32 bytes); the token itself is never stored.
    """

    bot_id: str
    display_name: str
    owner: str
    token_hash: bytes
    created_at: datetime
    disabled: bool = False


@dataclass(frozen=True, slots=True)
class TournamentRow:
    """A tournament.

    `settings` is JSON. `master_seed` is a secret until the tournament is over: read with
    `secrets=False` it is empty before. `schedule_seed` is None before the start.
    """

    tournament_id: str
    title: str
    state: TournamentState
    settings: Mapping[str, Any]
    master_seed: bytes
    master_commitment: bytes
    created_at: datetime
    schedule_seed: bytes | None = None
    started_at: datetime | None = None
    ended_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class EntrantRow:
    """A bot in a tournament.

    `position` counts the entries from 0. `bot_version`, `entropy_commitment` and `entropy` are
    empty until they are known; the entropy is a secret until the schedule's seed is set.
    """

    tournament_id: str
    bot_id: str
    position: int
    state: EntrantState = EntrantState.ENTERED
    reason: str = ""
    bot_version: str = ""
    entropy_commitment: bytes = b""
    entropy: bytes = b""
    no_shows: int = 0


@dataclass(frozen=True, slots=True)
class VerdictRow:
    """What a tournament found out at one table size.

    It was known at look number `look`, from 1, after `matches` numbers of the schedule; `best` are
    the bots. `contenders` are those of whom it was asked: who had not left when it was decided.
    """

    tournament_id: str
    table_size: int
    look: int
    matches: int
    best: tuple[str, ...]
    contenders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DealTreeRow:
    """The Merkle tree over the deals of a table size that was published at the start.

    It covers the first `deals` numbers of the schedule. `blocks` are hashes of 32 bytes, one after
    the other, from which the root follows.
    """

    tournament_id: str
    table_size: int
    deals: int
    root: bytes
    blocks: bytes


@dataclass(frozen=True, slots=True)
class MatchRow:
    """One attempt at one number of a schedule.

    `number` counts the schedule of this table size from 0, `attempt` from 1. At most one attempt
    of a number is `final`: the one that settles it, whether finished, void or cancelled. `epoch`
    is that of the server that plays it. `ending` and `termination` are the lower-case names of
    `kitumaija.v1.MatchEnding` and `Termination`, None while or where there is none. `absent` are
    the bots that were scheduled for this number, did not come, and take a last place by it; of a
    match that is cancelled also those that had left the tournament by then.
    """

    match_id: str
    tournament_id: str
    table_size: int
    number: int
    attempt: int
    deal_id: str
    created_at: datetime
    state: MatchState = MatchState.RUNNING
    final: bool = False
    epoch: int = 0
    ending: str | None = None
    termination: str | None = None
    reason: str = ""
    absent: tuple[str, ...] = ()
    ended_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class MatchSeatRow:
    """One seat of a match; `place` is from 1, and 0 while there is none.

    `faults` counts by the lower-case name of `kitumaija.v1.FaultKind`, such as
    `decision_timeout`.
    """

    match_id: str
    seat: int
    bot_id: str
    place: int = 0
    forfeited: bool = False
    faults: Mapping[str, int] = field(default_factory=dict)
    decisions: int = 0
    default_decisions: int = 0


@dataclass(frozen=True, slots=True)
class SeatedMatch:
    """A match with its seats, in order of seat."""

    match: MatchRow
    seats: tuple[MatchSeatRow, ...]


@dataclass(frozen=True, slots=True)
class MatchCounts:
    """How many matches are where; `void` counts the numbers given up, not single attempts."""

    running: int = 0
    finished: int = 0
    void: int = 0
    cancelled: int = 0


@dataclass(frozen=True, slots=True)
class RoundRow:
    """A round of a schedule that is drawn round by round.

    `number` counts the rounds from 0, `first_match` is the number of its first match. `tables` and
    `byes` name bots, each table in the order of the seats of its first match. `points` are what the
    round gave those who sat at its tables, by bot; None as long as it is not over.
    """

    tournament_id: str
    table_size: int
    number: int
    first_match: int
    tables: tuple[tuple[str, ...], ...]
    byes: tuple[str, ...] = ()
    points: Mapping[str, int] | None = None

    @property
    def matches(self) -> int:
        """How many matches it has: each table is played once for each of its seats."""
        return sum(map(len, self.tables))


@dataclass(frozen=True, slots=True)
class JournalRow:
    """One entry of a match's journal; `sequence` counts from 0 within the match."""

    match_id: str
    sequence: int
    payload: bytes


@dataclass(frozen=True, slots=True)
class RatingState:
    """The ratings of one table size: of the numbers below `rated`, all of them settled."""

    rated: int
    state: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class AuditRow:
    """What somebody with power did, when and why."""

    at: datetime
    actor: str
    action: str
    subject: str
    reason: str = ""
    tournament_id: str | None = None
    detail: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Page(Generic[RowT]):
    """A part of a listing; `next_token` asks for the next part and is empty on the last."""

    rows: tuple[RowT, ...]
    next_token: str = ""
