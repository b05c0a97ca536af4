"""The standings of a tournament: a table for each table size, and what is to be said with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from kitumaija.console.text import counted
from kitumaija.server.rating import Entry, RatingTable, load_table
from kitumaija.server.schedule.round_formats import RoundFormat
from kitumaija.server.schedule.rounds import Rounds
from kitumaija.server.schedule.schedule import Schedule
from kitumaija.server.store import bots, entrants, matches, verdicts
from kitumaija.server.store.rows import (
    BotRow,
    EntrantRow,
    EntrantState,
    MatchState,
    SeatedMatch,
    TournamentRow,
    TournamentState,
    VerdictRow,
)
from kitumaija.server.store.transactions import ReadTx
from kitumaija.server.tournament.goals import in_words
from kitumaija.server.tournament.placing import BY_RATING, Placed, placings
from kitumaija.server.tournament.recall import rounds_drawn
from kitumaija.server.tournament.schedules import Basis, schedules_of
from kitumaija.server.tournament.settings import TournamentSettings
from kitumaija.server.tournament.versions import shown

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
    placed: Placed = BY_RATING
    """What decides its place, where that is not the ratings alone."""


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
    rounds: int | None = None
    """How many rounds are over, which decide the places of most formats; None where none are
    drawn."""
    verdict: VerdictRow | None = None
    """What was found out, if it was to be and was."""


@dataclass(frozen=True, slots=True)
class Standings:
    """All tables of a tournament."""

    tournament: TournamentRow
    tables: tuple[StandingsTable, ...]
    remarks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Account:
    """What standings are made of, wherever it was read: a store, or an archive."""

    row: TournamentRow
    entrants: Mapping[str, EntrantRow]
    """In the order of entering."""
    bots: Mapping[str, BotRow]
    versions: Mapping[str, tuple[str, ...]]
    """Which versions each bot came as, in order."""
    tables: Mapping[int, RatingTable]
    """By table size; none before the start. Its rows are those who are in the schedule."""
    schedules: Mapping[int, Schedule]
    """By table size; none before the start."""
    unplayed: Mapping[int, Mapping[str, int]]
    """Why numbers of the schedule were settled without a game, and how many, by table size."""
    verdicts: Mapping[int, VerdictRow] = field(default_factory=dict)
    """What was found out, by table size."""

    @property
    def settings(self) -> TournamentSettings:
        """The tournament's settings."""
        return TournamentSettings.from_dict(dict(self.row.settings))


def standings(tx: ReadTx, row: TournamentRow) -> Standings:
    """Return the standings as they are; without tables before the start."""
    return standings_of(account(tx, row))


def account(tx: ReadTx, row: TournamentRow) -> Account:
    """Return what the store has for the standings of a tournament."""
    settings = TournamentSettings.from_dict(dict(row.settings))
    entered = {entry.bot_id: entry for entry in entrants.of(tx, row.tournament_id, secrets=False)}
    sizes = settings.table_sizes if row.schedule_seed is not None else ()
    tables = {size: load_table(tx, row.tournament_id, size, ()) for size in sizes}
    known = bots.many(tx, entered)
    schedules: Mapping[int, Schedule] = {}
    if row.schedule_seed is not None:
        # The ratings have a row of everybody in the schedule, at every table size.
        scheduled = tables[settings.table_sizes[0]].entries
        drawn = rounds_drawn(tx, row, settings)
        basis = Basis.of(entered, scheduled, seed=row.schedule_seed, bots=known, rounds=drawn)
        schedules = schedules_of(settings, basis)
    return Account(
        row=row,
        entrants=entered,
        bots=known,
        versions=shown(tx, row),
        tables=tables,
        schedules=schedules,
        unplayed={size: _unplayed(tx, row, size) for size in sizes},
        verdicts=verdicts.of(tx, row.tournament_id),
    )


def standings_of(account: Account) -> Standings:
    """Return the standings of a tournament, made of nothing but its account."""
    row = account.row
    remarks = [*_remarks_on_tournament(row, account.entrants)]
    remarks += _remarks_on_versions(account.versions)
    if account.tables:
        remarks = [*_remarks_on_chance(account), *remarks]
    tables: list[StandingsTable] = []
    for size, ratings in account.tables.items():
        schedule = account.schedules[size]
        tables.append(
            StandingsTable(
                table_size=size,
                rows=_rows(ratings, schedule, account),
                rated=ratings.rated,
                planned=schedule.planned,
                provisional=not row.state.over,
                rounds=len(schedule.played) if isinstance(schedule, Rounds) else None,
                verdict=account.verdicts.get(size),
            )
        )
        remarks += _remarks_on_table(account, ratings, size)
    return Standings(row, tuple(tables), tuple(remarks))


def cause_of(seated: SeatedMatch) -> str | None:
    """Return why a number was settled by this match without a game; None if it was played."""
    match = seated.match
    return None if match.state is MatchState.FINISHED else f"{match.state}: {match.reason}"


def _rows(ratings: RatingTable, schedule: Schedule, account: Account) -> tuple[StandingRow, ...]:
    states = {bot: account.entrants[bot].state for bot in ratings.entries}
    left = [bot for bot, state in states.items() if state.left]
    return tuple(
        StandingRow(
            row.rank,
            account.bots[row.bot_id],
            row.entry,
            states[row.bot_id],
            account.versions.get(row.bot_id, ()),
            row.placed,
        )
        for row in placings(ratings, schedule, left=left)
    )


