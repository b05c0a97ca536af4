"""Blind tournaments: who sits in a match is told at its end, and nothing links one with another."""

from __future__ import annotations

import asyncio
import urllib.request
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from kitumaija.server.schedule.round_robin import RoundRobin
from kitumaija.server.tournament.entropy import hidden_schedule_seed, schedule_seed
from kitumaija.server.tournament.pseudonyms import pseudonyms
from kitumaija.v1 import arena_pb2, replay_pb2
from kitumaija.v1 import tournament_pb2 as v1
from tests.support.autobot import AutoBot
from tests.support.organizer import Organizer, Refused, organized
from tests.support.raw_bot import RawBot
from tests.support.snapshots import copy_store

BOTS = ("ann-of-kemi", "bob-of-turku", "cid-of-pori", "dot-of-oulu")


@dataclass
class Spy:
    """A bot's memory of everything that it was sent, which tries to tell who its opponents are."""

    own: str
    messages: list[arena_pb2.ServerMessage]
    seatings: dict[str, arena_pb2.Seating] = field(default_factory=dict)
    ends: dict[str, arena_pb2.MatchEnd] = field(default_factory=dict)

    @classmethod
    def of(cls, own: str, bot: AutoBot) -> Spy:
        spy = cls(own, [arena_pb2.ServerMessage.FromString(each) for each in bot.everything])
        for message in spy.messages:
            if message.HasField("seating"):
                spy.seatings[message.seating.match_id] = message.seating
            if message.HasField("match_end"):
                spy.ends[message.match_end.match_id] = message.match_end
        return spy

    def before_any_end(self) -> bytes:
        """Everything but what is said at the end of a match."""
        told = [each for each in self.messages if not each.HasField("match_end")]
        return b"".join(each.SerializeToString() for each in told)

    def aliases(self) -> dict[tuple[str, int], str]:
        """What the others were called, by match and seat."""
        return {
            (match_id, player.seat): player.bot_id
            for match_id, seating in self.seatings.items()
            for player in seating.players
            if player.seat != seating.seat
        }

    def opponents(self) -> dict[tuple[str, int], str]:
        """Who they were, as the ends of matches tell."""
        return {
            (match_id, player.seat): player.bot_id
            for match_id, end in self.ends.items()
            for player in end.players
            if player.bot_id != self.own
        }


async def test_a_bot_that_remembers_everything_cannot_tell_before_the_end_whom_it_plays(
    organizer: Organizer,
) -> None:
    for bot in BOTS:
        await organizer.register(bot, display_name=f"The {bot}")
    await organizer.create(table_sizes=[2, 3], rounds=2, blind=True)
    playing = {bot: await organizer.connect(bot) for bot in BOTS}
    await organizer.enter(*BOTS)
    await organizer.close()
    await organizer.start()
    await organizer.finished()
    matches = {match.match_id: match for match in await organizer.matches()}
    assert len(matches) == 2 * (2 * 6) + 2 * (3 * 4)

    of_seat: dict[tuple[str, int], set[str]] = defaultdict(set)
    for own, player in playing.items():
        spy = Spy.of(own, player)
        for other in BOTS:
            if other != own:
                assert other.encode() not in spy.before_any_end()
        # What it is told at the end is what is so.
        truth = {
            (match_id, number): seat.bot_id
            for match_id in spy.ends
            for number, seat in enumerate(matches[match_id].seats)
            if seat.bot_id != own
        }
        assert spy.opponents() == truth
        aliases = spy.aliases()
        assert aliases.keys() == truth.keys()
        # Whoever it meets again has another name, and no name comes twice.
        assert len(set(aliases.values())) == len(aliases)
        assert len(set(truth.values())) == len(BOTS) - 1
        for place, alias in aliases.items():
            of_seat[place].add(alias)
    # Everybody at a table has the same name for a seat.
    assert all(len(names) == 1 for names in of_seat.values())


