"""The report: one page, whole, and nothing of a bot's in it is markup."""

from __future__ import annotations

import json
import math
import re
from html.parser import HTMLParser

import pytest

from kitumaija.server.archive.report.bars import legend, stacked
from kitumaija.server.archive.report.html import Figure, Sure, bot, html, table, tag
from kitumaija.server.archive.report.ranges import Scale, range_of
from kitumaija.server.archive.report.rounds import rounds
from kitumaija.server.rating import RatedResult
from kitumaija.server.rating.fit import fit
from kitumaija.server.schedule.round_formats import RoundFormat
from kitumaija.server.schedule.rounds import RoundRules, Rounds
from kitumaija.server.schedule.seating import Round
from kitumaija.server.store.rows import BotRow
from tests.support.exports import NAMES, contents, make_export
from tests.support.organizer import WHEN

VOID = {"meta"}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The export of a tournament of bots with hostile names."""
    return contents(make_export(tmp_path_factory.mktemp("exported") / "data").data)


@pytest.fixture(scope="module")
def page(files: dict[str, bytes]) -> str:
    """Its report."""
    return files["report.html"].decode()


class Page(HTMLParser):
    """Reads a page, wanting every element closed where it was opened."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.names: set[str] = set()
        self.attributes: list[tuple[str, str | None]] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_a_page_has_every_section_and_every_element_is_closed(page: str) -> None:
    read = Page(page)

    assert read.open == []
    for section in ("Standings", "All results at once", "Head to head", "Seats", "Clocks"):
        assert f'<h2 id="{section.lower().replace(" ", "-")}">{section}</h2>' in page
    for section in ("Games", "Faults", "Schedule", "Remarks", "Settings", "Proofs"):
        assert f'<h2 id="{section.lower().replace(" ", "-")}">{section}</h2>' in page
    assert '<h2 id="indicators-of-collusion">Indicators of collusion</h2>' in page
    assert "An indicator is no proof." in "".join(read.texts)
    assert "nothing is known of: eve" in "".join(read.texts)
    ranges = page.count('class="range"')
    assert ranges == 8 + 6 + 3, "a range for each row of the tables, of the fits, of the clocks"
    assert page.count('class="bar"') == 8 + (3 + 1) * (2 + 3), "for each one's games, and seats"
    assert "eve was withdrawn: did not show up for 1 match" in "".join(read.texts)


def test_the_ranges_are_those_that_anybody_draws_from_the_commitment(
    files: dict[str, bytes], page: str
) -> None:
    tournament = json.loads(files["tournament.json"])
    played = [json.loads(line) for line in files["matches.jsonl"].splitlines()]
    results = [
        RatedResult(
            match["number"],
            seats=tuple(seat["bot_id"] for seat in match["seats"]),
            places=tuple(seat["place"] for seat in match["seats"]),
            forfeited=tuple(seat["forfeited"] for seat in match["seats"]),
        )
        for match in played
        if match["final"] and match["ending"] == "played" and match["table_size"] == 2
    ]
    found = fit(
        [entrant["bot_id"] for entrant in tournament["entrants"]],
        results,
        table_size=2,
        seed=bytes.fromhex(tournament["master_commitment"]),
    )

    assert found.rows
    for row in found.rows:
        assert f"{row.low:+z.0f} to {row.high:+z.0f}" in page


def test_a_page_loads_nothing_and_runs_nothing(page: str) -> None:
    read = Page(page)

    assert not read.names & {"script", "link", "img", "iframe", "object", "embed", "form", "base"}
    assert not [name for name, _ in read.attributes if name.startswith("on") or name == "src"]
    assert all(
        value is not None and value.startswith("#")
        for name, value in read.attributes
        if name == "href"
    )
    assert re.findall(r"https?:|url\(|@import", page) == []
    assert "default-src 'none'" in page


def test_names_are_shown_as_text_and_turn_nothing_around(page: str) -> None:
    texts = "".join(Page(page).texts)

    assert all(one.isprintable() or one == "\n" for one in page)
    assert "=HYPERLINK(1)" in texts
    assert r"../../b\u202eob" in texts
    assert r"<b>c\nid" in texts
    assert set(NAMES.values()) & set(page.splitlines()) == set()


