"""Whether a record is that of its match, and of a game that was played by the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from kitumaija.engine import DecidedBy, GameRecord, ReplayError, Seat, replay
from kitumaija.server.checking.values import Check, Finding, Subject, match_name
from kitumaija.server.match.values import MatchSetup
from kitumaija.server.store.rows import MatchState, SeatedMatch
from kitumaija.wire.record import IncidentKind, MatchRecord


def record_findings(
    subject: Subject,
    seated: SeatedMatch,
    record: MatchRecord,
    *,
    setup: MatchSetup,
    was_played: bool,
) -> Iterator[Finding]:
    """Check a record against its match, and by playing it again.

    `was_played` is whether its game came to an end: that of a match which is void may have, where
    it was declared void afterwards.
    """
    game, match, name = record.game, seated.match, match_name(seated)
    said = [*_other_setup(record, match.tournament_id, setup)]
    if game.result.void is was_played:
        has = "no result" if game.result.void else "a result"
        said.append((Check.RECORD, f"is {match.state}, and its record has {has}"))
    try:
        replay(game)
    except ReplayError as error:
        said.append((Check.RECORD, f"its record does not replay: {error}"))
    if match.state is MatchState.FINISHED and not game.result.void:
        said += [(Check.RECORD, what) for what in _other_places(seated, game)]
    for check, what in said:
        yield subject.finding(check, f"{name}: {what}", seated)


def conduct_findings(
    subject: Subject, seated: SeatedMatch, record: MatchRecord
) -> Iterator[Finding]:
    """Check what is counted of each seat of a finished match against its record."""
    game, name = record.game, match_name(seated)
    for row in seated.seats:
        own = [decision for decision in game.decisions if decision.seat == row.seat]
        defaults = [decision for decision in own if decision.by is not DecidedBy.BOT]
        faults = Counter(
            decision.fault
            for decision in own
            if decision.by is DecidedBy.DEFAULT and decision.fault
        )
        faults.update(
            incident.fault
            for incident in record.timings.incidents
            if incident.seat == row.seat
            and incident.kind is IncidentKind.FORFEITED
            and incident.fault
        )
        for what, got, wanted in (
            ("decisions", row.decisions, len(own)),
            ("default_decisions", row.default_decisions, len(defaults)),
            ("faults", dict(row.faults), dict(faults)),
        ):
            if got != wanted:
                yield subject.finding(
                    Check.RECORD,
                    f"{name}: seat {row.seat} ({row.bot_id}) has {what} {got}, and {wanted} in "
                    "its record",
                    seated,
                )


def _other_setup(
    record: MatchRecord, tournament_id: str, setup: MatchSetup
) -> Iterator[tuple[Check, str]]:
    """What was fixed before the match was offered."""
    game = record.game
    for what, got, wanted in (
        ("match", record.timings.match_id, setup.match_id),
        ("tournament", record.timings.tournament_id, tournament_id),
        ("deal", game.deal.deal_id, setup.deal.deal_id),
        ("seats", ", ".join(game.seats), ", ".join(setup.entrants)),
    ):
        if got != wanted:
            yield Check.RECORD, f"its record names the {what} {got}, not {wanted}"
    if game.deal.seed != setup.deal.seed:
        yield Check.SEEDS, "the seed in its record does not follow from the master seed"
    if game.deal.entropies != setup.deal.entropies:
        yield Check.SEEDS, "the entropies in its record are not those revealed"
    if game.options != setup.options:
        yield Check.RECORD, "its record has other options than the tournament"


def _other_places(seated: SeatedMatch, game: GameRecord) -> Iterator[str]:
    """The rows, which are what is rated, must say what the record says."""
    match, outcome = seated.match, game.result.outcome
    ending = ("forfeits", None) if outcome is None else ("played", outcome.termination.value)
    if (match.ending, match.termination) != ending:
        yield (
            f"its row says that it ended by {match.ending} ({match.termination}), its record "
            f"by {ending[0]} ({ending[1]})"
        )
    for row, place in zip(seated.seats, game.result.placing, strict=False):
        forfeited = Seat(row.seat) in game.result.forfeits
        if (row.place, row.forfeited) != (place, forfeited):
            yield (
                f"seat {row.seat} ({row.bot_id}) has {_place(row.place, row.forfeited)} in "
                f"its row and {_place(place, forfeited)} in its record"
            )


def _place(place: int, forfeited: bool) -> str:
    return f"place {place}{', forfeited' if forfeited else ''}"
