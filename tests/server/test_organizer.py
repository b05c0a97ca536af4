"""The organizer's token: made once, readable by the server's user alone, kept as a hash."""

from __future__ import annotations

from pathlib import Path

from kitumaija.server.ids import token_hash
from kitumaija.server.organizer import organizer_hash
from kitumaija.server.store import Store
from tests.support.chance import RepeatableBytes


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
