"""A tournament's server whose store fails while nothing is played."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import text

from kitumaija.wire.status import ErrorReason
from tests.support.organizer import Organizer, Refused
from tests.support.raw_bot import PATIENCE


async def test_a_command_that_cannot_be_kept_is_refused_and_stops_the_server(
    organizer: Organizer,
) -> None:
    with organizer.app.store.write() as tx:
        pages = tx.connection.execute(text("PRAGMA page_count")).scalar_one()
        tx.connection.execute(text(f"PRAGMA max_page_count = {pages}"))

    with pytest.raises(Refused) as refused:
        await organizer.register(*(f"bot-{number}" for number in range(1000)))

    assert refused.value.reason is ErrorReason.STORE_FAILED
    async with asyncio.timeout(PATIENCE):
        error = await organizer.app.failed()
    assert "takes no more; free the disk" in str(error)
