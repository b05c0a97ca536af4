"""What the log says of matches: one line for a start, a fault, an end. Never a card.

An illegal answer that was refused has no line of its own: a bot that repeats one would fill the
log. Its fault has, once it costs the decision.
"""

from __future__ import annotations

import structlog

from kitumaija.server.lobby.running import RunningMatch
from kitumaija.server.logs import place_of
from kitumaija.server.match.journal import Decided, Forfeited, JournalEntry
from kitumaija.server.match.values import MatchNotStarted, MatchPlayed, MatchResult

_log = structlog.stdlib.get_logger("kitumaija.match")


def opened(match: RunningMatch, *, resumed: bool) -> None:
    """A match was offered to its bots, or goes on from its journal."""
    _log.info(
        "match resumed" if resumed else "match offered",
        match_id=match.match_id,
        bots=match.setup.entrants,
    )


def noted(match: RunningMatch, entry: JournalEntry) -> None:
    """A journal entry was made; what tells of a fault is worth a line."""
    if isinstance(entry, Decided) and entry.fault is not None:
        _log.warning(
            "fault",
            match_id=match.match_id,
            bot_id=match.setup.entrants[entry.seat],
            seat=entry.seat,
            fault=entry.fault.value,
            decision_id=entry.decision_id,
            used_us=entry.timing.used_us,
            network_us=entry.timing.network_us,
            server_us=entry.timing.server_us,
            bank_left_us=entry.bank_left_us,
        )
    elif isinstance(entry, Forfeited):
        _log.warning(
            "seat forfeited",
            match_id=match.match_id,
            bot_id=match.setup.entrants[entry.seat],
            seat=entry.seat,
            fault=entry.fault.value,
        )


def ended(match: RunningMatch, result: MatchResult) -> None:
    """A match ended, and its result is committed."""
    if isinstance(result, MatchPlayed):
        _log.info(
            "match ended",
            match_id=match.match_id,
            bots=match.setup.entrants,
            ending=result.ending.value,
            places=result.game.result.placing,
            decisions=len(result.game.decisions),
        )
    elif isinstance(result, MatchNotStarted):
        _log.warning(
            "match not started",
            match_id=match.match_id,
            bots=match.setup.entrants,
            absent={match.setup.entrants[seat]: fault.value for seat, fault in result.absent},
        )
    else:
        _log.warning(
            "match void",
            match_id=match.match_id,
            bots=match.setup.entrants,
            reason=result.reason,
        )


def mistake(match: RunningMatch, where: str, error: Exception) -> None:
    """An exception of ours came up in a match."""
    _log.error(
        "mistake in a match",
        match_id=match.match_id,
        bots=match.setup.entrants,
        where=where,
        **place_of(error),
    )


def overdue(match: RunningMatch, state: str, seconds: int) -> None:
    """A match stays in one state for longer than that can take."""
    _log.error(
        "match overdue",
        match_id=match.match_id,
        bots=match.setup.entrants,
        state=state,
        seconds=seconds,
    )
