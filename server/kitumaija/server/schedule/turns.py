"""In which order the turns of a table are played, so that nobody gets far ahead.

The tables of an orbit are one table turned by 0 to n-1 points. A round is over as soon as the
tables played have as many seats as there are points: round r of tables of k ends with match
ceil(r * n / k). The order is such that after r rounds every point has had r - 1 to r + 1 games.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import gcd
from typing import TypeAlias

BEAM = 16
"""How many beginnings of an order are followed at once where no regular order will do."""

JOINT_BEAMS = (16, 64)
"""The same for two tables together: so many at first, then more."""

Turn: TypeAlias = tuple[int, int]
"""Which of some tables, and by how many points it is turned."""


def round_end(round_number: int, points: int, size: int) -> int:
    """Return after how many matches of tables of `size` so many rounds are over."""
    return -(-round_number * points // size)


def is_even(table: Iterable[int], points: int, step: int) -> bool:
    """Whether turning the table by 0, step, 2 step, … keeps everybody within a game.

    `step` has no divisor in common with `points`. Played by steps of 1, whoever sits at distance x
    from the table's first place has played with it whenever one of x matches in a row began it: so
    the matches of a player are the table itself, read backwards, and the rule is one on the gaps.
    Between a member and the d-th after it lie at least ceil((d-1) n/k) and at most ceil((d+1) n/k)
    points.
    """
    back = pow(step, -1, points)
    places = sorted(place * back % points for place in table)
    size = len(places)
    twice = places + [place + points for place in places]
    for far in range(1, size):
        least, most = round_end(far - 1, points, size), round_end(far + 1, points, size)
        for first in range(size):
            if not least <= twice[first + far] - twice[first] <= most:
                return False
    return True


def even_order(table: Sequence[int], points: int) -> tuple[int, ...] | None:
    """Return the turns 0 to `points` - 1 in an order that keeps everybody within a game.

    It is the first of these that does: equal steps around the circle, by the smallest step that
    will do; equal steps within each part of the circle that they reach, part after part, again by
    the smallest; what a search finds that follows the `BEAM` most even beginnings. None if there
    is none of them.
    """
    units = [step for step in range(1, points // 2 + 1) if gcd(step, points) == 1] or [1]
    for step in units:
        if is_even(table, points, step):
            return tuple(step * number % points for number in range(points))
    masks = _turned(table, points)
    for step in range(2, points):
        if gcd(step, points) > 1:
            order = _by_parts(step, points)
            if _keeps_rounds(order, masks, len(table)):
                return order
    return _searched(masks, points, len(table), BEAM)


def joint_order(tables: Sequence[Sequence[int]], points: int) -> tuple[Turn, ...]:
    """Return the turns of two tables of one size in the order in which they are played.

    Where each has an order of its own, one is played after the other; else the search looks for an
    order of all their turns together. If it finds none, which is rare, both are turned point by
    point, and in mid-orbit somebody is further from the rounds than a game.
    """
    orders = [even_order(table, points) for table in tables]
    if None in orders:
        masks = [mask for table in tables for mask in _turned(table, points)]
        for beam in JOINT_BEAMS:
            found = _searched(masks, points, len(tables[0]), beam)
            if found is not None:
                return tuple(divmod(number, points) for number in found)
    return tuple(
        (which, turn)
        for which, order in enumerate(orders)
        for turn in (range(points) if order is None else order)
    )


def _by_parts(step: int, points: int) -> tuple[int, ...]:
    in_part = points // gcd(step, points)
    return tuple(
        (step * (number % in_part) + number // in_part) % points for number in range(points)
    )


def _turned(table: Iterable[int], points: int) -> tuple[int, ...]:
    """Return the players of each turn as the bits of a number."""
    mask = sum(1 << place for place in table)
    every = (1 << points) - 1
    return tuple((mask << turn | mask >> (points - turn)) & every for turn in range(points))


_Counts = tuple[int, int, int, int]
"""Who has played, against the rounds that are over, 1 game less, as many, 1 and 2 more: as bits.

Bits of nobody else are set: after r rounds each has r-1 to r+1, and r+2 before the next ends."""


def _play(counts: _Counts, players: int) -> _Counts | None:
    """Return the counts after one more table; None if somebody would have too many games."""
    behind, level, ahead, far = counts
    if players & far:
        return None
    return (
        behind & ~players,
        level & ~players | behind & players,
        ahead & ~players | level & players,
        far | ahead & players,
    )


def _next_round(counts: _Counts) -> _Counts | None:
    """Return the counts against one round more; None if somebody is too far behind."""
    behind, level, ahead, far = counts
    return None if behind else (level, ahead, far, 0)


def _ends(matches: int, points: int, size: int) -> Iterator[bool]:
    """Yield for match after match whether a round ends with it."""
    ends = {round_end(number, points, size) for number in range(1, matches * size // points + 1)}
    return (match in ends for match in range(1, matches + 1))


def _keeps_rounds(order: Iterable[int], masks: Sequence[int], size: int) -> bool:
    points = len(masks)
    counts: _Counts = (0, (1 << points) - 1, 0, 0)
    for turn, ends in zip(order, _ends(points, points, size), strict=True):
        after = _play(counts, masks[turn])
        if after is not None and ends:
            after = _next_round(after)
        if after is None:
            return False
        counts = after
    return True


def _searched(masks: Sequence[int], points: int, size: int, width: int) -> tuple[int, ...] | None:
    """Return an order found by a beam search; None if it finds none.

    Beginnings of the same turns are one, the first found. The most even are those with the least
    9 x (players behind) + (players level) + 4 x (players 2 ahead), then those found first.
    """
    beam: list[tuple[int, _Counts, tuple[int, ...]]] = [(0, (0, (1 << points) - 1, 0, 0), ())]
    for ends in _ends(len(masks), points, size):
        found: dict[int, tuple[int, _Counts, tuple[int, ...]]] = {}
        for used, counts, order in beam:
            for turn, mask in enumerate(masks):
                now = used | 1 << turn
                if now == used or now in found or mask & counts[3]:
                    continue
                after = _play(counts, mask)
                if after is None or (ends and after[0]):
                    continue
                found[now] = now, after, (*order, turn)
        beam = sorted(found.values(), key=lambda one: _unevenness(one[1]))[:width]
        if ends:
            beam = [(used, (*counts[1:], 0), order) for used, counts, order in beam]
    return beam[0][2] if beam else None


def _unevenness(counts: _Counts) -> int:
    behind, level, _, far = counts
    return 9 * behind.bit_count() + level.bit_count() + 4 * far.bit_count()
