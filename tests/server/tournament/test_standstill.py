"""A tournament that could go on and does not is noticed, and looked at again."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from structlog.testing import capture_logs

from kitumaija.server.store.rows import TournamentState
from tests.support.organizer import Organizer


@pytest.fixture
def said() -> Iterator[list[Any]]:
    """What the log says, line by line."""
    with capture_logs() as lines:
        yield lines


def still(said: list[Any]) -> list[tuple[str, int]]:
    """Of which tournaments, and after how many seconds, the log says that they stand still."""
    return [
        (line["tournament_id"], line["seconds"])
        for line in said
        if line["event"] == "tournament stands still"
    ]


async def begun_with_nobody_there(organizer: Organizer) -> None:
    await organizer.begin(absent=("ann", "bob"))
    organizer.advance(timedelta(seconds=1))


async def missed_its_call(organizer: Organizer) -> None:
    """Let the director miss that bots came, as a mistake of ours might."""
    await begun_with_nobody_there(organizer)
    running = organizer.director.running("cup")
    assert running is not None
    running.board.state = TournamentState.PAUSED
    for bot in ("ann", "bob"):
        await organizer.connect(bot)
    await organizer.until(lambda now: now.connected == 2)
    running.board.state = TournamentState.RUNNING
    organizer.advance(timedelta(seconds=1))


async def test_a_tournament_that_missed_what_it_waited_for_is_begun_after_ten_seconds(
    organizer: Organizer, said: list[Any]
) -> None:
    await missed_its_call(organizer)
    organizer.advance(timedelta(seconds=9))
    assert still(said) == []
    assert (await organizer.get()).matches.running == 0

    organizer.advance(timedelta(seconds=1))

    assert still(said) == [("cup", 10)]
    assert (await organizer.finished()).matches.finished == 2


async def test_one_that_stands_still_all_the_same_is_told_of_more_and_more_rarely(
    organizer: Organizer, said: list[Any]
) -> None:
    await missed_its_call(organizer)
    async with organizer.director.lock("cup"):
        for _ in range(200):
            organizer.advance(timedelta(seconds=1))

    assert still(said) == [("cup", 10), ("cup", 30), ("cup", 90)]


async def test_one_whose_bots_are_all_away_waits_and_nothing_is_said(
    organizer: Organizer, said: list[Any]
) -> None:
    await begun_with_nobody_there(organizer)

    for _ in range(30):
        organizer.advance(timedelta(seconds=1))

    assert still(said) == []


async def test_one_that_pauses_waits_and_nothing_is_said(
    organizer: Organizer, said: list[Any]
) -> None:
    await begun_with_nobody_there(organizer)
    await organizer.pause()
    await organizer.connect("ann")
    await organizer.until(lambda now: now.connected == 1)

    for _ in range(30):
        organizer.advance(timedelta(seconds=1))

    assert still(said) == []


async def test_one_whose_bots_play_elsewhere_waits_and_nothing_is_said(
    organizer: Organizer, said: list[Any]
) -> None:
    await organizer.register("ann", "bob")
    for bot in ("ann", "bob"):
        await organizer.connect(bot, capacity=1, ready=False)
    for tournament_id in ("cup", "bowl"):
        await organizer.create(tournament_id)
        await organizer.enter("ann", "bob", tournament_id=tournament_id)
        await organizer.close(tournament_id)
        await organizer.start(tournament_id)
        await organizer.until(lambda now: True, tournament_id)
    await organizer.until(lambda now: now.matches.running == 1)

    for _ in range(25):
        organizer.advance(timedelta(seconds=1))

    assert (await organizer.get("bowl")).matches.running == 0
    assert still(said) == []
