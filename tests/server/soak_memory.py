"""Thousands of matches on one server: what it holds on to must not grow with them.

Run `python -m tests.server.soak_memory --matches 5000`. Server and bots, which are the SDK's, run
in this one process. After every 500 matches the tournament pauses and all bots leave; what is there
then is counted, and they come back. It ends with status 1 if at the end there is 5 % more of
anything than after the first thousand, in which what keeps something on purpose fills: the pages
that SQLite keeps of its file, 2 MiB for each connection, and what malloc keeps for next time. The
events that the engine keeps, one of each kind, card and seat, are not counted.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from kitumaija.sdk.online import Player
from kitumaija.server.choices import LogFormat, LogLevel
from kitumaija.server.limits import ServerLimits
from kitumaija.server.logs import set_up
from kitumaija.server.rpc.stream import Stream
from kitumaija.v1 import game_pb2
from kitumaija.v1 import tournament_pb2 as v1
from tests.support.flock import FAIR, Flock, player
from tests.support.live import live_objects, resident_mib
from tests.support.organizer import Organizer, organized

BOTS = tuple(f"bot-{number}" for number in range(6))
A_ROUND = len(BOTS) * (len(BOTS) - 1)
STEP = 500
KEPT = "kitumaija.engine.events."
"""The engine keeps one event of each kind, card and seat, once it has happened."""

WARM = 1
"""The rest, from 0, that the last one is held against."""

TRIES = 50
"""How often, at most, it is looked whether the last streams are gone."""

LOOKS = 10
"""How often it is counted then: the fewest are what is left when nothing is being done."""

GROWTH = 1.05
"""How much more may be there at the end than after the first step."""


@dataclass(frozen=True)
class Rest:
    """What was there while nothing was played."""

    matches: int
    objects: Counter[str]
    """Objects of our classes, and tasks, by name."""
    resident_mib: float

    @property
    def things(self) -> int:
        """All objects but those that are kept on purpose."""
        return sum(count for name, count in self.objects.items() if not name.startswith(KEPT))

    @property
    def streams(self) -> int:
        """Streams of bots that are there although all bots have left."""
        return self.objects[f"{Stream.__module__}.{Stream.__qualname__}"]


async def rests(data: Path, at: Sequence[int]) -> AsyncIterator[Rest]:
    """Play one tournament, and rest after so many matches each time, with all bots gone.

    `at` rises; what is played between two rests may be a little more than asked for.
    """
    async with organized(data, limits=ServerLimits(), real_time=True) as organizer:
        await organizer.register(*BOTS)
        await organizer.create(
            rounds=-(-at[-1] // A_ROUND) + 1, options=game_pb2.GameOptions(turns_per_player=1)
        )
        await organizer.enter(*BOTS)
        for matches in at:
            async with Flock(_bots(organizer)):
                await _until(organizer, lambda now: now.connected == len(BOTS))
                await _go_on(organizer)
                await _until(organizer, lambda now: now.matches.finished >= matches)  # noqa: B023
                await organizer.pause()
                await _until(organizer, lambda now: not now.matches.running)
            yield await _rest(organizer)


def _bots(organizer: Organizer) -> dict[str, Player]:
    address, tokens = organizer.app.address, organizer.tokens
    return {bot: player(FAIR, address, tokens[bot], capacity=4) for bot in BOTS}


async def _go_on(organizer: Organizer) -> None:
    if (await organizer.get()).state == v1.TOURNAMENT_STATE_OPEN:
        await organizer.close()
        await organizer.start()
        return
    await organizer.resume()


async def _rest(organizer: Organizer) -> Rest:
    now = await _until(organizer, lambda now: not now.connected)
    # Who asks for the standings has them up to date, and waits for whatever else rates.
    await organizer.standings()
    # A bot counts as gone before the last of its stream is.
    looks: list[Rest] = []
    tries = TRIES
    while len(looks) < LOOKS:
        tries -= 1
        found = Rest(now.matches.finished, live_objects(), resident_mib())
        if not (found.streams and tries > 0):
            looks.append(found)
        await asyncio.sleep(0.1)
    return min(looks, key=lambda look: look.objects.total())


async def _until(
    organizer: Organizer, reached: Callable[[v1.WatchTournamentResponse], bool]
) -> v1.WatchTournamentResponse:
    request = v1.WatchTournamentRequest(tournament_id="cup")
    async for update in organizer.stream(organizer.tournaments.WatchTournament, request):
        if reached(update):
            return update  # type: ignore[no-any-return]
    raise AssertionError("the tournament ended before it was as wanted")


async def soak(data: Path, matches: int) -> list[str]:
    """Play so many matches; return what has grown too much."""
    found: list[Rest] = []
    async for rest in rests(data, range(STEP, matches + 1, STEP)):
        found.append(rest)
        sys.stdout.write(
            f"{rest.matches:6} matches: {rest.things} objects, "
            f"{rest.objects['task']} tasks, {rest.streams} streams, "
            f"{rest.resident_mib:.1f} MiB resident\n"
        )
        sys.stdout.flush()
    first, last = found[WARM], found[-1]
    for name in last.objects:
        if last.objects[name] > first.objects[name] + 5:
            sys.stdout.write(f"  {name}: {first.objects[name]} to {last.objects[name]}\n")
    return [
        f"{what}: {before:g} after {first.matches} matches, {after:g} after {last.matches}"
        for what, before, after in (
            ("objects", first.things, last.things),
            ("tasks", first.objects["task"], last.objects["task"]),
            ("streams", first.streams, last.streams),
            ("MiB resident", first.resident_mib, last.resident_mib),
        )
        if after > before * GROWTH
    ]


def main() -> int:
    """Soak as the arguments say; return the exit status."""
    parser = argparse.ArgumentParser(description="what thousands of matches leave in memory")
    parser.add_argument("--matches", type=int, default=5000, help="default: 5000")
    arguments = parser.parse_args()
    if arguments.matches < (least := (WARM + 2) * STEP):
        parser.error(f"--matches {arguments.matches}: {least} at least, to have what to compare")
    os.environ["GRPC_VERBOSITY"] = "NONE"
    set_up(LogLevel.ERROR, LogFormat.CONSOLE)
    with tempfile.TemporaryDirectory(prefix="kitumaija-soak-") as folder:
        grown = asyncio.run(soak(Path(folder), arguments.matches))
    sys.stdout.write("\n".join(f"WRONG: {line}" for line in grown) or "flat")
    sys.stdout.write("\n")
    return 1 if grown else 0


if __name__ == "__main__":
    sys.exit(main())