def test_what_is_no_html_is_escaped_wherever_it_goes() -> None:
    hostile = "\"'<b>&\u202e"
    escaped = "&quot;&#x27;&lt;b&gt;&amp;\\u202e"

    assert html(hostile) == escaped
    assert tag("p", hostile, title=hostile) == f'<p title="{escaped}">{escaped}</p>'
    assert html(tag("p", hostile)) == tag("p", hostile)
    assert bot("ann", hostile) == f"<bdi><b>{escaped}</b></bdi> <small>ann</small>"
    assert hostile not in table(hostile, [hostile, hostile], [[hostile, hostile]])


def test_a_range_without_an_end_goes_to_the_end_of_the_scale() -> None:
    scale = Scale.of([(-10.0, 30.0), (0.0, math.inf)])

    drawn = scale.drawn(10.0, -math.inf, 20.0)

    assert (scale.low, scale.high) == (-10.0, 30.0)
    assert '<line x1="5.0" x2="102.5" class="range"' in drawn
    assert '<circle cx="70.0"' in drawn
    assert Scale.of([]).drawn(0.5, 0.5, 0.5).count('"70.0"') == 3


def test_a_bar_shows_how_often_each_place_was_reached_and_reads_it_aloud() -> None:
    drawn = stacked({1: 3, 3: 1}, 4)

    assert 'aria-label="place 1: 3, place 2: 0, place 3: 1, place 4: 0"' in drawn
    assert re.findall(r'x="([0-9.]+)" y="1" width="([0-9.]+)"', drawn) == [
        ("0.0", "89.0"),
        ("90.0", "29.0"),
    ]
    assert re.findall(r'fill-opacity="([0-9.]+)"', drawn) == ["1.00", "0.41"]
    assert "<rect" not in stacked({}, 4)
    assert legend(10).count("<rect") == 10


def test_every_table_says_what_it_is_and_names_its_rows_and_columns(page: str) -> None:
    tables = re.findall(r"<table>(.*?)</table>", page, re.DOTALL)

    assert len(tables) > 15
    for made in tables:
        assert made.startswith("<caption>")
        head, body = made.split("<tbody>")
        assert head.count('<th scope="col"') == head.count("<th ")
        assert all(row.count('<th scope="row"') == 1 for row in body.split("<tr>")[1:])


def test_a_row_is_named_by_its_bot_wherever_that_stands_in_it() -> None:
    made = table("t", ["rank", "bot"], [[1, "ann"]], named=1)

    assert '<td class="n">1</td><th scope="row">ann</th>' in made
    assert '<th scope="col" class="n">rank</th>' in made


def test_what_is_sure_is_marked() -> None:
    assert '<td class="n sure">99.9</td>' in table("t", ["a", "b"], [["x", Sure("99.9")]])


def test_what_nobody_knows_yet_is_said_to_be_so() -> None:
    assert range_of(-math.inf, math.inf) == "not known yet"
    assert range_of(-12.4, math.inf) == "-12 to ?"


def test_no_text_of_the_page_s_own_is_shown_as_an_escape(page: str) -> None:
    # Of the bots' names one has a mark that turns text round, and one a line break.
    assert set(re.findall(r"\\[a-z0-9]+", page)) == {r"\u202eob", r"\nid"}


def test_rounds_are_shown_with_their_points_and_who_had_no_table() -> None:
    rules = RoundRules(RoundFormat.SWISS, 2, rounds=3, budget=100, seed=bytes(32))
    first = Round((("ann", "bob"), ("cid", "<dot>")), ("eve",))
    names = ("ann", "bob", "cid", "<dot>", "eve")
    bots = {name: BotRow(name, name.upper(), "", b"", WHEN) for name in names}
    schedule = Rounds(rules, names, [(first, {"ann": 1, "bob": 3, "cid": 2, "<dot>": 2})])

    over = rounds(schedule, bots)
    schedule.add(Round((("ann", "cid"),)))
    cut_off = rounds(schedule, bots)

    texts = ["".join(Page(row).texts) for row in re.findall(r"<tr>.*?</tr>", over)]
    assert texts[1:] == [
        "1BOB bob (3) · ANN ann (1)",
        "1CID cid (2) · <DOT> <dot> (2)",
        "1no table: EVE eve",
    ]
    assert "<dot>" not in over
    assert "was not over" not in over
    assert "ANN" in cut_off.partition("2</td>")[2]
    assert "Round 2 was not over." in cut_off


def test_numbers_stand_to_the_right_and_what_is_missing_is_a_dash() -> None:
    made = table("t", ["a", "b", "c"], [["x", 1, None], ["y", Figure("2.5"), "z"]])

    assert '<td class="n">1</td><td class="n">–</td>' in made
    assert '<td class="n">2.5</td><td>z</td>' in made
