"""The standings of a tournament: a table for each table size, and what is to be said with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from math import comb

from kitumaija.server.rating import Entry, RatingTable, load_table
from kitumaija.server.store import bots, entrants, matches
from kitumaija.server.store.rows import (
    BotRow,
    EntrantRow,
    EntrantState,
    MatchState,
    TournamentRow,
    TournamentState,
)
from kitumaija.server.store.transactions import ReadTx
from kitumaija.server.tournament.planning import planned_by_size
from kitumaija.server.tournament.recall import scheduled_entrants
from kitumaija.server.tournament.settings import TournamentSettings
from kitumaija.server.tournament.versions import came_as

DEFAULT_SHARE_MAX = 0.1
"""The share of decisions made by default above which a remark names the bot."""

_UNSAFE = (
    "UNSAFE SEED: all deals follow from a text that the organizer chose; "
    "whoever knew it knew every card"
)

CAUSES_SHOWN = 10
"""How many different reasons a remark lists before it only counts the rest."""


@dataclass(frozen=True, slots=True)
class StandingRow:
    """One entrant's row."""

    rank: int
    bot: BotRow
    entry: Entry
    state: EntrantState
    versions: tuple[str, ...]
    """The versions that its bot came as, in order."""


@dataclass(frozen=True, slots=True)
class StandingsTable:
    """The table of one table size, best first."""

    table_size: int
    rows: tuple[StandingRow, ...]
    rated: int
    """Matches of the longest settled prefix of the schedule, which is what is rated."""
    planned: int
    provisional: bool
    """Whether the numbers may still change."""


@dataclass(frozen=True, slots=True)
class Standings:
    """All tables of a tournament."""

    tournament: TournamentRow
    tables: tuple[StandingsTable, ...]
    remarks: tuple[str, ...]


def standings(tx: ReadTx, row: TournamentRow) -> Standings:
    """Return the standings as they are; without tables before the start."""
    settings = TournamentSettings.from_dict(dict(row.settings))
    entered = {entry.bot_id: entry for entry in entrants.of(tx, row.tournament_id, secrets=False)}
    known = bots.many(tx, entered)
    versions = came_as(tx, row.tournament_id)
    tables: list[StandingsTable] = []
    remarks = [*_remarks_on_tournament(row, entered), *_remarks_on_versions(versions)]
    if row.schedule_seed is not None:
        scheduled = scheduled_entrants(tx, row.tournament_id, settings)
        remarks = [*_remarks_on_chance(settings, entered, scheduled), *remarks]
        planned = planned_by_size(tx, row)
        for size in settings.table_sizes:
            ratings = load_table(tx, row.tournament_id, size, ())
            tables.append(
                StandingsTable(
                    table_size=size,
                    rows=_rows(ratings, entered, known, versions),
                    rated=ratings.rated,
                    planned=planned[size],
                    provisional=not row.state.over,
                )
            )
            remarks += _remarks_on_table(tx, row, ratings, size, settings.rounds)
    return Standings(row, tuple(tables), tuple(remarks))


def _rows(
    ratings: RatingTable,
    entered: Mapping[str, EntrantRow],
    known: Mapping[str, BotRow],
    versions: Mapping[str, tuple[str, ...]],
) -> tuple[StandingRow, ...]:
    return tuple(
        StandingRow(
            ranked.rank,
            known[ranked.bot_id],
            ranked.entry,
            entered[ranked.bot_id].state,
            versions.get(ranked.bot_id, ()),
        )
        for ranked in ratings.ranking()
    )


def _remarks_on_chance(
    settings: TournamentSettings, entered: Mapping[str, EntrantRow], scheduled: Collection[str]
) -> list[str]:
    if settings.unsafe_seed:
        return [_UNSAFE]
    remarks: list[str] = []
    missing = [entry for bot, entry in entered.items() if bot in scheduled and not entry.entropy]
    none = [entry.bot_id for entry in missing if not entry.entropy_commitment]
    unopened = [entry.bot_id for entry in missing if entry.entropy_commitment]
    if none:
        remarks.append(f"no entropy was contributed by {', '.join(none)}")
    if unopened:
        remarks.append(
            "entropy was committed to and not revealed, or not as committed, by "
            + ", ".join(unopened)
        )
    return remarks


def _remarks_on_tournament(row: TournamentRow, entered: Mapping[str, EntrantRow]) -> list[str]:
    remarks: list[str] = []
    for bot, entry in entered.items():
        if entry.state is not EntrantState.ENTERED:
            remarks.append(f"{bot} was {entry.state}: {entry.reason}")
    if row.state is TournamentState.CANCELLED:
        remarks.append("the tournament was cancelled before its schedule was played")
    return remarks


def _remarks_on_versions(versions: Mapping[str, tuple[str, ...]]) -> list[str]:
    return [
        f"{bot} changed its version during the tournament: {', '.join(came)}"
        for bot, came in versions.items()
        if len(came) > 1
    ]


def _remarks_on_table(
    tx: ReadTx, row: TournamentRow, ratings: RatingTable, size: int, rounds: int
) -> list[str]:
    at = f"at {size} seats"
    remarks = [
        f"{at}, {bot} had {entry.default_decisions} of {entry.decisions} decisions made by default"
        for bot, entry in ratings.entries.items()
        if entry.default_decisions > DEFAULT_SHARE_MAX * entry.decisions
    ]
    if ratings.left:
        numbers = ", ".join(map(str, ratings.left))
        remarks.append(
            f"{at}, the ratings could not be computed for the matches {numbers}, for the players "
            "are too far apart; they were left as they were"
        )
    if row.state.over:
        remarks += _shortfalls(tx, row, ratings, size, rounds)
    return remarks


def _shortfalls(
    tx: ReadTx, row: TournamentRow, ratings: RatingTable, size: int, rounds: int
) -> list[str]:
    """Say who played fewer games than planned, and why."""
    due = comb(len(ratings.entries) - 1, size - 1) * size * rounds
    short = {bot: entry.games for bot, entry in ratings.entries.items() if entry.games < due}
    if not short:
        return []
    causes = Counter(
        f"{seated.match.state}: {seated.match.reason}"
        for seated in matches.results_in_order(tx, row.tournament_id, size)
        if seated.match.state is not MatchState.FINISHED
    )
    games = ", ".join(f"{bot} {count}" for bot, count in short.items())
    listed = [f"{count} {cause}" for cause, count in causes.most_common(CAUSES_SHOWN)]
    if len(causes) > CAUSES_SHOWN:
        listed.append(f"{len(causes) - CAUSES_SHOWN} more reasons in the list of matches")
    if row.state is TournamentState.CANCELLED:
        listed.append("the rest was not begun")
    remark = f"games are unequal at {size} seats, of {due} planned for everybody: {games}"
    return [f"{remark}; matches {'; '.join(listed)}"]
