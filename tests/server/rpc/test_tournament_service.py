"""`TournamentService` over a socket: rights and refusals."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, cast

import pytest
from google.protobuf.duration_pb2 import Duration

from kitumaija.server.rating import Entry, RatingTable, load_table, save_table
from kitumaija.server.store import audit
from kitumaija.v1 import arena_pb2, bot_pb2, game_pb2
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.status import ErrorReason
from tests.support.organizer import Organizer, Refused


def seconds(value: float) -> Duration:
    duration = Duration()
    duration.FromTimedelta(timedelta(seconds=value))
    return duration


def create(**settings: Any) -> v1.CreateTournamentRequest:
    return v1.CreateTournamentRequest(
        tournament_id="cup", settings=v1.TournamentSettings(**settings)
    )


##### Making one #####


async def test_a_tournament_is_made_with_every_default_named(organizer: Organizer) -> None:
    response = await organizer.call(organizer.tournaments.CreateTournament, create())
    made = response.tournament
    settings = made.settings
    assert (made.title, made.state) == ("cup", v1.TOURNAMENT_STATE_DRAFT)
    assert list(settings.table_sizes) == [2]
    assert (settings.rounds, settings.entries_per_owner, settings.max_running_matches) == (
        1,
        1,
        256,
    )
    assert settings.hands_visible == v1.HANDS_VISIBLE_AFTER_TOURNAMENT
    assert (settings.faults.illegal_retries, settings.faults.faults_to_forfeit) == (2, 5)
    assert settings.faults.no_shows_to_withdraw == 3
    assert settings.bench_wait.ToTimedelta() == timedelta(hours=1)
    assert settings.options.turns_per_player == 100
    assert settings.options.free_from_stock == game_pb2.FREE_FROM_STOCK_AFTER_LUCK
    assert settings.limits.startup.ToTimedelta() == timedelta(seconds=30)
    assert settings.limits.match_cap == made.longest_match
    assert len(made.master_commitment) == 32
    assert made.master_seed == made.schedule_seed == b""


async def test_an_id_is_drawn_where_none_is_wanted(organizer: Organizer) -> None:
    request = v1.CreateTournamentRequest(title="Kesäturnaus")
    made = (await organizer.call(organizer.tournaments.CreateTournament, request)).tournament
    assert made.tournament_id.startswith("t-")
    assert made.title == "Kesäturnaus"


@pytest.mark.parametrize(
    ("request_", "field", "said"),
    [
        (create(table_sizes=[1]), "table_sizes", "wanted a whole number of seats from 2 to 10"),
        (create(table_sizes=[2, 2]), "table_sizes", "wanted every size once"),
        (create(rounds=0), "rounds", "got 0, wanted a whole number of rounds from 1"),
        (create(match_budget=0), "match_budget", "wanted a whole number of matches from 1"),
        (create(entries_per_owner=0), "entries_per_owner", "got 0"),
        (create(max_running_matches=0), "max_running_matches", "got 0"),
        (create(hands_visible=9), "hands_visible", "got 9"),
        (create(unsafe_seed="x" * 201), "unsafe_seed", "201 characters"),
        (create(faults=v1.FaultPolicy(illegal_actions=cast(Any, 9))), "faults", "got 9, no known"),
        (
            create(faults=v1.FaultPolicy(no_shows_to_withdraw=0)),
            "faults.no_shows_to_withdraw",
            "got 0",
        ),
        (create(limits=arena_pb2.Limits(startup=seconds(0))), "limits", "more than zero"),
        (create(limits=arena_pb2.Limits(per_decision=seconds(86400))), "limits", "365 days"),
        (create(bench_wait=seconds(-1)), "bench_wait", "less than zero"),
        (create(options=game_pb2.GameOptions(repetition=1)), "options", "repetition: got 1"),
        (v1.CreateTournamentRequest(tournament_id="Cup!"), "tournament_id", "'Cup!'"),
        (
            v1.CreateTournamentRequest(title="x" * 101),
            "title",
            "101 characters, wanted at most 100",
        ),
        (v1.CreateTournamentRequest(title="a\0b"), "title", "NUL"),
        (v1.CreateTournamentRequest(request_id="x" * 65), "request_id", "wanted at most 64"),
    ],
)
async def test_what_no_tournament_can_have_is_refused_with_the_field(
    organizer: Organizer, request_: v1.CreateTournamentRequest, field: str, said: str
) -> None:
    with pytest.raises(Refused) as refused:
        await organizer.call(organizer.tournaments.CreateTournament, request_)
    assert refused.value.reason is ErrorReason.INVALID_ARGUMENT_FIELD
    assert refused.value.metadata["field"] == field
    assert said in refused.value.message


async def test_options_by_which_a_game_could_last_for_ever_are_refused(
    organizer: Organizer,
) -> None:
    request = create(options=game_pb2.GameOptions(turns_per_player=0))
    with pytest.raises(Refused, match="could last for ever") as refused:
        await organizer.call(organizer.tournaments.CreateTournament, request)
    assert refused.value.reason is ErrorReason.INVALID_ARGUMENT_ENDLESS_GAME


async def test_a_match_cap_that_is_too_small_is_refused_with_the_number_needed(
    organizer: Organizer,
) -> None:
    request = create(limits=arena_pb2.Limits(match_cap=seconds(60)))
    with pytest.raises(Refused) as refused:
        await organizer.call(organizer.tournaments.CreateTournament, request)
    assert refused.value.reason is ErrorReason.INVALID_ARGUMENT_MATCH_CAP
    needed = int(refused.value.metadata["needed_seconds"])
    assert f"got 60 s, wanted at least {needed} s" in refused.value.message

    enough = create(limits=arena_pb2.Limits(match_cap=seconds(needed)))
    made = (await organizer.call(organizer.tournaments.CreateTournament, enough)).tournament
    assert made.settings.limits.match_cap.ToTimedelta() == timedelta(seconds=needed)


async def test_an_id_is_given_once(organizer: Organizer) -> None:
    await organizer.create()
    with pytest.raises(Refused) as refused:
        await organizer.call(organizer.tournaments.CreateTournament, create())
    assert refused.value.reason is ErrorReason.ALREADY_EXISTS_TOURNAMENT


##### Entering and starting #####


async def test_an_owner_has_as_many_entrants_as_allowed(organizer: Organizer) -> None:
    await organizer.register("ann", "ann-2", "ann-3", owner="Ann")
    await organizer.create(entries_per_owner=2)
    await organizer.enter("ann", "ann-2")
    with pytest.raises(Refused) as refused:
        await organizer.enter("ann-3")
    assert refused.value.reason is ErrorReason.OWNER_LIMIT
    # One that left makes room.
    request = v1.WithdrawEntrantRequest(tournament_id="cup", bot_id="ann")
    await organizer.call(organizer.tournaments.WithdrawEntrant, request)
    await organizer.enter("ann-3")


@pytest.mark.parametrize(
    ("bot_id", "reason"),
    [
        ("nobody", ErrorReason.NOT_FOUND_BOT),
        ("ann", ErrorReason.ALREADY_EXISTS_ENTRANT),
        ("out", ErrorReason.ENTRANT_ABSENT),
    ],
)
async def test_who_cannot_be_entered_is_told_why(
    organizer: Organizer, bot_id: str, reason: ErrorReason
) -> None:
    await organizer.register("ann", "out")
    await organizer.call(organizer.registry.DisableBot, bot_pb2.DisableBotRequest(bot_id="out"))
    await organizer.create()
    await organizer.enter("ann")
    with pytest.raises(Refused) as refused:
        await organizer.enter(bot_id)
    assert refused.value.reason is reason
    assert bot_id in refused.value.message


async def test_a_start_with_too_few_entrants_names_them(organizer: Organizer) -> None:
    await organizer.register("ann", "bob", "cid")
    await organizer.create(table_sizes=[2, 4])
    await organizer.enter("ann", "bob", "cid")
    await organizer.close()
    with pytest.raises(Refused) as refused:
        await organizer.start(allow_absent=True)
    assert refused.value.reason is ErrorReason.TOO_FEW_ENTRANTS
    assert "3 entrants (ann, bob, cid)" in refused.value.message
    assert refused.value.metadata["wanted"] == "4"


async def test_a_start_with_a_budget_for_no_even_schedule_says_what_is_needed(
    organizer: Organizer,
) -> None:
    await organizer.register("ann", "bob", "cid", "dot")
    await organizer.create(table_sizes=[2, 3], match_budget=7)
    await organizer.enter("ann", "bob", "cid", "dot")
    assert (await organizer.get()).matches.planned == 0
    await organizer.close()
    with pytest.raises(Refused) as refused:
        await organizer.start(allow_absent=True)
    assert refused.value.reason is ErrorReason.MATCH_BUDGET
    assert refused.value.metadata["needed"] == "8"
    assert (await organizer.get()).state == v1.TOURNAMENT_STATE_CLOSED


async def test_a_start_with_absent_entrants_names_them_unless_it_is_allowed(
    organizer: Organizer,
) -> None:
    await organizer.register("ann", "bob", "cid")
    await organizer.create()
    await organizer.connect("bob")
    await organizer.enter("ann", "bob", "cid")
    await organizer.close()
    with pytest.raises(Refused) as refused:
        await organizer.start()
    assert refused.value.reason is ErrorReason.ENTRANT_ABSENT
    assert refused.value.metadata["bot_ids"] == "ann,cid"
    assert (await organizer.get()).state == v1.TOURNAMENT_STATE_CLOSED
    assert (await organizer.start(allow_absent=True)).state == v1.TOURNAMENT_STATE_RUNNING


async def test_of_a_schedule_that_is_too_long_as_many_rounds_are_played_as_fit(
    organizer: Organizer,
) -> None:
    bots = [f"bot-{number}" for number in range(12)]
    await organizer.register(*bots)
    await organizer.create(table_sizes=[6], rounds=10_000)
    await organizer.enter(*bots)
    await organizer.close()
    # A round has 5,544 matches, and the budget is ten million.
    assert (await organizer.start(allow_absent=True)).matches.planned == 1803 * 5544


async def test_a_command_that_does_not_fit_the_state_says_which_would(
    organizer: Organizer,
) -> None:
    await organizer.create()
    with pytest.raises(Refused) as refused:
        await organizer.start()
    assert refused.value.reason is ErrorReason.TOURNAMENT_STATE
    assert refused.value.metadata["state"] == "open"
    assert refused.value.metadata["wanted"] == "closed"


async def test_an_entrant_leaves_once(organizer: Organizer) -> None:
    await organizer.register("ann", "bob")
    await organizer.create()
    await organizer.enter("ann")
    request = v1.WithdrawEntrantRequest(tournament_id="cup", bot_id="ann")
    await organizer.call(organizer.tournaments.WithdrawEntrant, request)
    with pytest.raises(Refused) as refused:
        await organizer.call(organizer.tournaments.WithdrawEntrant, request)
    assert refused.value.reason is ErrorReason.ENTRANT_LEFT
    stranger = v1.WithdrawEntrantRequest(tournament_id="cup", bot_id="bob")
    with pytest.raises(Refused) as refused:
        await organizer.call(organizer.tournaments.WithdrawEntrant, stranger)
    assert refused.value.reason is ErrorReason.NOT_FOUND_ENTRANT


async def test_a_disqualification_without_a_reason_is_refused(organizer: Organizer) -> None:
    request = v1.DisqualifyEntrantRequest(tournament_id="cup", bot_id="ann", reason=" ")
    with pytest.raises(Refused) as refused:
        await organizer.call(organizer.tournaments.DisqualifyEntrant, request)
    assert refused.value.metadata["field"] == "reason"


##### Rights #####


def changes(organizer: Organizer) -> dict[str, tuple[Any, Any]]:
    """Every call that takes the organizer's token alone."""
    calls = organizer.tournaments
    return {
        "create": (calls.CreateTournament, v1.CreateTournamentRequest()),
        "open": (calls.OpenTournament, v1.OpenTournamentRequest()),
        "close": (calls.CloseTournament, v1.CloseTournamentRequest()),
        "start": (calls.StartTournament, v1.StartTournamentRequest()),
        "pause": (calls.PauseTournament, v1.PauseTournamentRequest()),
        "resume": (calls.ResumeTournament, v1.ResumeTournamentRequest()),
        "cancel": (calls.CancelTournament, v1.CancelTournamentRequest()),
        "disqualify": (calls.DisqualifyEntrant, v1.DisqualifyEntrantRequest()),
        "rebuild": (calls.RebuildRatings, v1.RebuildRatingsRequest()),
    }


