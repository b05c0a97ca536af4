"""Records and journals that tell of another game than the rows: what the check says to them."""

from __future__ import annotations

from dataclasses import replace

from kitumaija.engine import GameRecord, Seat
from tests.server.checking.damages import named, said
from tests.support.busy_store import FINISHED, LIVE, Busy, Damage

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


def _seat(damage: Damage, match_id: str) -> tuple[int, str]:
    place = damage.one(
        "SELECT place FROM match_seats WHERE match_id = :m AND seat = :s", m=match_id, s=Seat(0)
    )
    bot = damage.one(
        "SELECT bot_id FROM match_seats WHERE match_id = :m AND seat = :s", m=match_id, s=Seat(0)
    )
    return place, bot
