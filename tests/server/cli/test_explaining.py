"""`kitumaija replay explain` against a running server, as a bot's author calls it."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from google.protobuf import json_format
from typer.testing import CliRunner, Result

from kitumaija.server.__main__ import commands
from kitumaija.server.cli.explaining import lines
from kitumaija.v1 import replay_pb2
from kitumaija.wire.exits import ExitCode
from tests.server.rpc.test_seat_explained import illegally, played
from tests.support.organizer import Organizer, organized


async def run(organizer: Organizer, *words: str, token: str) -> Result:
    address = organizer.app.address
    arguments = ["replay", "explain", *words, "--address", address, "--token", token]
    return await asyncio.to_thread(CliRunner().invoke, commands(), arguments)


async def test_the_author_of_a_bot_reads_why_its_decision_was_taken(tmp_path: Path) -> None:
    async with organized(tmp_path / "data") as organizer:
        game = await played(organizer, illegally)
        token, seat = organizer.tokens["vic"], str(game.seat)
        match_id = game.match.match_id

        told = await run(organizer, match_id, seat, token=token)
        assert told.exit_code == ExitCode.OK, told.output
        assert all(len(line) <= 80 for line in told.stdout.splitlines())
        assert "\x1b" not in told.stdout
        words = " ".join(told.stdout.split())
        for said in (
            f"match {match_id}",
            f"seat {seat}, vic (vic)",
            "per decision 1 s, bank 10 s",
            "an illegal answer: 2 retries; 5 faults cost the seat",
            "decision 1",
            "time left 11.000 s, of it 10.000 s bank",
            "answered pass: Passing is only for a leader who holds nothing but the queen (E5).",
            "answered what no one can read:",
            "by default for illegal action",
            "why The bot answered illegally, and there was no retry left.",
        ):
            assert said in words, told.stdout

        plain = await run(organizer, match_id, seat, "--decision", "1", "--json", token=token)
        assert len(json.loads(plain.stdout)["decisions"][0]["incidents"]) == 3

        # The network's share is estimated by itself; as a part of a short time it has a bound.
        found = json_format.Parse(plain.stdout, replay_pb2.ExplainSeatResponse())
        timing = found.decisions[0].timing
        timing.used_us, timing.network_us = 16_000, 164_000
        told_anew = " ".join(" ".join(lines(found)).split())
        assert "0.016 s charged, about 0.016 s of it the network's" in told_anew

        hidden = await run(organizer, match_id, str(1 - game.seat), token=token)
        assert hidden.exit_code == ExitCode.REFUSED
        nowhere = await run(organizer, "nowhere", "0", token=token)
        assert nowhere.exit_code == ExitCode.USAGE
        assert "there is no match 'nowhere'" in nowhere.output
