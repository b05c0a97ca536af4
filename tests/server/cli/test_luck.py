"""`kitumaija ratings fit --luck`: what it works out of what everybody can read."""

from __future__ import annotations

from pathlib import Path

from kitumaija.server.cli.luck import cards_of, deal_of
from kitumaija.server.rating.reference import cards_alone
from kitumaija.v1 import replay_pb2
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.record import record_from_message
from tests.support.organizer import organized


async def test_the_very_deals_that_counted_are_played_by_the_reference(tmp_path: Path) -> None:
    async with organized(tmp_path / "data") as organizer:
        await organizer.begin("ann", "bob", "cid", table_sizes=[2, 3], rounds=1)
        await organizer.finished()
        tournament, matches = await organizer.get(), await organizer.matches()
        expected: dict[int, dict[int, tuple[float, ...]]] = {2: {}, 3: {}}
        matches[0].state = v1.MATCH_STATE_VOID
        for match in matches[1:]:
            request = replay_pb2.GetRecordRequest(match_id=match.match_id)
            answer = await organizer.call(organizer.replays.GetRecord, request, token=None)
            game = record_from_message(answer.record).game
            assert deal_of(tournament, match) == game.deal
            worth = cards_alone(game.deal.key, match.table_size, game.options)
            expected[match.table_size][match.number] = worth

    assert len(matches) == 9
    assert cards_of(tournament, matches) == expected
