"""The bots of a tournament."""

from __future__ import annotations

import pytest

from kitumaija.server.store import (
    AlreadyStored,
    EntrantRow,
    EntrantState,
    NotStored,
    Store,
    TournamentState,
    bots,
    entrants,
    tournaments,
)
from tests.support.stores import a_bot, a_tournament, add_cup, later


def test_entrants_are_listed_in_the_order_of_entering(store: Store) -> None:
    with store.write() as tx:
        add_cup(tx, "zoe", "ada", "bo")

    with store.read() as tx:
        assert [row.bot_id for row in entrants.of(tx, "cup")] == ["zoe", "ada", "bo"]
        assert entrants.of(tx, "other") == ()
        assert entrants.get(tx, "cup", "ada") == EntrantRow("cup", "ada", 1)
        assert entrants.get(tx, "cup", "cy") is None


def test_a_bot_enters_once_and_only_what_there_is(store: Store) -> None:
    with store.write() as tx:
        add_cup(tx, "ada", "bo")
        bots.add(tx, a_bot("cy"))
        with pytest.raises(AlreadyStored, match="the entrant 'ada' of 'cup'"):
            entrants.add(tx, EntrantRow("cup", "ada", 2))
        with pytest.raises(AlreadyStored, match="the entrant 'cy' of 'cup'"):
            entrants.add(tx, EntrantRow("cup", "cy", 1))
        with pytest.raises(NotStored, match="refers to a row that is not stored"):
            entrants.add(tx, EntrantRow("cup", "nobody", 2))
        with pytest.raises(NotStored, match="refers to a row that is not stored"):
            entrants.add(tx, EntrantRow("other", "ada", 2))


def test_what_becomes_known_of_an_entrant_is_kept(store: Store) -> None:
    with store.write() as tx:
        add_cup(tx, "ada", "bo")
        entrants.set_version(tx, "cup", "ada", "1.4")
        entrants.set_entropy_commitment(tx, "cup", "ada", b"c" * 32)
        entrants.set_entropy(tx, "cup", "ada", b"entropy")
        entrants.set_state(tx, "cup", "ada", EntrantState.WITHDRAWN, reason="three no shows")
        assert [entrants.add_no_show(tx, "cup", "ada") for _ in range(3)] == [1, 2, 3]

    with store.read() as tx:
        assert entrants.get(tx, "cup", "bo") == EntrantRow("cup", "bo", 1)
        assert entrants.get(tx, "cup", "ada") == EntrantRow(
            "cup",
            "ada",
            0,
            state=EntrantState.WITHDRAWN,
            reason="three no shows",
            bot_version="1.4",
            entropy_commitment=b"c" * 32,
            entropy=b"entropy",
            no_shows=3,
        )


def test_the_public_learns_the_entropies_with_the_seed_made_from_them(store: Store) -> None:
    with store.write() as tx:
        add_cup(tx, "ada", "bo", "cy")
        add_cup(tx, "ada", tournament_id="other")
        entrants.set_entropy(tx, "cup", "ada", b"from ada")
        entrants.set_entropy(tx, "cup", "bo", b"from bo")
        entrants.set_entropy(tx, "other", "ada", b"for later")
    with store.read() as tx:
        assert [row.entropy for row in entrants.of(tx, "cup")] == [b"from ada", b"from bo", b""]
        assert {row.entropy for row in entrants.of(tx, "cup", secrets=False)} == {b""}
        hidden = entrants.get(tx, "cup", "ada", secrets=False)
        assert hidden is not None
        assert hidden.entropy == b""

    with store.write() as tx:
        tournaments.set_schedule_seed(tx, "cup", b"x" * 32)

    with store.read() as tx:
        assert entrants.of(tx, "cup", secrets=False) == entrants.of(tx, "cup")
        assert [row.entropy for row in entrants.of(tx, "cup")] == [b"from ada", b"from bo", b""]
        assert {row.entropy for row in entrants.of(tx, "other", secrets=False)} == {b""}


def test_the_entries_of_a_bot_are_those_of_tournaments_not_over(store: Store) -> None:
    with store.write() as tx:
        bots.add(tx, a_bot("ada"))
        for minute, state in enumerate(TournamentState):
            name = f"t-{state}"
            tournaments.add(tx, a_tournament(name, state=state, created_at=later(minute)))
            entrants.add(tx, EntrantRow(name, "ada", 0))

    with store.read() as tx:
        found = [row.tournament_id for row in entrants.entries_of(tx, "ada")]
        assert found == ["t-draft", "t-open", "t-closed", "t-running", "t-paused"]
        assert entrants.entries_of(tx, "bo") == ()


def test_a_bot_that_is_not_entered_cannot_be_changed(store: Store) -> None:
    with store.write() as tx:
        add_cup(tx, "ada", "bo")
        with pytest.raises(NotStored, match="'cy' is not entered in the tournament 'cup'"):
            entrants.set_entropy(tx, "cup", "cy", b"x")
        with pytest.raises(NotStored, match="'cy' is not entered in the tournament 'cup'"):
            entrants.add_no_show(tx, "cup", "cy")
        with pytest.raises(NotStored, match="'ada' is not entered in the tournament 'other'"):
            entrants.set_version(tx, "other", "ada", "2")
