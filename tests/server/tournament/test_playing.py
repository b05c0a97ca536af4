"""Whole tournaments over a socket: every match once, every deal another, nobody waits for long."""

from __future__ import annotations

from kitumaija.engine import commitment, deal_seed, shuffled_deck, text_seed
from kitumaija.server.schedule.auditing import audit
from kitumaija.server.schedule.round_robin import RoundRobin
from kitumaija.server.store import audit as audit_log
from kitumaija.server.store import matches, records
from kitumaija.server.tournament.entropy import schedule_seed
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.record import MatchRecord, record_from_bytes
from tests.support.organizer import Organizer


def stored_records(organizer: Organizer, tournament_id: str = "cup") -> list[MatchRecord]:
    """All records of a tournament, in schedule order."""
    with organizer.app.store.read() as tx:
        page = matches.page(tx, tournament_id, size=1000)
        found = [records.get(tx, seated.match.match_id) for seated in page.rows]
    return [record_from_bytes(data) for data in found if data is not None]


async def test_every_match_of_the_schedule_is_played_once(organizer: Organizer) -> None:
    bots = ["ann", "bob", "cid", "dot"]
    await organizer.begin(*bots, table_sizes=[2, 3], rounds=2)
    last = await organizer.finished()
    assert (last.matches.planned, last.matches.finished) == (48, 48)
    assert (last.connected, last.entrants) == (4, 4)

    tournament = await organizer.get()
    played = await organizer.matches()
    for size in (2, 3):
        schedule = RoundRobin(bots, table_size=size, rounds=2, seed=tournament.schedule_seed)
        seated = [
            tuple(seat.bot_id for seat in match.seats)
            for match in played
            if match.table_size == size
        ]
        assert seated == list(schedule)
        assert audit(seated) == schedule.audit()


async def test_within_a_budget_a_choice_of_tables_is_played_and_everybody_plays_alike(
    organizer: Organizer,
) -> None:
    bots = ["ann", "bob", "cid", "dot", "eve", "fox"]
    await organizer.begin(*bots, table_sizes=[3], match_budget=40)
    last = await organizer.finished()
    assert (last.matches.planned, last.matches.finished) == (36, 36)

    tournament = await organizer.get()
    schedule = RoundRobin(bots, table_size=3, rounds=1, budget=40, seed=tournament.schedule_seed)
    seated = [tuple(seat.bot_id for seat in match.seats) for match in await organizer.matches()]
    assert seated == list(schedule)
    [table] = (await organizer.standings()).tables
    assert {row.games for row in table.rows} == {18}
    assert not (await organizer.standings()).remarks


async def test_no_deal_repeats_within_a_tournament(organizer: Organizer) -> None:
    await organizer.begin("ann", "bob", "cid", table_sizes=[2, 3], rounds=3)
    await organizer.finished()
    games = [record.game for record in stored_records(organizer)]
    assert len(games) == 27
    assert len({game.deal.deal_id for game in games}) == 27
    assert len({shuffled_deck(game.deal.key) for game in games}) == 27


async def test_all_secrets_can_be_checked_when_it_is_over(organizer: Organizer) -> None:
    await organizer.begin("ann", "bob", "cid")
    await organizer.finished()
    tournament = await organizer.get()

    assert commitment(tournament.master_seed) == tournament.master_commitment
    entropies = {entry.bot_id: entry.entropy for entry in tournament.entrants}
    assert entropies == {bot: f"entropy of {bot}".encode() for bot in ("ann", "bob", "cid")}
    assert schedule_seed(entropies) == tournament.schedule_seed
    for record in stored_records(organizer):
        deal = record.game.deal
        assert deal.seed == deal_seed(tournament.master_seed, deal.deal_id)
        assert dict(deal.entropies) == {bot: entropies[bot] for bot in record.game.seats}
        assert deal.deal_id.startswith("cup/2/")
        assert deal.deal_id.endswith("/1")


async def test_the_master_seed_is_not_told_before_the_end(organizer: Organizer) -> None:
    await organizer.begin("ann", "bob")
    tournament = await organizer.get()
    if tournament.state == v1.TOURNAMENT_STATE_RUNNING:
        assert tournament.master_seed == b""
    await organizer.finished()
    assert len((await organizer.get()).master_seed) == 32


async def test_entropy_is_not_told_before_the_schedule_is_fixed(organizer: Organizer) -> None:
    await organizer.register("ann", "bob")
    await organizer.create()
    for bot in ("ann", "bob"):
        await organizer.connect(bot)
    await organizer.enter("ann", "bob")
    await organizer.close()
    assert [entry.entropy for entry in (await organizer.get()).entrants] == [b"", b""]
    started = await organizer.start()
    assert [entry.entropy for entry in started.entrants] == [b"entropy of ann", b"entropy of bob"]


async def test_missing_and_false_entropy_counts_as_none_and_is_said(organizer: Organizer) -> None:
    await organizer.register("ann", "bob", "cid")
    await organizer.create()
    await organizer.connect("ann")
    await organizer.connect("bob", entropy=None)
    await organizer.connect("cid", reveals=b"another")
    await organizer.enter("ann", "bob", "cid")
    await organizer.close()
    await organizer.start()
    await organizer.finished()

    tournament = await organizer.get()
    assert [entry.entropy for entry in tournament.entrants] == [b"entropy of ann", b"", b""]
    remarks = "\n".join((await organizer.standings()).remarks)
    assert "no entropy was contributed by bob" in remarks
    assert "not revealed, or not as committed, by cid" in remarks


