"""`kill -9` of the server, a hundred times in one tournament: the table is the undisturbed run's.

Run `python -m tests.e2e.soak_crash --kills 100 --rounds 10`, a round being twenty matches. The
server kills itself at every stage of every write that a tournament in play comes by, and then at
transactions drawn at random; every fourth time it is killed from outside at any moment. It ends
with status 1 if the table, a game or the deal of a match is another than in the undisturbed run.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from kitumaija.server.store.failpoints import TRANSACTION, Stage
from tests.support.processes import BotProcesses, ServerProcess
from tests.support.scripted_tournament import (
    SCRIPTED,
    TOURNAMENT,
    ScriptedTournament,
    finished,
    matches_known,
    table,
)

IN_PLAY = (
    TRANSACTION,
    "journal.append",
    "matches.add",
    "matches.claim",
    "matches.finish",
    "meta.next_epoch",
    "meta.put",
    "records.put",
)
"""The writes of a tournament that is being played, beside what an organizer asks for."""

AT_THE_END = ("ratings.save", "tournaments.set_state")
"""Those that come when it is over, and rarely before."""

TRANSACTIONS_A_MATCH = 15
"""About: twenty to thirty decisions, of which those of several matches are committed together."""

OUTSIDE_EVERY = 4
SOON_SECONDS = 2.0


def main() -> int:
    """Play the tournament twice, and compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    tournament = ScriptedTournament(
        bots={name: SCRIPTED[place % len(SCRIPTED)] for place, name in enumerate("abcde")},
        table_sizes=(2,),
        rounds=given.rounds,
        max_running=8,
        # Short games: what is tried here is written at their beginnings and their ends, too.
        turns=10,
    )
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        where = Path(folder)
        with ServerProcess(where / "undisturbed") as server, BotProcesses(where) as bots:
            tournament.begin(server, bots)
            server.run("tournament", "watch", TOURNAMENT)
            whole = table(server)
        undisturbed = time.monotonic() - began
        with ServerProcess(where / "killed") as server, BotProcesses(where) as bots:
            tournament.begin(server, bots)
            kills = _Kills(server, len(whole[1]), given.kills, random.Random(given.seed))
            kills.go_through()
            server.run("tournament", "watch", TOURNAMENT)
            same = table(server) == whole
            kept = kills.kept()
        _say(
            f"{len(whole[1])} matches; killed {kills.at_failpoints} times at a failpoint, "
            f"{kills.outside} times from outside; undisturbed {undisturbed:.0f} s, "
            f"in all {time.monotonic() - began:.0f} s"
        )
        _say(f"table, places and games {'equal' if same else 'DIFFER'}")
        _say(f"ids and deals of matches {'kept' if kept else 'NOT KEPT'}")
    return 0 if same and kept else 1


class _Kills:
    """Kills a server again and again, so often that the last time is near the end."""

    def __init__(
        self, server: ServerProcess, matches: int, kills: int, chance: random.Random
    ) -> None:
        self._server = server
        self._matches = matches
        self._kills = kills
        self._chance = chance
        self._known: dict[str, tuple[str, list[str]]] = {}
        self._kept = True
        self.at_failpoints = 0
        self.outside = 0

    def go_through(self) -> None:
        """Kill and start; at the end the server runs undisturbed."""
        self._kill_soon()
        at = self._failpoints()
        last = [f"{name}:{stage}" for name in AT_THE_END for stage in Stage]
        while self._done < self._kills - len(last):
            if self._done % OUTSIDE_EVERY == 0:
                self._server.start()
                self._kill_soon()
            else:
                self._die_at(next(at))
            _say(f"{self._done} kills, {finished(self._server)} matches")
        for failpoint in last:
            self._die_at(failpoint)
        self._server.start()

    def kept(self) -> bool:
        """Whether every match that was ever seen is what it was, and no deal there twice."""
        self._look()
        deals = [deal for deal, _ in self._known.values()]
        return self._kept and len(set(deals)) == len(deals)

    @property
    def _done(self) -> int:
        return self.at_failpoints + self.outside

    def _failpoints(self) -> Iterator[str]:
        places = [f"{name}:{stage}" for name in IN_PLAY for stage in Stage]
        self._chance.shuffle(places)
        yield from places
        while True:
            stage = self._chance.choice(list(Stage))
            yield f"{TRANSACTION}:{stage}:{self._chance.randint(1, self._transactions())}"

    def _transactions(self) -> int:
        """Twice as many as there may be between two kills, if the matches are to last."""
        left = self._matches - finished(self._server)
        return max(1, 2 * TRANSACTIONS_A_MATCH * left // (self._kills - self._done))

    def _die_at(self, failpoint: str) -> None:
        if self._server.start(failpoint=failpoint):
            self._server.ended(600)
        else:
            self._server.ended()
        self.at_failpoints += 1
        self._look()

    def _kill_soon(self) -> None:
        time.sleep(self._chance.random() * SOON_SECONDS)
        self._server.kill()
        self.outside += 1
        self._look()

    def _look(self) -> None:
        now = matches_known(self._server)
        self._kept &= all(now.get(match_id) == what for match_id, what in self._known.items())
        self._known = now


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
