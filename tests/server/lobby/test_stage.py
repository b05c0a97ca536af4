"""A mistake of ours in one match: whom it costs what, and what the log says of it.

A match is broken by taking its game away: whatever needs the cards then raises.
"""

from __future__ import annotations

import re
from typing import Any

from structlog.testing import capture_logs

from kitumaija.server.match import Fault, MatchPlayed, MatchVoid
from kitumaija.server.match.journal import RefusedIllegal, Voided
from kitumaija.v1 import arena_pb2
from tests.support.lobby import Lobby, play_out, seated

CARD = re.compile(r"\b[2-9TJQKA][CDHS]\b|CLUBS|DIAMONDS|HEARTS|SPADES")


def take_the_game_away(lobby: Lobby) -> None:
    match: Any = lobby.hall.match("alice", "m1")
    match.state = match.state._replace(game=None)


async def test_a_mistake_over_an_answer_counts_as_an_illegal_answer_of_that_bot() -> None:
    lobby = Lobby()
    alice, alices, _, _ = await seated(lobby)
    take_the_game_away(lobby)

    lobby.answer(alice, alices.last("decision"))
    await lobby.turn()

    refusal = alices.last("refusal")
    assert refusal.reason == arena_pb2.REFUSAL_REASON_MALFORMED_ACTION
    assert refusal.retries_left == 2
    assert isinstance(lobby.journal.entries("m1")[-1], RefusedIllegal)
    assert lobby.hall.match_ids() == ("m1",)


async def test_a_mistake_over_anything_else_makes_the_match_void() -> None:
    lobby = Lobby()
    _, alices, _, _ = await seated(lobby)
    take_the_game_away(lobby)

    lobby.pass_time(11_051 + 20)
    await lobby.turn()

    (over,) = lobby.hooks.over
    assert isinstance(over.result, MatchVoid)
    assert alices.last("match_end").ending == arena_pb2.MATCH_ENDING_VOID
    assert lobby.fatal == []


async def test_a_match_that_cannot_even_be_made_void_by_its_machine_is_void_all_the_same() -> None:
    lobby = Lobby()
    _, alices, _, bobs = await seated(lobby)
    match: Any = lobby.hall.match("alice", "m1")
    match.state = "nonsense"

    lobby.hall.sweep(lobby.clock.now())
    await lobby.turn()

    (over,) = lobby.hooks.over
    assert isinstance(over.result, MatchVoid)
    assert lobby.hall.match_ids() == ()
    for line in (alices, bobs):
        assert line.last("match_end").ending == arena_pb2.MATCH_ENDING_VOID
    assert isinstance(lobby.journal.entries("m1")[-1], Voided)


async def test_a_mistake_with_what_ends_a_match_makes_it_void_at_once() -> None:
    """Its machine takes it for over then, and would wait for ever."""
    lobby = Lobby()
    _, alices, _, _ = await seated(lobby)
    match: Any = lobby.hall.match("alice", "m1")
    match.sequence = None

    lobby.hall.order_forfeit("bob", Fault.WITHDRAWN)
    await lobby.turn()

    (over,) = lobby.hooks.over
    assert isinstance(over.result, MatchVoid)
    assert lobby.hall.match_ids() == ()
    assert alices.last("match_end").ending == arena_pb2.MATCH_ENDING_VOID


async def test_the_log_tells_of_starts_faults_and_ends_and_never_of_a_card() -> None:
    lobby = Lobby()
    with capture_logs() as logs:
        alice, alices, bob, bobs = await seated(lobby)
        lobby.pass_time(11_051 + 20)
        await play_out(lobby, (alice, alices), (bob, bobs))
        await lobby.turn()

    assert isinstance(lobby.hooks.over[0].result, MatchPlayed)
    assert [line["event"] for line in logs] == ["match offered", "fault", "match ended"]
    assert all(line["match_id"] == "m1" for line in logs)
    assert (logs[1]["bot_id"], logs[1]["fault"]) == ("alice", "decision_timeout")
    assert not CARD.search(repr(logs))


async def test_the_log_tells_where_a_mistake_was_made_and_not_what_it_quoted() -> None:
    lobby = Lobby()
    alice, alices, _, _ = await seated(lobby)
    take_the_game_away(lobby)

    with capture_logs() as logs:
        lobby.answer(alice, alices.last("decision"))

    (line,) = logs
    assert line["event"] == "mistake in a match"
    assert line["error"] == "AttributeError"
    assert "rules.py" in line["raised_at"]
    assert not CARD.search(repr(logs))


async def test_a_bot_that_repeats_an_illegal_answer_does_not_fill_the_log() -> None:
    lobby = Lobby()
    alice, alices, _, _ = await seated(lobby)
    decision = alices.last("decision")

    with capture_logs() as logs:
        for _ in range(20):
            said = arena_pb2.Answer(match_id="m1", decision_id=decision.decision_id)
            lobby.desk.answer(alice, said, lobby.clock.now())
        await lobby.turn()

    assert [line["event"] for line in logs] == ["fault"]
