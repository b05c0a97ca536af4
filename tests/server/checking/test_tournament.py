"""Seeds that are not what was committed to, or are shown too early: what the check says to them."""

from __future__ import annotations

from dataclasses import replace

from tests.server.checking.damages import named, said
from tests.support.busy_store import FINISHED, Busy


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


def test_a_root_that_is_not_of_the_deals_is_found(busy: Busy) -> None:
    with busy.damaged() as damage:
        damage.run("UPDATE deal_trees SET root = :r WHERE tournament_id = 'live'", r=bytes(32))
        assert said(damage) == (
            "the tournament 'live': its root at 2 seats does not follow from the deals of its seed"
        )


def test_a_root_over_fewer_deals_than_are_planned_is_found(busy: Busy) -> None:
    with busy.damaged() as damage:
        damage.run("UPDATE deal_trees SET deals = 1 WHERE tournament_id = 'live'")
        sentences = damage.findings()
    assert sentences[0] == "the tournament 'live': its root at 2 seats is over 1 deal, wanted 2"
    with busy.damaged() as damage:
        damage.run("DELETE FROM deal_trees WHERE tournament_id = 'cup' AND table_size = 3")
        sentences = damage.findings()
    assert sentences[0] == ("the tournament 'cup': it published no root at 3 seats, but at others")
    assert "its record has a path, and no root covers its deal" in sentences[-1]


def test_a_tree_that_would_make_wrong_paths_is_found(busy: Busy) -> None:
    with busy.damaged() as damage:
        damage.run("UPDATE deal_trees SET blocks = :b WHERE tournament_id = 'live'", b=bytes(32))
        assert said(damage) == (
            "the tournament 'live': what is kept of its tree at 2 seats is not its own"
        )
