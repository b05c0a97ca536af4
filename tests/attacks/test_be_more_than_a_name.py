"""A bot whose name, owner or version is more than a name: it moves cursors, forges lines, or runs.

Every text that somebody else chose is shown somewhere: in the organizer's tables, in the archive,
in logs. In none of these places may it do more than to be read, and no id may be a path.
"""

from __future__ import annotations

import asyncio
import os
import urllib.request
from copy import copy
from pathlib import Path
from typing import Any
from zipfile import ZIP_BZIP2, ZIP_LZMA, ZipFile

import grpc
import pytest
from structlog.testing import capture_logs
from typer.testing import CliRunner

from kitumaija.sdk.cli.root import build
from kitumaija.server.__main__ import commands
from kitumaija.server.archive.container import entry
from kitumaija.server.archive.fields import ArchiveError
from kitumaija.server.archive.names import match_of_record
from kitumaija.server.archive.reading import open_bundle, whole
from kitumaija.v1 import arena_pb2
from kitumaija.v1 import bot_pb2 as bots_v1
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.exits import ExitCode
from kitumaija.wire.limits import BOT_VERSION_CHARS_MAX, LANGUAGE_CHARS_MAX, SDK_CHARS_MAX
from kitumaija.wire.status import ErrorReason
from tests.support.foreign import TRICKS, command, is_plain, strange_members
from tests.support.organizer import Organizer, Refused, organized
from tests.support.raw_bot import RawBot

TITLE = "".join(TRICKS)[:100]
REASON = "\n".join(TRICKS)[:500]


async def played(organizer: Organizer) -> list[str]:
    """Have bots with names, owners and versions of every kind play a tournament; return a match.

    A stranger comes along who says as much as he may on a stream, and is not in it.
    """
    bots = []
    for number, trick in enumerate(TRICKS):
        request = bots_v1.RegisterBotRequest(
            bot_id=f"bot-{number}", display_name=trick[:60], owner=f"{trick[:50]}{number}"
        )
        bots.append(request.bot_id)
        answer = await organizer.call(organizer.registry.RegisterBot, request)
        organizer.tokens[request.bot_id] = answer.token
    async with RawBot(organizer.app.address, organizer.tokens[bots[0]]) as stranger:
        await stranger.hello(
            sdk=TITLE[:SDK_CHARS_MAX],
            language=TITLE[:LANGUAGE_CHARS_MAX],
            bot_version=TITLE[:BOT_VERSION_CHARS_MAX],
        )
        entropy = arena_pb2.Entropy(tournament_id=TITLE[:63], value=b"x")
        await stranger.say(arena_pb2.BotMessage(entropy=entropy))
        await stranger.heard()
        await stranger.goodbye(REASON[:200])
        await stranger.end()
    creating = v1.CreateTournamentRequest(
        tournament_id="cup", title=TITLE, settings=v1.TournamentSettings(table_sizes=[2])
    )
    await organizer.call(organizer.tournaments.CreateTournament, creating)
    opening = v1.OpenTournamentRequest(tournament_id="cup")
    await organizer.call(organizer.tournaments.OpenTournament, opening)
    for bot, trick in zip(bots[:3], ("\x1b[2J\n1", "\u202e2", "\x9b31m"), strict=True):
        await organizer.enter(bot)
        await organizer.connect(bot, version=trick)
    await organizer.close()
    await organizer.start()
    await organizer.finished()
    return [match.match_id for match in await organizer.matches()]


async def test_no_name_does_more_than_to_be_read_wherever_it_is_shown(tmp_path: Path) -> None:
    async with organized(tmp_path / "data", metrics_port=0) as organizer:
        with capture_logs() as lines:
            match_id, *_ = await played(organizer)
        for words in (
            ("bot", "list"),
            ("bot", "list", "--json"),
            ("tournament", "list"),
            *(("tournament", what, "cup") for what in ("show", "standings", "matches", "audit")),
            ("tournament", "standings", "cup", "--json"),
            ("tournament", "clocks", "cup"),
            ("replay", "explain", match_id, "0"),
        ):
            assert is_plain(await command(organizer, *words)), words
        archive = tmp_path / "cup.zip"
        await command(organizer, "tournament", "export", "cup", "--to", str(archive))
        url = f"http://127.0.0.1:{organizer.app.metrics_port}/metrics"
        with await asyncio.to_thread(urllib.request.urlopen, url) as page:
            metrics = page.read().decode()

    assert list(strange_members(archive)) == []
    for text in (metrics, "\n".join(map(str, lines))):
        assert not any(trick in text for trick in TRICKS)
        assert "bot-0" not in metrics
    with ZipFile(archive) as pack:
        name = next(name for name in pack.namelist() if name.endswith(".kitu"))
        record = tmp_path / "one.kitu"
        record.write_bytes(pack.read(name))
    for words in (("show",), ("show", "--json"), ("verify",)):
        done = CliRunner().invoke(build(), ["replay", *words, str(record)])
        assert done.exit_code == 0, done.output
        assert is_plain(done.output), words


