"""A server that dies at any write at all: whoever asks again gets what an undisturbed run gives."""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from google.protobuf.duration_pb2 import Duration

from kitumaija.server.match.journal import Decided, entry_from_bytes
from kitumaija.server.store import audit, bots, entrants, journal, matches, records
from kitumaija.server.store.crashing import FAILPOINTS
from kitumaija.server.store.failpoints import Stage, Watch
from kitumaija.server.store.rows import MatchState
from kitumaija.v1 import arena_pb2, game_pb2
from kitumaija.v1 import bot_pb2 as bots_v1
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.record import game_to_bytes, record_from_bytes
from tests.server.tournament.test_resuming import table_of
from tests.support.clock import ms
from tests.support.organizer import Organizer, organized
from tests.support.raw_bot import PATIENCE
from tests.support.snapshots import Snapshots

EVERY = int(os.environ.get("FAILPOINTS_EVERY", "3"))
"""Each copy of the store takes a second; `make soak-crash` takes every one of them."""

OF_ROUNDS = {"rounds.add", "rounds.close"}
"""Those that a round robin does not pass; `test_formats` dies at them."""

PLAYING = ("ann", "bob")
"""Those who come and play."""
ABSENT = "art"
"""Enters and never comes: all of its matches are offered until they are given up."""
LEAVING = "gus"
"""Enters and withdraws."""
IDLE = ("dan", "eve")
"""Those of the other tournament, who are offered a match and never say that they are ready."""

BANK_US = 10_000_000
"""What every seat has at the beginning."""
CHARGED_US = 50_000
"""What a bot that thinks for 300 ms has to pay from it, of which 200 and a margin of 50 are free.

A bot on this very event loop may answer before its clock has started; then it pays nothing.
"""

FIRST_DEAL = "cup/2/0/1"
"""By this schedule it is one of those who come."""
VOID_ATTEMPTS = 4 * 2 + 1
"""Four matches with the absentee, each offered to it twice; and the one that is made void."""


@dataclass(frozen=True)
class Picture:
    """What it all came to, without what may differ between two runs: ids and times."""

    standings: Any
    attempts: Any
    games: dict[str, bytes]
    entrants: Any
    bots: Any
    done: Counter[tuple[str, str]]
    other: tuple[int, int]


class Script:
    """Everything an organizer does, each call with a request id of its own.

    Whatever was done before the server died is asked for again and not done twice.
    """

    def __init__(self, organizer: Organizer) -> None:
        self._organizer = organizer

    async def run(self) -> Picture:
        """Do everything, and see both tournaments to their end."""
        for bot in (*PLAYING, ABSENT, LEAVING, *IDLE, "old"):
            await self._register(bot)
        await self._ask("registry", "DisableBot", bots_v1.DisableBotRequest(bot_id="old"))
        await self._cancelled()
        await self._played()
        return await self._picture()

    async def _cancelled(self) -> None:
        organizer = self._organizer
        for bot in IDLE:
            await organizer.connect(bot, ready=False, version="")
        await self._begin("off", *IDLE)
        tournament = await organizer.get("off")
        if tournament.state == v1.TOURNAMENT_STATE_RUNNING:
            await organizer.until(lambda now: now.matches.running > 0, "off")
        await self._tournament("Cancel", "off", reason="rain")

    async def _played(self) -> None:
        organizer = self._organizer
        for bot in PLAYING:
            # Longer than a decision may take: the bank pays the rest.
            await organizer.connect(bot, thinks=lambda: organizer.clock.advance(ms(300)))
        await self._begin(
            "cup",
            *PLAYING,
            ABSENT,
            LEAVING,
            max_running_matches=1,
            limits=arena_pb2.Limits(per_decision=Duration(nanos=200_000_000)),
            faults=v1.FaultPolicy(no_shows_to_withdraw=100),
            options=game_pb2.GameOptions(turns_per_player=3),
            unsafe_seed="the same cards",
        )
        await self._void_the_first()
        await organizer.miss(VOID_ATTEMPTS, ABSENT)
        if (await organizer.get()).state != v1.TOURNAMENT_STATE_FINISHED:
            await organizer.finished()

    async def _void_the_first(self) -> None:
        """Void the match that was played first, so that it is played once more with a new deal."""
        organizer = self._organizer
        bell = organizer.director.bell("cup")
        async with asyncio.timeout(PATIENCE):
            while True:
                heard = bell.next()
                with organizer.app.store.read() as tx:
                    rows = [seated.match for seated in matches.page(tx, "cup", size=1000).rows]
                first = next((row for row in rows if row.deal_id == FIRST_DEAL), None)
                if first is not None and first.state is not MatchState.RUNNING:
                    break
                await heard.wait()
        await self._ask(
            "tournaments",
            "VoidMatch",
            v1.VoidMatchRequest(tournament_id="cup", match_id=first.match_id, reason="a bad deal"),
        )

    async def _begin(self, tournament_id: str, *entering: str, **settings: Any) -> None:
        await self._tournament(
            "Create",
            tournament_id,
            settings=v1.TournamentSettings(**settings),
        )
        await self._tournament("Open", tournament_id)
        for bot in entering:
            await self._tournament("Enter", tournament_id, bot_id=bot)
        if LEAVING in entering:
            request = v1.WithdrawEntrantRequest(tournament_id=tournament_id, bot_id=LEAVING)
            await self._ask("tournaments", "WithdrawEntrant", request)
        await self._tournament("Close", tournament_id)
        await self._tournament("Start", tournament_id, allow_absent=True)

    async def _register(self, bot: str) -> None:
        request = bots_v1.RegisterBotRequest(bot_id=bot)
        token = (await self._ask("registry", "RegisterBot", request)).token
        if not token or bot == ABSENT:
            # A token is told once; one that was lost with the server is replaced.
            rotate = bots_v1.RotateTokenRequest(bot_id=bot)
            response = await self._organizer.call(self._organizer.registry.RotateToken, rotate)
            token = response.token
        self._organizer.tokens[bot] = token

    async def _tournament(self, verb: str, tournament_id: str, **fields: Any) -> None:
        request = getattr(v1, f"{verb}TournamentRequest")(tournament_id=tournament_id, **fields)
        await self._ask("tournaments", f"{verb}Tournament", request)

    async def _ask(self, service: str, method: str, request: Any) -> Any:
        subject = getattr(request, "tournament_id", ""), getattr(request, "bot_id", "")
        request.request_id = f"{method} {' '.join(subject)}"
        stub = getattr(self._organizer, service)
        return await self._organizer.call(getattr(stub, method), request)

    async def _picture(self) -> Picture:
        organizer = self._organizer
        with organizer.app.store.read() as tx:
            played = [seated.match for seated in matches.page(tx, "cup", size=1000).rows]
            log = audit.page(tx, size=1000).rows
            other = matches.counts(tx, "off")
            return Picture(
                standings=table_of(await organizer.standings()),
                attempts=sorted(
                    (row.deal_id, row.state, row.final, row.absent, row.reason) for row in played
                ),
                games={
                    row.deal_id: game_to_bytes(record_from_bytes(record).game)
                    for row in played
                    if (record := records.get(tx, row.match_id)) is not None
                },
                entrants=[
                    (row.bot_id, row.state, row.no_shows, row.entropy, row.bot_version)
                    for tournament in ("cup", "off")
                    for row in entrants.of(tx, tournament)
                ],
                bots=[(row.bot_id, row.disabled) for row in bots.page(tx, size=100).rows],
                done=Counter(
                    # A match's id is drawn, and another in every run.
                    (row.action, "" if row.action == "void" else row.subject)
                    for row in log
                    if row.action != "rotate_token"
                ),
                other=(other.finished, other.running),
            )


