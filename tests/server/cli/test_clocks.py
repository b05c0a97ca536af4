"""The times of a tournament's bots as they are printed."""

from __future__ import annotations

import pytest

from kitumaija.server.cli.clocks import print_clocks
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.times import Limits, limits_to_message

MOST = 2**53


def test_everything_is_said_within_eighty_columns(capsys: pytest.CaptureFixture[str]) -> None:
    high = v1.Distribution(
        count=10**9, p50_us=999_949, p90_us=9_999_999, p99_us=31_536_000_000_000, max_us=MOST
    )
    low = v1.Distribution(count=10**9, p50_us=-999_949, p90_us=-1, p99_us=0, max_us=999)
    print_clocks(
        v1.GetClocksResponse(
            bots=[
                v1.BotClocks(
                    bot_id="ann",
                    display_name="Ann\nof\u202eHalikko",
                    matches=12,
                    used=high,
                    overhead=low,
                    network=high,
                    server=high,
                    timeouts=3,
                    retimed=2,
                    retimed_us=6_100_000,
                ),
                v1.BotClocks(bot_id="bob", display_name="bob", matches=12),
            ],
            limits=limits_to_message(Limits()),
            matches=12,
        )
    )
    printed = capsys.readouterr().out

    assert (
        "12 finished matches, per_decision 1 s, bank 10 s, increment 0 µs, margin 50 ms" in printed
    )
    assert "Ann\\nof\\u202eHalikko [ann]" in printed
    assert "3 ran out of time, 2 re-timed by 6.1 s in all" in printed
    assert "0 ran out of time, 0 re-timed\n" in printed
    assert "-999.9 ms" in printed
    assert all(len(line) <= 80 for line in printed.splitlines()), printed
