"""The numbers of a real server, scraped while it runs tournaments."""

from __future__ import annotations

import asyncio
import re
import socket
import struct
import urllib.request
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path

import pytest
from prometheus_client import CollectorRegistry
from prometheus_client.parser import text_string_to_metric_families
from structlog.testing import capture_logs

from kitumaija.server.lobby.connection import Connection
from kitumaija.server.match.values import Nanos
from kitumaija.server.metrics import MetricsPortTaken
from kitumaija.server.metrics.exposing import CALLERS_MAX, expose
from kitumaija.server.store import matches
from tests.support.organizer import Organizer, organized
from tests.support.raw_bot import PATIENCE, RawBot

Numbers = dict[tuple[str, tuple[tuple[str, str], ...]], float]


@pytest.fixture
async def organizer(tmp_path: Path) -> AsyncIterator[Organizer]:
    async with organized(tmp_path / "data", metrics_port=0) as running:
        yield running


async def text_of(organizer: Organizer) -> str:
    url = f"http://127.0.0.1:{organizer.app.metrics_port}/metrics"

    def fetch() -> bytes:
        with urllib.request.urlopen(url) as answer:
            body: bytes = answer.read()
            return body

    return (await asyncio.to_thread(fetch)).decode()


async def scrape(organizer: Organizer) -> Numbers:
    return {
        (sample.name.removeprefix("kitumaija_"), tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(await text_of(organizer))
        for sample in family.samples
        if not sample.name.endswith("_created")
    }


def total(numbers: Numbers, name: str, **labels: str) -> float:
    """The sum over all series of a name that have these labels."""
    return sum(
        value
        for (found, its), value in numbers.items()
        if found == name and labels.items() <= dict(its).items()
    )


async def test_the_numbers_are_those_of_the_standings(organizer: Organizer) -> None:
    await organizer.begin("ann", "bob", "cid", table_sizes=[2, 3])
    await organizer.finished()
    numbers, standings = await scrape(organizer), await organizer.standings()

    assert total(numbers, "rated_matches_total") == sum(table.rated for table in standings.tables)
    assert total(numbers, "matches_ended_total", ending="played") == 9
    with organizer.app.store.read() as tx:
        page = matches.page(tx, "cup", size=100).rows
    seats = [seat for seated in page for seat in seated.seats]
    decisions = sum(seat.decisions for seat in seats)
    assert total(numbers, "decisions_total") == decisions
    assert total(numbers, "decisions_total", by="bot", fault="") == decisions
    assert total(numbers, "connected_bots") == 3
    assert total(numbers, "running_matches") == 0
    assert total(numbers, "streams_opened_total") == 3
    assert total(numbers, "commit_seconds_count") == total(numbers, "commit_entries_count") > 0
    # Offered, seated, and every decision.
    assert total(numbers, "commit_entries_sum") == 9 * 2 + decisions
    for name in ("voids_total", "no_shows_total", "refusals_total", "outbox_bytes"):
        assert total(numbers, name) == 0


async def test_absences_and_voids_are_those_of_the_standings(organizer: Organizer) -> None:
    await organizer.begin("ann", absent=("bob",))
    await organizer.miss(4, "bob")
    await organizer.finished()
    numbers = await scrape(organizer)
    (table,) = (await organizer.standings()).tables

    # A match waits for a bot twice before that counts as an absence.
    absences = sum(fault.count for row in table.rows for fault in row.faults)
    assert total(numbers, "no_shows_total") == 2 * absences == 4
    assert total(numbers, "matches_ended_total", ending="not_started") == 4
    assert total(numbers, "rated_matches_total") == table.rated == 2


async def test_while_a_match_runs_it_is_counted_and_not_told(organizer: Organizer) -> None:
    await organizer.register("ann", "bob")
    await organizer.create()
    ann = await organizer.connect("ann", capacity=1, answers=2)
    await organizer.connect("bob")
    await organizer.enter("ann", "bob")
    await organizer.close()
    await organizer.start()
    await ann.stuck.wait()
    (match_id,) = organizer.app.hall.match_ids()
    numbers, text = await scrape(organizer), await text_of(organizer)

    assert total(numbers, "running_matches", state="playing") == 1
    assert total(numbers, "running_matches", state="gathering") == 0
    for secret in (match_id, "ann", "bob", organizer.tokens["ann"], organizer.token or ""):
        assert secret not in text
    assert not re.search(r"\b[2-9TJQKA][CDHS]\b", text)
    labels = {name for (_, its) in numbers for name, _ in its}
    assert labels <= {"by", "fault", "ending", "le", "reason", "state"}

    organizer.app.hall.void(match_id, "The lights went out.")
    await organizer.app.hall.settle()
    assert total(await scrape(organizer), "matches_ended_total", ending="void") == 1


class Door:
    """Somebody who notices that a bot has left."""

    def __init__(self) -> None:
        self.gone = asyncio.Event()

    def arrived(self, connection: Connection, at: Nanos) -> None:
        """Nothing."""

    def left(self, connection: Connection, at: Nanos, *, goodbye: bool) -> None:
        self.gone.set()


async def test_streams_that_come_again_and_refused_answers_are_counted(
    organizer: Organizer,
) -> None:
    await organizer.register("ann", "bob")
    first = await organizer.connect("ann")
    await organizer.connect("ann")
    await first.gone()
    door = Door()
    organizer.app.presence.listen(door)
    async with RawBot(organizer.app.address, organizer.tokens["bob"]) as bob:
        await bob.hello()
    async with asyncio.timeout(PATIENCE):
        await door.gone.wait()
    await organizer.connect("bob")
    numbers = await scrape(organizer)

    assert total(numbers, "streams_opened_total") == 4
    assert total(numbers, "replacements_total") == 1
    assert total(numbers, "reconnects_total") == 1


async def test_a_stall_is_counted_with_its_length(organizer: Organizer) -> None:
    now = organizer.clock.now()
    organizer.app.stalled(now, Nanos(now + 1_500_000_000))
    numbers = await scrape(organizer)

    assert total(numbers, "loop_stalls_total") == 1
    assert total(numbers, "loop_stalled_seconds_total") == 1.5


async def test_the_port_is_of_this_machine_alone_and_goes_with_the_server(tmp_path: Path) -> None:
    async with organized(tmp_path / "data", metrics_port=0) as running:
        port = running.app.metrics_port
        assert port
        with socket.create_connection(("127.0.0.1", port)) as connection:
            assert connection.getsockname()[0] == "127.0.0.1"
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port))


