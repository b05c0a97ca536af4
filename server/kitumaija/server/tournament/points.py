"""What a match gives its players in a format that goes by points: from its row alone.

Two for everybody who was left behind, one for everybody level. Who did not come, or had left, is
behind all who came, who share the first place where nothing was played. Where nobody is to blame,
and nothing was played, all who were there are level: it is as if they had sat out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from kitumaija.server.schedule.seating import points_of
from kitumaija.server.store.rows import MatchState, SeatedMatch


def points_of_match(seated: SeatedMatch) -> dict[str, int]:
    """Return the points of all who were scheduled for a number, by the match that settled it."""
    match = seated.match
    if match.state is MatchState.FINISHED:
        places = {seat.bot_id: seat.place for seat in seated.seats}
    else:
        # Nobody takes a last place where nobody came, and nobody was there to be level either.
        missing = match.absent or [seat.bot_id for seat in seated.seats if seat.faults]
        places = {seat.bot_id: 1 for seat in seated.seats if seat.bot_id not in missing}
        if not places:
            return dict.fromkeys((seat.bot_id for seat in seated.seats), 0)
    last = 1 + max(places.values())
    behind = [bot for bot in _scheduled(seated) if bot not in places]
    everybody = {**places, **dict.fromkeys(behind, last)}
    return dict(zip(everybody, points_of(list(everybody.values())), strict=True))


def points_of_round(matches: Iterable[SeatedMatch]) -> dict[str, int]:
    """Return the points of a round by the matches that settled its numbers, by bot, sorted."""
    counted: Counter[str] = Counter()
    for seated in matches:
        for bot, points in points_of_match(seated).items():
            counted[bot] += points
    return dict(sorted(counted.items()))


def _scheduled(seated: SeatedMatch) -> tuple[str, ...]:
    bots = [seat.bot_id for seat in seated.seats]
    return (*bots, *(bot for bot in seated.match.absent if bot not in bots))
