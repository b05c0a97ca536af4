"""What needs no server: the rules alone, and the local arena."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from random import Random

from kitumaija.engine import apply, legal_actions, new_game, text_seed, view
from kitumaija.server.bench.figures import Figures
from kitumaija.server.bench.sides import Scale

_SEATS = (2, 4, 10)
_COMMAND = "from kitumaija.sdk.cli import main; main()"
"""The command `kitumaija`, wherever it is installed. It is a process: the server knows no SDK."""


def engine_figures(scale: Scale) -> Mapping[str, Figures]:
    """Play random games in this process, each decision with its view and its legal actions."""
    return {f"{seats} seats": _random_games(seats, scale.times.seconds) for seats in _SEATS}


def _random_games(seats: int, seconds: float) -> Figures:
    games = decisions = 0
    draw = Random(seats).randrange  # noqa: S311 - which card is played here is no secret
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        state = new_game(text_seed(f"{seats}/{games}"), seats).state
        while state.outcome is None:
            view(state, state.mover)
            legal = legal_actions(state)
            state = apply(state, legal[draw(len(legal))]).state
            decisions += 1
        games += 1
    return {
        "per_second": round(decisions / seconds, 1),
        "games_per_second": round(games / seconds, 1),
    }


def arena_figures(scale: Scale) -> Mapping[str, Figures]:
    """Have `kitumaija arena` play, in one process and in one for each core."""
    cores = os.cpu_count() or 1
    games = 20 * scale.bots
    return {f"{jobs} jobs": _arena(games, jobs) for jobs in sorted({1, cores})}


def _arena(games: int, jobs: int) -> Figures:
    words = ["arena", "sample:smallest", "sample:observer", "--seats", "2", "--games", str(games)]
    command = [sys.executable, "-c", _COMMAND, *words, "--jobs", str(jobs), "--json"]
    began = time.perf_counter()
    told = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    took = time.perf_counter() - began
    return {
        "per_second": round(told["decisions"] / took, 1),
        "games_per_second": round(games / took, 1),
    }
