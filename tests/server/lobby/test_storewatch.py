"""The watch over the disk: what a bot waits for is told while it lasts, and costs it nothing."""

from __future__ import annotations

from datetime import timedelta

from kitumaija.engine import DecidedBy, Seat
from kitumaija.server.lobby.storewatch import StoreWatch, Wait
from kitumaija.server.match import Nanos
from kitumaija.wire.times import Limits
from tests.support.clock import ms
from tests.support.lobby import Lobby, seated
from tests.support.raw_bot import answer

OPEN = (Seat(0), 1)


class Watching:
    """A watch, and what it told: whose match, from when to when, in ms."""

    def __init__(self) -> None:
        self.told: list[tuple[str, int, int]] = []
        self.watch = StoreWatch(
            lambda wait, since, until: self.told.append(
                (wait.match_id, since // ms(1), until // ms(1))
            ),
            worth_telling=timedelta(milliseconds=20),
        )

    def began(self, match_id: str, about: tuple[Seat, int] | None, *, at: float) -> Wait:
        wait = self.watch.began(match_id, about, instant(at))
        assert wait is not None
        return wait


def instant(milliseconds: float) -> Nanos:
    return Nanos(ms(milliseconds))


def test_a_commit_that_takes_no_longer_than_everyday_is_not_told() -> None:
    watching = Watching()
    wait = watching.began("m1", OPEN, at=100)

    watching.watch.look(instant(120))
    watching.watch.over(wait, instant(120))
    watching.watch.look(instant(900))

    assert watching.told == []


def test_a_wait_is_told_whole_in_parts_while_it_lasts_and_no_longer() -> None:
    watching = Watching()
    wait = watching.began("m1", OPEN, at=100)

    watching.watch.look(instant(121))
    watching.watch.look(instant(125))
    watching.watch.over(wait, instant(126))
    watching.watch.look(instant(900))

    assert watching.told == [("m1", 100, 121), ("m1", 121, 125), ("m1", 125, 126)]


def test_every_match_that_waits_is_told_of_its_own_wait() -> None:
    watching = Watching()
    first = watching.began("m1", OPEN, at=100)
    watching.began("m2", None, at=110)

    watching.watch.look(instant(125))
    watching.watch.over(first, instant(125))
    watching.watch.look(instant(140))

    assert watching.told == [("m1", 100, 125), ("m2", 110, 140)]


def test_the_offers_of_one_match_are_one_wait() -> None:
    watching = Watching()
    watching.began("m1", None, at=100)

    assert watching.watch.began("m1", None, instant(100)) is None
    watching.watch.look(instant(150))

    assert watching.told == [("m1", 100, 150)]


async def test_a_refusal_that_waits_for_the_disk_costs_its_bot_nothing() -> None:
    lobby = Lobby(prompt=False)
    limits = Limits(per_decision=timedelta(seconds=1), bank=timedelta(0))
    alice, alices, _, _ = await seated(lobby, limits=limits)
    decision = alices.last("decision")
    lobby.clock.advance(ms(500))
    lobby.desk.answer(alice, answer(decision, None).answer, lobby.clock.now())
    await lobby.turn()

    # The disk takes far longer than the bot has left; time is looked at all along.
    lobby.pass_steps(300)
    assert alices.last("decision") is decision
    lobby.journal.commit()
    await lobby.turn()
    lobby.clock.advance(ms(550))
    lobby.desk.look(lobby.clock.now())
    assert alices.last("refusal").retries_left == 2
    lobby.answer(alice, decision)
    await lobby.turn()

    decided = lobby.journal.entries("m1")[-1]
    assert decided.by is DecidedBy.BOT  # type: ignore[union-attr]
    assert decided.timing.used_us == 1_050_000  # type: ignore[union-attr]
    assert decided.timing.retimed_us == 6_000_000  # type: ignore[union-attr]


async def test_a_bot_that_comes_back_does_not_pay_for_the_disk_either() -> None:
    lobby = Lobby(prompt=False)
    limits = Limits(per_decision=timedelta(seconds=1), bank=timedelta(0))
    alice, alices, bob, _ = await seated(lobby, limits=limits)
    decision = alices.last("decision")
    lobby.open("alice", "bob", match_id="m2")
    lobby.ready("m2", alice, bob)
    again, line = lobby.connect("alice")
    await lobby.turn()

    lobby.pass_steps(200)
    lobby.journal.commit()
    await lobby.turn()
    lobby.answer(again, decision)
    await lobby.turn()

    decided = lobby.journal.entries("m1")[-1]
    assert decided.by is DecidedBy.BOT  # type: ignore[union-attr]
    assert decided.timing.retimed_us == 4_000_000  # type: ignore[union-attr]
    assert line.kinds()[0] == "welcome"


async def test_an_offer_that_waits_for_the_disk_costs_nobody_s_start_up() -> None:
    lobby = Lobby(prompt=False)
    alice, _ = lobby.connect("alice")
    bob, _ = lobby.connect("bob")
    lobby.open("alice", "bob", limits=Limits(startup=timedelta(seconds=1)))
    await lobby.turn()

    lobby.pass_steps(200)
    lobby.journal.commit()
    await lobby.turn()
    lobby.pass_time(900)
    lobby.ready("m1", alice, bob)

    assert lobby.hall.seated_ids() == ("m1",)
