"""What a tournament's results say of its goal: whether it is reached, and who should meet next.

Pure functions of the settings, the results and who is asked about. So whoever has the results finds
the same: a server after a crash, or somebody who verifies an export.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from kitumaija.server.choices import Format
from kitumaija.server.goal import LOOKS, Settled, verdict
from kitumaija.server.rating import RatedResult
from kitumaija.server.rating.fit.choosing import choose_tables
from kitumaija.server.rating.fit.comparisons import Comparisons
from kitumaija.server.rating.fit.settling import when_settled
from kitumaija.server.schedule.adaptive import Chooser
from kitumaija.server.schedule.rounds import Rounds
from kitumaija.server.schedule.schedule import Schedule
from kitumaija.server.schedule.seating import Seats
from kitumaija.server.store.rows import MatchState, SeatedMatch, VerdictRow
from kitumaija.server.tournament.settings import TournamentSettings


def looked_at(seated: SeatedMatch) -> RatedResult | None:
    """Return what a match that settles its number says of skill; None if it was not played."""
    if seated.match.state is not MatchState.FINISHED:
        return None
    return RatedResult(
        seated.match.number,
        seats=tuple(seat.bot_id for seat in seated.seats),
        places=tuple(seat.place for seat in seated.seats),
        forfeited=tuple(seat.forfeited for seat in seated.seats),
    )


def all_looked_at(matches: Iterable[SeatedMatch]) -> list[RatedResult]:
    """Return what some matches say of skill."""
    return [result for seated in matches if (result := looked_at(seated)) is not None]


def stops_early(settings: TournamentSettings) -> bool:
    """Whether a schedule that is known from its beginning ends as soon as its goal is reached."""
    return bool(settings.until) and settings.format is not Format.ADAPTIVE


def find_verdict(
    settings: TournamentSettings,
    schedule: Schedule,
    results: Collection[RatedResult],
    *,
    tournament_id: str,
    settled: int,
    contenders: Collection[str],
    known: int = 0,
) -> VerdictRow | None:
    """Return whether the first `settled` numbers of a schedule reached the goal, and at which look.

    `contenders` are those who can be among the best: who has not left. Of the looks after `known`
    numbers and less it is known that they settle nothing.
    """
    if settings.goal is None:
        return None
    found = when_settled(
        results,
        settings.goal,
        planned=schedule.planned,
        settled=settled,
        contenders=contenders,
        table_size=schedule.table_size,
        known=known,
    )
    if found is None:
        return None
    asked = tuple(sorted(contenders, key=str.encode))
    return VerdictRow(
        tournament_id, schedule.table_size, found.look, found.matches, found.best, asked
    )


def chooser(
    settings: TournamentSettings, schedule: Schedule, results: Sequence[RatedResult]
) -> Chooser | None:
    """Return who chooses the next tables of an adaptive tournament; None of another one.

    `results` are those of all rounds of the schedule.
    """
    goal = settings.goal
    if goal is None or not isinstance(schedule, Rounds) or not schedule.rules.adaptive:
        return None

    def choose(there: Sequence[str], tables: int) -> Sequence[Seats]:
        if len(there) < max(schedule.table_size, goal.first + 1):
            return ()
        return choose_tables(
            Comparisons.of(results),
            goal,
            contenders=there,
            table_size=schedule.table_size,
            tables=tables,
            seed=schedule.rules.seed,
            owners=schedule.rules.owners,
            sat={bot: games // schedule.table_size for bot, games in schedule.games().items()},
        )

    return choose


def in_words(settings: TournamentSettings, size: int, found: VerdictRow | None, rated: int) -> str:
    """Say what came of the goal at a table size, for the remarks."""
    goal = settings.goal
    if goal is None:
        return ""
    if found is None:
        return f"at {size} seats, {verdict(goal, None, rated=rated)}"
    said = verdict(goal, Settled(found.look, found.matches, found.best), rated=rated)
    return f"at {size} seats, {said} (look {found.look} of {LOOKS})"
