"""What `kitumaija tournament schedule` shows of the formats that are no round robin."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kitumaija.console.text import counted
from kitumaija.server.choices import LOOKED_AT_MAX
from kitumaija.server.cli.listing import list_matches, print_matches
from kitumaija.server.cli.output import out, print_json
from kitumaija.server.schedule.adaptive import OPENING, fewest_matches, tables_per_round
from kitumaija.server.schedule.gauntlet import Gauntlet
from kitumaija.server.schedule.rehearsal import rehearse
from kitumaija.server.schedule.round_formats import RoundFormat, order_after
from kitumaija.server.schedule.seating import Played


def show_rounds(
    played_as: RoundFormat,
    names: Sequence[str],
    *,
    table_size: int,
    rounds: int,
    seed: bytes,
    as_json: bool,
) -> None:
    """Print the rounds of a format with made-up results, and who stands where at its end.

    Raises `ValueError` where the format cannot be played.
    """
    played = rehearse(played_as, names, table_size=table_size, seed=seed, rounds=rounds)
    order = order_after(played_as, names, table_size=table_size, seed=seed, rounds=played)
    matches = sum(len(seats) for one in played for seats in one.round.tables)
    if as_json:
        print_json(
            {
                "format": played_as.value,
                "entrants": len(names),
                "table_size": table_size,
                "matches": matches,
                "rounds": [_plain(one) for one in played],
                "order": list(order),
            }
        )
        return
    out.print(
        f"{played_as}, {counted(len(names), 'entrant')}, "
        f"{counted(matches, 'match', 'matches', form=',d')}; the results are made up"
    )
    for number, one in enumerate(played, start=1):
        tables = " · ".join(" ".join(seats) for seats in one.round.tables)
        byes = f"  (without a table: {' '.join(one.round.byes)})" if one.round.byes else ""
        out.print(f"round {number}: {tables}{byes}", soft_wrap=True)
    out.print(f"in the end: {' '.join(order)}", soft_wrap=True)


def show_adaptive(entrants: int, *, table_size: int, budget: int, as_json: bool) -> None:
    """Print how long an adaptive tournament is at the most; whom it seats, results alone tell.

    Raises `ValueError` for a budget that it cannot have.
    """
    fewest = fewest_matches(entrants, table_size=table_size)
    if not fewest <= budget <= LOOKED_AT_MAX:
        raise ValueError(
            f"got a budget of {budget} matches; wanted {fewest} or more, for the first {OPENING} "
            f"sets of {entrants} entrants, and at most {LOOKED_AT_MAX}: say it with --budget"
        )
    tables = tables_per_round(0, entrants, table_size=table_size)
    matches = budget - budget % table_size
    rounds = -(-matches // (tables * table_size))
    if as_json:
        print_json(
            {
                "format": "adaptive",
                "entrants": entrants,
                "table_size": table_size,
                "matches_at_most": matches,
                "first_matches": fewest,
                "tables_per_round": tables,
                "rounds_at_most": rounds,
            }
        )
        return
    out.print(
        f"adaptive, {counted(entrants, 'entrant')}, "
        f"at most {counted(matches, 'match', 'matches', form=',d')} in "
        f"{counted(rounds, 'round', form=',d')} of {counted(tables, 'table')}; "
        f"in the first {fewest:,} of them everybody sits down {OPENING} times"
    )


def show_gauntlet(made: Gauntlet, *, first: int, as_json: bool) -> None:
    """Print how many matches a gauntlet has, and the first of them."""
    games = len(made) // len(made.challengers)
    of_field = len(made) * (made.table_size - 1) // len(made.field)
    listed = list_matches(made, first)
    if as_json:
        print_json(
            {
                "format": "gauntlet",
                "challengers": len(made.challengers),
                "field": len(made.field),
                "table_size": made.table_size,
                "matches": len(made),
                "sets": len(made) // made.table_size,
                "games_of_a_challenger": games,
                "games_of_one_of_the_field": of_field,
                "listed": [one.as_dict() for one in listed],
            }
        )
        return
    out.print(
        f"gauntlet, {counted(len(made), 'match', 'matches', form=',d')} in "
        f"{counted(len(made) // made.table_size, 'set', form=',d')}: "
        f"{counted(games, 'game', form=',d')} of each of "
        f"{counted(len(made.challengers), 'challenger')}, {of_field:,} of each of a field "
        f"of {len(made.field)}",
        soft_wrap=True,
    )
    print_matches(listed)


def _plain(one: Played) -> dict[str, Any]:
    return {
        "tables": [list(seats) for seats in one.round.tables],
        "byes": list(one.round.byes),
        "points": dict(one.points),
    }
