"""Whether seeds and entropies are those that were committed to, and follow from one another."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from kitumaija.engine import commitment, text_seed
from kitumaija.server.checking.values import Check, Finding, Subject
from kitumaija.server.tournament.entropy import opens, seed_of_schedule


def commitment_findings(subject: Subject) -> Iterator[Finding]:
    """Check the master seed and each entropy against its commitment."""
    row = subject.row
    if commitment(row.master_seed) != row.master_commitment:
        yield seeds_finding(subject, "its master seed is not the one that it committed to")
    unsafe = subject.settings.unsafe_seed
    if unsafe and row.master_seed != text_seed(unsafe):
        yield seeds_finding(
            subject, "its master seed does not follow from the text in its settings"
        )
    for bot_id, entrant in subject.entrants.items():
        if entrant.entropy and not opens(entrant.entropy_commitment, entrant.entropy):
            yield seeds_finding(subject, f"the entropy of {bot_id!r} is not what it committed to")


def schedule_seed_findings(subject: Subject, players: Collection[str]) -> Iterator[Finding]:
    """Check the schedule's seed against the entropies of `players`, who are in the schedule."""
    row = subject.row
    if row.schedule_seed is None:
        return
    if strangers := sorted(set(players) - subject.entrants.keys()):
        yield seeds_finding(subject, f"{', '.join(strangers)} are rated in it and never entered")
        return
    given = {bot_id: subject.entrants[bot_id].entropy for bot_id in players}
    if seed_of_schedule(subject.settings, row.master_seed, given) != row.schedule_seed:
        yield seeds_finding(
            subject, "its schedule's seed does not follow from its entrants' entropies"
        )


def seeds_finding(subject: Subject, what: str) -> Finding:
    """Return a finding about a tournament's seeds."""
    return subject.finding(Check.SEEDS, f"{subject.name}: {what}")