async def test_without_being_asked_no_port_is_opened(tmp_path: Path) -> None:
    async with organized(tmp_path / "data") as running:
        assert running.app.metrics_port is None


async def test_a_port_that_is_taken_is_said_in_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(MetricsPortTaken, match=f"cannot show metrics on 127.0.0.1:{port}: "):
            async with organized(tmp_path / "data", metrics_port=port):
                pass


def test_who_hangs_up_is_no_error_and_who_only_holds_the_port_is_hung_up_on(
    capfd: pytest.CaptureFixture[str],
) -> None:
    exposed = expose(CollectorRegistry(), host="127.0.0.1", port=0, patience=0.2)
    address = ("127.0.0.1", exposed.port)
    with capture_logs() as lines:
        for _ in range(5):
            with socket.create_connection(address) as caller:
                # Closed at once, with a reset, in the middle of the question.
                caller.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                caller.sendall(b"GET /metrics HTTP/1.0\r\n")
        holding = [socket.create_connection(address) for _ in range(CALLERS_MAX + 5)]
        for caller in holding:
            caller.settimeout(PATIENCE)
            # The end, or a reset where the last ones were not even taken.
            with suppress(ConnectionError):
                assert caller.recv(1) == b""
            caller.close()
        with urllib.request.urlopen(f"http://127.0.0.1:{exposed.port}/metrics") as answer:
            assert answer.status == 200
        exposed.close()

    assert lines == []
    assert capfd.readouterr() == ("", "")
