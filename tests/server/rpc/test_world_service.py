"""Worlds over the wire: what the engine draws and plays, from the request and nothing else."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
from dataclasses import replace
from datetime import timedelta
from itertools import islice
from pathlib import Path
from typing import Any

import grpc.aio
import pytest
from google.protobuf.json_format import MessageToDict, ParseDict

from kitumaija.engine import (
    GameOptions,
    InformationSet,
    PickUp,
    Seat,
    apply,
    legal_actions,
    text_seed,
    view,
)
from kitumaija.server.limits import ServerLimits
from kitumaija.server.match.state import Pending
from kitumaija.server.match.trail import Trail
from kitumaija.server.rpc.searching import (
    SENTENCE_MAX,
    Unanswerable,
    apply_actions,
    sample_worlds,
)
from kitumaija.v1 import arena_pb2, game_pb2, world_pb2, world_pb2_grpc
from kitumaija.wire.codec import (
    action_to_message,
    events_from_message,
    events_to_message,
    legal_from_message,
    options_to_message,
    view_from_message,
    world_from_message,
    world_to_message,
)
from kitumaija.wire.status import ErrorReason
from tests.support.arena import Arena, running_arena
from tests.support.information import Played, play_at_random, replayed
from tests.support.organizer import Organizer, Refused, organized

GUIDE = Path(__file__).parents[3] / "proto" / "README.md"


@pytest.fixture
async def bot(organizer: Organizer) -> Organizer:
    """Who calls with a bot's token."""
    await organizer.register("searcher")
    organizer.token = organizer.tokens["searcher"]
    return organizer


def asking(game: Played, seat: int, **more: Any) -> world_pb2.SampleWorldsRequest:
    return world_pb2.SampleWorldsRequest(
        options=options_to_message(game.options),
        events=events_to_message(game.told(Seat(seat))),
        **more,
    )


async def test_the_worlds_of_a_call_are_those_that_the_engine_draws(bot: Organizer) -> None:
    game = play_at_random("over the wire", 4, 30)
    known = InformationSet(game.told(Seat(1)))

    answer = await bot.call(bot.worlds.SampleWorlds, asking(game, 1, seed="mine", first=2, count=3))

    states = [world.state for world in islice(known.worlds(text_seed("mine"), 2), 3)]
    assert list(answer.worlds) == [world_to_message(state) for state in states]
    assert answer.size == str(known.size)
    for message in answer.worlds:
        state = world_from_message(message, game.options)
        assert view(state, Seat(1)) == view(game.state, Seat(1))


async def test_the_actions_of_a_line_are_played_by_the_rules(bot: Organizer) -> None:
    game = play_at_random("lines", 3, 12)
    state = next(InformationSet(game.told(Seat(0))).worlds(text_seed(""))).state
    first = legal_actions(state)[0]
    after, events = apply(state, first)
    second = legal_actions(after)[-1]
    last, more = apply(after, second)
    world = world_to_message(state)
    actions = [action_to_message(action) for action in (first, second)]

    answer = await bot.call(
        bot.worlds.ApplyActions,
        world_pb2.ApplyActionsRequest(
            lines=[
                world_pb2.ActionLine(world=world, actions=actions),
                world_pb2.ActionLine(world=world),
            ]
        ),
    )

    played, unplayed = answer.played
    assert events_from_message(played.events) == (*events, *more)
    assert legal_from_message(played.legal) == legal_actions(last)
    assert view_from_message(played.view) == view(last, last.mover)
    assert world_from_message(played.world, GameOptions()).hands == last.hands
    assert unplayed == world_pb2.PlayedLine(
        world=world,
        legal=unplayed.legal,
        view=unplayed.view,
    )


async def test_a_request_that_is_wrong_is_refused_with_the_event_and_why(bot: Organizer) -> None:
    request = asking(play_at_random("refused", 3, 9), 0)
    at = next(
        at
        for at, event in enumerate(request.events)
        if event.kind == game_pb2.EVENT_KIND_CARD_CAUGHT
    )
    seat = request.events[at].seat
    request.events[at].seat = (seat + 1) % 3

    with pytest.raises(Refused) as refused:
        await bot.call(bot.worlds.SampleWorlds, request)

    assert refused.value.reason is ErrorReason.INVALID_ARGUMENT_FIELD
    assert refused.value.metadata["field"] == f"events[{at}]"
    assert refused.value.metadata["got"] == "EVENT_KIND_CARD_CAUGHT"
    assert "what a game by these options can bring about: " in refused.value.metadata["wanted"]


