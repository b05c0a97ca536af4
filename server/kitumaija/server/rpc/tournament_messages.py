"""Rows of the store as the messages of the tournament service."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from kitumaija.server.rpc.settings_messages import settings_to_message
from kitumaija.server.store import bots, deal_trees, entrants, matches
from kitumaija.server.store.rows import (
    AuditRow,
    BotRow,
    EntrantRow,
    EntrantState,
    MatchCounts,
    MatchState,
    SeatedMatch,
    TournamentRow,
    TournamentState,
    VerdictRow,
)
from kitumaija.server.store.transactions import ReadTx
from kitumaija.server.tournament.bench import BenchWait
from kitumaija.server.tournament.director import Progress
from kitumaija.server.tournament.planning import longest_tournament, planned_matches
from kitumaija.server.tournament.pseudonyms import pseudonyms
from kitumaija.server.tournament.settings import TournamentSettings
from kitumaija.server.tournament.standings import StandingRow, Standings, StandingsTable
from kitumaija.server.tournament.versions import shown
from kitumaija.v1 import arena_pb2, game_pb2
from kitumaija.v1 import tournament_pb2 as v1

Connected = Callable[[str], bool]
"""Whether a bot is connected now."""

_STATES = {
    state: v1.TournamentState.Value(f"TOURNAMENT_STATE_{state.name}") for state in TournamentState
}
_ENTRANT_STATES = {
    state: v1.EntrantState.Value(f"ENTRANT_STATE_{state.name}") for state in EntrantState
}
_MATCH_STATES = {state: v1.MatchState.Value(f"MATCH_STATE_{state.name}") for state in MatchState}


def tournament_message(
    tx: ReadTx,
    row: TournamentRow,
    connected: Connected,
    fingerprint: bytes,
    *,
    with_entrants: bool = True,
) -> v1.Tournament:
    """Return a tournament; `row` must have been read without secrets.

    `fingerprint` is that of the key that will sign its archive.
    """
    settings = TournamentSettings.from_dict(dict(row.settings))
    counts = matches.counts(tx, row.tournament_id)
    message = v1.Tournament(
        tournament_id=row.tournament_id,
        title=row.title,
        state=_STATES[row.state],
        settings=settings_to_message(settings),
        matches=counts_message(row.state, counts, planned_matches(tx, row)),
        master_commitment=row.master_commitment,
        master_seed=row.master_seed,
        schedule_seed=b"" if settings.blind and not row.state.over else row.schedule_seed or b"",
        created_at=timestamp(row.created_at),
        started_at=timestamp(row.started_at),
        ended_at=timestamp(row.ended_at),
        longest_match=_duration(settings.longest_match()),
        longest_tournament=_duration(longest_tournament(tx, row)),
        signing_key_fingerprint=fingerprint,
        deals_roots=[
            v1.DealsRoot(table_size=size, deals=deals, root=root)
            for size, (deals, root) in deal_trees.roots(tx, row.tournament_id).items()
        ],
    )
    if with_entrants:
        entered = entrants.of(tx, row.tournament_id, secrets=False)
        known = bots.many(tx, [entry.bot_id for entry in entered])
        versions = shown(tx, row)
        for entry in entered:
            if entry.bot_id not in versions:
                entry = replace(entry, bot_version="")  # noqa: PLW2901 - the same, as it is shown
            message.entrants.append(entrant_message(entry, known[entry.bot_id], connected))
    return message


def entrant_message(entry: EntrantRow, bot: BotRow, connected: Connected) -> v1.Entrant:
    """Return an entrant; `entry` must have been read without secrets."""
    return v1.Entrant(
        bot_id=entry.bot_id,
        display_name=bot.display_name,
        owner=bot.owner,
        state=_ENTRANT_STATES[entry.state],
        reason=entry.reason,
        bot_version=entry.bot_version,
        entropy_commitment=entry.entropy_commitment,
        entropy=entry.entropy,
        no_shows=entry.no_shows,
        connected=connected(entry.bot_id),
    )


def counts_message(state: TournamentState, counts: MatchCounts, planned: int) -> v1.MatchCounts:
    """Return the counts; what a cancelled tournament did not play is cancelled with it."""
    cancelled = counts.cancelled
    if state is TournamentState.CANCELLED:
        cancelled = planned - counts.finished - counts.void
    return v1.MatchCounts(
        planned=planned,
        running=counts.running,
        finished=counts.finished,
        void=counts.void,
        cancelled=cancelled,
    )


def progress_message(progress: Progress) -> v1.WatchTournamentResponse:
    """Return how far a tournament is."""
    wait = progress.bench_wait
    return v1.WatchTournamentResponse(
        state=_STATES[progress.state],
        matches=counts_message(progress.state, progress.counts, progress.planned),
        connected=progress.connected,
        entrants=progress.entrants,
        bench_wait=None if wait is None else bench_wait_message(wait),
    )


def bench_wait_message(wait: BenchWait) -> v1.BenchWait:
    """Return how a tournament waits for entrants on the bench."""
    return v1.BenchWait(bot_ids=sorted(wait.bots), until=timestamp(wait.until))


def public_match_message(seated: SeatedMatch, tournament: TournamentRow) -> v1.Match:
    """Return a match as everybody may see it; `tournament` must have been read with its secrets.

    Of one that runs nobody learns its place in the schedule, nor who plays if that is not to be
    known.
    """
    message = match_message(seated)
    if seated.match.state is not MatchState.RUNNING:
        return message
    message.number = message.attempt = 0
    if TournamentSettings.from_dict(dict(tournament.settings)).blind:
        names = pseudonyms(tournament.master_seed, seated.match.match_id, len(seated.seats))
        for seat, name in zip(message.seats, names, strict=True):
            seat.bot_id = name
    return message


def match_message(seated: SeatedMatch) -> v1.Match:
    """Return a match of a listing, as the organizer sees it."""
    match = seated.match
    return v1.Match(
        match_id=match.match_id,
        tournament_id=match.tournament_id,
        table_size=match.table_size,
        number=match.number,
        attempt=match.attempt,
        state=_MATCH_STATES[match.state],
        seats=[
            v1.MatchSeat(
                bot_id=seat.bot_id,
                place=seat.place,
                forfeited=seat.forfeited,
                faults=_fault_counts(seat.faults),
            )
            for seat in seated.seats
        ],
        ending=arena_pb2.MatchEnding.Value(
            f"MATCH_ENDING_{(match.ending or 'unspecified').upper()}"
        ),
        termination=game_pb2.Termination.Value(
            f"TERMINATION_{(match.termination or 'unspecified').upper()}"
        ),
        reason=match.reason,
    )


def tell_rounds(found: Iterable[v1.Match], starts: Sequence[int]) -> None:
    """Say of which round matches are whose place in the schedule is told.

    `starts` are the numbers of the rounds' first matches.
    """
    for match in found:
        if match.attempt:
            match.round = bisect_right(starts, match.number)


def standings_message(found: Standings) -> v1.GetStandingsResponse:
    """Return the standings."""
    return v1.GetStandingsResponse(
        title=found.tournament.title,
        tables=[_table_message(table) for table in found.tables],
        state=_STATES[found.tournament.state],
        remarks=found.remarks,
    )


def timestamp(at: datetime | None) -> Timestamp | None:
    """Return a date as a message; None stays None."""
    if at is None:
        return None
    message = Timestamp()
    message.FromDatetime(at)
    return message


def _table_message(table: StandingsTable) -> v1.StandingsTable:
    return v1.StandingsTable(
        table_size=table.table_size,
        rows=[_row_message(row, table.table_size) for row in table.rows],
        rated=table.rated,
        planned=table.planned,
        provisional=table.provisional,
        rounds=table.rounds,
        verdict=None if table.verdict is None else _verdict_message(table.verdict),
    )


def _verdict_message(row: VerdictRow) -> v1.Verdict:
    return v1.Verdict(
        look=row.look,
        matches=row.matches,
        best_bot_ids=row.best,
        contender_bot_ids=row.contenders,
    )


def _row_message(row: StandingRow, table_size: int) -> v1.Standing:
    entry = row.entry
    return v1.Standing(
        rank=row.rank,
        bot_id=row.bot.bot_id,
        display_name=row.bot.display_name,
        mu=entry.rating.mu,
        sigma=entry.rating.sigma,
        score=entry.rating.score,
        games=entry.games,
        places=[*entry.places, *[0] * (table_size - len(entry.places))],
        mean_place=float(entry.mean_place or 0),
        forfeits=entry.forfeits,
        faults=_fault_counts(entry.charges),
        default_decisions=entry.default_decisions,
        decisions=entry.decisions,
        state=_ENTRANT_STATES[row.state],
        bot_versions=row.versions,
        points=row.placed.points,
        out_in_round=row.placed.out_in_round,
        rung=row.placed.rung,
        byes=row.placed.byes,
    )


def _fault_counts(faults: Mapping[str, int]) -> list[v1.FaultCount]:
    return [v1.FaultCount(fault=fault, count=faults[fault]) for fault in sorted(faults)]


def _duration(value: timedelta | None) -> Duration | None:
    if value is None:
        return None
    message = Duration()
    message.FromTimedelta(value)
    return message


def audit_message(row: AuditRow) -> v1.AuditEntry:
    """Return an entry of the audit log."""
    return v1.AuditEntry(
        at=timestamp(row.at),
        actor=row.actor,
        action=row.action,
        subject=row.subject,
        reason=row.reason,
        detail={name: str(value) for name, value in row.detail.items()},
    )
