"""The organizer's token: made once, readable by the server's user alone, kept as a hash."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from kitumaija.server.ids import token_hash
from kitumaija.server.organizer import organizer_hash, replace
from kitumaija.server.store import Store, audit
from tests.support.chance import RepeatableBytes

WHEN = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def test_the_first_start_writes_a_token_that_only_its_user_can_read(tmp_path: Path) -> None:
    file = tmp_path / "organizer.token"
    with Store.open(tmp_path) as store:
        digest = organizer_hash(store, file, RepeatableBytes())

    assert token_hash(file.read_text().strip()) == digest
    assert file.stat().st_mode & 0o777 == 0o600


def test_later_starts_know_the_token_and_write_nothing(tmp_path: Path) -> None:
    file = tmp_path / "organizer.token"
    with Store.open(tmp_path) as store:
        first = organizer_hash(store, file, RepeatableBytes())
    file.unlink()

    with Store.open(tmp_path) as store:
        assert organizer_hash(store, file, RepeatableBytes("other")) == first
    assert not file.exists()


def test_a_token_of_a_store_that_is_gone_is_written_over(tmp_path: Path) -> None:
    file = tmp_path / "organizer.token"
    file.write_text("of an older store")
    file.chmod(0o644)

    with Store.open(tmp_path) as store:
        digest = organizer_hash(store, file, RepeatableBytes())

    assert token_hash(file.read_text().strip()) == digest
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_replaced_token_opens_nothing_and_the_new_one_is_for_its_user_alone(
    tmp_path: Path,
) -> None:
    file = tmp_path / "organizer.token"
    with Store.open(tmp_path) as store:
        first = organizer_hash(store, file, RepeatableBytes())
        replace(store, file, RepeatableBytes("other"), lambda: WHEN)
        second = organizer_hash(store, file, RepeatableBytes("a third"))
        with store.read() as tx:
            [entry] = audit.page(tx, size=9).rows

    assert second != first
    assert token_hash(file.read_text().strip()) == second
    assert file.stat().st_mode & 0o777 == 0o600
    assert (entry.action, entry.subject, entry.at) == ("rotate_token", "organizer", WHEN)
