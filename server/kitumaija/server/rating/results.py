"""What the ratings need to know of one settled number of a schedule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from kitumaija.server.store import MatchState, ReadTx, SeatedMatch, matches


@dataclass(frozen=True, slots=True)
class RatedResult:
    """A settled number of the schedule of one table size.

    `seats` are the bots at the table. Where a game was played, `places` holds the place of each,
    from 1, and `forfeited` whether it was forfeited; otherwise both are empty. `absent` are the
    bots that did not come and take a last place behind those at `seats`. `faults`, `decisions` and
    `default_decisions` go by seat; left out they are none.
    """

    number: int
    seats: tuple[str, ...] = ()
    places: tuple[int, ...] = ()
    forfeited: tuple[bool, ...] = ()
    absent: tuple[str, ...] = ()
    faults: tuple[Mapping[str, int], ...] = ()
    decisions: tuple[int, ...] = ()
    default_decisions: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        """Raise ValueError where the parts contradict each other."""
        everybody = (*self.seats, *self.absent)
        if len(set(everybody)) != len(everybody):
            raise ValueError(f"got {everybody} at number {self.number}; wanted each bot once")
        by_seat = (self.faults, self.decisions, self.default_decisions)
        if len(self.places) != len(self.forfeited) or any(
            part and len(part) != len(self.seats) for part in (self.places, *by_seat)
        ):
            raise ValueError(
                f"got {len(self.places)} places, {len(self.forfeited)} forfeits and other parts "
                f"for {len(self.seats)} seats at number {self.number}; wanted one a seat, or none"
            )
        if any(place < 1 for place in self.places):
            raise ValueError(
                f"got the places {self.places} at number {self.number}; they count from 1"
            )

    @property
    def played(self) -> bool:
        """Whether there was a game whose result counts."""
        return bool(self.places)


def result_of(seated: SeatedMatch) -> RatedResult:
    """What a final match says to the ratings; a cancelled one says nothing but its number."""
    match, seats = seated.match, seated.seats
    if not match.final:
        raise ValueError(f"the match {match.match_id!r} does not settle number {match.number} yet")
    if match.state is MatchState.FINISHED:
        return RatedResult(
            match.number,
            seats=tuple(seat.bot_id for seat in seats),
            places=tuple(seat.place for seat in seats),
            forfeited=tuple(seat.forfeited for seat in seats),
            absent=match.absent,
            faults=tuple(seat.faults for seat in seats),
            decisions=tuple(seat.decisions for seat in seats),
            default_decisions=tuple(seat.default_decisions for seat in seats),
        )
    came = tuple(seat.bot_id for seat in seats if seat.bot_id not in match.absent)
    if match.state is MatchState.VOID and match.absent and came:
        return RatedResult(match.number, seats=came, absent=match.absent)
    return RatedResult(match.number)


def results_of(
    tx: ReadTx, tournament_id: str, table_size: int, *, first: int = 0
) -> Iterator[RatedResult]:
    """The results from number `first` on, as far as the schedule is settled without a gap."""
    settled = matches.results_in_order(tx, tournament_id, table_size, first=first)
    for number, seated in enumerate(settled, start=first):
        if seated.match.number != number:
            return
        yield result_of(seated)
