"""What a rehearsal plays: which bots, and how many rounds of them, of every format."""

from collections.abc import Mapping
from math import comb

from kitumaija.server.choices import Format, rounds_default
from kitumaija.server.cli.local import Animal
from kitumaija.server.goal import Goal
from kitumaija.server.schedule.adaptive import fewest_matches
from kitumaija.v1 import tournament_pb2 as v1

FAIR = ("sample:smallest", "sample:observer")
MATCHES_MAX = 300
"""How many matches a rehearsal plans, unless the bots are named: some minutes' worth."""


def fit(settings: v1.TournamentSettings, bots: list[str]) -> None:
    """Fit settings to the bots of a rehearsal: how long it is, whom it asks about, and who of them
    runs a gauntlet."""
    if settings.until:
        settings.until = _narrowed(settings.until, len(bots) - 1)
    match settings.format:
        case v1.TOURNAMENT_FORMAT_GAUNTLET:
            room = len(bots) - max(settings.table_sizes) + 1
            challengers = bots[: max(1, min(len(settings.challengers), room))]
            del settings.challengers[:]
            settings.challengers.extend(challengers)
        case v1.TOURNAMENT_FORMAT_SWISS | v1.TOURNAMENT_FORMAT_LADDER:
            asked = settings.rounds or rounds_default(Format.SWISS)
            settings.rounds = min(asked, _rounds(settings, len(bots)))
        case v1.TOURNAMENT_FORMAT_KNOCKOUT:
            settings.rounds = 1
        case v1.TOURNAMENT_FORMAT_ADAPTIVE:
            settings.rounds = 1
            settings.match_budget = max(_bound(settings), matches_of_a_round(settings, len(bots)))
        case _:
            settings.rounds = min(settings.rounds or 1, _rounds(settings, len(bots)))


def _narrowed(until: str, most: int) -> str:
    """A goal that looks for no more bots than that; what is no goal the server refuses."""
    try:
        goal = Goal.of(until)
    except ValueError:
        return until
    order = "order of " if goal.in_order else ""
    return f"{order}top {max(1, min(goal.first, most))} settled at {goal.percent}"


def choose_bots(settings: v1.TournamentSettings, animals: Mapping[str, Animal]) -> list[str]:
    """The bots of a rehearsal: fair ones, and of the animals as many as the bound allows."""
    chosen = [*FAIR, *animals]
    count = max(*settings.table_sizes, len(FAIR) + 1)
    while count < len(chosen) and matches_of_a_round(settings, count + 1) <= _bound(settings):
        count += 1
    return chosen[:count]


def _bound(settings: v1.TournamentSettings) -> int:
    """How many matches a rehearsal plans: what it may, and what the tournament may."""
    return min(MATCHES_MAX, settings.match_budget or MATCHES_MAX)


def _rounds(settings: v1.TournamentSettings, bots: int) -> int:
    """How many rounds a rehearsal plays at most."""
    return max(1, _bound(settings) // max(1, matches_of_a_round(settings, bots)))


def matches_of_a_round(settings: v1.TournamentSettings, bots: int) -> int:
    """The matches of one round among so many bots.

    Every set of bots, or every challenger with every set of the others, meets once in each rotation
    of its seats; where rounds are drawn, everybody has one table. Of an adaptive tournament it is
    everybody's first sets.
    """
    match settings.format:
        case (
            v1.TOURNAMENT_FORMAT_SWISS | v1.TOURNAMENT_FORMAT_KNOCKOUT | v1.TOURNAMENT_FORMAT_LADDER
        ):
            return bots
        case v1.TOURNAMENT_FORMAT_GAUNTLET:
            size, challengers = max(settings.table_sizes), max(1, len(settings.challengers))
            return size * challengers * comb(max(0, bots - challengers), size - 1)
        case v1.TOURNAMENT_FORMAT_ADAPTIVE:
            return fewest_matches(bots, table_size=max(settings.table_sizes))
        case _:
            return sum(size * comb(bots, size) for size in settings.table_sizes)
