"""Tables and lines in a terminal, whatever the names in them hold."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from kitumaija.server.cli.output import print_standings, print_table, standings_table, table
from kitumaija.v1 import tournament_pb2 as v1


def _printed(table: v1.StandingsTable, title: str = "t") -> str:
    console = Console(file=io.StringIO(), width=80, force_terminal=False)
    print_table(standings_table(table, title), console)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_a_table_of_ten_fits_eighty_columns() -> None:
    row = v1.Standing(
        rank=1,
        bot_id="rememberer",
        display_name="rememberer",
        mu=34.3,
        sigma=1.1,
        score=31.0,
        games=100,
        places=[10] * 10,
        mean_place=5.5,
    )

    printed = _printed(v1.StandingsTable(table_size=10, rows=[row], rated=1, planned=1))

    assert "rememberer" in printed
    assert "31.00" in printed
    assert all(len(line) <= 80 for line in printed.splitlines())


def test_a_table_that_is_too_wide_loses_nothing() -> None:
    name = "a name of sixty characters, which is as long as one may be…!"
    row = v1.Standing(
        rank=1, bot_id="x", display_name=name, mu=34.25, games=90000, places=[90000] * 10
    )

    printed = _printed(v1.StandingsTable(table_size=10, rows=[row]))

    assert printed.count("90000") == 11
    assert "34.25" in printed


def test_a_title_stays_in_one_line_above_a_narrow_table() -> None:
    table = v1.StandingsTable(
        table_size=2, provisional=True, planned=30, rows=[v1.Standing(bot_id="a", places=[0, 0])]
    )

    title, header, row = _printed(table, "summer").splitlines()

    assert title == "summer · tables of 2 · provisional, 0 of 30 matches rated"
    assert header.startswith("#")
    assert len(row) < len(title)


def test_no_line_ends_in_blanks_so_only_what_is_too_long_wraps() -> None:
    console = Console(file=io.StringIO(), width=80, force_terminal=False)
    print_table(table(["setting", "value"], [["state", "open"], ["seed", "f" * 90]]), console)

    assert isinstance(console.file, io.StringIO)
    lines = console.file.getvalue().splitlines()
    assert lines == ["setting value", "state   open", f"seed    {'f' * 90}"]


def test_an_entrant_without_games_has_no_mean_place() -> None:
    row = v1.Standing(rank=1, bot_id="a", display_name="a", places=[0, 0])

    assert "–" in _printed(v1.StandingsTable(table_size=2, rows=[row])).splitlines()[-1]


def test_a_provisional_table_says_so() -> None:
    assert "provisional" in _printed(v1.StandingsTable(table_size=2, provisional=True))


@pytest.mark.parametrize("mark", ["\x1b[31m", "\n", "\r", "\u202e", "\x07", "\u2066", "\x00"])
def test_no_name_can_move_the_cursor_or_turn_the_text(mark: str) -> None:
    name = f"a{mark}b"

    assert mark not in _printed(
        v1.StandingsTable(
            table_size=2, rows=[v1.Standing(bot_id="x", display_name=name, places=[0, 0])]
        )
    ).replace("\n", "", 100 if mark == "\n" else 0)


@pytest.mark.parametrize("name", ["Äijä", "麻雀", "[bold]x[/bold]", "a,b;c", "קיטומאיה"])
def test_a_name_in_any_script_is_printed_as_it_is(name: str) -> None:
    row = v1.Standing(bot_id="x", display_name=name, places=[0, 0])

    assert name in _printed(v1.StandingsTable(table_size=2, rows=[row]))


def test_a_remark_is_one_line_however_long_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    remark = "games are unequal at 2 seats, fewer than planned: " + ", ".join(["bot 1 of 4"] * 20)
    row = v1.Standing(bot_id="b" * 60, faults=[v1.FaultCount(fault="decision_timeout", count=3)])

    print_standings(
        v1.GetStandingsResponse(
            tables=[v1.StandingsTable(table_size=2, rows=[row])], remarks=[remark]
        )
    )

    lines = capsys.readouterr().out.splitlines()
    assert f"! {remark}" in lines
    assert f"  faults of {'b' * 60}: 3× decision_timeout" in lines
