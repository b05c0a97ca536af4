"""A tournament's progress, live: a bar for people, a JSON line a change for programs.

Where no terminal is, people get a line now and then.
"""

import json
import sys
import time
from collections.abc import Callable, Iterable

from google.protobuf.json_format import MessageToDict
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from kitumaija.console.text import counted, plain
from kitumaija.server.cli.connection import Server, say
from kitumaija.server.cli.output import err, state_name
from kitumaija.server.cli.pacing import Arriving, Paced
from kitumaija.v1 import tournament_pb2 as v1

OVER = (v1.TOURNAMENT_STATE_FINISHED, v1.TOURNAMENT_STATE_CANCELLED)

LINE_EVERY = 5.0
"""How many seconds pass between two lines about a tournament at the least."""


def bar_of_matches(*, passing: bool = False) -> Progress:
    """A bar that counts matches; one that is `passing` is gone when done, and for people alone."""
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=None),
        MofNCompleteColumn(),
        TextColumn("matches"),
        TimeElapsedColumn(),
        console=err,
        transient=passing,
        disable=passing and not err.is_terminal,
    )


def settled(counts: v1.MatchCounts) -> int:
    """How many matches of the schedule need no more play."""
    return counts.finished + counts.void + counts.cancelled


def waiting(wait: v1.BenchWait) -> str:
    """For whom a tournament waits, and until when."""
    words = f"waits for {', '.join(map(plain, wait.bot_ids))} on the bench"
    if not wait.HasField("until"):
        return f"{words} until you decide"
    return f"{words}, to be withdrawn at {wait.until.ToDatetime():%Y-%m-%d %H:%M:%S} UTC"


def follow(
    server: Server,
    tournament: v1.Tournament,
    *,
    as_json: bool = False,
    looked: Callable[[], None] = lambda: None,
) -> "v1.TournamentState.ValueType":
    """Show the progress until the tournament is over; its last state.

    `looked` is called whenever something moved.
    """
    request = v1.WatchTournamentRequest(tournament_id=tournament.tournament_id)
    state = tournament.state
    updates = server.watch(server.tournaments.WatchTournament, request)
    if as_json:
        for update in updates:
            looked()
            state = update.state
            line = MessageToDict(
                update, preserving_proto_field_name=True, always_print_fields_with_no_presence=True
            )
            sys.stdout.write(json.dumps(line) + "\n")
            sys.stdout.flush()
        return state
    if not err.is_terminal:
        return _lines(updates, tournament, looked)
    with bar_of_matches() as progress:
        bar = progress.add_task(plain(tournament.title), total=tournament.matches.planned or None)
        for update in updates:
            looked()
            state = update.state
            progress.update(
                bar,
                description=f"{plain(tournament.title)} · {_how_it_stands(update)}",
                completed=settled(update.matches),
                total=update.matches.planned or None,
            )
    return state


def _lines(
    updates: Iterable[v1.WatchTournamentResponse],
    tournament: v1.Tournament,
    looked: Callable[[], None],
) -> "v1.TournamentState.ValueType":
    """Tell the progress where no bar can be shown: how it stands at once, and what changes."""
    paced, arriving = Paced(LINE_EVERY), Arriving(updates)
    state = tournament.state

    def offer(update: v1.WatchTournamentResponse) -> None:
        nonlocal state
        looked()
        state = update.state
        counts = update.matches
        words = f"{tournament.title} · {_how_it_stands(update)}"
        if counts.planned:
            words += f" · {settled(counts)} of {counted(counts.planned, 'match', 'matches')}"
        paced.offer(words)

    while not arriving.over:
        arriving.take(paced.wait(time.monotonic()), offer)
        if line := paced.due(time.monotonic()):
            say(line)
    if line := paced.last():
        say(line)
    return state


def _how_it_stands(update: v1.WatchTournamentResponse) -> str:
    words = f"{state_name(update.state)} · {update.matches.running} running"
    if update.connected < update.entrants:
        words += f" · {update.entrants - update.connected} of {update.entrants} bots away"
    if update.HasField("bench_wait"):
        words += f" · {waiting(update.bench_wait)}"
    return words
