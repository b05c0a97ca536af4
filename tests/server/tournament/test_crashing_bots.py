"""Bots that crash one after the other take no place away from those that come after them."""

from __future__ import annotations

from datetime import timedelta

from google.protobuf.duration_pb2 import Duration

from kitumaija.v1 import arena_pb2
from tests.support.organizer import Organizer

CRASHES = 50
AT_ONCE = 4


async def test_after_fifty_crashes_in_a_row_as_many_matches_run_at_once_as_before(
    organizer: Organizer,
) -> None:
    await organizer.register("ann", "bob")
    await organizer.create(
        rounds=CRASHES // 2 + AT_ONCE,
        max_running_matches=AT_ONCE,
        limits=arena_pb2.Limits(grace=Duration(seconds=1)),
    )
    await organizer.connect("ann")
    await organizer.enter("ann", "bob")
    await organizer.close()
    await organizer.start(allow_absent=True)

    for crashes in range(1, CRASHES + 1):
        bob = await organizer.connect("bob", capacity=1, answers=0)
        await bob.stuck.wait()
        await bob.close()
        await organizer.until(lambda now: now.connected == 1)
        organizer.advance(timedelta(seconds=1.1))
        await organizer.until(lambda now, ended=crashes: now.matches.finished == ended)  # type: ignore[misc]

    bob = await organizer.connect("bob", capacity=AT_ONCE + 1, answers=0)
    await organizer.until(lambda now: now.matches.running == AT_ONCE)
    await bob.go_on()
    last = await organizer.finished()

    assert last.matches.finished == last.matches.planned == CRASHES + 2 * AT_ONCE
    [table] = (await organizer.standings()).tables
    assert {row.bot_id: row.forfeits for row in table.rows} == {"ann": 0, "bob": CRASHES}
    assert organizer.app.presence.taken("ann") == organizer.app.presence.taken("bob") == 0
