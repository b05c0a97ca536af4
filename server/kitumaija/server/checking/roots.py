"""Whether the roots that were published at the start are those of the tournament's deals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from kitumaija.console.text import counted
from kitumaija.server.checking.seeds import seeds_finding
from kitumaija.server.checking.values import Check, Finding, Subject, match_name
from kitumaija.server.store.rows import SeatedMatch, TournamentRow
from kitumaija.server.tournament.course import Attempt
from kitumaija.server.tournament.dealtrees import DealTree, covered, make_tree
from kitumaija.server.tournament.settings import TournamentSettings
from kitumaija.wire.record import MatchRecord


def trees_of(
    row: TournamentRow,
    settings: TournamentSettings,
    schedules: Mapping[int, Sequence[Any]],
    published: Mapping[int, tuple[int, bytes]],
) -> dict[int, DealTree]:
    """Return the trees that roots were published of, made anew from the master seed.

    `published` tells over how many deals, and the root, by table size. Of one that is not over as
    many deals as the schedule has there is no tree.
    """
    wanted = _covered(settings, schedules)
    return {
        size: DealTree.of(
            make_tree(row.tournament_id, size, row.master_seed, deals), row.master_seed
        )
        for size, (deals, _) in published.items()
        if deals and deals == wanted.get(size)
    }


def root_findings(
    subject: Subject, published: Mapping[int, tuple[int, bytes]]
) -> Iterator[Finding]:
    """Check the published roots; a tournament that began without any has none at all."""
    for size, (deals, root) in published.items():
        tree = subject.trees.get(size)
        if tree is None:
            wanted = _covered(subject.settings, subject.schedules).get(size, 0)
            yield seeds_finding(
                subject,
                f"its root at {size} seats is over {counted(deals, 'deal')}, wanted {wanted}",
            )
        elif tree.root != root:
            yield seeds_finding(
                subject, f"its root at {size} seats does not follow from the deals of its seed"
            )
    if published:
        for size in sorted(subject.schedules.keys() - published.keys()):
            yield seeds_finding(subject, f"it published no root at {size} seats, but at others")


def proof_findings(subject: Subject, seated: SeatedMatch, record: MatchRecord) -> Iterator[Finding]:
    """Check that a record has the path of its deal, if a root covers that, and else none."""
    match, proof = seated.match, record.timings.deal_proof
    tree = subject.trees.get(match.table_size)
    attempt = Attempt(match.table_size, match.number, match.attempt, ())
    wanted = None if tree is None else tree.proof(attempt)
    if proof == wanted:
        return
    if proof is None:
        what = "its record has no path to the root that was published"
    elif wanted is None:
        what = "its record has a path, and no root covers its deal"
    else:
        what = "the path in its record is not that of its deal"
    yield subject.finding(Check.SEEDS, f"{match_name(seated)}: {what}", seated)


def _covered(
    settings: TournamentSettings, schedules: Mapping[int, Sequence[Any]]
) -> dict[int, int]:
    if settings.format.is_drawn:
        return {}  # How many matches there would be was not known at the start.
    return covered({size: len(schedule) for size, schedule in schedules.items()})
