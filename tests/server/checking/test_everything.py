"""A store of a real server, damaged in one way at a time: what the check says to it."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from kitumaija.engine import GameRecord, Seat
from kitumaija.server.checking import Tally, findings, matches_stored
from kitumaija.server.store import StoreReader
from kitumaija.server.store.copying import copy_sqlite
from kitumaija.server.store.engines import FILE_NAME
from tests.support.busy_store import ABSENT, FINISHED, LIVE, Busy, Damage


def said(damage: Damage) -> str:
    """The one sentence that the check has to say."""
    (sentence,) = damage.findings()
    return sentence


def test_a_store_with_everything_in_it_is_whole(either: Busy) -> None:
    tally, seen = Tally(), 0

    def looked() -> None:
        nonlocal seen
        seen += 1

    with StoreReader.open(either.address) as reader, reader.read() as tx:
        assert list(findings(tx, tally, looked_at=looked)) == []
        assert matches_stored(tx) == seen == tally.matches == 15
    # Nine of the cup; the live one's that was broken off, and not that which runs.
    assert (tally.tournaments, tally.records) == (3, 10)


# The database


def test_a_row_that_refers_to_nothing_is_found(either: Busy) -> None:
    with either.damaged() as damage:
        damage.run("DELETE FROM bots WHERE bot_id = 'eve'")
        sentences = damage.findings()
    assert "the table entrants names the bot_id 'eve', which the table bots does not have" in (
        sentences
    )
    assert "the table match_seats names the bot_id 'eve', which the table bots does not have" in (
        sentences
    )


def test_a_damaged_file_is_found_and_nothing_else_is_believed(busy: Busy, tmp_path: Path) -> None:
    copy = tmp_path / "copy.sqlite3"
    copy_sqlite(Path(busy.address) / FILE_NAME, copy)
    with closing(sqlite3.connect(copy)) as connection:
        ((page_size,),) = connection.execute("PRAGMA page_size").fetchall()
        query = "SELECT rootpage FROM sqlite_master WHERE name = 'ix_matches_one_final'"
        ((root,),) = connection.execute(query).fetchall()
    with copy.open("r+b") as file:
        file.seek((root - 1) * page_size + page_size - 100)
        file.write(bytes(range(100)))

    with StoreReader.open(f"sqlite:///{copy}") as reader, reader.read() as tx:
        sentences = [finding.sentence for finding in findings(tx)]

    assert sentences
    assert all(sentence.startswith("the database ") for sentence in sentences)


def test_a_deal_that_two_matches_have_is_found(either: Busy) -> None:
    with either.damaged() as damage:
        _without_keys(damage, "matches")
        damage.run(
            "UPDATE matches SET deal_id = 'cup/2/0/1' WHERE deal_id = 'cup/2/1/1'",
        )
        sentences = damage.findings()
    assert "2 matches have the deal 'cup/2/0/1'" in sentences


# Seeds


def test_a_master_seed_that_was_not_committed_to_is_found(busy: Busy) -> None:
    with busy.damaged() as damage:
        damage.run(
            "UPDATE tournaments SET master_commitment = :c WHERE tournament_id = 'cup'",
            c=bytes(32),
        )
        sentence = said(damage)
    assert sentence == ("the tournament 'cup': its master seed is not the one that it committed to")


def test_a_master_seed_that_is_public_too_early_is_found(busy: Busy) -> None:
    with busy.damaged() as damage:
        damage.run(
            "UPDATE tournaments SET master_seed = s.master_seed FROM tournament_secrets s"
            " WHERE tournaments.tournament_id = 'live' AND s.tournament_id = 'live'"
        )
        sentence = said(damage)
    assert sentence == "the tournament 'live': its master seed is public although it is running"


def test_a_tournament_without_its_master_seed_is_found(busy: Busy) -> None:
    with busy.damaged() as damage:
        damage.run("DELETE FROM tournament_secrets WHERE tournament_id = 'cup'")
        assert said(damage) == "the tournament 'cup' has no master seed stored"


def test_an_entropy_that_was_not_committed_to_is_found(busy: Busy) -> None:
    with busy.damaged() as damage:
        for table in ("entrants", "entrant_secrets"):
            damage.run(
                f"UPDATE {table} SET entropy = :e WHERE tournament_id = 'gone' AND bot_id = 'dan'",
                e=b"another",
            )
        sentences = damage.findings()
    assert sentences == [
        "the tournament 'gone': the entropy of 'dan' is not what it committed to",
        "the tournament 'gone': its schedule's seed does not follow from its entrants' entropies",
    ]


def test_a_seed_that_is_not_of_the_master_is_found(busy: Busy) -> None:
    with busy.damaged() as damage:
        match_id = damage.match(FINISHED)
        damage.change_record(
            match_id, lambda game: replace(game, deal=replace(game.deal, seed=bytes(32)))
        )
        sentences = damage.findings()
    # With other cards the decisions are no game, or at least not that one.
    assert f"{named(match_id)}: the seed in its record does not follow from the master seed" in (
        sentences
    )


# The schedule


def test_a_number_that_counts_twice_is_found(either: Busy) -> None:
    with either.damaged() as damage:
        damage.run("DROP INDEX ix_matches_one_final")
        first = damage.one(
            "SELECT match_id FROM matches WHERE tournament_id = 'gone' AND number = 0"
            " AND attempt = 1"
        )
        second = damage.one(
            "SELECT match_id FROM matches WHERE tournament_id = 'gone' AND number = 0"
            " AND attempt = 2"
        )
        damage.run("UPDATE matches SET final = true WHERE match_id = :m", m=first)
        sentences = damage.findings()
    assert (
        f"the tournament 'gone', 2 seats, number 0: counts by {first}, {second}; "
        "one match is to count"
    ) in sentences


def test_a_number_that_was_lost_is_found(busy: Busy) -> None:
    with busy.damaged() as damage:
        match_id = damage.one(
            "SELECT match_id FROM matches WHERE tournament_id = 'cup' AND table_size = 2"
            " AND number = 5"
        )
        for table in ("journal", "records", "match_seats", "matches"):
            damage.run(f"DELETE FROM {table} WHERE match_id = :m", m=match_id)
        sentences = damage.findings()
    assert sentences[:2] == [
        "the tournament 'cup' is finished, and at 2 seats 5 of 6 numbers are settled",
        "the tournament 'cup', 2 seats: 6 numbers are rated, of which 5 are settled without a gap",
    ]


def test_a_number_beyond_the_schedule_is_found(busy: Busy) -> None:
    with busy.damaged() as damage:
        damage.run("UPDATE matches SET number = 7 WHERE tournament_id = 'live'")
        sentences = damage.findings()
    assert sentences[0] == (
        "the tournament 'live', 2 seats, number 7: is not in the schedule, which has 2 matches"
    )


def test_what_would_be_played_is_what_is_planned_less_what_is_done(busy: Busy) -> None:
    with busy.damaged() as damage:
        damage.run(
            "UPDATE rating_states SET rated = 1, state = :s WHERE tournament_id = 'live'",
            s=_with_rated(damage, LIVE, 1),
        )
        sentences = damage.findings()
    assert sentences[0] == (
        "the tournament 'live', 2 seats: of 2 numbers 0 are settled, and 1 would be played; "
        "wanted 2"
    )


def test_a_table_with_others_than_were_scheduled_is_found(busy: Busy) -> None:
    with busy.damaged() as damage:
        match_id = damage.match(ABSENT, "void")
        damage.run(
            "UPDATE match_seats SET bot_id = 'ann' WHERE match_id = :m AND bot_id = 'dan'",
            m=match_id,
        )
        damage.run(
            "INSERT INTO entrants SELECT 'gone', bot_id, 9, state, reason, bot_version,"
            " entropy_commitment, entropy, no_shows FROM entrants"
            " WHERE tournament_id = 'cup' AND bot_id = 'ann'"
        )
        damage.run(
            "INSERT INTO entrant_secrets SELECT 'gone', bot_id, entropy FROM entrant_secrets"
            " WHERE tournament_id = 'cup' AND bot_id = 'ann'"
        )
        sentence = said(damage)
    assert "has ann, eve at its table" in sentence or "has eve, ann at its table" in sentence
    assert "the schedule says" in sentence


def test_a_match_that_outlived_its_tournament_is_found(busy: Busy) -> None:
    with busy.damaged() as damage:
        damage.run("UPDATE tournaments SET state = 'cancelled' WHERE tournament_id = 'live'")
        sentences = damage.findings()
    match_id = sentences[1].split()[1]
    assert sentences[1].startswith(f"match {match_id} of 'live' (2 seats, number 0, attempt 2): ")
    assert sentences[1].endswith("still runs, and the tournament is cancelled")


# Records


def test_a_finished_match_without_a_record_is_found(busy: Busy) -> None:
    with busy.damaged() as damage:
        match_id = damage.match(FINISHED)
        damage.run("DELETE FROM records WHERE match_id = :m", m=match_id)
        assert said(damage) == f"{named(match_id)}: is finished and has no record"


def test_a_void_match_without_what_was_played_of_it_is_found(busy: Busy) -> None:
    with busy.damaged() as damage:
        match_id = damage.match(LIVE, "void")
        damage.run("DELETE FROM records WHERE match_id = :m", m=match_id)
        assert said(damage) == (
            f"match {match_id} of 'live' (2 seats, number 0): is void, and there is no record of "
            "what had been played"
        )


def test_a_record_of_a_match_that_runs_is_found(busy: Busy) -> None:
    with busy.damaged() as damage:
        match_id = damage.match(LIVE, "running")
        damage.run(
            "INSERT INTO records SELECT :m, record FROM records WHERE match_id = :other",
            m=match_id,
            other=damage.match(LIVE, "void"),
        )
        assert said(damage).endswith("has a record although it still runs")


def test_a_record_that_is_cut_off_is_found(busy: Busy) -> None:
    with busy.damaged() as damage:
        match_id = damage.match(FINISHED)
        data = damage.one("SELECT record FROM records WHERE match_id = :m", m=match_id)
        damage.run(
            "UPDATE records SET record = :r WHERE match_id = :m", r=bytes(data)[:-9], m=match_id
        )
        assert said(damage).startswith(f"{named(match_id)}: its record cannot be read: cut off")


def test_the_record_of_another_match_is_found(busy: Busy) -> None:
    with busy.damaged() as damage:
        match_id = damage.match(FINISHED)
        other = damage.one(
            "SELECT match_id FROM matches WHERE tournament_id = 'cup' AND number = 3"
            " AND table_size = 2"
        )
        data = damage.one("SELECT record FROM records WHERE match_id = :m", m=other)
        damage.run("UPDATE records SET record = :r WHERE match_id = :m", r=data, m=match_id)
        sentences = damage.findings()
    assert sentences[:2] == [
        f"{named(match_id)}: its record names the match {other}, not {match_id}",
        f"{named(match_id)}: its record names the deal cup/2/3/1, not cup/2/0/1",
    ]


def test_a_decision_that_is_not_legal_is_found(busy: Busy) -> None:
    def twice(game: GameRecord) -> GameRecord:
        first, _, *rest = game.decisions
        return replace(game, decisions=(first, first, *rest))

    with busy.damaged() as damage:
        match_id = damage.match(FINISHED)
        damage.change_record(match_id, twice)
        sentences = damage.findings()
    assert sentences[0].startswith(f"{named(match_id)}: its record does not replay: decision 1: ")
    assert sentences[1].endswith("and they differ from decision 1 on")


def test_a_place_that_is_not_the_record_s_is_found(busy: Busy) -> None:
    with busy.damaged() as damage:
        match_id = damage.match(FINISHED)
        damage.run(
            "UPDATE match_seats SET place = 3 - place WHERE match_id = :m AND seat = 0",
            m=match_id,
        )
        sentences = damage.findings()
        place, bot = _seat(damage, match_id)
    assert sentences[0] == (
        f"{named(match_id)}: seat 0 ({bot}) has place {place} in its row and place {3 - place} "
        "in its record"
    )


def test_a_forfeit_that_is_not_the_record_s_is_found(busy: Busy) -> None:
    with busy.damaged() as damage:
        match_id = damage.match(FINISHED)
        damage.run(
            "UPDATE match_seats SET forfeited = true WHERE match_id = :m AND seat = 0", m=match_id
        )
        sentences = damage.findings()
        place, bot = _seat(damage, match_id)
    assert sentences[0] == (
        f"{named(match_id)}: seat 0 ({bot}) has place {place}, forfeited in its row and "
        f"place {place} in its record"
    )


def test_a_result_on_a_match_that_does_not_count_is_found(busy: Busy) -> None:
    with busy.damaged() as damage:
        match_id = damage.match(LIVE, "void")
        damage.change_record(
            match_id, lambda game: replace(game, result=replace(game.result, placing=(1, 2)))
        )
        sentences = damage.findings()
    assert sentences[0].endswith("is void, and its record has a result")


# Journals


def test_a_journal_with_a_gap_is_found(busy: Busy) -> None:
    with busy.damaged() as damage:
        match_id = damage.match(LIVE, "running")
        damage.run("DELETE FROM journal WHERE match_id = :m AND sequence = 2", m=match_id)
        assert said(damage).endswith("its journal has no entry 2")


def test_a_journal_of_a_running_match_that_does_not_replay_is_found(busy: Busy) -> None:
    with busy.damaged() as damage:
        match_id = damage.match(LIVE, "running")
        last = damage.one("SELECT max(sequence) FROM journal WHERE match_id = :m", m=match_id)
        damage.run(
            "UPDATE journal SET payload = :p WHERE match_id = :m AND sequence = :n",
            p=b'{"is":"seated"}',
            m=match_id,
            n=last,
        )
        sentence = said(damage)
    assert sentence.startswith(f"match {match_id} of 'live' (2 seats, number 0, attempt 2): ")
    assert f"its journal does not replay: journal entry {last}" in sentence


def test_a_finished_match_whose_journal_is_gone_is_found(busy: Busy) -> None:
    with busy.damaged() as damage:
        match_id = damage.match(FINISHED)
        damage.run("DELETE FROM journal WHERE match_id = :m", m=match_id)
        assert said(damage) == f"{named(match_id)}: is finished and has no journal"


def test_counts_that_are_not_the_journal_s_are_found(busy: Busy) -> None:
    with busy.damaged() as damage:
        match_id = damage.match(FINISHED)
        made = damage.one(
            "SELECT decisions FROM match_seats WHERE match_id = :m AND seat = 1", m=match_id
        )
        damage.run(
            "UPDATE match_seats SET decisions = decisions + 1 WHERE match_id = :m AND seat = 1",
            m=match_id,
        )
        sentences = damage.findings()
    assert f"has decisions {made + 1} in its row, and {made} by its journal" in sentences[0]


# Ratings


def test_a_rating_that_the_results_do_not_make_is_found(either: Busy) -> None:
    with either.damaged() as damage:
        _change_table(damage, "mu", 26.0)
        sentence = said(damage)
    assert sentence.startswith(
        "the tournament 'cup', 3 seats: 'ann' is stored with mu 26.000000, sigma "
    )
    assert "and the results make it mu " in sentence


def test_games_that_the_results_do_not_hold_are_found(busy: Busy) -> None:
    with busy.damaged() as damage:
        _change_table(damage, "games", 4)
        assert said(damage) == (
            "the tournament 'cup', 3 seats: 'ann' has 4 games in the ratings, and the results "
            "hold 3"
        )


def test_ratings_that_are_not_there_are_found(busy: Busy) -> None:
    with busy.damaged() as damage:
        damage.run("DELETE FROM rating_states WHERE tournament_id = 'cup' AND table_size = 3")
        assert said(damage) == (
            "the tournament 'cup', 3 seats: was started and has no ratings stored"
        )


def test_a_finished_tournament_that_is_not_rated_to_its_end_is_found(busy: Busy) -> None:
    with busy.damaged() as damage:
        damage.run(
            "UPDATE rating_states SET rated = 3 WHERE tournament_id = 'cup' AND table_size = 2"
        )
        assert said(damage) == (
            "the tournament 'cup', 2 seats: its row has 3 rated, and its table 6"
        )


# What cannot be read at all


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("UPDATE matches SET state = 'lost' WHERE deal_id = 'cup/2/0/1'", "'cup' cannot be read"),
        ("UPDATE tournaments SET state = 'lost'", "a tournament's row cannot be read"),
        ("UPDATE tournaments SET settings = '{}'", "'cup' cannot be read: KeyError"),
    ],
)
def test_a_value_that_was_never_written_is_a_finding_and_no_crash(
    busy: Busy, statement: str, sentence: str
) -> None:
    with busy.damaged() as damage:
        damage.run(statement)
        assert any(sentence in found for found in damage.findings())


def named(match_id: str) -> str:
    """How the cup's first match is called."""
    return f"match {match_id} of 'cup' (2 seats, number 0)"


