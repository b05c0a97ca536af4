"""Formats of which a round is drawn when the one before is over: Swiss, knockout, ladder, adaptive.

A round is a pure function of the entrants, the seed, who is there, and the rounds before it with
their points, or, of an adaptive tournament, the results of their matches. So whoever has these
draws it again: a server after a crash, or somebody who verifies an export.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import islice

from kitumaija.server.schedule.adaptive import Chooser, adaptive_round, tables_per_round
from kitumaija.server.schedule.knockout import knockout_left, knockout_round
from kitumaija.server.schedule.ladder import ladder_order, ladder_round
from kitumaija.server.schedule.seating import NOBODY, Played, Round, Seats
from kitumaija.server.schedule.swiss import swiss_ranking, swiss_round


class RoundFormat(StrEnum):
    """The formats of which a round depends on the results of those before."""

    SWISS = "swiss"
    KNOCKOUT = "knockout"
    LADDER = "ladder"
    ADAPTIVE = "adaptive"


def next_round(
    played_as: RoundFormat,
    entrants: Sequence[str],
    *,
    table_size: int,
    seed: bytes,
    rounds: Sequence[Played],
    away: Collection[str] = (),
    owners: Mapping[str, str] = NOBODY,
    tables: int = 0,
    room: int | None = None,
    choose: Chooser | None = None,
) -> Round | None:
    """Return the next round of a format; None when there is none any more.

    `entrants` are all who ever entered, in that order; those that are `away` have no part in the
    round. There is none with too few for a table, and no round of a knockout that has a winner.
    Of an adaptive tournament `choose` chooses so many `tables`, or as many as there is `room` for
    with their matches. Raises `ValueError` where it is missing.
    """
    there = [name for name in entrants if name not in away]
    match played_as:
        case RoundFormat.KNOCKOUT:
            return knockout_round(
                entrants, table_size=table_size, seed=seed, rounds=rounds, away=away, owners=owners
            )
        case _ if len(there) < table_size:
            return None
        case RoundFormat.SWISS:
            return swiss_round(
                there, table_size=table_size, seed=seed, rounds=rounds, owners=owners
            )
        case RoundFormat.LADDER:
            return ladder_round(
                entrants, table_size=table_size, seed=seed, rounds=rounds, away=away, owners=owners
            )
        case RoundFormat.ADAPTIVE:
            if choose is None:
                raise ValueError("an adaptive round is chosen by results, and nobody brought any")
            wanted = tables_per_round(tables, len(there), table_size=table_size)
            if room is not None:
                wanted = min(wanted, room // table_size)
            return adaptive_round(there, tables=wanted, choose=choose)


def order_after(
    played_as: RoundFormat,
    entrants: Sequence[str],
    *,
    table_size: int,
    seed: bytes,
    rounds: Sequence[Played],
) -> Seats:
    """Return the entrants as the format ranks them after some rounds, best first.

    Of a knockout those who are left; of an adaptive tournament, which TrueSkill ranks, all.
    """
    match played_as:
        case RoundFormat.SWISS:
            return swiss_ranking(entrants, table_size=table_size, seed=seed, rounds=rounds)
        case RoundFormat.KNOCKOUT:
            return knockout_left(entrants, table_size=table_size, seed=seed, rounds=rounds)
        case RoundFormat.LADDER:
            return ladder_order(entrants, rounds)
        case RoundFormat.ADAPTIVE:
            return tuple(entrants)


def round_lengths(
    played_as: RoundFormat, entrants: int, *, table_size: int, rounds: int
) -> Iterator[int]:
    """Yield how many matches each round has if nobody leaves; a knockout has as many as it needs.

    A table of s is played s times, so a round has as many matches as it has seats. An adaptive
    tournament's are as many as its budget has room for, and not told here.
    """
    left = entrants
    if played_as is not RoundFormat.KNOCKOUT:
        each = left - left % table_size
        yield from (each for _ in range(rounds if each else 0))
        return
    while left > 1:
        bye = left % 2 if table_size == 2 else 0
        playing = left - bye
        yield playing
        tables = -(-playing // table_size)
        least, larger = divmod(playing, tables)
        left = bye + larger * max(1, (least + 1) // 2) + (tables - larger) * max(1, least // 2)


def matches_to_come(
    played_as: RoundFormat, there: int, *, table_size: int, rounds: int, room: int
) -> int:
    """Return how many matches follow a round of so many, with byes, if nobody leaves or comes.

    So many `rounds` are left at the most, and there is `room` for so many matches.
    """
    if played_as is RoundFormat.KNOCKOUT:
        lengths = round_lengths(played_as, there, table_size=table_size, rounds=rounds)
        return sum(islice(lengths, 1, None))
    each = there - there % table_size
    return each * min(rounds, room // each) if each else 0
