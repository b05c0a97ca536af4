"""The page: what it says first, its sections, and how they are found."""

from __future__ import annotations

from datetime import datetime

from kitumaija.console.text import counted
from kitumaija.server.archive.collusion import Indicators
from kitumaija.server.archive.figures import Figures, TableFigures
from kitumaija.server.archive.report import balance, collusion, conduct, results, rounds, strengths
from kitumaija.server.archive.report.html import Html, joined, table, tag
from kitumaija.server.archive.report.style import STYLE
from kitumaija.server.schedule.rounds import Rounds
from kitumaija.server.tournament.standings import Account, Standings, StandingsTable

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""What a browser may load for the page: nothing. Its style stands in it."""


def report(account: Account, found: Standings, figures: Figures, indicators: Indicators) -> str:
    """Return the report of a tournament that is over, as one HTML file."""
    title = account.row.title
    sections = _sections(account, found, figures, indicators)
    links = [tag("li", tag("a", name, href=f"#{_anchor(name)}")) for name, _ in sections]
    body = joined(
        [
            tag("a", "Skip to the content", href="#content", class_="skip"),
            tag("header", tag("h1", tag("bdi", title)), _summary(account)),
            tag("nav", tag("ul", *links), aria_label="Sections"),
            tag(
                "main",
                *(
                    tag("section", tag("h2", name, id=_anchor(name)), content)
                    for name, content in sections
                ),
                id="content",
            ),
        ]
    )
    head = joined(
        [
            Html('<meta charset="utf-8">'),
            Html(f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'),
            Html('<meta name="viewport" content="width=device-width, initial-scale=1">'),
            tag("title", title),
            tag("style", Html(STYLE)),
        ]
    )
    return f'<!DOCTYPE html>\n<html lang="en">{tag("head", head)}{tag("body", body)}</html>\n'


def _sections(
    account: Account, found: Standings, figures: Figures, indicators: Indicators
) -> list[tuple[str, Html]]:
    tables = [(table, figures.tables[table.table_size]) for table in found.tables]
    listed = [tag("li", remark) for remark in found.remarks]
    sections: list[tuple[str, Html]] = []
    if tables:
        sections += [
            ("Standings", joined(results.standings_of(one) for one, _ in tables)),
            *_rounds(account, tables),
            ("All results at once", _strengths(account, tables)),
            ("Head to head", joined(results.against(*one) for one in tables)),
            ("Games", joined(results.games(*one) for one in tables)),
            ("Seats", joined(results.seats(*one) for one in tables)),
            ("Clocks", conduct.clocks(figures, account.bots)),
            ("Faults", joined(conduct.faults(one, account.bots) for one, _ in tables)),
            (
                "Schedule",
                joined(
                    balance.audit(*one, account.schedules[one[0].table_size].games())
                    for one in tables
                ),
            ),
        ]
        if indicators:
            shown = collusion.collusion(indicators, account.bots)
            sections.append(("Indicators of collusion", shown))
    said = tag("ul", *listed) if listed else tag("p", "There is nothing to remark.")
    sections.insert(1 if tables else 0, ("Remarks", said))
    sections.append(("Settings", conduct.settings(account.row.settings)))
    sections.append(("Proofs", _proofs(account)))
    return sections


def _rounds(
    account: Account, tables: list[tuple[StandingsTable, TableFigures]]
) -> list[tuple[str, Html]]:
    """The section of a format that draws rounds; all others have none."""
    schedules = [account.schedules[one.table_size] for one, _ in tables]
    shown = [rounds.rounds(one, account.bots) for one in schedules if isinstance(one, Rounds)]
    return [("Rounds", joined(shown))] if shown else []


def _strengths(account: Account, tables: list[tuple[StandingsTable, TableFigures]]) -> Html:
    seed = account.row.master_commitment
    said = tag(
        "p",
        "Strengths fitted to all results, whatever their order; the table above is the official "
        "one. Who is 100 points stronger comes in before the other 64 times in 100.",
    )
    return joined([said, *(strengths.fitted(*one, seed, account.bots) for one in tables)])


def _summary(account: Account) -> Html:
    row = account.row
    return joined(
        [
            tag(
                "p",
                f"Tournament {row.tournament_id}, played as {account.settings.format.words}, "
                f"{row.state}: {counted(len(account.entrants), 'entrant')}; "
                f"made {_time(row.created_at)}, started {_time(row.started_at)}, over "
                f"{_time(row.ended_at)}.",
            ),
        ]
    )


def _proofs(account: Account) -> Html:
    row = account.row
    return joined(
        [
            tag(
                "p",
                "The export that this report lies in proves itself: ",
                tag("code", f"kitumaija tournament verify {row.tournament_id}.zip"),
                ".",
            ),
            table(
                "Seeds",
                ["seed", "hexadecimal"],
                [
                    ["committed to before entries", tag("code", row.master_commitment.hex())],
                    ["master seed", tag("code", row.master_seed.hex())],
                    ["seed of the schedule", tag("code", (row.schedule_seed or b"").hex() or "–")],
                ],
            ),
        ]
    )


def _anchor(name: str) -> str:
    return name.lower().replace(" ", "-")


def _time(value: datetime | None) -> str:
    return "never" if value is None else f"{value:%Y-%m-%d %H:%M:%S} UTC"
