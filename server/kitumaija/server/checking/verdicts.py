"""Whether a tournament found out what it says it found out, and ended when it was to end.

Every look is taken again, on the results alone. Of whom it was asked the verdict says itself: they
are to be all who had not left when it was decided, of whom some may have left since.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from kitumaija.console.text import counted
from kitumaija.server.checking.values import Check, Finding, Subject
from kitumaija.server.choices import LOOKED_AT_MAX
from kitumaija.server.rating import RatedResult
from kitumaija.server.store.rows import SeatedMatch, TournamentState, VerdictRow
from kitumaija.server.tournament.goals import find_verdict, looked_at


class VerdictsCheck:
    """Checks the verdicts of a tournament; `add` all of its matches first."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._results: defaultdict[int, list[RatedResult]] = defaultdict(list)
        self._settled: defaultdict[int, int] = defaultdict(int)

    def add(self, seated: SeatedMatch) -> None:
        """Note what a match says, if it settles a number; they are to come by their numbers."""
        match = seated.match
        size = match.table_size
        if self._subject.settings.goal is None or not match.final:
            return
        if match.number == self._settled[size]:
            self._settled[size] += 1
        if match.number < LOOKED_AT_MAX and (result := looked_at(seated)) is not None:
            self._results[size].append(result)

    def findings(self, done: Mapping[int, int]) -> Iterator[Finding]:
        """Yield what is wrong with the verdicts; `done` counts the numbers settled, by size."""
        subject = self._subject
        stored = subject.verdicts
        for size in sorted(stored.keys() - subject.schedules.keys()):
            yield self._finding(f"has a verdict at {size} seats, which it does not play")
        if subject.settings.goal is None:
            if stored:
                yield self._finding("was to find out nothing, and has a verdict")
            return
        for size in subject.schedules:
            if size in stored:
                yield from self._of(size, stored[size])
            elif subject.row.state is TournamentState.FINISHED:
                yield from self._none(size)
        if subject.stops_early:
            for size, count in done.items():
                if count != self._settled[size]:
                    yield self._finding(
                        f"ended early, and of its numbers at {size} seats {count} are settled, "
                        f"of which {self._settled[size]} without a gap"
                    )

    def _of(self, size: int, row: VerdictRow) -> Iterator[Finding]:
        schedule = self._subject.schedules[size]
        there = {name for name in schedule.games() if not self._subject.entrants[name].state.left}
        asked = set(row.contenders)
        if not there <= asked or not asked <= schedule.games().keys():
            yield self._finding(
                f"was asked at {size} seats of {_listed(row.contenders)}; wanted all who had not "
                "left, and nobody who did not play"
            )
            return
        wanted = self._again(size, asked)
        if wanted != row:
            yield self._finding(
                f"found out at {size} seats {_shown(row)}; by the results it is {_shown(wanted)}"
            )

    def _none(self, size: int) -> Iterator[Finding]:
        there = {
            name
            for name in self._subject.schedules[size].games()
            if not self._subject.entrants[name].state.left
        }
        wanted = self._again(size, there)
        if wanted is not None:
            yield self._finding(
                f"has no verdict at {size} seats; by the results it found out {_shown(wanted)}"
            )

    def _again(self, size: int, contenders: set[str]) -> VerdictRow | None:
        return find_verdict(
            self._subject.settings,
            self._subject.schedules[size],
            self._results[size],
            tournament_id=self._subject.row.tournament_id,
            settled=self._settled[size],
            contenders=contenders,
        )

    def _finding(self, what: str) -> Finding:
        return self._subject.finding(Check.RATINGS, f"{self._subject.name}: {what}")


def _shown(row: VerdictRow | None) -> str:
    if row is None:
        return "nothing"
    after = counted(row.matches, "match", "matches")
    return f"{_listed(row.best)}, at look {row.look}, after {after}"


def _listed(names: tuple[str, ...]) -> str:
    return ", ".join(names)
