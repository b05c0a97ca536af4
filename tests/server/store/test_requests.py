"""Calls that are done once however often they are sent."""

from __future__ import annotations

import pytest

from kitumaija.server.store import NotStored, RequestIdReused, Store, WriteTx, requests


def test_a_request_is_done_once_and_answered_alike(store: Store) -> None:
    with store.write() as tx:
        assert requests.once(tx, "r1", "ada", "Enter", b"cup") is None
        requests.done(tx, "r1", "ada", b"entered")

    with store.write() as tx:
        assert requests.once(tx, "r1", "ada", "Enter", b"cup") == b"entered"
        assert requests.once(tx, "r1", "ada", "Enter", b"cup") == b"entered"


def test_an_empty_answer_is_an_answer(store: Store) -> None:
    with store.write() as tx:
        requests.once(tx, "r1", "ada", "Enter")
        requests.done(tx, "r1", "ada", b"")

        assert requests.once(tx, "r1", "ada", "Enter") == b""


def test_a_request_that_was_cut_off_is_done_when_it_comes_again(store: Store) -> None:
    with pytest.raises(RuntimeError, match="cut off"), store.write() as tx:
        _begin_and_break(tx)

    with store.write() as tx:
        assert requests.once(tx, "r1", "ada", "Enter", b"cup") is None
        assert requests.once(tx, "r1", "ada", "Enter", b"cup") is None


def test_each_caller_counts_its_own_requests(store: Store) -> None:
    with store.write() as tx:
        requests.once(tx, "r1", "ada", "Enter", b"cup")
        requests.done(tx, "r1", "ada", b"ada's")

        assert requests.once(tx, "r1", "bo", "Withdraw", b"league") is None
        assert requests.once(tx, "r2", "ada", "Withdraw", b"league") is None


def test_an_id_that_comes_again_for_something_else_is_refused(store: Store) -> None:
    with store.write() as tx:
        requests.once(tx, "r1", "ada", "Enter", b"cup")
        requests.done(tx, "r1", "ada", b"entered")

        with pytest.raises(RequestIdReused, match="for Withdraw again, which was a call of Enter"):
            requests.once(tx, "r1", "ada", "Withdraw", b"cup")
        with pytest.raises(RequestIdReused, match="another request before; wanted a new id"):
            requests.once(tx, "r1", "ada", "Enter", b"league")
        assert requests.once(tx, "r1", "ada", "Enter", b"cup") == b"entered"


def test_what_was_not_begun_cannot_be_done(store: Store) -> None:
    with store.write() as tx, pytest.raises(NotStored, match="not begun with `once`"):
        requests.done(tx, "r1", "ada", b"x")


def _begin_and_break(tx: WriteTx) -> None:
    requests.once(tx, "r1", "ada", "Enter", b"cup")
    raise RuntimeError("cut off")