async def test_only_the_organizer_changes_a_tournament(organizer: Organizer) -> None:
    await organizer.register("ann")
    for method, request in changes(organizer).values():
        with pytest.raises(Refused) as refused:
            await organizer.call(method, request, token=organizer.tokens["ann"])
        assert refused.value.reason is ErrorReason.PERMISSION_DENIED
        with pytest.raises(Refused) as refused:
            await organizer.call(method, request, token=None)
        assert refused.value.reason is ErrorReason.UNAUTHENTICATED_NO_TOKEN
        with pytest.raises(Refused) as refused:
            await organizer.call(method, request, token="mistyped")
        assert refused.value.reason is ErrorReason.UNAUTHENTICATED_TOKEN


async def test_a_bot_enters_and_withdraws_itself_and_nobody_else(organizer: Organizer) -> None:
    await organizer.register("ann", "bob")
    await organizer.create()
    own = organizer.tokens["ann"]
    enter, withdraw = organizer.tournaments.EnterTournament, organizer.tournaments.WithdrawEntrant
    other = v1.EnterTournamentRequest(tournament_id="cup", bot_id="bob")
    with pytest.raises(Refused) as refused:
        await organizer.call(enter, other, token=own)
    assert refused.value.metadata["needed"] == "bot:bob"
    request = v1.EnterTournamentRequest(tournament_id="cup", bot_id="ann")
    await organizer.call(enter, request, token=own)
    gone = v1.WithdrawEntrantRequest(tournament_id="cup", bot_id="ann")
    entrant = (await organizer.call(withdraw, gone, token=own)).entrant
    assert (entrant.state, entrant.reason) == (v1.ENTRANT_STATE_WITHDRAWN, "withdrawn")
    with organizer.app.store.read() as tx:
        newest = audit.page(tx, size=2, tournament_id="cup").rows
    assert [(row.actor, row.action) for row in newest] == [
        ("bot:ann", "withdraw"),
        ("bot:ann", "enter"),
    ]


##### Rating anew #####


async def test_rebuilding_the_ratings_repairs_what_was_spoilt(organizer: Organizer) -> None:
    await organizer.begin("ann", "bob", "cid", rounds=2)
    await organizer.finished()
    before = await organizer.standings()
    request = v1.RebuildRatingsRequest(tournament_id="cup")
    same = await organizer.call(organizer.tournaments.RebuildRatings, request)
    assert (same.results, same.changed) == (12, False)

    with organizer.app.store.write() as tx:
        table = load_table(tx, "cup", 2, ())
        spoilt = RatingTable({**table.entries, "ann": Entry()}, table.rated, table.games)
        save_table(tx, "cup", 2, spoilt)
    assert await organizer.standings() != before
    repaired = await organizer.call(organizer.tournaments.RebuildRatings, request)
    assert (repaired.results, repaired.changed) == (12, True)
    assert await organizer.standings() == before
