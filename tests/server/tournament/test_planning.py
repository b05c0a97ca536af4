"""How long a tournament can take is known beforehand, and none takes longer."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from heapq import heappop, heappush
from random import Random

import pytest
from google.protobuf.duration_pb2 import Duration

from kitumaija.engine import GameOptions
from kitumaija.server.lobby.running import RunningMatch
from kitumaija.server.match.values import longest_game
from kitumaija.server.schedule.round_robin import RoundRobin
from kitumaija.server.tournament.course import Attempt, Course, Table
from kitumaija.server.tournament.dispatch import Slots
from kitumaija.server.tournament.planning import longest_schedule
from kitumaija.server.tournament.settings import TournamentSettings
from kitumaija.v1 import arena_pb2
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.times import Limits
from tests.support.clock import in_nanos
from tests.support.organizer import Organizer
from tests.support.raw_bot import PATIENCE

SHORT = GameOptions(turns_per_player=3)


def played_in(
    course: Course, bots: list[str], room: int, random: Random, each: dict[int, int]
) -> int:
    """Play a whole schedule, every match as long as it can take or, by chance, shorter."""
    now, running = 0, list[tuple[int, int, Attempt]]()
    free = dict.fromkeys(bots, 1)
    slots = Slots(free, room)
    while not course.over:
        while (attempt := course.next(slots)) is not None or course.hurried:
            if attempt is not None:
                longest = each[attempt.table_size]
                takes = longest if random.random() < 0.5 else random.randrange(1, longest + 1)
                heappush(running, (now + takes, id(attempt), attempt))
        now, _, attempt = heappop(running)
        course.settle(attempt)
        slots.matches += 1
        for bot in attempt.seats:
            free[bot] += 1
    return now


@pytest.mark.parametrize("seed", range(40))
def test_no_order_of_endings_makes_a_schedule_longer_than_was_computed(seed: int) -> None:
    random = Random(seed)
    sizes = tuple(sorted(random.sample(range(2, 6), random.choice((1, 2)))))
    bots = [f"bot-{number}" for number in range(random.randrange(sizes[-1], 8))]
    room = random.choice((1, 2, 3, 256))
    settings = TournamentSettings(
        table_sizes=sizes, rounds=1, options=SHORT, max_running_matches=room
    )
    # As long as the longest game and all the start-ups that may come before it.
    each = {
        size: in_nanos(
            longest_game(size, SHORT, settings.limits) + 2 * (size - 1) * settings.limits.startup
        )
        for size in sizes
    }
    tables = [
        Table.begin(RoundRobin(bots, table_size=size, rounds=1, seed=bytes([seed] * 32)))
        for size in sizes
    ]

    took = played_in(Course(tables), bots, room, random, each)

    longest = longest_schedule(settings, len(bots))
    assert longest is not None
    assert took <= in_nanos(longest)


def test_of_a_schedule_that_is_played_in_a_row_it_is_the_sum_of_its_matches() -> None:
    two = TournamentSettings(options=SHORT, rounds=5)
    match = longest_game(2, SHORT, two.limits) + 2 * (two.limits.startup + timedelta(seconds=0.04))

    assert longest_schedule(two, 2) == 10 * match


def test_with_fewer_entrants_than_seats_it_is_that_of_as_many_as_there_are_seats() -> None:
    settings = TournamentSettings(table_sizes=(2, 4))

    assert longest_schedule(settings, 0) == longest_schedule(settings, 4)
    assert longest_schedule(settings, 4) != longest_schedule(settings, 5)


def test_what_is_longer_than_can_be_told_is_not_told() -> None:
    slow = Limits(per_decision=timedelta(hours=1))
    settings = TournamentSettings(table_sizes=(10,), rounds=10_000, limits=slow)
    assert longest_schedule(settings, 20) is None


def _waits_for(match: RunningMatch, bot_id: str) -> bool:
    pending = match.state.pending
    return (
        pending is not None
        and pending.started is not None
        and match.setup.entrants[pending.seat] == bot_id
    )


async def test_a_tournament_with_a_bot_that_is_always_late_ends_within_the_time_that_was_told(
    organizer: Organizer,
) -> None:
    await organizer.register("ann", "bob", "cid")
    per_decision = Duration(seconds=2)
    await organizer.create(
        limits=arena_pb2.Limits(per_decision=per_decision, bank=Duration()),
        faults=v1.FaultPolicy(faults_to_forfeit=1000),
    )
    await organizer.connect("ann")
    await organizer.connect("bob")
    await organizer.connect("cid", answers=0, capacity=1)
    await organizer.enter("ann", "bob", "cid")
    await organizer.close()
    told = (await organizer.start()).longest_tournament
    begun = organizer.clock.now()
    bell = organizer.director.bell("cup")

    async with asyncio.timeout(PATIENCE):
        while organizer.director.running("cup") is not None:
            heard = bell.next()
            running = organizer.running_matches()
            if running and all(_waits_for(match, "cid") for match in running):
                organizer.advance(timedelta(seconds=2.2))
            if running:
                # What bots say rings no bell; they are on this very event loop.
                await asyncio.sleep(0)
            else:
                await heard.wait()

    [table] = (await organizer.standings()).tables
    cid = next(row for row in table.rows if row.bot_id == "cid")
    assert (cid.games, cid.forfeits) == (4, 0)
    assert cid.default_decisions == cid.decisions > 4
    took = organizer.clock.now() - begun
    assert cid.decisions * in_nanos(timedelta(seconds=2)) < took <= in_nanos(told.ToTimedelta())
