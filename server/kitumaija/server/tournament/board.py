"""What is known of a running tournament, in one place for all who deal with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from kitumaija.engine import Deal, deal_seed
from kitumaija.server.ids import random_id
from kitumaija.server.match.values import Fault, MatchSetup
from kitumaija.server.store.rows import (
    MatchCounts,
    MatchRow,
    MatchState,
    TournamentState,
    VerdictRow,
)
from kitumaija.server.tournament.context import Context
from kitumaija.server.tournament.course import Attempt, Course, deal_id
from kitumaija.server.tournament.dealtrees import DealTree
from kitumaija.server.tournament.players import Player
from kitumaija.server.tournament.pseudonyms import pseudonyms
from kitumaija.server.tournament.recall import Recalled
from kitumaija.server.tournament.settings import TournamentSettings
from kitumaija.wire.record import DealProof


@dataclass(slots=True, eq=False)
class Board:
    """A running tournament in memory; the store knows all of it too.

    `attempts` are the matches that run, by id; `left` are the entrants that left, with what their
    running matches are forfeited for. `verdicts` is what the tournament found out, once that is
    written down: from then on nothing more is begun.
    """

    context: Context
    tournament_id: str
    master_seed: bytes
    settings: TournamentSettings
    players: dict[str, Player]
    course: Course
    counts: MatchCounts
    state: TournamentState
    trees: Mapping[int, DealTree]
    left: dict[str, Fault] = field(default_factory=dict)
    attempts: dict[str, Attempt] = field(default_factory=dict)
    verdicts: dict[int, VerdictRow] = field(default_factory=dict)
    asked: tuple[int, frozenset[str]] = (0, frozenset())
    """After how many matches it was asked last whether an adaptive tournament has reached its goal,
    and who had left then."""

    @classmethod
    def of(cls, context: Context, recalled: Recalled) -> Board:
        """Return the board of a tournament as the store tells of it."""
        return cls(
            context=context,
            tournament_id=recalled.row.tournament_id,
            master_seed=recalled.row.master_seed,
            settings=recalled.settings,
            players=recalled.players,
            course=recalled.course,
            counts=recalled.counts,
            state=recalled.row.state,
            trees=recalled.trees,
            left=dict(recalled.left),
            verdicts=dict(recalled.verdicts),
        )

    @property
    def playing(self) -> tuple[str, ...]:
        """The entrants that have not left."""
        return tuple(bot for bot in self.players if bot not in self.course.gone)

    @property
    def active(self) -> tuple[str, ...]:
        """The entrants whose matches are begun: those that have not left nor are on the bench."""
        return tuple(bot for bot in self.playing if bot not in self.course.benched)

    @property
    def done(self) -> bool:
        """Whether nothing is left to be played."""
        return self.course.over or bool(self.verdicts)

    def connected(self) -> int:
        """Return how many of the entrants whose matches are begun are connected."""
        return sum(self.context.presence.connected(bot) for bot in self.active)

    def holding(self) -> frozenset[str]:
        """Return the entrants on the bench for whom a running tournament waits.

        It does when nothing is left to be played but matches of theirs.
        """
        if self.attempts or self.verdicts or self.state is not TournamentState.RUNNING:
            return frozenset()
        return self.course.holding()

    def worth_a_look(self) -> bool:
        """Return whether something may be found to begin, to cancel or to postpone."""
        course = self.course
        return bool(self.connected() or self.too_few() or course.benched or course.revived)

    def too_few(self) -> bool:
        """Return whether too few play on for any table, so that what is left is cancelled."""
        fewest = min(table.schedule.fewest_seats for table in self.course.tables.values())
        return len(self.playing) < fewest

    def who_left(self, attempt: Attempt) -> str:
        """Return the player of an attempt that is not in the tournament any more."""
        return next(bot for bot in attempt.seats if bot in self.course.gone)

    def new_row(self, attempt: Attempt, now: datetime) -> MatchRow:
        """Return the row of a match that begins."""
        return MatchRow(
            match_id=random_id(self.context.token_bytes),
            tournament_id=self.tournament_id,
            table_size=attempt.table_size,
            number=attempt.number,
            attempt=attempt.attempt,
            deal_id=deal_id(self.tournament_id, attempt),
            created_at=now,
            epoch=self.context.store.epoch,
            absent=attempt.last_placed,
        )

    def cancelled_row(self, attempt: Attempt, now: datetime, reason: str) -> MatchRow:
        """Return the row by which a number is settled that will not be played."""
        return replace(
            self.new_row(attempt, now),
            state=MatchState.CANCELLED,
            final=True,
            reason=reason,
            absent=self.not_there(attempt),
            ended_at=now,
        )

    def not_there(self, attempt: Attempt) -> tuple[str, ...]:
        """Return who of those scheduled for an attempt has not come, or left the tournament."""
        left = tuple(bot for bot in attempt.seats if bot in self.course.gone)
        return (*attempt.last_placed, *left)

    def setup(self, row: MatchRow, attempt: Attempt) -> MatchSetup:
        """Return how a match is played: its deal is made of what its players contributed."""
        return MatchSetup(
            match_id=row.match_id,
            deal=Deal(
                row.deal_id,
                deal_seed(self.master_seed, row.deal_id),
                tuple((bot, self.players[bot].entropy) for bot in attempt.seats),
            ),
            entrants=attempt.seats,
            options=self.settings.options,
            limits=self.settings.limits,
            policy=self.settings.policy,
        )

    def proof(self, attempt: Attempt) -> DealProof | None:
        """Return where an attempt's deal stands among those committed to at the start, if there."""
        tree = self.trees.get(attempt.table_size)
        return None if tree is None else tree.proof(attempt)

    def aliases(self, row: MatchRow, attempt: Attempt) -> tuple[str, ...] | None:
        """Return what the seats are called while the match runs; None where that is no secret."""
        if not self.settings.blind:
            return None
        return pseudonyms(self.master_seed, row.match_id, len(attempt.seats))

    def count(
        self, *, running: int = 0, finished: int = 0, void: int = 0, cancelled: int = 0
    ) -> None:
        """Add to the counts of matches."""
        before = self.counts
        self.counts = MatchCounts(
            running=before.running + running,
            finished=before.finished + finished,
            void=before.void + void,
            cancelled=before.cancelled + cancelled,
        )
