"""Numbers that count twice or not at all, and tables with the wrong bots: what the check says."""

from __future__ import annotations

import json

from tests.server.checking.damages import rating_state, said
from tests.support.busy_store import ABSENT, LIVE, Busy


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
            s=json.dumps(rating_state(damage, LIVE, 2) | {"rated": 1}),
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


def test_a_last_place_that_does_not_follow_from_who_stayed_away_is_found(busy: Busy) -> None:
    with busy.damaged() as damage:
        damage.run("UPDATE matches SET absent = '[]' WHERE tournament_id = 'gone' AND final")
        sentences = damage.findings()
    assert any(
        sentence.endswith("nobody take a last place; by who stayed away it is eve")
        for sentence in sentences
    )
