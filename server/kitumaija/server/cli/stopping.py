"""`kitumaija tournament stop`: end a tournament as soon as it has shown what it was to show.

The verdict is that of `ratings fit --until`, which anybody can find again in the results. So this
may be begun, ended and begun again at any time, and on any machine that may cancel the tournament.
"""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from kitumaija.server.cli.connection import Server, connected
from kitumaija.server.cli.output import out, print_json
from kitumaija.server.cli.parameters import (
    DEFAULT_ADDRESS,
    DEFAULT_DATA,
    Address,
    AsJson,
    Data,
    Token,
    TournamentId,
)
from kitumaija.server.cli.progress import OVER, bar_of_matches, settled
from kitumaija.server.cli.watching import all_matches, get, get_standings
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.exits import ExitCode
from kitumaija.wire.limits import REASON_CHARS_MAX

if TYPE_CHECKING:
    from kitumaija.server.rating.fit.settling import Goal, Settled


def stop(
    tournament: TournamentId,
    when: Annotated[
        str,
        typer.Option(
            "--when",
            metavar="GOAL",
            help="What it is to have shown, such as 'top 3 settled at 95 %' or 'order of top 3 "
            "settled at 95 %'; at every table size.",
            show_default=False,
        ),
    ],
    address: Address = DEFAULT_ADDRESS,
    token: Token = None,
    data: Data = DEFAULT_DATA,
    as_json: AsJson = False,
) -> None:
    """Follow a tournament, and cancel it as soon as a goal is reached. What was played stays.

    Exit code 1 if it is over before.
    """
    # Imported here: what computes verdicts is slow to load, and other commands must not wait.
    from kitumaija.server.cli.fitting import goal_of, verdict

    goal = goal_of(when, "--when")
    with connected(address, token, data) as server:
        reached = _wait(server, get(server, tournament), goal)
        words = "; ".join(
            f"tables of {size}: {verdict(goal, found, rated=found.matches)}"
            for size, found in reached.items()
        )
        if reached:
            # Of many bots with long names the last may not fit; the results tell of them anyway.
            reason = words[:REASON_CHARS_MAX]
            request = v1.CancelTournamentRequest(tournament_id=tournament, reason=reason)
            server.call(server.tournaments.CancelTournament, request)
    if as_json:
        print_json({"tournament_id": tournament, "tables": _as_list(reached)})
    elif reached:
        out.print(f"{tournament} is cancelled: {words}", markup=False, soft_wrap=True)
    else:
        out.print(f"{tournament} is over, and the goal was not reached", markup=False)
    if not reached:
        raise typer.Exit(ExitCode.FAILED)


def _wait(server: Server, tournament: v1.Tournament, goal: "Goal") -> "dict[int, Settled]":
    """Return what is settled at each table size, once it is at all; nothing if that never is."""
    from kitumaija.server.rating.fit.settling import LOOKS

    request = v1.WatchTournamentRequest(tournament_id=tournament.tournament_id)
    look_at = 0
    with bar_of_matches(passing=True) as progress:
        bar = progress.add_task(tournament.tournament_id, total=None)
        for update in server.watch(server.tournaments.WatchTournament, request):
            done, planned = settled(update.matches), update.matches.planned
            progress.update(bar, completed=done, total=planned or None)
            if update.state in OVER:
                break
            if planned and done >= look_at:
                # Whatever the sizes, no planned look is passed over for long.
                look_at = done + max(1, planned // (2 * LOOKS))
                reached = _reached(server, tournament.tournament_id, goal)
                if reached:
                    return reached
    return {}


def _reached(server: Server, tournament: str, goal: "Goal") -> "dict[int, Settled]":
    from kitumaija.server.cli.fitting import settled_by_now

    found: dict[int, Settled] = {}
    for entry in get_standings(server, tournament).tables:
        played = all_matches(server, tournament, seats=entry.table_size)
        settled_here = settled_by_now(entry, played, goal)
        if settled_here is None:
            return {}
        found[entry.table_size] = settled_here
    return found


def _as_list(reached: "dict[int, Settled]") -> list[dict[str, Any]]:
    return [
        {"table_size": size, "look": one.look, "matches": one.matches, "best": list(one.best)}
        for size, one in reached.items()
    ]
