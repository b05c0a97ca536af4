"""What was, as the archive says it in JSON, and back: the tournament, and each of its matches.

All else in an archive is made of these two and of the records. Each has one form: what is read
and written again is the same bytes, or it was no archive's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from kitumaija.server.archive.fields import ArchiveError, Fields
from kitumaija.server.store.rows import (
    BotRow,
    EntrantRow,
    EntrantState,
    MatchRow,
    MatchSeatRow,
    MatchState,
    RoundRow,
    SeatedMatch,
    TournamentRow,
    TournamentState,
    VerdictRow,
)
from kitumaija.server.tournament.lifecycle import Command
from kitumaija.server.tournament.turnout import COMMANDS, Turn

FORMAT = "kitumaija-export/1"

_NOT_TOLD = datetime(1970, 1, 1, tzinfo=UTC)
"""Stands in rows for what an archive does not hold."""


@dataclass(frozen=True, slots=True)
class Facts:
    """A tournament that is over: what `tournament.json` says of it."""

    row: TournamentRow
    entrants: Mapping[str, EntrantRow]
    """In the order of entering."""
    bots: Mapping[str, BotRow]
    versions: Mapping[str, tuple[str, ...]]
    """Which versions each bot came as, in order."""
    scheduled: frozenset[str]
    """Who is in the schedule."""
    rounds: tuple[RoundRow, ...] = ()
    """The rounds, of a format that draws any, in their order."""
    roots: Mapping[int, tuple[int, bytes]] = field(default_factory=dict)
    """Over how many deals a root was published at the start, and the root, by table size; none
    where it began on a server that published none."""
    verdicts: Mapping[int, VerdictRow] = field(default_factory=dict)
    """What it found out, by table size; none where it did not, or was not to."""
    turns: tuple[Turn, ...] | None = None
    """Who came and went between the rounds, of a format that draws any; None where it began on a
    server that did not write it down."""


def facts_to_json(facts: Facts) -> dict[str, Any]:
    """Return a tournament as JSON values; seeds are in hexadecimal."""
    row = facts.row
    roots = [
        {"table_size": size, "deals": deals, "root": root.hex()}
        for size, (deals, root) in facts.roots.items()
    ]
    verdicts = [_verdict_to_json(one) for one in facts.verdicts.values()]
    return {
        "format": FORMAT,
        "tournament_id": row.tournament_id,
        "title": row.title,
        "state": row.state.value,
        "settings": dict(row.settings),
        "master_commitment": row.master_commitment.hex(),
        "master_seed": row.master_seed.hex(),
        "schedule_seed": (row.schedule_seed or b"").hex(),
        **({"deals_roots": roots} if roots else {}),
        "created_at": row.created_at.isoformat(),
        "started_at": _time(row.started_at),
        "ended_at": _time(row.ended_at),
        "entrants": [
            {
                "bot_id": bot_id,
                "display_name": facts.bots[bot_id].display_name,
                "owner": facts.bots[bot_id].owner,
                "state": entry.state.value,
                "reason": entry.reason,
                "scheduled": bot_id in facts.scheduled,
                "bot_version": entry.bot_version,
                "bot_versions": list(facts.versions.get(bot_id, ())),
                "entropy_commitment": entry.entropy_commitment.hex(),
                "entropy": entry.entropy.hex(),
                "no_shows": entry.no_shows,
            }
            for bot_id, entry in facts.entrants.items()
        ],
        "rounds": [_round_to_json(one) for one in facts.rounds],
        **({"turnout": _turns_to_json(facts.turns)} if facts.turns is not None else {}),
        **({"verdicts": verdicts} if verdicts else {}),
    }


def facts_from_json(fields: Fields) -> Facts:
    """Return the tournament of JSON values; raises `ArchiveError`."""
    if (form := fields.text("format")) != FORMAT:
        raise ArchiveError(f"format: got {form!r}, wanted {FORMAT!r}")
    tournament_id = fields.text("tournament_id")
    row = TournamentRow(
        tournament_id=tournament_id,
        title=fields.text("title"),
        state=fields.word("state", TournamentState),
        settings=fields.as_object("settings"),
        master_commitment=fields.hexadecimal("master_commitment"),
        master_seed=fields.hexadecimal("master_seed"),
        schedule_seed=fields.hexadecimal("schedule_seed") or None,
        created_at=fields.time("created_at"),
        started_at=fields.time_or_none("started_at"),
        ended_at=fields.time_or_none("ended_at"),
    )
    if not row.state.over:
        raise ArchiveError(f"state: got {row.state}, wanted that of a tournament that is over")
    entered = [
        (
            EntrantRow(
                tournament_id=tournament_id,
                bot_id=one.text("bot_id"),
                position=position,
                state=one.word("state", EntrantState),
                reason=one.text("reason"),
                bot_version=one.text("bot_version"),
                entropy_commitment=one.hexadecimal("entropy_commitment"),
                entropy=one.hexadecimal("entropy"),
                no_shows=one.number("no_shows"),
            ),
            one,
        )
        for position, one in enumerate(fields.objects("entrants"))
    ]
    entrants = {entry.bot_id: entry for entry, _ in entered}
    if len(entrants) < len(entered):
        raise ArchiveError("entrants: one of them is named twice")
    return Facts(
        row,
        entrants,
        {entry.bot_id: _bot(entry.bot_id, one) for entry, one in entered},
        {
            entry.bot_id: versions
            for entry, one in entered
            if (versions := one.texts("bot_versions"))
        },
        frozenset(entry.bot_id for entry, one in entered if one.flag("scheduled")),
        tuple(_round_from_json(tournament_id, one) for one in fields.objects("rounds")),
        {
            one.number("table_size"): (one.number("deals"), one.hexadecimal("root"))
            for one in (fields.objects("deals_roots") if fields.has("deals_roots") else ())
        },
        {
            one.number("table_size"): _verdict_from_json(tournament_id, one)
            for one in (fields.objects("verdicts") if fields.has("verdicts") else ())
        },
        _turns_from_json(fields),
    )


def _verdict_to_json(row: VerdictRow) -> dict[str, Any]:
    return {
        "table_size": row.table_size,
        "look": row.look,
        "matches": row.matches,
        "best": list(row.best),
        "contenders": list(row.contenders),
    }


def _verdict_from_json(tournament_id: str, fields: Fields) -> VerdictRow:
    return VerdictRow(
        tournament_id=tournament_id,
        table_size=fields.number("table_size"),
        look=fields.number("look"),
        matches=fields.number("matches"),
        best=fields.texts("best"),
        contenders=fields.texts("contenders"),
    )


def _turns_to_json(turns: Iterable[Turn]) -> list[dict[str, Any]]:
    return [
        {"bot_id": one.bot_id, "command": one.command.value, "rounds": one.rounds} for one in turns
    ]


def _turns_from_json(fields: Fields) -> tuple[Turn, ...] | None:
    if not fields.has("turnout"):
        return None
    found = tuple(
        Turn(one.text("bot_id"), one.word("command", Command), one.number("rounds"))
        for one in fields.objects("turnout")
    )
    if strange := {one.command for one in found} - COMMANDS:
        raise ArchiveError(f"turnout: got the command {min(strange)}, wanted one of an entrant")
    return found


def _round_to_json(row: RoundRow) -> dict[str, Any]:
    return {
        "table_size": row.table_size,
        "number": row.number,
        "first_match": row.first_match,
        "tables": [{"bots": list(seats)} for seats in row.tables],
        "byes": list(row.byes),
        "points": None if row.points is None else dict(sorted(row.points.items())),
    }


def _round_from_json(tournament_id: str, fields: Fields) -> RoundRow:
    return RoundRow(
        tournament_id=tournament_id,
        table_size=fields.number("table_size"),
        number=fields.number("number"),
        first_match=fields.number("first_match"),
        tables=tuple(table.texts("bots") for table in fields.objects("tables")),
        byes=fields.texts("byes"),
        points=fields.counts_or_none("points"),
    )


def match_to_json(seated: SeatedMatch) -> dict[str, Any]:
    """Return a match as JSON values."""
    match = seated.match
    return {
        "match_id": match.match_id,
        "table_size": match.table_size,
        "number": match.number,
        "attempt": match.attempt,
        "deal_id": match.deal_id,
        "state": match.state.value,
        "final": match.final,
        "ending": match.ending,
        "termination": match.termination,
        "reason": match.reason,
        "absent": list(match.absent),
        "created_at": match.created_at.isoformat(),
        "ended_at": _time(match.ended_at),
        "seats": [
            {
                "bot_id": seat.bot_id,
                "place": seat.place or None,
                "forfeited": seat.forfeited,
                "faults": dict(sorted(seat.faults.items())),
                "decisions": seat.decisions,
                "default_decisions": seat.default_decisions,
            }
            for seat in seated.seats
        ],
    }


def match_from_json(tournament_id: str, fields: Fields) -> SeatedMatch:
    """Return the match of JSON values; raises `ArchiveError`."""
    match = MatchRow(
        match_id=fields.text("match_id"),
        tournament_id=tournament_id,
        table_size=fields.number("table_size"),
        number=fields.number("number"),
        attempt=fields.number("attempt"),
        deal_id=fields.text("deal_id"),
        created_at=fields.time("created_at"),
        state=fields.word("state", MatchState),
        final=fields.flag("final"),
        ending=fields.text_or_none("ending"),
        termination=fields.text_or_none("termination"),
        reason=fields.text("reason"),
        absent=fields.texts("absent"),
        ended_at=fields.time_or_none("ended_at"),
    )
    seats = tuple(
        MatchSeatRow(
            match.match_id,
            seat,
            one.text("bot_id"),
            place=one.number_or_zero("place"),
            forfeited=one.flag("forfeited"),
            faults=one.counts("faults"),
            decisions=one.number("decisions"),
            default_decisions=one.number("default_decisions"),
        )
        for seat, one in enumerate(fields.objects("seats"))
    )
    return SeatedMatch(match, seats)


def _bot(bot_id: str, fields: Fields) -> BotRow:
    return BotRow(bot_id, fields.text("display_name"), fields.text("owner"), b"", _NOT_TOLD)


def _time(value: datetime | None) -> str | None:
    return None if value is None else value.isoformat()
