"""Whether every round is what its draw makes, and its points are those of its matches.

Each is drawn again, from the settings, the seed, the entrants who were there, and the rounds before
it; of an adaptive tournament from the results of these. Who was there follows from who came and
went before it. Where a server of an earlier version did not write that down the round itself is
believed: whoever has no part in it must have left the tournament, or have been on the bench.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

from kitumaija.console.text import counted
from kitumaija.server.checking.values import Check, Finding, Subject
from kitumaija.server.choices import Format
from kitumaija.server.rating import RatedResult
from kitumaija.server.schedule.rounds import Rounds
from kitumaija.server.schedule.seating import Round, names_of
from kitumaija.server.store.rows import EntrantState, RoundRow, SeatedMatch, TournamentState
from kitumaija.server.tournament.drawing import following
from kitumaija.server.tournament.goals import chooser, looked_at
from kitumaija.server.tournament.points import points_of_match
from kitumaija.server.tournament.turnout import away_at, states_after

SHOWN_CHARS = 400
"""How much of a round a sentence repeats."""


class RoundsCheck:
    """Checks the rounds of a tournament; `add` all of its matches first."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._points: defaultdict[int, Counter[str]] = defaultdict(Counter)
        self._results: defaultdict[int, list[RatedResult]] = defaultdict(list)

    def add(self, seated: SeatedMatch) -> None:
        """Count a match, if it settles a number of a round."""
        schedule = self._subject.schedules.get(seated.match.table_size)
        number = seated.match.number
        if isinstance(schedule, Rounds) and seated.match.final and number < len(schedule):
            played_in = schedule.round_of(number)
            self._points[played_in].update(points_of_match(seated))
            if schedule.rules.adaptive and (result := looked_at(seated)) is not None:
                self._results[played_in].append(result)

    def findings(self) -> Iterator[Finding]:
        """Yield what is wrong with the rounds."""
        for schedule in self._subject.schedules.values():
            if isinstance(schedule, Rounds):
                yield from self._of(schedule)

    def _of(self, schedule: Rounds) -> Iterator[Finding]:
        again = Rounds(schedule.rules, schedule.entrants)
        points: Counter[str] | None = None
        results: list[RatedResult] = []
        for row in self._subject.rounds:
            drawn = Round(row.tables, row.byes)
            wanted = self._drawn(again, row, points, results)
            if wanted != drawn:
                yield self._finding(
                    f"round {row.number + 1} has {_shown(drawn)}; by the results so far it is "
                    f"{_shown(wanted)}"
                )
            if self._subject.turns is None:
                yield from self._missing(again, points, row, names_of(drawn))
            if points is not None:
                again.close(points)
            again.add(drawn)
            points = self._points[row.number]
            results += self._results[row.number]
            if row.points is not None and row.points != dict(points):
                yield self._finding(
                    f"round {row.number + 1} gave the points {_listed(row.points)}; by its matches "
                    f"it gave {_listed(points)}"
                )
        yield from self._end(again, points, results)
        yield from self._turns(schedule)

    def _drawn(
        self,
        again: Rounds,
        row: RoundRow,
        points: Counter[str] | None,
        results: list[RatedResult],
    ) -> Round | None:
        """Return what a round must be, by those before it and by who was there."""
        choose = chooser(self._subject.settings, again, results)
        turns = self._subject.turns
        if turns is None:
            there = names_of(Round(row.tables, row.byes))
            missing = [name for name in again.entrants if name not in there]
            return again.next_after(points, missing, choose)
        away = away_at(turns, row.number)
        if points is None:
            return again.next_after(None, away.left, choose)
        return following(again, points, left=away.left, benched=away.benched, choose=choose)

    def _turns(self, schedule: Rounds) -> Iterator[Finding]:
        """Yield what in the comings and goings cannot have been."""
        turns = self._subject.turns
        if turns is None:
            return
        numbers, drawn = [turn.rounds for turn in turns], len(self._subject.rounds)
        if numbers != sorted(numbers) or not all(0 < number <= drawn for number in numbers):
            yield self._finding(f"its entrants came and went after the rounds {numbers} of {drawn}")
        after = states_after(turns)
        for bot_id in sorted({*after, *schedule.entrants}):
            wanted = after.get(bot_id, EntrantState.ENTERED)
            entrant = self._subject.entrants.get(bot_id)
            if entrant is None or entrant.state is not wanted:
                is_now = "no entrant" if entrant is None else entrant.state.value
                yield self._finding(
                    f"{bot_id!r} is {is_now}, and by who came and went it is {wanted}"
                )

    def _missing(
        self, again: Rounds, points: Counter[str] | None, row: RoundRow, there: frozenset[str]
    ) -> Iterator[Finding]:
        """Yield who has no part in a round that he had to have a part in."""
        if self._subject.settings.format is not Format.KNOCKOUT:
            return
        everybody = again.next_after(points, ())
        if everybody is None:
            return
        for name in sorted(names_of(everybody) - there):
            if not self._subject.entrants[name].state.left:
                yield self._finding(
                    f"round {row.number + 1} goes on without {name!r}, which is still in and has "
                    "not left the tournament"
                )

    def _end(
        self, again: Rounds, points: Counter[str] | None, results: list[RatedResult]
    ) -> Iterator[Finding]:
        """Yield whether a finished tournament has rounds that were not played."""
        rows = self._subject.rounds
        if self._subject.row.state is not TournamentState.FINISHED:
            return
        if not rows or rows[-1].points is None:
            yield self._finding(f"is finished, and round {len(rows)} is not over")
            return
        missing = [name for name, entry in self._subject.entrants.items() if entry.state.left]
        if again.table_size in self._subject.verdicts:
            return  # It found out what it was to find out, and `verdicts` looks at that.
        choose = chooser(self._subject.settings, again, results)
        following = again.next_after(points, missing, choose)
        if following is not None:
            yield self._finding(
                f"is finished after {counted(len(rows), 'round')}, and by the results another one "
                "follows: "
                f"{_shown(following)}"
            )

    def _finding(self, what: str) -> Finding:
        return self._subject.finding(Check.SCHEDULE, f"{self._subject.name}: {what}")


def _shown(drawn: Round | None) -> str:
    if drawn is None:
        return "none"
    tables = " · ".join(" ".join(seats) for seats in drawn.tables)
    shown = f"the tables {tables}" + (f", without {' '.join(drawn.byes)}" if drawn.byes else "")
    return shown if len(shown) <= SHOWN_CHARS else f"{shown[:SHOWN_CHARS]}…"


def _listed(points: Mapping[str, int]) -> str:
    shown = ", ".join(f"{name} {count}" for name, count in sorted(points.items()))
    return shown if len(shown) <= SHOWN_CHARS else f"{shown[:SHOWN_CHARS]}…"
