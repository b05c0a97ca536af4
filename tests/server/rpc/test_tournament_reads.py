"""What is read of tournaments over a socket: by whom, page by page, and as it happens."""

from __future__ import annotations

import pytest

from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.status import ErrorReason
from tests.support.organizer import Organizer, Refused


async def test_everybody_may_read_and_nothing_of_a_stranger_is_found(
    organizer: Organizer,
) -> None:
    calls = organizer.tournaments
    for method, request in (
        (calls.GetTournament, v1.GetTournamentRequest(tournament_id="no")),
        (calls.ListMatches, v1.ListMatchesRequest(tournament_id="no")),
        (calls.GetStandings, v1.GetStandingsRequest(tournament_id="no")),
    ):
        with pytest.raises(Refused) as refused:
            await organizer.call(method, request, token=None)
        assert refused.value.reason is ErrorReason.NOT_FOUND_TOURNAMENT
    for method, stream_request in (
        (calls.WatchTournament, v1.WatchTournamentRequest(tournament_id="no")),
        (calls.ExportTournament, v1.ExportTournamentRequest(tournament_id="no")),
    ):
        with pytest.raises(Refused) as refused:
            async for _ in organizer.stream(method, stream_request, token=None):
                pass
        assert refused.value.reason is ErrorReason.NOT_FOUND_TOURNAMENT


async def test_who_sits_where_is_not_listed_before_all_are_ready(organizer: Organizer) -> None:
    await organizer.register("ann", "bob")
    await organizer.create()
    await organizer.connect("ann")
    await organizer.connect("bob", ready=False)
    await organizer.enter("ann", "bob")
    await organizer.close()
    await organizer.start()
    await organizer.until(lambda now: now.matches.running == 2)
    assert len(await organizer.matches()) == 2
    organizer.token = organizer.tokens["bob"]
    assert await organizer.matches() == []
    # Nor does a page token tell that there is something, and at which number of the schedule.
    for bot_id in ("", "ann", "bob"):
        page = await organizer.call(
            organizer.tournaments.ListMatches,
            v1.ListMatchesRequest(tournament_id="cup", page_size=1, bot_id=bot_id),
        )
        assert page == v1.ListMatchesResponse()


async def test_tournaments_are_listed_newest_first_page_by_page(organizer: Organizer) -> None:
    for name in ("a", "b", "c", "d", "e"):
        await organizer.create(name)
    names: list[str] = []
    token = ""
    pages = 0
    while pages == 0 or token:
        request = v1.ListTournamentsRequest(page_size=2, page_token=token)
        page = await organizer.call(organizer.tournaments.ListTournaments, request)
        names += [tournament.tournament_id for tournament in page.tournaments]
        token = page.next_page_token
        pages += 1
    assert names == ["e", "d", "c", "b", "a"]
    assert pages == 3


@pytest.mark.parametrize("token", ["nonsense", "W10", "!"])
async def test_a_page_token_of_no_listing_is_refused(organizer: Organizer, token: str) -> None:
    request = v1.ListTournamentsRequest(page_token=token)
    with pytest.raises(Refused) as refused:
        await organizer.call(organizer.tournaments.ListTournaments, request)
    assert refused.value.reason is ErrorReason.INVALID_ARGUMENT_PAGE_TOKEN


async def test_a_page_token_is_good_for_its_own_filters_only(organizer: Organizer) -> None:
    await organizer.begin("ann", "bob", "cid")
    await organizer.finished()
    calls = organizer.tournaments
    first = v1.ListMatchesRequest(tournament_id="cup", page_size=1, bot_id="ann")
    token = (await organizer.call(calls.ListMatches, first)).next_page_token
    other = v1.ListMatchesRequest(tournament_id="cup", bot_id="bob", page_token=token)
    with pytest.raises(Refused) as refused:
        await organizer.call(calls.ListMatches, other)
    assert refused.value.reason is ErrorReason.INVALID_ARGUMENT_PAGE_TOKEN


async def test_a_page_size_below_zero_is_refused(organizer: Organizer) -> None:
    with pytest.raises(Refused) as refused:
        await organizer.call(
            organizer.tournaments.ListTournaments, v1.ListTournamentsRequest(page_size=-1)
        )
    assert refused.value.metadata["field"] == "page_size"


async def test_matches_are_listed_by_table_size_and_by_bot(organizer: Organizer) -> None:
    await organizer.begin("ann", "bob", "cid", table_sizes=[2, 3])
    await organizer.finished()
    assert len(await organizer.matches()) == 9
    assert len(await organizer.matches(table_size=3)) == 3
    assert len(await organizer.matches(page_size=2)) == 9
    found = await organizer.matches(table_size=2, bot_id="ann")
    assert len(found) == 4
    assert all("ann" in [seat.bot_id for seat in match.seats] for match in found)
    assert [match.number for match in found] == sorted(match.number for match in found)


async def test_a_watcher_sees_the_tournament_from_its_making_to_its_end(
    organizer: Organizer,
) -> None:
    await organizer.register("ann", "bob")
    await organizer.create()
    watch = organizer.stream(
        organizer.tournaments.WatchTournament, v1.WatchTournamentRequest(tournament_id="cup")
    )
    first = await anext(watch)
    assert (first.state, first.matches.planned) == (v1.TOURNAMENT_STATE_OPEN, 0)
    for bot in ("ann", "bob"):
        await organizer.connect(bot)
    await organizer.enter("ann", "bob")
    await organizer.close()
    await organizer.start()
    updates = [update async for update in watch]
    assert updates[-1].state == v1.TOURNAMENT_STATE_FINISHED
    assert updates[-1].matches.finished == updates[-1].matches.planned == 2
    done = [update.matches.finished for update in updates]
    assert done == sorted(done)


async def test_standings_are_provisional_while_matches_are_open(organizer: Organizer) -> None:
    await organizer.begin("ann", "bob", "cid", rounds=4, max_running_matches=1)
    await organizer.until(lambda now: now.matches.finished >= 3)
    now = await organizer.standings()
    [table] = now.tables
    assert table.provisional
    assert sum(row.games for row in table.rows) == 2 * table.rated
    await organizer.finished()
    [table] = (await organizer.standings()).tables
    assert not table.provisional
    assert table.rated == table.planned == 24


async def test_a_tournament_that_was_never_started_has_no_table(organizer: Organizer) -> None:
    await organizer.create()
    assert not (await organizer.standings()).tables
    request = v1.CancelTournamentRequest(tournament_id="cup")
    await organizer.call(organizer.tournaments.CancelTournament, request)
    found = await organizer.standings()
    assert found.state == v1.TOURNAMENT_STATE_CANCELLED
    assert not found.tables
