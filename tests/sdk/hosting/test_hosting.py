"""Bots that are processes, in games on this machine: real processes, real gRPC."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import pytest

from kitumaija.console.children import UNLIMITED, Allowance, Children
from kitumaija.console.commands import parse_command
from kitumaija.engine import Deal, DecidedBy, text_seed
from kitumaija.sdk.clocks import real_clock
from kitumaija.sdk.errors import BotError, SdkError
from kitumaija.sdk.hosting import Guest, Host
from kitumaija.sdk.local import Played, play_deal
from kitumaija.sdk.records import record_of
from kitumaija.wire.times import Limits
from tests.support import hand_made
from tests.support.bots import First

LIMITS = Limits(
    startup=timedelta(seconds=30), per_decision=timedelta(seconds=20), margin=timedelta()
)


@dataclass
class Hall:
    """A place to start bots in, and what they wrote."""

    host: Host
    children: Children
    logs: Path
    guests: list[Guest] = field(default_factory=list)

    def guest(
        self, how: str, *, startup: float = 30, fresh: bool = False, allowed: Allowance = UNLIMITED
    ) -> Guest:
        """Return a hand-made bot, or the one of a whole command."""
        own = f"cmd:{shlex.quote(sys.executable)} {hand_made.__file__} {how}"
        guest = Guest(
            parse_command(how if how.startswith("cmd:") else own),
            self.children,
            self.host,
            label=f"bot-{len(self.guests)}",
            new_token=lambda: f"token-{len(self.guests)}",
            startup=timedelta(seconds=startup),
            allowance=allowed,
            fresh=fresh,
        )
        self.guests.append(guest)
        return guest

    def said(self) -> str:
        """All that the bots wrote, in the order in which they were started."""
        logs = sorted(self.logs.glob("*.log"), key=lambda path: path.stat().st_mtime_ns)
        return "".join(log.read_text(encoding="utf-8") for log in logs)


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    with Host(real_clock) as host, Children(tmp_path / "logs") as children:
        yield Hall(host, children, tmp_path / "logs")


def played(guest: Guest, *, seed: str = "1", limits: Limits = LIMITS) -> Played:
    """A game of the guest, who has the first seat, with a bot of this process."""
    deal = Deal(f"hall/{seed}", text_seed(seed))
    return play_deal([guest, First], deal, limits=limits, on_error="fallback")


def own_faults(game: Played) -> list[str | None]:
    """The faults of the guest's decisions."""
    return [decision.fault for decision in game.record.decisions if decision.seat == 0]


def test_a_process_plays_game_after_game_as_a_class_that_decides_alike_and_is_named_in_the_record(
    hall: Hall,
) -> None:
    guest = hall.guest("fair")

    by_process = [played(guest, seed=seed) for seed in ("1", "2")]
    by_class = [
        play_deal([First, First], Deal(f"hall/{seed}", text_seed(seed))) for seed in ("1", "2")
    ]

    assert [game.problems for game in by_process] == [(), ()]
    for process, own in zip(by_process, by_class, strict=True):
        assert process.record.decisions == own.record.decisions
        assert process.record.result == own.record.result
    about = record_of(by_process[0]).timings.bots
    assert [(bot.language, bot.sdk, bot.bot_version) for bot in about] == [
        ("sketch", "hand/1", "7"),
        ("python", "", ""),
    ]
    guest.stop()
    assert hall.said().count("here: process ") == 1


def test_with_fresh_bots_every_game_has_a_process_of_its_own(hall: Hall) -> None:
    guest = hall.guest("fair", fresh=True)
    processes = []

    for seed in ("1", "2"):
        assert played(guest, seed=seed).problems == ()
        guest.stop()
        processes.append([line for line in hall.said().splitlines() if "here: process" in line][-1])

    assert len(set(processes)) == 2


def test_an_illegal_answer_may_be_mended_and_is_reported(hall: Hall) -> None:
    guest = hall.guest("wrong-once")

    game = played(guest)
    guest.stop()

    assert set(own_faults(game)) == {None}
    assert len(game.problems) == 1
    assert "answered what is not legal: 'take 52'" in str(game.problems[0])
    assert "REFUSAL_REASON_ILLEGAL_ACTION 2 " in hall.said()


def test_who_answers_illegally_three_times_gets_the_default_action(hall: Hall) -> None:
    guest = hall.guest("wrong")

    game = played(guest)
    guest.stop()

    own = [decision for decision in game.record.decisions if decision.seat == 0]
    assert {decision.by for decision in own} == {DecidedBy.DEFAULT}
    assert set(own_faults(game)) == {"illegal_action"}
    assert len(game.problems) == 3 * len(own)
    assert game.late == (0, 0)
    refusals = [line.split()[:2] for line in hall.said().splitlines() if "REASON" in line]
    assert [int(left) for _, left in refusals[:6]] == [2, 1, 0, 2, 1, 0]
    assert refusals[3][0] == "REFUSAL_REASON_MALFORMED_ACTION"