def _seat(damage: Damage, match_id: str) -> tuple[int, str]:
    place = damage.one(
        "SELECT place FROM match_seats WHERE match_id = :m AND seat = :s", m=match_id, s=Seat(0)
    )
    bot = damage.one(
        "SELECT bot_id FROM match_seats WHERE match_id = :m AND seat = :s", m=match_id, s=Seat(0)
    )
    return place, bot


def _without_keys(damage: Damage, table: str) -> None:
    """Put a copy of a table in its place, which has its rows and nothing that guards them."""
    damage.run(f"CREATE TABLE copy AS SELECT * FROM {table}")
    damage.run(f"DROP TABLE {table}{'' if damage.sqlite else ' CASCADE'}")
    damage.run(f"ALTER TABLE copy RENAME TO {table}")


def _state(damage: Damage, tournament_id: str, size: int) -> dict[str, object]:
    found = damage.one(
        "SELECT state FROM rating_states WHERE tournament_id = :t AND table_size = :z",
        t=tournament_id,
        z=size,
    )
    return json.loads(found) if isinstance(found, str) else dict(found)


def _with_rated(damage: Damage, tournament_id: str, rated: int) -> str:
    return json.dumps(_state(damage, tournament_id, 2) | {"rated": rated})


def _change_table(damage: Damage, name: str, value: float) -> None:
    state = json.loads(json.dumps(_state(damage, FINISHED, 3)))
    state["entries"]["ann"][name] = value
    damage.run(
        "UPDATE rating_states SET state = :s WHERE tournament_id = 'cup' AND table_size = 3",
        s=json.dumps(state),
    )
