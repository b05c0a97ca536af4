"""What each bot's games were, apart from skill: places by seat, games, forfeits."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kitumaija.server.rating.results import RatedResult


@dataclass(frozen=True, slots=True)
class Tally:
    """The games of one bot.

    `games` counts all that count for it: played to the end, forfeited, or not come to.
    `places[seat][place - 1]` counts those that it played to the end in that seat, by the place it
    came in, a shared place counting as that place.
    """

    games: int
    forfeits: int
    absences: int
    places: tuple[tuple[int, ...], ...]

    @property
    def by_place(self) -> tuple[int, ...]:
        """How often it came in each place, over all seats."""
        return tuple(map(sum, zip(*self.places, strict=True)))


def tallies(
    bots: Iterable[str], results: Iterable[RatedResult], *, table_size: int
) -> dict[str, Tally]:
    """Count the games of all bots."""
    places = {bot: [[0] * table_size for _ in range(table_size)] for bot in bots}
    forfeits = dict.fromkeys(places, 0)
    absences = dict.fromkeys(places, 0)
    for result in results:
        for bot in result.absent:
            absences[bot] += 1
        for seat, (place, forfeited) in enumerate(
            zip(result.places, result.forfeited, strict=True)
        ):
            bot = result.seats[seat]
            if forfeited:
                forfeits[bot] += 1
            else:
                places[bot][seat][place - 1] += 1
    return {
        bot: Tally(
            games=sum(map(sum, by_seat)) + forfeits[bot] + absences[bot],
            forfeits=forfeits[bot],
            absences=absences[bot],
            places=tuple(map(tuple, by_seat)),
        )
        for bot, by_seat in places.items()
    }