def test_an_answer_that_is_sent_twice_counts_once(hall: Hall) -> None:
    guest = hall.guest("repeats")

    game = played(guest)
    guest.stop()

    assert set(own_faults(game)) == {None}
    assert game.problems == ()
    assert "REFUSAL" not in hall.said()


def test_who_lost_track_is_told_everything_again(hall: Hall) -> None:
    guest = hall.guest("resyncs")

    game = played(guest)
    guest.stop()

    assert set(own_faults(game)) == {None}
    assert "synced, events: " in hall.said()


def test_a_decision_without_an_answer_is_late_by_the_clock_of_the_machine(hall: Hall) -> None:
    quick = Limits(per_decision=timedelta(milliseconds=5), bank=timedelta(), margin=timedelta())
    game = played(hall.guest("silent"), limits=quick)

    assert set(own_faults(game)) == {"decision_timeout"}
    assert game.late[0] == len(own_faults(game))
    assert game.late[1] == 0


def test_who_floods_is_away_for_the_game_and_it_is_said_why(hall: Hall) -> None:
    game = played(hall.guest("floods"))

    (problem,) = game.problems
    assert "it flooded: it says more than 50 messages a second unasked" in str(problem)
    assert own_faults(game)[-1] == "disconnected"


def test_an_answer_to_what_was_never_asked_is_reported_once_a_game(hall: Hall) -> None:
    games = [played(hall.guest("strays"), seed=seed) for seed in ("1", "2")]

    for game in games:
        assert set(own_faults(game)) == {None}
        (problem,) = game.problems
        assert "python: answered match 'another', which it was never offered" in str(problem)


def test_who_crashes_is_away_for_the_game_and_is_started_again_for_the_next(hall: Hall) -> None:
    guest = hall.guest("crashes")
    games = [played(guest, seed=seed) for seed in ("1", "2")]

    for game in games:
        assert own_faults(game)[:3] == [None, None, "disconnected"]
        assert set(own_faults(game)[2:]) == {"disconnected"}
        (problem,) = game.problems
        assert "its process ended with exit code 7; the last that it wrote:" in str(problem)
        assert "out of ideas" in str(problem)


@pytest.mark.parametrize(
    ("how", "why"),
    [
        ("leaves", "said Goodbye: bored"),
        ("breaks", "it broke the protocol: second hello"),
        ("unready", "did not say Ready within 0.5 s"),
    ],
)
def test_who_does_not_stay_is_away_for_the_game_and_it_is_said_why(
    hall: Hall, how: str, why: str
) -> None:
    limits = Limits(startup=timedelta(seconds=0.5 if how == "unready" else 30))

    game = played(hall.guest(how), limits=limits)

    (problem,) = game.problems
    assert why in str(problem)
    assert own_faults(game)[-1] == "disconnected"


def test_who_ends_between_two_games_is_reported_in_the_next(hall: Hall) -> None:
    guest = hall.guest("ends")
    first = played(guest, seed="1")
    hall.children["bot-0"].wait(60)

    second = played(guest, seed="2")

    assert first.problems == ()
    (problem,) = second.problems
    assert "its process ended between two games; its process ended with exit code 5" in str(problem)
    assert set(own_faults(second)) == {None}


def test_an_error_that_is_to_end_the_game_ends_it(hall: Hall) -> None:
    deal = Deal("hall/1", text_seed("1"))
    with pytest.raises(BotError, match="python: answered what is not legal"):
        play_deal([hall.guest("wrong"), First], deal, limits=LIMITS, on_error="raise")


def test_what_uses_too_much_memory_crashes_and_it_is_said_why(hall: Hall) -> None:
    game = played(hall.guest("grows", allowed=Allowance(memory_bytes=128 * 1024 * 1024)))

    assert "ended for its memory" in str(game.problems[0])


@pytest.mark.parametrize(
    ("how", "startup", "why"),
    [
        ("cmd:sh -c 'echo no model; exit 3'", 30, "ended before it connected; its process ended"),
        ("mute", 0.8, "did not connect within 0.8 s"),
    ],
)
def test_without_a_process_that_dials_in_there_is_no_game(
    hall: Hall, how: str, startup: float, why: str
) -> None:
    with pytest.raises(SdkError, match=why) as failed:
        played(hall.guest(how, startup=startup))

    assert ("no model" if how.startswith("cmd:") else "thinking about it") in str(failed.value)


def test_a_token_that_nobody_waits_for_is_refused(hall: Hall) -> None:
    stranger = hall.children.start(
        "stranger",
        [sys.executable, hand_made.__file__, "fair"],
        environment={"KITUMAIJA_ADDRESS": hall.host.address, "KITUMAIJA_TOKEN": "wrong"},
    )

    assert stranger.wait(60) == 1
    assert "UNAUTHENTICATED" in stranger.tail()
