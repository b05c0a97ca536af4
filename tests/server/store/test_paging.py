"""Page tokens."""

from __future__ import annotations

import base64
import json

import pytest

from kitumaija.server.store import BadPageToken, Store, bots, matches, tournaments
from kitumaija.server.store.paging import page_of, read_token, write_token
from tests.support.stores import a_bot, a_tournament, add_cup, begin_match


def test_a_token_gives_back_its_key() -> None:
    listing = ("matches", "cup", 4)
    token = write_token(listing, (4, 17))

    assert read_token(listing, token, (int, int)) == (4, 17)
    assert token.isascii()
    assert read_token(listing, "", (int, int)) is None


@pytest.mark.parametrize("rows", [0, 1, 3, 4, 7])
def test_the_last_page_has_no_token(rows: int) -> None:
    page = page_of(list(range(rows)), 3, ("x",), lambda row: (row,))

    assert page.rows == tuple(range(min(rows, 3)))
    assert bool(page.next_token) is (rows > 3)


def _token(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode()


BAD = [
    "x",
    "%%%",
    "ä",
    "AAAA",
    _token(None),
    _token(7),
    _token([["bots"], "ada"]),
    _token([["bots"], []]),
    _token([["bots"], [7]]),
    _token([["bots"], [None]]),
    _token([["bots"], ["a", "b"]]),
    _token([["bots"], ["a\0b"]]),
    _token([["bots"], ["\ud800"]]),
    _token([["tournaments"], ["ada"]]),
    _token({"bots": "ada"}),
    "W" * 100_000,
    base64.urlsafe_b64encode(b"[" * 100_000).decode(),
]


@pytest.mark.parametrize("token", BAD, ids=lambda token: token[:20])
def test_a_token_that_we_did_not_make_is_refused(token: str) -> None:
    with pytest.raises(BadPageToken, match="wanted the next_page_token"):
        read_token(("bots",), token, (str,))


@pytest.mark.parametrize("number", [-1, 2**31, 10**30, 1.5, True])
def test_a_number_that_no_schedule_has_is_refused(number: object) -> None:
    with pytest.raises(BadPageToken):
        read_token(("matches", "cup"), _token([["matches", "cup"], [2, number, 1]]), (int,) * 3)


def test_a_token_is_good_for_the_same_question_only(store: Store) -> None:
    with store.write() as tx:
        add_cup(tx, "ada", "bo")
    for number in range(3):
        begin_match(store, number)

    with store.read() as tx:
        token = matches.page(tx, "cup", size=1).next_token
        assert len(matches.page(tx, "cup", size=9, token=token).rows) == 2
        with pytest.raises(BadPageToken):
            matches.page(tx, "cup", size=9, token=token, bot_id="ada")
        with pytest.raises(BadPageToken):
            matches.page(tx, "other", size=9, token=token)
        with pytest.raises(BadPageToken):
            tournaments.page(tx, size=9, token=token)


def test_what_comes_in_while_a_listing_is_read_shows_nothing_twice(store: Store) -> None:
    with store.write() as tx:
        for bot_id in "bdf":
            bots.add(tx, a_bot(bot_id))
    with store.read() as tx:
        first = bots.page(tx, size=2)
    with store.write() as tx:
        for bot_id in "ace":
            bots.add(tx, a_bot(bot_id))
        tournaments.add(tx, a_tournament())

    with store.read() as tx:
        second = bots.page(tx, size=9, token=first.next_token)

    assert [row.bot_id for row in (*first.rows, *second.rows)] == ["b", "d", "e", "f"]
