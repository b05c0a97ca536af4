"""A format that is drawn round by round, played through with made-up results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kitumaija.engine import Chance
from kitumaija.server.schedule.round_formats import RoundFormat, next_round
from kitumaija.server.schedule.seating import NOBODY, Played, points_of


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
    of a match is up to a quarter of the field better or worse than that, by the seed. Raises
    `ValueError` for fewer entrants than seats.
    """
    if not 2 <= table_size <= len(entrants):
        raise ValueError(
            f"tables of {table_size} need at least {max(2, table_size)} entrants, "
            f"got {len(entrants)}"
        )
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