async def test_a_bot_that_was_started_anew_commits_anew(organizer: Organizer) -> None:
    await organizer.register("ann", "bob")
    await organizer.create()
    await organizer.connect("bob")
    first = await organizer.connect("ann", entropy=b"first")
    await organizer.enter("ann", "bob")
    await first.close()
    await organizer.connect("ann", entropy=b"second")
    await organizer.close()
    await organizer.start()
    entropies = {entry.bot_id: entry.entropy for entry in (await organizer.get()).entrants}
    assert entropies["ann"] == b"second"


async def test_an_unsafe_seed_makes_the_deals_and_is_said(organizer: Organizer) -> None:
    await organizer.begin("ann", "bob", unsafe_seed="rehearsal")
    await organizer.finished()
    tournament = await organizer.get()
    assert tournament.master_seed == text_seed("rehearsal")
    assert [entry.entropy_commitment for entry in tournament.entrants] == [b"", b""]
    remarks = (await organizer.standings()).remarks
    assert any(remark.startswith("UNSAFE SEED") for remark in remarks)
    assert not any("entropy" in remark for remark in remarks)


async def test_no_bot_is_offered_more_matches_at_once_than_it_said(organizer: Organizer) -> None:
    await organizer.register("ann", "bob", "cid", "dot")
    await organizer.create(rounds=4)
    waiting = await organizer.connect("ann", ready=False, capacity=3)
    for bot in ("bob", "cid", "dot"):
        await organizer.connect(bot, capacity=64)
    await organizer.enter("ann", "bob", "cid", "dot")
    await organizer.close()
    await organizer.start()
    # Ann holds up all of her matches that are offered; the others' are all played meanwhile.
    await organizer.until(lambda now: now.matches.finished == 24 and now.matches.running == 3)
    assert len(waiting.offered) == 3


async def test_no_more_matches_run_at_once_than_the_tournament_allows(
    organizer: Organizer,
) -> None:
    await organizer.register("ann", "bob", "cid", "dot")
    await organizer.create(max_running_matches=2, rounds=3)
    for bot in ("ann", "bob", "cid", "dot"):
        await organizer.connect(bot)
    await organizer.enter("ann", "bob", "cid", "dot")
    await organizer.close()
    await organizer.start()
    most = 0

    def look(now: v1.WatchTournamentResponse) -> bool:
        nonlocal most
        most = max(most, now.matches.running)
        return now.state == v1.TOURNAMENT_STATE_FINISHED

    await organizer.until(look)
    assert 1 <= most <= 2


async def test_a_bot_that_comes_back_as_another_version_is_sent_away(
    organizer: Organizer,
) -> None:
    await organizer.register("ann", "bob")
    await organizer.create(rounds=2)
    ann = await organizer.connect("ann", version="1.0", ready=False)
    await organizer.connect("bob")
    await organizer.enter("ann", "bob")
    await organizer.close()
    await organizer.start()
    await organizer.until(lambda now: now.matches.running > 0)
    await ann.close()
    other = await organizer.connect("ann", version="1.1")
    await other.gone()

    # It is frozen, and not shown before the standings count a game.
    assert not (await organizer.get()).entrants[0].bot_version
    await organizer.connect("ann", version="1.0")
    await organizer.finished()
    assert (await organizer.get()).entrants[0].bot_version == "1.0"


async def test_where_it_is_allowed_another_version_plays_on_and_is_marked(
    organizer: Organizer,
) -> None:
    await organizer.register("ann", "bob")
    await organizer.create(rounds=2, allow_version_changes=True)
    ann = await organizer.connect("ann", version="1.0", ready=False)
    await organizer.connect("bob", version="7")
    await organizer.enter("ann", "bob")
    await organizer.close()
    await organizer.start()
    await organizer.until(lambda now: now.matches.running > 0)
    await ann.close()
    await organizer.connect("ann", version="1.1")
    await organizer.finished()

    standings = await organizer.standings()
    versions = {row.bot_id: list(row.bot_versions) for row in standings.tables[0].rows}
    assert versions == {"ann": ["1.0", "1.1"], "bob": ["7"]}
    assert "ann changed its version during the tournament: 1.0, 1.1" in standings.remarks
    assert (await organizer.get()).entrants[0].bot_version == "1.0"
    with organizer.app.store.read() as tx:
        (row,) = audit_log.of_action(tx, "cup", "change_version")
    assert (row.actor, dict(row.detail)) == ("bot:ann", {"from": "1.0", "to": "1.1"})


async def test_two_tournaments_share_the_bots_capacity(organizer: Organizer) -> None:
    await organizer.register("ann", "bob", "cid")
    for name in ("cup", "league"):
        await organizer.create(name, rounds=4)
    bots = [await organizer.connect(bot, capacity=2) for bot in ("ann", "bob", "cid")]
    for name in ("cup", "league"):
        await organizer.enter("ann", "bob", "cid", tournament_id=name)
        await organizer.close(name)
        await organizer.start(name)
    for name in ("cup", "league"):
        await organizer.finished(name)
    assert [len(bot.offered) for bot in bots] == [32, 32, 32]
