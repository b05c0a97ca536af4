"""What a check finds, and what it is about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from kitumaija.engine import Deal, deal_seed
from kitumaija.server.match.values import MatchSetup
from kitumaija.server.schedule.schedule import Schedule
from kitumaija.server.store.rows import (
    EntrantRow,
    RoundRow,
    SeatedMatch,
    TournamentRow,
    TournamentState,
    VerdictRow,
)
from kitumaija.server.tournament.course import Attempt, deal_id
from kitumaija.server.tournament.dealtrees import DealTree
from kitumaija.server.tournament.goals import stops_early
from kitumaija.server.tournament.settings import TournamentSettings
from kitumaija.server.tournament.turnout import Turn


class Check(StrEnum):
    """The kinds of findings, for programs; the sentence is for people."""

    DATABASE = "database"
    """The file itself is damaged, or a row refers to one that is not there."""
    SEEDS = "seeds"
    """A seed, an entropy or a commitment is not what the others say, or is shown too early."""
    SCHEDULE = "schedule"
    """A number counts twice or not at all, or other bots sat there than were scheduled."""
    RECORD = "record"
    """A match has no record, one too many, or one that is not of this match."""
    JOURNAL = "journal"
    """A journal does not replay, or tells of another game than the record."""
    RATINGS = "ratings"
    """A table is not what the results make it."""
    ARCHIVE = "archive"
    """An archive lacks a file, has one too many, or one that cannot be read."""
    MANIFEST = "manifest"
    """A file is not the one that the manifest lists."""
    ORIGIN = "origin"
    """The signature is not that of the key that is to have signed."""
    DERIVED = "derived"
    """A text is not what the tournament, its matches and its records make it."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong. `sentence` names everything that it is about by its id."""

    check: Check
    sentence: str
    tournament_id: str = ""
    match_id: str = ""
    file: str = ""
    """Where in an archive; empty for a store."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A tournament, as far as its matches are to agree with it."""

    row: TournamentRow
    """With the master seed, whether it is public or not."""
    settings: TournamentSettings
    entrants: Mapping[str, EntrantRow]
    """With their entropies."""
    schedules: Mapping[int, Schedule]
    """By table size; empty before the start."""
    starters: tuple[str, ...] = ()
    """Whose entropies made the schedule's seed."""
    rounds: tuple[RoundRow, ...] = ()
    """Those drawn so far, of a format that draws any."""
    trees: Mapping[int, DealTree] = field(default_factory=dict)
    """Made anew, of the deals that a root was published of at the start, by table size."""
    verdicts: Mapping[int, VerdictRow] = field(default_factory=dict)
    """What it says it found out, by table size."""
    turns: tuple[Turn, ...] | None = None
    """Who came and went between the rounds, of a format that draws any; None where nobody says."""

    @property
    def name(self) -> str:
        """What sentences call it."""
        return f"the tournament {self.row.tournament_id!r}"

    @property
    def stops_early(self) -> bool:
        """Whether it is finished and need not have been played to the end of its schedules."""
        return (
            stops_early(self.settings)
            and self.row.state is TournamentState.FINISHED
            and self.verdicts.keys() == self.schedules.keys()
        )

    def deal_id(self, seated: SeatedMatch) -> str:
        """Return the id that the deal of a match must have."""
        match = seated.match
        attempt = Attempt(match.table_size, match.number, match.attempt, ())
        return deal_id(self.row.tournament_id, attempt)

    def setup(self, seated: SeatedMatch) -> MatchSetup:
        """Return how a match was, or is, played: made of nothing but the tournament's own rows."""
        match = seated.match
        bots = tuple(seat.bot_id for seat in seated.seats)
        return MatchSetup(
            match_id=match.match_id,
            deal=Deal(
                match.deal_id,
                deal_seed(self.row.master_seed, match.deal_id),
                tuple((bot, self.entrants[bot].entropy) for bot in bots),
            ),
            entrants=bots,
            options=self.settings.options,
            limits=self.settings.limits,
            policy=self.settings.policy,
        )

    def finding(
        self, check: Check, sentence: str, seated: SeatedMatch | None = None, *, file: str = ""
    ) -> Finding:
        """Return a finding of this tournament, or of one of its matches."""
        match_id = "" if seated is None else seated.match.match_id
        return Finding(check, sentence, self.row.tournament_id, match_id, file)


def match_name(seated: SeatedMatch) -> str:
    """Return what sentences call a match: its id, and where it stands in the schedule."""
    match = seated.match
    attempt = f", attempt {match.attempt}" if match.attempt > 1 else ""
    return (
        f"match {match.match_id} of {match.tournament_id!r} "
        f"({match.table_size} seats, number {match.number}{attempt})"
    )