def wrong_samples() -> list[tuple[world_pb2.SampleWorldsRequest, str, str]]:
    game = play_at_random("refused", 3, 9)
    unknown, cut, late = asking(game, 0), asking(game, 0), asking(game, 0)
    unknown.events[5].kind = 99  # type: ignore[assignment]
    no_card = asking(game, 0)
    no_card.events[3].card = 77  # type: ignore[assignment]
    del cut.events[-1], late.events[:2]
    no_options = asking(game, 0)
    no_options.options.repetition = 1
    return [
        (world_pb2.SampleWorldsRequest(), "events[0]", "told from the deal on"),
        (asking(game, 0, count=65), "count", "at most 64; ask on with `first`"),
        (unknown, "events[5]", "a kind of event that is known here"),
        (no_card, "events[3]", "card: got 77"),
        (cut, f"events[{len(cut.events)}]", "the events end before all is told"),
        (late, "events[0]", "told from the deal on"),
        (no_options, "options", "repetition: got 1"),
    ]


@pytest.mark.parametrize(("request_", "field", "wanted"), wrong_samples())
def test_what_is_wrong_with_events_is_said(
    request_: world_pb2.SampleWorldsRequest, field: str, wanted: str
) -> None:
    with pytest.raises(Unanswerable) as refused:
        sample_worlds(request_)

    assert refused.value.field.startswith(field)
    assert re.search(wanted, refused.value.wanted)


def test_what_is_wrong_with_lines_is_said() -> None:
    state = play_at_random("lines", 3, 0).state
    world = world_to_message(state)
    passing = game_pb2.Action(pass_lead=game_pb2.Pass())
    nothing = game_pb2.Action()
    first = action_to_message(legal_actions(state)[0])
    for lines, field, wanted in (
        ([world_pb2.ActionLine()] * 65, "lines", "at most 64"),
        ([world_pb2.ActionLine(actions=[first] * 1025)], "actions", "at most 1024"),
        ([world_pb2.ActionLine(world=world), world_pb2.ActionLine()], "lines[1].world", "phase"),
        (
            [world_pb2.ActionLine(world=world, actions=[first, passing])],
            "lines[0].actions[1]",
            "a legal action: passing is only for",
        ),
        (
            [world_pb2.ActionLine(world=world, actions=[nothing])],
            "lines[0].actions[0]",
            "wanted one of play",
        ),
    ):
        with pytest.raises(Unanswerable) as refused:
            apply_actions(world_pb2.ApplyActionsRequest(lines=lines))
        assert refused.value.field == field
        assert wanted in f"got {refused.value.got}, wanted {refused.value.wanted}"


async def test_a_refusal_is_short_however_long_what_is_wrong_is(bot: Organizer) -> None:
    """All of a status is metadata: a longer one would not reach the caller."""
    world = world_to_message(play_at_random("endless", 3, 0).state)
    world.out.extend([0] * 80_000)
    request = world_pb2.ApplyActionsRequest(lines=[world_pb2.ActionLine(world=world)])

    with pytest.raises(Refused) as refused:
        await bot.call(bot.worlds.ApplyActions, request)

    assert refused.value.reason is ErrorReason.INVALID_ARGUMENT_FIELD
    assert refused.value.metadata["field"] == "lines[0].world"
    assert refused.value.metadata["got"].startswith("what cannot be: ")
    assert len(refused.value.metadata["got"]) == SENTENCE_MAX


