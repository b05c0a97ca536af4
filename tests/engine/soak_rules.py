"""The random games of `test_random_games`, as many as one likes, on all cores.

Run `python -m tests.engine.soak_rules --games 1000000`. Every state is held against the promises
of the rules, every twentieth game against the second reading of them. The first games of each row
are the tests', the rest are others. It ends with status 1 at the first failure, which it shows with
the game's row and number.
"""

from __future__ import annotations

import argparse
import random
import sys
import traceback
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from itertools import islice

from kitumaija.engine import legal_actions
from tests.support.pairs import Row
from tests.support.playouts import ROWS, Game, choose, games_of, play_and_check
from tests.support.referee import Referee

CHUNK = 1000
ORACLE_EVERY = 20


@dataclass(frozen=True)
class Part:
    """The games `first` to `last - 1` of one row."""

    row: Row
    first: int
    last: int


def play_part(part: Part) -> str:
    """Play the games of a part; return what went wrong, or nothing."""
    for game in islice(games_of(part.row, part.last), part.first, None):
        try:
            play_and_check(game)
            if game.number % ORACLE_EVERY == 0:
                compare_with_oracle(game)
        except Exception:  # noqa: BLE001 - whatever it is, it is the finding
            return f"game {game.number} of {part.row}:\n{traceback.format_exc()}"
    return ""


def compare_with_oracle(game: Game) -> None:
    """Play a game in the engine and by the second reading, comparing at every decision."""
    rng = random.Random(game.key)
    both = Referee.dealt(game.key, game.seats, game.options)
    both.check()
    for _ in range(game.longest):
        if both.state.over:
            break
        both.play(choose(legal_actions(both.state), rng)).check()


def parts_of(games: int) -> list[Part]:
    """Return parts of at most `CHUNK` games, equally many games of each row."""
    of_each_row = -(-games // len(ROWS))
    return [
        Part(row, first, min(first + CHUNK, of_each_row))
        for first in range(0, of_each_row, CHUNK)
        for row in ROWS
    ]


def main() -> int:
    """Play the games asked for; return the exit status."""
    parser = argparse.ArgumentParser(description="play random games against the rules' promises")
    parser.add_argument("--games", type=int, default=1_000_000, help="how many (default: 10^6)")
    parser.add_argument("--workers", type=int, default=None, help="processes (default: all cores)")
    arguments = parser.parse_args()
    parts = parts_of(arguments.games)
    played = 0
    with ProcessPoolExecutor(arguments.workers) as pool:
        running = {pool.submit(play_part, part): part for part in parts}
        for done in as_completed(running):
            if finding := done.result():
                pool.shutdown(wait=False, cancel_futures=True)
                sys.stdout.write(f"\n{finding}\n")
                return 1
            played += running[done].last - running[done].first
            sys.stdout.write(f"\r{played} games")
            sys.stdout.flush()
    sys.stdout.write(f"\r{played} games, nothing wrong\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