async def begin_and_stand_still(organizer: Organizer, *, blind: bool) -> str:
    """Begin a tournament of two bots that leave their first decision open; return the match."""
    await organizer.register(*BOTS[:2])
    await organizer.create(blind=blind, max_running_matches=1)
    bots = [await organizer.connect(bot, answers=0) for bot in BOTS[:2]]
    await organizer.enter(*BOTS[:2])
    await organizer.close()
    await organizer.start()
    asked = [asyncio.ensure_future(bot.stuck.wait()) for bot in bots]
    await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
    for task in asked:
        task.cancel()
    return bots[0].offered[0]


def scraped(organizer: Organizer) -> bytes:
    url = f"http://127.0.0.1:{organizer.app.metrics_port}/metrics"
    with urllib.request.urlopen(url) as answer:
        return bytes(answer.read())


async def listed_for(organizer: Organizer, token: str | None, bot_id: str = "") -> list[v1.Match]:
    request = v1.ListMatchesRequest(tournament_id="cup", bot_id=bot_id)
    found = await organizer.call(organizer.tournaments.ListMatches, request, token=token)
    return list(found.matches)


@pytest.mark.parametrize("blind", [False, True])
async def test_the_place_in_the_schedule_of_a_match_that_runs_is_the_organizers_to_see(
    organizer: Organizer, *, blind: bool
) -> None:
    match_id = await begin_and_stand_still(organizer, blind=blind)

    for token in (None, organizer.tokens[BOTS[0]]):
        [match] = await listed_for(organizer, token)
        assert (match.match_id, match.number, match.attempt) == (match_id, 0, 0)
        assert sorted(seat.bot_id for seat in match.seats) != list(BOTS[:2]) or not blind
    [match] = await listed_for(organizer, organizer.token)
    assert (match.match_id, match.attempt) == (match_id, 1)
    assert sorted(seat.bot_id for seat in match.seats) == list(BOTS[:2])


async def test_nothing_that_anybody_may_ask_for_names_who_sits_in_a_blind_match(
    tmp_path: Path,
) -> None:
    async with organized(tmp_path / "data", metrics_port=0) as organizer:
        match_id = await begin_and_stand_still(organizer, blind=True)
        for token in (None, organizer.tokens[BOTS[0]]):
            [match] = await listed_for(organizer, token)
            assert all(seat.bot_id.startswith("anon-") for seat in match.seats)
            for bot in BOTS[:2]:
                assert await listed_for(organizer, token, bot) == []
            request = v1.GetTournamentRequest(tournament_id="cup")
            shown = await organizer.call(organizer.tournaments.GetTournament, request, token=token)
            assert shown.tournament.schedule_seed == b""
            # It is frozen when the bot is offered its first match, and would tell that it was.
            assert not any(entrant.bot_version for entrant in shown.tournament.entrants)
            for method, asked in (
                (organizer.replays.GetRecord, replay_pb2.GetRecordRequest(match_id=match_id)),
                (organizer.replays.ExplainSeat, replay_pb2.ExplainSeatRequest(match_id=match_id)),
                (
                    organizer.replays.GetSeatReplay,
                    replay_pb2.GetSeatReplayRequest(match_id=match_id),
                ),
            ):
                with pytest.raises(Refused) as refused:
                    await organizer.call(method, asked, token=token)
                told = f"{refused.value} {refused.value.metadata}"
                assert not any(bot in told for bot in BOTS)
        watch = organizer.stream(
            organizer.replays.WatchMatch, replay_pb2.WatchMatchRequest(match_id=match_id)
        )
        first = await anext(watch)
        assert not any(bot.encode() in first.SerializeToString() for bot in BOTS)
        numbers = await asyncio.to_thread(scraped, organizer)
        assert b"running_matches" in numbers
        assert not any(bot.encode() in numbers for bot in BOTS)


