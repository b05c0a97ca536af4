"""The report: one page, whole, and nothing of a bot's in it is markup."""

from __future__ import annotations

import math
import re
from html.parser import HTMLParser

import pytest

from kitumaija.server.archive.report.html import Figure, bot, html, table, tag
from kitumaija.server.archive.report.ranges import Scale
from tests.support.exports import NAMES, contents, make_export

VOID = {"meta"}


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The report of a tournament of bots with hostile names."""
    export = make_export(tmp_path_factory.mktemp("exported") / "data")
    return contents(export.data)["report.html"].decode()


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
    for section in ("Faults", "Schedule", "Remarks", "Settings"):
        assert f'<h2 id="{section.lower().replace(" ", "-")}">{section}</h2>' in page
    assert "nothing is known of: eve" in "".join(read.texts)
    assert page.count("<svg") == 8 + 6, "a range for each row of the tables, and of the fits"
    assert "eve was withdrawn: did not show up for 1 matches" in "".join(read.texts)


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
    assert hostile not in table(hostile, [hostile], [[hostile, hostile]])


def test_a_range_without_an_end_goes_to_the_end_of_the_scale() -> None:
    scale = Scale.of([(-10.0, 30.0), (0.0, math.inf)])

    drawn = scale.drawn(10.0, -math.inf, 20.0)

    assert (scale.low, scale.high) == (-10.0, 30.0)
    assert '<line x1="5.0" x2="132.5" class="range"' in drawn
    assert '<circle cx="90.0"' in drawn
    assert Scale.of([]).drawn(0.5, 0.5, 0.5).count('"90.0"') == 3


def test_numbers_stand_to_the_right_and_what_is_missing_is_a_dash() -> None:
    made = table("t", ["a", "b", "c"], [["x", 1, None], ["y", Figure("2.5"), "z"]])

    assert '<td class="n">1</td><td class="n">–</td>' in made
    assert '<td class="n">2.5</td><td>z</td>' in made
