"""Registered bots."""

from __future__ import annotations

import pytest

from kitumaija.server.store import AlreadyStored, NotStored, Store, bots
from tests.support.stores import a_bot


def test_a_bot_is_found_by_its_id(store: Store) -> None:
    name = 'Ä, "the" bot;\n数'
    with store.write() as tx:
        bots.add(tx, a_bot("ada", display_name=name))
        bots.add(tx, a_bot("bo", display_name=name))

    with store.read() as tx:
        assert bots.get(tx, "ada") == a_bot("ada", display_name=name)
        assert bots.get(tx, "bo") == a_bot("bo", display_name=name)
        assert bots.get(tx, "cy") is None
        assert bots.many(tx, ["ada", "cy"]) == {"ada": a_bot("ada", display_name=name)}


def test_neither_an_id_nor_a_token_is_given_twice(store: Store) -> None:
    with store.write() as tx:
        bots.add(tx, a_bot("ada"))
        with pytest.raises(AlreadyStored, match="the bot 'ada' is stored already"):
            bots.add(tx, a_bot("ada", token_hash=b"1" * 32))
        with pytest.raises(AlreadyStored, match="the bot 'bo'"):
            bots.add(tx, a_bot("bo", token_hash=a_bot("ada").token_hash))
        bots.add(tx, a_bot("cy"))

    with store.read() as tx:
        assert [bot.bot_id for bot in bots.page(tx, size=9).rows] == ["ada", "cy"]


def test_a_new_token_takes_the_place_of_the_old(store: Store) -> None:
    with store.write() as tx:
        bots.add(tx, a_bot("ada"))
        bots.set_token(tx, "ada", b"2" * 32)

    with store.read() as tx:
        assert bots.everyone(tx) == [a_bot("ada", token_hash=b"2" * 32)]


def test_a_disabled_bot_is_still_among_all_and_says_so(store: Store) -> None:
    with store.write() as tx:
        bots.add(tx, a_bot("bo"))
        bots.add(tx, a_bot("ada"))
        bots.set_disabled(tx, "ada", disabled=True)

    with store.read() as tx:
        assert bots.everyone(tx) == [a_bot("ada", disabled=True), a_bot("bo")]


def test_a_bot_that_is_not_there_cannot_be_changed(store: Store) -> None:
    with store.write() as tx:
        with pytest.raises(NotStored, match="there is no bot 'ada'"):
            bots.set_token(tx, "ada", b"2" * 32)
        with pytest.raises(NotStored, match="there is no bot 'ada'"):
            bots.set_disabled(tx, "ada", disabled=True)


def test_pages_go_by_the_bytes_of_the_ids(store: Store) -> None:
    ids = ["b", "a-b", "a1", "aa", "a-a", "a"]
    with store.write() as tx:
        for bot_id in ids:
            bots.add(tx, a_bot(bot_id))

    found: list[str] = []
    token = ""
    with store.read() as tx:
        while True:
            page = bots.page(tx, size=4, token=token)
            found += [row.bot_id for row in page.rows]
            if not (token := page.next_token):
                break

    assert found == sorted(ids)