def _remarks_on_chance(account: Account) -> list[str]:
    if account.settings.unsafe_seed:
        return [_UNSAFE]
    remarks: list[str] = []
    scheduled = next(iter(account.tables.values())).entries
    missing = [
        entry for bot, entry in account.entrants.items() if bot in scheduled and not entry.entropy
    ]
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


def _remarks_on_table(account: Account, ratings: RatingTable, size: int) -> list[str]:
    at = f"at {size} seats"
    remarks = [
        f"{at}, {bot} had {entry.default_decisions} of "
        f"{counted(entry.decisions, 'decision')} made by default"
        for bot, entry in sorted(ratings.entries.items())
        if entry.default_decisions > DEFAULT_SHARE_MAX * entry.decisions
    ]
    if ratings.left:
        numbers = ", ".join(map(str, ratings.left))
        remarks.append(
            f"{at}, the ratings could not be computed for the matches {numbers}, for the players "
            "are too far apart; they were left as they were"
        )
    if account.row.state.over:
        schedule = account.schedules[size]
        remarks += _remarks_on_goal(account, ratings, size)
        if isinstance(schedule, Rounds):
            remarks += _remarks_on_rounds(schedule, found=size in account.verdicts)
        remarks += _shortfalls(account, ratings, size)
    return remarks


def _remarks_on_goal(account: Account, ratings: RatingTable, size: int) -> list[str]:
    """Say what came of what was to be found out; of a tournament that was cancelled, nothing."""
    found = account.verdicts.get(size)
    if found is None and account.row.state is TournamentState.CANCELLED:
        return []
    said = in_words(account.settings, size, found, ratings.rated)
    return [said] if said else []


def _shortfalls(account: Account, ratings: RatingTable, size: int) -> list[str]:
    """Say who played fewer games than the schedule gave him, and why."""
    schedule = account.schedules[size]
    due = schedule.games()
    short = {bot: one.games for bot, one in sorted(ratings.entries.items()) if one.games < due[bot]}
    if not short:
        return []
    causes = sorted(account.unplayed[size].items(), key=lambda cause: (-cause[1], cause[0]))
    listed = [f"{count} {cause}" for cause, count in causes[:CAUSES_SHOWN]]
    if len(causes) > CAUSES_SHOWN:
        listed.append(
            f"{counted(len(causes) - CAUSES_SHOWN, 'more reason')} in the list of matches"
        )
    if account.row.state is TournamentState.CANCELLED:
        listed.append("the rest was not begun")
    elif ratings.rated < len(schedule):
        listed.append("the rest was not begun, for what was to be found out is known")
    if len(set(due.values())) == 1:
        games = ", ".join(f"{bot} {count}" for bot, count in short.items())
        planned = f"of {next(iter(due.values()))} planned for everybody: {games}"
    else:
        games = ", ".join(f"{bot} {count} of {due[bot]}" for bot, count in short.items())
        planned = f"fewer than planned: {games}"
    return [f"games are unequal at {size} seats, {planned}; matches {'; '.join(listed)}"]


def _remarks_on_rounds(schedule: Rounds, *, found: bool) -> list[str]:
    """Say how many rounds were not drawn, and who had no part in one between two of its own.

    `found` is whether an adaptive tournament found out what it was to find out.
    """
    planned, drawn = schedule.rules.rounds, schedule.drawn
    knockout = schedule.rules.played_as is RoundFormat.KNOCKOUT
    remarks: list[str] = []
    if schedule.rules.adaptive:
        remarks += _remarks_on_choices(schedule, found=found)
    elif not knockout and schedule.complete and drawn < planned:
        remarks.append(
            f"of {counted(planned, 'round')} {counted(drawn, 'was', 'were')} drawn: too few "
            "entrants were left for a table of "
            f"{schedule.table_size}, or the match budget was used up"
        )
    for bot, missed in schedule.missed().items():
        numbers = ", ".join(str(number + 1) for number in missed)
        remarks.append(f"{bot} had no part in round {numbers}: it was on the bench")
    return remarks


def _remarks_on_choices(schedule: Rounds, *, found: bool) -> list[str]:
    """Say that games are unequal on purpose, and why an adaptive tournament ended as it did."""
    size, games = schedule.table_size, schedule.games().values()
    said = (
        f"at {size} seats, tables were chosen by what was still open: who sat at many has many "
        f"games, from {min(games)} to {max(games)}, and who has few is placed by little"
    )
    remarks = [said]
    if schedule.complete and not found and len(schedule) < schedule.planned:
        remarks.append(
            f"of {schedule.planned} matches {len(schedule)} were drawn: too few entrants were left "
            "for a table, or for anything to be found out"
        )
    return remarks


def _unplayed(tx: ReadTx, row: TournamentRow, size: int) -> Counter[str]:
    if not row.state.over:
        return Counter()  # Nothing is said of it before.
    settled = matches.results_in_order(tx, row.tournament_id, size)
    return Counter(cause for seated in settled if (cause := cause_of(seated)) is not None)
