"""The texts of an archive that follow from the rest of it, and can be made again by anybody."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from kitumaija.server.archive.collusion import collusion_json, indicators_of
from kitumaija.server.archive.crosstable import (
    crosstable_csv,
    crosstable_json,
    crosstable_markdown,
)
from kitumaija.server.archive.facts import Facts
from kitumaija.server.archive.fields import document, line
from kitumaija.server.archive.figures import Figures
from kitumaija.server.archive.report import report
from kitumaija.server.archive.standings import (
    standings_csv,
    standings_json,
    standings_markdown,
)
from kitumaija.server.rating import RatingTable
from kitumaija.server.schedule.schedule import Schedule
from kitumaija.server.tournament import schedules
from kitumaija.server.tournament.settings import TournamentSettings
from kitumaija.server.tournament.standings import Account, standings_of


def schedules_of(facts: Facts) -> dict[int, Schedule]:
    """Return the schedules by table size; none before the start.

    Raises `ValueError` where there can be none of these entrants.
    """
    if facts.row.schedule_seed is None:
        return {}
    settings = TournamentSettings.from_dict(dict(facts.row.settings))
    return schedules.schedules_of(settings, basis_of(facts, facts.row.schedule_seed))


def basis_of(facts: Facts, seed: bytes) -> schedules.Basis:
    """Return what the schedules are made of."""
    return schedules.Basis.of(
        facts.entrants, facts.scheduled, seed=seed, bots=facts.bots, rounds=facts.rounds
    )


def starters_of(facts: Facts) -> tuple[str, ...]:
    """Return whose entropies made the schedule's seed."""
    return basis_of(facts, b"").starters


def plan_lines(facts: Facts) -> Iterator[str]:
    """Yield the schedules, a line a match: who was to sit where."""
    for size, schedule in schedules_of(facts).items():
        for number, seats in enumerate(schedule):
            yield line({"table_size": size, "number": number, "seats": list(seats)})


def account_of(facts: Facts, tables: Mapping[int, RatingTable], figures: Figures) -> Account:
    """Return what the standings are made of; `tables` are the ratings by table size."""
    return Account(
        row=facts.row,
        entrants=facts.entrants,
        bots=facts.bots,
        versions=facts.versions,
        tables=tables,
        schedules=schedules_of(facts),
        unplayed={size: figures.tables[size].unplayed for size in tables},
        verdicts=facts.verdicts,
    )


def derived_texts(account: Account, figures: Figures) -> Iterator[tuple[str, str]]:
    """Yield every text that is made of the account and the figures, with the name of its file."""
    found = standings_of(account)
    yield "standings.json", document(standings_json(found))
    yield "standings.csv", standings_csv(found)
    yield "standings.md", standings_markdown(found)
    yield "crosstable.json", document(crosstable_json(found, figures))
    yield "crosstable.csv", crosstable_csv(found, figures)
    yield "crosstable.md", crosstable_markdown(found, figures)
    indicators = indicators_of(found, figures)
    yield "collusion.json", document(collusion_json(found, indicators))
    yield "report.html", report(account, found, figures, indicators)