@pytest.mark.parametrize("trick", ["../up", "a/b", "a\\b", ".", "CON", "a\n", "a\u202e", "ä"])
async def test_no_id_is_a_path_or_anything_but_an_id(organizer: Organizer, trick: str) -> None:
    """Ids name files and stand in lines; a bot without one is given one by chance."""
    create = v1.CreateTournamentRequest(tournament_id=trick)
    register = bots_v1.RegisterBotRequest(bot_id=trick)
    calls: list[tuple[Any, Any]] = [
        (organizer.tournaments.CreateTournament, create),
        (organizer.registry.RegisterBot, register),
    ]
    for method, request in calls:
        with pytest.raises(Refused) as refused:
            await organizer.call(method, request)
        assert refused.value.code is grpc.StatusCode.INVALID_ARGUMENT
        assert refused.value.reason is ErrorReason.INVALID_ARGUMENT_FIELD
        assert refused.value.message.isprintable()


@pytest.mark.parametrize(
    "name",
    [
        "../../escaped",
        "/escaped",
        "records/../../escaped.kitu",
        "records/..\\escaped.kitu",
        "C:\\escaped",
        "records/a\n.kitu",
        "",
    ],
)
def test_an_archive_of_somebody_s_is_read_and_nothing_of_it_is_unpacked(
    tmp_path: Path, name: str
) -> None:
    archive = tmp_path / "inside" / "archive.zip"
    archive.parent.mkdir()
    with ZipFile(archive, "w") as pack:
        pack.writestr(entry("manifest.json"), b"{}")
        pack.writestr(entry(name), b"x")
        link = entry("records/link.kitu")
        link.external_attr = 0o120777 << 16
        pack.writestr(link, b"/etc/passwd")
    before = sorted(tmp_path.rglob("*"))

    with open_bundle(archive) as bundle:
        assert list(bundle.strange())
        assert whole(bundle, "records/link.kitu") == b"/etc/passwd", "what it holds, not leads to"
        assert match_of_record(name) is None
    assert sorted(tmp_path.rglob("*")) == before


def test_a_folder_of_somebody_s_leads_nowhere_else(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("not yours")
    folder = tmp_path / "unpacked"
    (folder / "records").mkdir(parents=True)
    (folder / "manifest.json").write_text("{}")
    (folder / "records" / "a.kitu").symlink_to(secret)
    (folder / "more").symlink_to(tmp_path)

    with open_bundle(folder) as bundle:
        assert list(bundle.names) == ["manifest.json"]
        assert len(list(bundle.strange())) == 2


def test_an_archive_in_which_files_lie_over_each_other_is_not_unpacked(tmp_path: Path) -> None:
    """A few megabytes of it would be unpacked to more than any disk holds."""
    archive = tmp_path / "bomb.zip"
    with ZipFile(archive, "w") as pack:
        pack.writestr(entry("a"), os.urandom(10_000))
        for name in "bcde":
            again = copy(pack.getinfo("a"))
            again.filename = name
            pack.filelist.append(again)

    with (
        pytest.raises(ArchiveError, match="its files lie over each other"),
        open_bundle(archive),
    ):
        pass


@pytest.mark.parametrize("packing", [ZIP_BZIP2, ZIP_LZMA])
def test_what_is_packed_in_another_way_than_a_server_packs_is_not_unpacked(
    tmp_path: Path, packing: int
) -> None:
    """Some ways take gigabytes of memory because a few bytes say so."""
    archive = tmp_path / "bomb.zip"
    with ZipFile(archive, "w") as pack:
        pack.writestr(entry("manifest.json"), b"{}")
        pack.writestr("a", bytes(1_000), compress_type=packing)

    with (
        open_bundle(archive) as bundle,
        pytest.raises(ArchiveError, match="a: it is packed in another way than a server packs"),
    ):
        whole(bundle, "a")


def test_a_token_is_not_written_through_a_link_that_somebody_has_laid(tmp_path: Path) -> None:
    """Nor is anybody registered whose token could not be written then."""
    link = tmp_path / "token"
    link.symlink_to(tmp_path / "of-somebody")
    words = ["bot", "register", "ann", "--token-file", str(link), "--address", "127.0.0.1:1"]

    done = CliRunner().invoke(commands(), words)

    assert done.exit_code == ExitCode.USAGE, done.output
    assert "exists; name a new file" in done.output
    assert not (tmp_path / "of-somebody").exists()
