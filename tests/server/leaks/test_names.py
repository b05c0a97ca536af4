"""What may be known of who played, and from when on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kitumaija.server.leaks.names import without_names
from kitumaija.server.leaks.plan import Ending, Round
from kitumaija.server.leaks.said import LISTED_FOR, Said, Source, of_stream
from kitumaija.v1 import arena_pb2
from kitumaija.v1 import tournament_pb2 as v1
from tests.support.leak_rounds import one_round

BLIND = one_round(3, blind=True)
CUT_OFF = replace(BLIND, ending=Ending.CANCELLED)


def end(ending: arena_pb2.MatchEnding.ValueType, match_id: str = "m") -> Said:
    told = arena_pb2.MatchEnd(match_id=match_id, ending=ending, places=[1, 2])
    told.players.add(seat=0, bot_id="b1")
    return of_stream(arena_pb2.ServerMessage(match_end=told))


def listing(state: v1.MatchState.ValueType, kind: str = "ListMatches") -> Said:
    seats = [v1.MatchSeat(bot_id="b1", place=2)]
    match = v1.Match(match_id="m", state=state, seats=seats)
    return Said(Source.CALL, kind, "", v1.ListMatchesResponse(matches=[match]))


def standings() -> Said:
    row = v1.Standing(bot_id="b1")
    table = v1.StandingsTable(table_size=3, rows=[row])
    return Said(Source.CALL, "GetStandings", "", v1.GetStandingsResponse(tables=[table]))


def named(played: Round, *told: Said, others: str = "m") -> list[bool]:
    """Tell of each thing that is left whether it names the bot."""
    return [b"b1" in one.data for one in without_names(played, {others}, told)]


def test_a_match_that_runs_or_is_void_must_name_nobody() -> None:
    void = end(arena_pb2.MATCH_ENDING_VOID)
    running = listing(v1.MATCH_STATE_RUNNING)

    assert named(BLIND, void, running, listing(v1.MATCH_STATE_VOID)) == [True] * 3


def test_the_end_names_the_players_and_so_may_all_that_is_told_after_it() -> None:
    over = end(arena_pb2.MATCH_ENDING_PLAYED)
    finished = listing(v1.MATCH_STATE_FINISHED)

    assert named(BLIND, standings(), over, finished, standings()) == [True, False, False, False]


def test_which_matches_a_bot_played_is_compared_until_the_first_of_them_has_ended() -> None:
    listed = listing(v1.MATCH_STATE_RUNNING, LISTED_FOR)

    assert named(BLIND, listed, end(arena_pb2.MATCH_ENDING_PLAYED), listed) == [True, False]


def test_places_stay_to_be_compared_when_names_may_be_known() -> None:
    [kept_end, kept_listing] = without_names(
        BLIND, {"m"}, [end(arena_pb2.MATCH_ENDING_PLAYED), listing(v1.MATCH_STATE_FINISHED)]
    )

    assert isinstance(kept_end.said, arena_pb2.ServerMessage)
    assert list(kept_end.said.match_end.places) == [1, 2]
    assert isinstance(kept_listing.said, v1.ListMatchesResponse)
    assert kept_listing.said.matches[0].seats[0].place == 2


def test_the_end_of_a_match_with_the_same_bots_in_both_worlds_gives_no_leave_to_differ() -> None:
    over = end(arena_pb2.MATCH_ENDING_PLAYED)

    assert named(BLIND, over, standings(), others="another") == [True, True]


@pytest.mark.parametrize("played", [BLIND, CUT_OFF])
def test_a_void_match_may_be_listed_with_names_only_when_all_is_over(played: Round) -> None:
    [void] = named(played, listing(v1.MATCH_STATE_VOID))

    assert void == (played is BLIND)


def test_the_log_names_bots_to_the_organizer_and_is_compared_without_their_names() -> None:
    told = [
        Said(Source.LOG, "line", "", "match b1b2 ended bots=('b10', 'b2')"),
        Said(Source.LOG, "line", "", "a card"),
    ]

    kept = [one.said for one in without_names(BLIND, {"m"}, told)]
    assert kept == ["a card", "match b1b2 ended bots=('a bot', 'a bot')"]
    assert without_names(BLIND, set(), told) == told
