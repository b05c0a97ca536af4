"""The key that signs exports stays the same, and is shown to nobody."""

from __future__ import annotations

from pathlib import Path

from kitumaija.server.signing_key import signer_of
from kitumaija.server.store import Store
from tests.support.chance import RepeatableBytes
from tests.support.organizer import organized


def test_a_store_keeps_the_key_that_it_was_made_with(tmp_path: Path) -> None:
    with Store.open(tmp_path / "data") as store:
        first = signer_of(store, RepeatableBytes("one"))
    with Store.open(tmp_path / "data") as store:
        again = signer_of(store, RepeatableBytes("another"))
    with Store.open(tmp_path / "elsewhere") as store:
        other = signer_of(store, RepeatableBytes("another"))

    assert first.public_key == again.public_key != other.public_key


async def test_every_tournament_tells_its_fingerprint_from_its_first_day_on(
    tmp_path: Path,
) -> None:
    async with organized(tmp_path / "data") as organizer:
        made = await organizer.create()
        signer = signer_of(organizer.app.store, RepeatableBytes())

    assert made.signing_key_fingerprint == signer.fingerprint
    assert len(made.master_commitment) == len(signer.fingerprint) == 32
