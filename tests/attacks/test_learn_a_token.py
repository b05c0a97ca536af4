"""Somebody who reads everything that there is to read, for a token, an address or a code."""

from __future__ import annotations

import asyncio
import base64
import io
import os
import urllib.request
import zipfile
from pathlib import Path

import grpc
import pytest
from structlog.testing import capture_logs

from kitumaija.server.ids import token_hash
from kitumaija.server.store.engines import FILE_NAME
from kitumaija.v1 import bot_pb2 as bots_v1
from kitumaija.v1 import replay_pb2 as replays_v1
from kitumaija.v1 import tournament_pb2 as v1
from tests.support.organizer import Organizer, Refused, organized
from tests.support.raw_bot import RawBot

CODE = "vernal-3471-equinox"


def forms(secret: str) -> list[bytes]:
    """A secret as it is, and as it would be written by somebody who thinks that hides it."""
    raw = secret.encode()
    digest = token_hash(secret)
    return [
        raw,
        raw.hex().encode(),
        base64.b64encode(raw),
        digest,
        digest.hex().encode(),
        base64.b64encode(digest),
        raw[:12],
    ]


async def test_whatever_is_read_holds_no_token_no_code_and_no_address(tmp_path: Path) -> None:
    with capture_logs() as logged:
        async with organized(
            tmp_path / "data", metrics_port=0, open_registration=True, invite_code=CODE
        ) as organizer:
            await organizer.register("ann", "bob")
            await organizer.create()
            bots = [await organizer.connect(name) for name in ("ann", "bob")]
            await organizer.enter("ann", "bob")
            await organizer.close()
            await organizer.start()
            await organizer.finished()
            async with RawBot(organizer.app.address, "a mistyped token") as stranger:
                await stranger.end()
            found = [b"".join(bot._stream.everything) for bot in bots]
            found += [await everything(organizer, token) for token in ("own", None)]
            secrets = [*organizer.tokens.values(), CODE, organizer.token or ""]
    found.append("\n".join(map(str, logged)).encode())

    assert len(found[2]) > 4_000
    for text in found:
        for secret in secrets:
            assert not any(form in text for form in forms(secret))
        assert b"127.0.0.1" not in text
        assert b"localhost" not in text


async def everything(organizer: Organizer, token: str | None) -> bytes:
    """Return what all reading calls answer, the export, the metrics, and the texts of refusals."""
    cup, registry, replays = organizer.tournaments, organizer.registry, organizer.replays
    [match, *_] = await organizer.matches()
    calls = [
        (cup.GetTournament, v1.GetTournamentRequest(tournament_id="cup")),
        (cup.GetTournament, v1.GetTournamentRequest(tournament_id="no such")),
        (cup.ListTournaments, v1.ListTournamentsRequest()),
        (cup.ListMatches, v1.ListMatchesRequest(tournament_id="cup")),
        (cup.GetStandings, v1.GetStandingsRequest(tournament_id="cup")),
        (cup.GetClocks, v1.GetClocksRequest(tournament_id="cup")),
        (cup.ListAuditEntries, v1.ListAuditEntriesRequest(tournament_id="cup")),
        (registry.ListBots, bots_v1.ListBotsRequest()),
        (registry.GetBot, bots_v1.GetBotRequest(bot_id="ann")),
        (registry.RegisterBot, bots_v1.RegisterBotRequest(bot_id="ann", invite_code="a guess")),
        (registry.RotateToken, bots_v1.RotateTokenRequest(bot_id="nobody")),
        (replays.GetRecord, replays_v1.GetRecordRequest(match_id=match.match_id)),
        (replays.GetSeatReplay, replays_v1.GetSeatReplayRequest(match_id=match.match_id)),
        (replays.ExplainSeat, replays_v1.ExplainSeatRequest(match_id=match.match_id)),
    ]
    found = [await organizer.told(method, request, token=token) for method, request in calls]
    export = v1.ExportTournamentRequest(tournament_id="cup")
    pieces = [
        piece.chunk async for piece in organizer.stream(cup.ExportTournament, export, token=token)
    ]
    with zipfile.ZipFile(io.BytesIO(b"".join(pieces))) as archive:
        found += [archive.read(name) for name in archive.namelist()]
    url = f"http://127.0.0.1:{organizer.app.metrics_port}/metrics"
    with await asyncio.to_thread(urllib.request.urlopen, url) as page:
        found.append(page.read())
    return b"\0".join(found)


async def test_the_data_file_holds_no_token(tmp_path: Path) -> None:
    """Whoever gets at it reads much, but cannot call as anybody."""
    data = tmp_path / "data"
    async with organized(data) as organizer:
        await organizer.begin("ann", "bob")
        await organizer.finished()
        rotate = bots_v1.RotateTokenRequest(bot_id="ann")
        renewed = await organizer.call(organizer.registry.RotateToken, rotate)
        secrets = [*organizer.tokens.values(), renewed.token, organizer.token or ""]
        kept = b"".join(path.read_bytes() for path in data.glob(f"{FILE_NAME}*"))
    kept += (data / FILE_NAME).read_bytes()

    assert b"ann" in kept
    for secret in secrets:
        assert secret.encode() not in kept
        assert token_hash(secret).hex().encode() not in kept


@pytest.mark.parametrize("mask", [0o000, 0o022], ids=["no mask", "the usual mask"])
async def test_nobody_else_on_the_machine_can_read_what_the_server_keeps(
    tmp_path: Path, mask: int
) -> None:
    """The data file has the master seeds in the clear: with one, a bot would know all cards."""
    before = os.umask(mask)
    try:
        async with organized(tmp_path / "data") as organizer:
            await organizer.begin("ann", "bob")
            await organizer.finished()
            found = rights_of_others(tmp_path)
    finally:
        os.umask(before)

    assert tmp_path / "data" / FILE_NAME in found
    assert {path.name: mode for path, mode in found.items() if mode} == {}


def rights_of_others(folder: Path) -> dict[Path, int]:
    """What those who are not the owner may do with each file and folder."""
    return {path: path.stat().st_mode & 0o077 for path in folder.rglob("*")}


async def test_a_request_id_of_another_s_gives_away_no_token(tmp_path: Path) -> None:
    """A call that is repeated is answered alike, but for what is shown only once."""
    async with organized(tmp_path / "data", open_registration=True, invite_code=CODE) as organizer:
        request = bots_v1.RegisterBotRequest(bot_id="ann", invite_code=CODE, request_id="guessed")
        first = await organizer.call(organizer.registry.RegisterBot, request, token=None)
        second = await organizer.call(organizer.registry.RegisterBot, request, token=None)

    assert first.token
    assert second.bot.bot_id == "ann"
    assert second.token == ""


async def test_whose_token_it_is_that_was_mistyped_is_not_told(organizer: Organizer) -> None:
    await organizer.register("ann")
    told = set()
    for token in (
        organizer.tokens["ann"][:-1],
        "x",
        organizer.token[:-1] if organizer.token else "",
    ):
        with pytest.raises(Refused) as refused:
            await organizer.call(
                organizer.registry.ListBots, bots_v1.ListBotsRequest(), token=token
            )
        assert refused.value.code is grpc.StatusCode.UNAUTHENTICATED
        told.add((refused.value.message, str(refused.value.metadata)))
    assert len(told) == 1
