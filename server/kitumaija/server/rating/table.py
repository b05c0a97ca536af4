"""The table of one table size: ratings and counts over the settled prefix of its schedule.

A table is a value. It is made of the entrants and the results alone, in schedule order, so that it
can be computed anew at any time and comes out the same; and it knows how far it got, so that a
result applied twice counts once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Self

from kitumaija.server.rating.backend import NotComputable, Rating
from kitumaija.server.rating.official import update
from kitumaija.server.rating.results import RatedResult

FORM = 1
"""The version of the JSON form."""

# Numbers that agree to this many digits are the same for the order of the table.
_DIGITS = 6


@dataclass(frozen=True, slots=True)
class Entry:
    """One entrant's row.

    `places[i]` counts how often it came in place i + 1; `games` counts all of these. `forfeits`
    counts the games it forfeited or did not come to, `absences` the latter.
    """

    rating: Rating = field(default_factory=Rating)
    games: int = 0
    places: tuple[int, ...] = ()
    forfeits: int = 0
    absences: int = 0
    decisions: int = 0
    default_decisions: int = 0
    faults: Mapping[str, int] = field(default_factory=dict)

    @property
    def mean_place(self) -> Fraction | None:
        """The mean of its places, exactly; None before its first game."""
        if not self.games:
            return None
        total = sum(place * count for place, count in enumerate(self.places, start=1))
        return Fraction(total, self.games)

    @property
    def charges(self) -> Mapping[str, int]:
        """What can be held against it, by fault: its faults in games, and its absences."""
        return {**self.faults, "no_show": self.absences} if self.absences else self.faults

    def placed(self, place: int, *, forfeited: bool) -> Entry:
        """The row with one more game, in this place."""
        places = list(self.places) + [0] * (place - len(self.places))
        places[place - 1] += 1
        return replace(
            self,
            games=self.games + 1,
            places=tuple(places),
            forfeits=self.forfeits + forfeited,
        )


@dataclass(frozen=True, slots=True)
class Ranked:
    """A row with its rank, from 1; equals share one."""

    rank: int
    bot_id: str
    entry: Entry


@dataclass(frozen=True, slots=True)
class RatingTable:
    """The ratings after the first `rated` numbers of a schedule.

    `games` counts the results among them, and `left` names those numbers where an update could not
    be computed, so that the ratings concerned were left as they were.
    """

    entries: Mapping[str, Entry]
    rated: int = 0
    games: int = 0
    left: tuple[int, ...] = ()

    @classmethod
    def of(cls, entrants: Iterable[str]) -> Self:
        """The table before the first match."""
        return cls({bot_id: Entry() for bot_id in entrants})

    def apply(self, result: RatedResult) -> RatingTable:
        """The table with the next number's result.

        A result that is in it already changes nothing. Raises ValueError for one that is not the
        next, since the order matters, or that names a bot which is no entrant.
        """
        if result.number < self.rated:
            return self
        if result.number > self.rated:
            raise ValueError(
                f"got the result of number {result.number}; wanted number {self.rated}, for "
                f"results are rated in the order of the schedule"
            )
        if strangers := {*result.seats, *result.absent} - self.entries.keys():
            raise ValueError(f"{sorted(strangers)} at number {result.number} are no entrants")
        priors = {bot_id: entry.rating for bot_id, entry in self.entries.items()}
        posteriors, computed = _posteriors(priors, result)
        return replace(
            self,
            entries={**self.entries, **self._rows_after(result, posteriors)},
            rated=self.rated + 1,
            games=self.games + result.played,
            left=self.left if computed else (*self.left, result.number),
        )

    def apply_all(self, results: Iterable[RatedResult]) -> RatingTable:
        """The table with these results, in the order of the schedule."""
        table = self
        for result in results:
            table = table.apply(result)
        return table

    def ranking(self) -> tuple[Ranked, ...]:
        """The rows, best first: by mu − 3 sigma, then mu, then mean place; equals share a rank."""
        rows: list[Ranked] = []
        ordered = sorted(self.entries, key=lambda bot_id: (_order(self.entries[bot_id]), bot_id))
        for position, bot_id in enumerate(ordered, start=1):
            entry = self.entries[bot_id]
            shared = rows and _order(rows[-1].entry) == _order(entry)
            rows.append(Ranked(rows[-1].rank if shared else position, bot_id, entry))
        return tuple(rows)

    def as_dict(self) -> dict[str, Any]:
        """The table as JSON values, every number kept to its last bit."""
        return {
            "form": FORM,
            "rated": self.rated,
            "games": self.games,
            "left": list(self.left),
            "entries": {bot_id: _entry_as_dict(entry) for bot_id, entry in self.entries.items()},
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """The inverse of `as_dict`; raises ValueError for another form."""
        if values.get("form") != FORM:
            raise ValueError(
                f"got ratings of form {values.get('form')!r}; wanted form {FORM}: rebuild them"
            )
        return cls(
            entries={bot_id: _entry_from(entry) for bot_id, entry in values["entries"].items()},
            rated=values["rated"],
            games=values["games"],
            left=tuple(values["left"]),
        )

    def _rows_after(
        self, result: RatedResult, posteriors: Mapping[str, Rating]
    ) -> dict[str, Entry]:
        rows = {
            bot_id: replace(self.entries[bot_id], rating=rating)
            for bot_id, rating in posteriors.items()
        }
        if result.played:
            for seat, bot_id in enumerate(result.seats):
                row = rows[bot_id].placed(result.places[seat], forfeited=result.forfeited[seat])
                rows[bot_id] = _with_conduct(row, result, seat)
        last = len(result.seats) + len(result.absent)
        for bot_id in result.absent:
            row = rows[bot_id].placed(last, forfeited=True)
            rows[bot_id] = replace(row, absences=row.absences + 1)
        return rows


def rebuild(entrants: Iterable[str], results: Iterable[RatedResult]) -> RatingTable:
    """The table from the results alone."""
    return RatingTable.of(entrants).apply_all(results)


def _posteriors(
    priors: Mapping[str, Rating], result: RatedResult
) -> tuple[dict[str, Rating], bool]:
    """The ratings of all who are concerned, and whether every one could be computed.

    Those who played to the end are rated among themselves. Each of the others takes the update of
    a last place behind them, one-sided. It is what coming in last by playing would have cost, so
    nobody gains by a forfeit: not by its own, and not by coming in before another's.
    """
    everybody = (*result.seats, *result.absent)
    found = {bot_id: priors[bot_id] for bot_id in everybody}
    computed = True

    def take(players: Sequence[str], ranks: Sequence[int], takers: Sequence[str]) -> bool:
        try:
            rated = update([priors[bot_id] for bot_id in players], ranks, players)
        except NotComputable:
            return False
        found.update(
            (bot_id, rating)
            for bot_id, rating in zip(players, rated, strict=True)
            if bot_id in takers
        )
        return True

    stayed = [
        seat for seat in range(len(result.seats)) if not (result.played and result.forfeited[seat])
    ]
    among = [result.seats[seat] for seat in stayed]
    places = [result.places[seat] if result.played else 1 for seat in stayed]
    if result.played:
        computed &= take(among, places, among)
    for bot_id in everybody:
        if bot_id not in among:
            computed &= take((*among, bot_id), (*places, len(everybody) + 1), [bot_id])
    return found, computed


def _with_conduct(entry: Entry, result: RatedResult, seat: int) -> Entry:
    faults = Counter(entry.faults)
    if result.faults:
        faults.update(result.faults[seat])
    made = result.decisions[seat] if result.decisions else 0
    by_default = result.default_decisions[seat] if result.default_decisions else 0
    return replace(
        entry,
        faults=dict(faults),
        decisions=entry.decisions + made,
        default_decisions=entry.default_decisions + by_default,
    )


def _order(entry: Entry) -> tuple[float, float, float]:
    place = entry.mean_place
    return (
        -round(entry.rating.score, _DIGITS),
        -round(entry.rating.mu, _DIGITS),
        float("inf") if place is None else float(place),
    )


def _entry_as_dict(entry: Entry) -> dict[str, Any]:
    return {
        "mu": entry.rating.mu,
        "sigma": entry.rating.sigma,
        "games": entry.games,
        "places": list(entry.places),
        "forfeits": entry.forfeits,
        "absences": entry.absences,
        "decisions": entry.decisions,
        "default_decisions": entry.default_decisions,
        "faults": dict(entry.faults),
    }


def _entry_from(values: Mapping[str, Any]) -> Entry:
    others = {key: value for key, value in values.items() if key not in {"mu", "sigma", "places"}}
    return Entry(
        rating=Rating(values["mu"], values["sigma"]), places=tuple(values["places"]), **others
    )
