"""What an organizer does with a store by hand, over a restart of its server."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from kitumaija.server.__main__ import commands
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.exits import ExitCode
from kitumaija.wire.status import ErrorReason
from tests.support.organizer import Refused, organized


def rotate(data: Path) -> Result:
    words = ["store", "rotate-token", "--data", str(data)]
    return CliRunner().invoke(commands(), words, env={"KITUMAIJA_STORE": None})


async def test_the_organizers_token_is_replaced_while_no_server_runs(tmp_path: Path) -> None:
    data = tmp_path / "data"
    async with organized(data) as organizer:
        await organizer.create()
        before = organizer.token
        refused = await asyncio.to_thread(rotate, data)
    done = await asyncio.to_thread(rotate, data)

    assert refused.exit_code == ExitCode.FAILED
    assert done.exit_code == ExitCode.OK
    async with organized(data, seed="again") as organizer:
        assert organizer.token != before
        assert str(organizer.token) not in done.output
        # What was there is there; the token before opens nothing.
        assert (await organizer.get()).tournament_id == "cup"
        request = v1.CancelTournamentRequest(tournament_id="cup")
        with pytest.raises(Refused) as told:
            await organizer.call(organizer.tournaments.CancelTournament, request, token=before)
        assert told.value.reason is ErrorReason.UNAUTHENTICATED_TOKEN
        await organizer.call(organizer.tournaments.CancelTournament, request)


def test_where_there_is_no_store_none_is_made_for_a_token(tmp_path: Path) -> None:
    done = rotate(tmp_path / "nowhere")

    assert done.exit_code == ExitCode.FAILED
    assert "there is no store" in done.stderr
    assert not (tmp_path / "nowhere").exists()
