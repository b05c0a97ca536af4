"""Whether a tournament's seeds are those it committed to, and hidden as long as they must be."""

from __future__ import annotations

from collections.abc import Iterator

from kitumaija.server.checking.roots import root_findings, trees_of
from kitumaija.server.checking.seeds import (
    commitment_findings,
    schedule_seed_findings,
    seeds_finding,
)
from kitumaija.server.checking.values import Check, Finding, Subject
from kitumaija.server.store import deal_trees, entrants, tournaments, verdicts
from kitumaija.server.store.rows import TournamentRow
from kitumaija.server.store.transactions import ReadTx
from kitumaija.server.tournament.recall import basis_of
from kitumaija.server.tournament.schedules import schedules_of
from kitumaija.server.tournament.settings import TournamentSettings
from kitumaija.server.tournament.turnout import turns_of


def subject_of(tx: ReadTx, tournament_id: str) -> Subject | None:
    """Return a tournament with its secrets; None if it has no secrets stored.

    Raises ValueError and the like for rows that cannot be read.
    """
    row = tournaments.get(tx, tournament_id)
    if row is None:
        return None
    settings = TournamentSettings.from_dict(dict(row.settings))
    known = {entrant.bot_id: entrant for entrant in entrants.of(tx, tournament_id)}
    found = verdicts.of(tx, tournament_id)
    if row.schedule_seed is None:
        return Subject(row, settings, known, {})
    basis = basis_of(tx, row, settings)
    schedules = schedules_of(settings, basis)
    trees = trees_of(row, settings, schedules, deal_trees.roots(tx, tournament_id))
    turns = turns_of(tx, tournament_id, basis.entrants) if settings.format.is_drawn else None
    return Subject(
        *(row, settings, known, schedules, basis.starters, basis.rounds, trees, found),
        turns=turns,
    )


def seed_findings(tx: ReadTx, subject: Subject) -> Iterator[Finding]:
    """Compare every seed with what it was committed to, and the public rows with the secret."""
    yield from commitment_findings(subject)
    yield from _shown(tx, subject)
    yield from schedule_seed_findings(subject, subject.starters)
    yield from root_findings(subject, deal_trees.roots(tx, subject.row.tournament_id))
    yield from _kept_trees(tx, subject)


def _kept_trees(tx: ReadTx, subject: Subject) -> Iterator[Finding]:
    """Compare what the paths of records are made of with the trees made anew."""
    for kept in deal_trees.of(tx, subject.row.tournament_id):
        tree = subject.trees.get(kept.table_size)
        if tree is not None and b"".join(tree.levels[0]) != kept.blocks:
            yield seeds_finding(
                subject, f"what is kept of its tree at {kept.table_size} seats is not its own"
            )


def _shown(tx: ReadTx, subject: Subject) -> Iterator[Finding]:
    row = subject.row
    public = tournaments.get(tx, row.tournament_id, secrets=False)
    shown = b"" if public is None else public.master_seed
    if not row.state.over and shown:
        yield seeds_finding(subject, f"its master seed is public although it is {row.state}")
    if row.state.over and shown != row.master_seed:
        yield seeds_finding(
            subject, f"it is {row.state}, and the master seed it shows is not its own"
        )
    for entrant in entrants.of(tx, row.tournament_id, secrets=False):
        secret = subject.entrants.get(entrant.bot_id)
        kept = b"" if secret is None else secret.entropy
        if row.schedule_seed is None and entrant.entropy:
            yield seeds_finding(
                subject, f"the entropy of {entrant.bot_id!r} is public before the schedule is fixed"
            )
        elif row.schedule_seed is not None and entrant.entropy != kept:
            yield seeds_finding(
                subject, f"the entropy shown of {entrant.bot_id!r} is not the one its deals have"
            )


def without_secrets(row: TournamentRow) -> Finding:
    """Return the finding that a tournament has no master seed."""
    return Finding(
        Check.SEEDS,
        f"the tournament {row.tournament_id!r} has no master seed stored",
        row.tournament_id,
    )