async def test_who_searches_too_often_is_refused_for_a_while(tmp_path: Path) -> None:
    limits = ServerLimits(silence_max=timedelta(days=1), calls_per_second=1, calls_burst=30)
    async with organized(tmp_path / "data", limits=limits) as organizer:
        await organizer.register("searcher")
        token = organizer.tokens["searcher"]
        request = world_pb2.ApplyActionsRequest()
        for _ in range(30 // limits.calls_per_search):
            await organizer.call(organizer.worlds.ApplyActions, request, token=token)

        with pytest.raises(Refused) as refused:
            await organizer.call(organizer.worlds.ApplyActions, request, token=token)

    assert refused.value.reason is ErrorReason.RESOURCE_EXHAUSTED
    assert refused.value.metadata["resource"] == "calls"


async def test_too_much_work_and_too_many_who_wait_are_refused(tmp_path: Path) -> None:
    game = play_at_random("work", 10, 4)
    request = asking(game, 0, count=64)
    limits = ServerLimits(silence_max=timedelta(days=1), search_cpu=timedelta(milliseconds=1))
    async with organized(tmp_path / "work", limits=limits) as organizer:
        with pytest.raises(Refused) as overdue:
            await organizer.call(organizer.worlds.SampleWorlds, request)
    limits = ServerLimits(silence_max=timedelta(days=1), searches_waiting=0)
    async with organized(tmp_path / "waiting", limits=limits) as organizer:
        with pytest.raises(Refused) as waiting:
            await organizer.call(organizer.worlds.SampleWorlds, request)

    assert overdue.value.metadata["wanted"] == "what takes less than 0.001 s"
    assert waiting.value.reason is ErrorReason.RESOURCE_EXHAUSTED
    assert waiting.value.metadata["resource"] == "searches"


def children() -> set[int]:
    """Return the processes that this one has started to search."""
    found = set()
    for entry in Path("/proc").iterdir():
        try:
            command = (entry / "cmdline").read_bytes()
            parent = (entry / "stat").read_text().rpartition(")")[2].split()[1]
        except (OSError, IndexError):
            continue
        if b"search_child" in command and int(parent) == os.getpid():
            found.add(int(entry.name))
    return found


async def test_a_search_process_that_was_killed_is_started_anew_and_ends_with_its_server(
    tmp_path: Path,
) -> None:
    request = asking(play_at_random("killed", 2, 5), 0)
    async with organized(tmp_path / "data") as organizer:
        before = await organizer.call(organizer.worlds.SampleWorlds, request)
        (child,) = children()
        os.kill(child, signal.SIGKILL)

        assert await organizer.call(organizer.worlds.SampleWorlds, request) == before
        assert children() != {child}
        assert len(children()) == 1

    assert children() == set()


##### Nothing is given away #####


async def running_match(arena: Arena, game: Played) -> None:
    """Have a match run in which everything is as in this game."""
    names = [f"bot-{seat}" for seat in range(game.state.seats)]
    bots = [await arena.connect(name) for name in names]
    setup = arena.open_match(*names, options=game.options)
    for bot in bots:
        await bot.until("match_start")
        await bot.ready(setup.match_id)
    for bot in bots:
        await bot.until("seating")
        await bot.heard()
    match = arena.hall.match("bot-0", setup.match_id)
    assert match is not None
    state = game.state
    pending = Pending(state.mover, 1, legal_actions(state), started=arena.clock.now())
    match.state = match.state._replace(game=state, events=Trail(game.events), pending=pending)
    resync = arena_pb2.BotMessage(resync=arena_pb2.Resync(match_id=setup.match_id))
    await bots[0].say(resync)


async def told_of_worlds(arena: Arena, game: Played) -> list[bytes]:
    """Ask as seat 0 for worlds, right and wrong, and to play on in them."""
    told: list[bytes] = []
    async with grpc.aio.insecure_channel(arena.app.address) as channel:
        stub: Any = world_pb2_grpc.WorldServiceStub(channel)
        metadata = (("authorization", f"Bearer {arena.tokens['bot-0']}"),)
        right, wrong = asking(game, 0, count=8), asking(game, 0)
        wrong.events[0].seat = 11
        sampled = await stub.SampleWorlds(right, metadata=metadata)
        lines = [world_pb2.ActionLine(world=world) for world in sampled.worlds]
        played = await stub.ApplyActions(
            world_pb2.ApplyActionsRequest(options=right.options, lines=lines), metadata=metadata
        )
        told += [sampled.SerializeToString(), played.SerializeToString()]
        try:
            await stub.SampleWorlds(wrong, metadata=metadata)
        except grpc.aio.AioRpcError as error:
            told.append(f"{error.code()} {error.details()} {error.trailing_metadata()}".encode())
    return told


@pytest.mark.parametrize(("seats", "decisions"), [(2, 20), (4, 25), (10, 40)])
async def test_no_byte_depends_on_the_hidden_cards_of_a_match_that_runs(
    tmp_path: Path, seats: int, decisions: int
) -> None:
    """Two servers run a match whose hidden cards all differ; seat 0 was told the same in both."""
    options = GameOptions(pickup=PickUp.UNABLE)
    here = play_at_random(f"leak {seats}", seats, decisions, options)
    known = InformationSet(here.told(Seat(0)))
    other = next(
        world for world in known.worlds(text_seed("other")) if world.state.hands != here.state.hands
    )
    state, events = replayed(other.deck, other.queen_places, here)
    there = replace(here, deck=other.deck, state=state, events=tuple(events))
    assert there.told(Seat(0)) == here.told(Seat(0))

    told = []
    for name, game in (("here", here), ("there", there)):
        async with running_arena(tmp_path / name) as arena:
            await running_match(arena, game)
            told.append(await told_of_worlds(arena, game))

    assert told[0] == told[1]
    assert len(told[0]) == 3


##### The guide #####


def test_the_examples_of_the_guide_are_answered_as_it_says() -> None:
    chapter = GUIDE.read_text("utf-8").partition("## Worlds for search")[2].partition("\n## ")[0]
    ask, answer, play, played = (
        json.loads(block) for block in re.findall(r"```json\n(.*?)```", chapter, re.DOTALL)
    )

    sampled = sample_worlds(ParseDict(ask, world_pb2.SampleWorldsRequest()))
    applied = apply_actions(ParseDict(play, world_pb2.ApplyActionsRequest()))

    assert MessageToDict(sampled) == answer
    assert MessageToDict(applied) == played


async def test_searches_of_several_callers_are_all_answered(bot: Organizer) -> None:
    game = play_at_random("several", 3, 8)
    requests = [asking(game, 0, seed=str(number)) for number in range(8)]

    answers = await asyncio.gather(
        *(bot.call(bot.worlds.SampleWorlds, request) for request in requests)
    )

    assert answers == [sample_worlds(request) for request in requests]