async def test_the_names_of_a_match_survive_the_servers_death_and_its_end_tells_who_it_was(
    tmp_path: Path,
) -> None:
    async with organized(tmp_path / "first") as organizer:
        match_id = await begin_and_stand_still(organizer, blind=True)
        [before] = await listed_for(organizer, None)
        copy_store(organizer.app, tmp_path / "second")
        tokens = dict(organizer.tokens)
    async with organized(tmp_path / "second", seed="second") as organizer:
        organizer.tokens = tokens
        ann = await organizer.connect(BOTS[0])
        bob = await organizer.connect(BOTS[1])
        await organizer.finished()
        synced = [
            message.match_sync
            for message in Spy.of(BOTS[0], ann).messages
            if message.HasField("match_sync") and message.match_sync.match_id == match_id
        ]
        [own] = {sync.seating.seat for sync in synced}
        assert {player.bot_id for sync in synced for player in sync.seating.players} == {
            BOTS[0],
            before.seats[1 - own].bot_id,
        }
        ends = await bob.hears_ends(1)
        [end] = [end for end in ends if end.match_id == match_id]
        assert sorted(player.bot_id for player in end.players) == list(BOTS[:2])

        # A bot that was away hears the same of it when it is back.
        await bob.close()
        async with RawBot(organizer.app.address, tokens[BOTS[1]]) as back:
            await back.hello(match_ids=[match_id])
            heard = (await back.until("match_end")).match_end
        assert heard.players == end.players


async def test_a_match_that_does_not_count_tells_nobody_who_sat_there(
    organizer: Organizer,
) -> None:
    await organizer.register(*BOTS[:2])
    await organizer.create(blind=True, max_running_matches=1)
    ann = await organizer.connect(BOTS[0])
    await organizer.enter(*BOTS[:2])
    await organizer.close()
    await organizer.start(allow_absent=True)
    await organizer.miss(1, BOTS[1])
    await organizer.until(lambda now: now.matches.running == 1)

    spy = Spy.of(BOTS[0], ann)
    [end] = spy.ends.values()
    assert end.ending == arena_pb2.MATCH_ENDING_VOID
    assert BOTS[1].encode() not in end.SerializeToString()
    assert await listed_for(organizer, None) == []


async def test_the_schedule_of_a_blind_tournament_cannot_be_worked_out_from_what_is_public(
    organizer: Organizer,
) -> None:
    await organizer.begin(*BOTS, blind=True)
    await organizer.finished()
    tournament = await organizer.get()
    entropies = {entrant.bot_id: entrant.entropy for entrant in tournament.entrants}

    assert tournament.schedule_seed != schedule_seed(entropies)
    assert tournament.schedule_seed == hidden_schedule_seed(tournament.master_seed, entropies)
    schedule = RoundRobin(BOTS, table_size=2, rounds=1, seed=tournament.schedule_seed)
    played = [tuple(seat.bot_id for seat in match.seats) for match in await organizer.matches()]
    assert played == list(schedule)


async def test_an_open_tournament_tells_its_names_at_the_beginning(organizer: Organizer) -> None:
    await organizer.register(*BOTS[:2])
    await organizer.create()
    ann = await organizer.connect(BOTS[0])
    await organizer.connect(BOTS[1])
    await organizer.enter(*BOTS[:2])
    await organizer.close()
    await organizer.start()
    await organizer.finished()

    spy = Spy.of(BOTS[0], ann)
    assert set(spy.aliases().values()) == {BOTS[1]}
    assert not any(end.players for end in spy.ends.values())


def test_pseudonyms_are_made_of_the_match_and_the_seat_under_the_master_seed() -> None:
    names = pseudonyms(bytes(32), "m", 3)

    assert names == ("anon-cdtybt4cfy6utael", "anon-bln65k3ryvofov7j", "anon-22p6524cxhl6umvz")
    assert len({*names, *pseudonyms(bytes(32), "n", 3), *pseudonyms(b"x" * 32, "m", 3)}) == 9
    assert pseudonyms(bytes(32), "m", 2) == names[:2]
