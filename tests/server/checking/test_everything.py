"""The whole check, of a store that is whole and of one that cannot be read."""

from __future__ import annotations

import pytest

from kitumaija.server.checking import Tally, findings, matches_stored
from kitumaija.server.store import StoreReader
from tests.support.busy_store import Busy


def test_a_store_with_everything_in_it_is_whole(either: Busy) -> None:
    tally, seen = Tally(), 0

    def looked() -> None:
        nonlocal seen
        seen += 1

    with StoreReader.open(either.address) as reader, reader.read() as tx:
        assert list(findings(tx, tally, looked_at=looked)) == []
        assert matches_stored(tx) == seen == tally.matches == 15
    # Nine of the cup; the live one's that was broken off, and not that which runs.
    assert (tally.tournaments, tally.records) == (3, 10)


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("UPDATE matches SET state = 'lost' WHERE deal_id = 'cup/2/0/1'", "'cup' cannot be read"),
        ("UPDATE tournaments SET state = 'lost'", "a tournament's row cannot be read"),
        ("UPDATE tournaments SET settings = '{}'", "'cup' cannot be read: KeyError"),
    ],
)
def test_a_value_that_was_never_written_is_a_finding_and_no_crash(
    busy: Busy, statement: str, sentence: str
) -> None:
    with busy.damaged() as damage:
        damage.run(statement)
        assert any(sentence in found for found in damage.findings())