def ids(organizer: Organizer) -> dict[str, tuple[str, list[str]]]:
    """The deal and the bots of every match there is."""
    with organizer.app.store.read() as tx:
        return {
            seated.match.match_id: (seated.match.deal_id, [seat.bot_id for seat in seated.seats])
            for tournament in ("off", "cup")
            for seated in matches.page(tx, tournament, size=1000).rows
        }


def journals(organizer: Organizer) -> dict[str, list[bytes]]:
    """The journal of every match of the cup."""
    with organizer.app.store.read() as tx:
        return {
            match_id: [row.payload for row in journal.entries(tx, match_id)]
            for seated in matches.page(tx, "cup", size=1000).rows
            for match_id in (seated.match.match_id,)
        }


def charges(entries: Iterable[bytes]) -> list[int]:
    """What each decision took from its seat's bank, in microseconds, by the journal."""
    banks: dict[int, int] = {}
    taken = []
    for entry in map(entry_from_bytes, entries):
        if isinstance(entry, Decided):
            taken.append(banks.get(entry.seat, BANK_US) - entry.bank_left_us)
            banks[entry.seat] = entry.bank_left_us
    return taken


async def lives_on(path: Path, whole: Picture, watch: Watch | None = None) -> None:
    """Start a server on what another left, and ask for everything again."""
    async with organized(path, seed=path.name, watch=watch) as organizer:
        left, written = ids(organizer), journals(organizer)
        assert await Script(organizer).run() == whole, path.name
        now, journaled = ids(organizer), journals(organizer)
    assert {name: now[name] for name in left} == left
    for match_id, entries in journaled.items():
        before = written.get(match_id, [])
        assert entries[: len(before)] == before
        assert max(charges(entries), default=0) <= CHARGED_US


async def test_wherever_a_write_is_cut_short_asking_again_ends_as_if_it_had_not_been(
    tmp_path: Path,
) -> None:
    first = Snapshots(tmp_path / "whole", tmp_path / "first", seed=1)
    async with organized(tmp_path / "whole", watch=first.watch) as organizer:
        whole = await Script(organizer).run()
        paid = {each for entries in journals(organizer).values() for each in charges(entries)}
    assert len(whole.games) == 3
    assert {CHARGED_US} <= paid <= {0, CHARGED_US}

    # What only a restart with running matches writes is seen at one of those restarts.
    in_play = first.taken["journal.append", Stage.AFTER_COMMIT]
    second = Snapshots(in_play, tmp_path / "second", seed=2, only=("matches.claim",))
    await lives_on(in_play, whole, second.watch)

    taken = first.taken | second.taken
    for path in [*first.distinct()][::EVERY] + [*second.distinct()][::EVERY]:
        if path != in_play:
            await lives_on(path, whole)
    assert set(taken) == {
        (name, stage) for name in FAILPOINTS if name not in OF_ROUNDS for stage in Stage
    }
