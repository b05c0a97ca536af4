"""A format that is drawn round by round, played through with made-up results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum

from kitumaija.engine import Chance
from kitumaija.server.schedule.knockout import knockout_left, knockout_round
from kitumaija.server.schedule.ladder import ladder_order, ladder_round
from kitumaija.server.schedule.seating import NOBODY, Played, Round, Seats, points_of
from kitumaija.server.schedule.swiss import swiss_ranking, swiss_round


class RoundFormat(StrEnum):
    """The formats of which a round depends on the results of those before."""

    SWISS = "swiss"
    KNOCKOUT = "knockout"
    LADDER = "ladder"


def next_round(
    played_as: RoundFormat,
    entrants: Sequence[str],
    *,
    table_size: int,
    seed: bytes,
    rounds: Sequence[Played],
    owners: Mapping[str, str] = NOBODY,
) -> Round | None:
    """Return the next round of a format; None when there is none any more."""
    match played_as:
        case RoundFormat.SWISS:
            return swiss_round(
                entrants, table_size=table_size, seed=seed, rounds=rounds, owners=owners
            )
        case RoundFormat.KNOCKOUT:
            return knockout_round(
                entrants, table_size=table_size, seed=seed, rounds=rounds, owners=owners
            )
        case RoundFormat.LADDER:
            return ladder_round(
                entrants, table_size=table_size, seed=seed, rounds=rounds, owners=owners
            )


def order_after(
    played_as: RoundFormat,
    entrants: Sequence[str],
    *,
    table_size: int,
    seed: bytes,
    rounds: Sequence[Played],
) -> Seats:
    """Return the entrants as the format ranks them after some rounds, best first.

    Of a knockout those who are left.
    """
    match played_as:
        case RoundFormat.SWISS:
            return swiss_ranking(entrants, table_size=table_size, seed=seed, rounds=rounds)
        case RoundFormat.KNOCKOUT:
            return knockout_left(entrants, table_size=table_size, seed=seed, rounds=rounds)
        case RoundFormat.LADDER:
            return ladder_order(entrants, rounds)


def rehearse(
    played_as: RoundFormat,
    entrants: Sequence[str],
    *,
    table_size: int,
    seed: bytes,
    rounds: int,
    owners: Mapping[str, str] = NOBODY,
) -> tuple[Played, ...]:
    """Play a format through, up to so many rounds; a knockout ends when it is over.

    Everybody has a strength that is his place in the list, the first the strongest; what he makes
    of a match is up to a quarter of the field better or worse than that, by the seed.
    """
    played: list[Played] = []
    chance = Chance(seed, "rehearsal")
    strengths = {name: 4 * (len(entrants) - place) for place, name in enumerate(entrants)}
    for _ in range(rounds):
        drawn = next_round(
            played_as, entrants, table_size=table_size, seed=seed, rounds=played, owners=owners
        )
        if drawn is None:
            break
        points: dict[str, int] = {}
        for seats in drawn.tables:
            for _match in seats:
                shown: list[int] = []
                for name in seats:
                    luck, chance = chance.below(2 * len(entrants))
                    shown.append(strengths[name] + luck)
                places = [1 + sum(other > one for other in shown) for one in shown]
                for name, gained in zip(seats, points_of(places), strict=True):
                    points[name] = points.get(name, 0) + gained
        played.append(Played(drawn, points))
    return tuple(played)
