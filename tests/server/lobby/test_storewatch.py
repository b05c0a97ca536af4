"""The watch over the disk: what a bot waits for is told while it lasts."""

from __future__ import annotations

from datetime import timedelta

from kitumaija.engine import Seat
from kitumaija.server.lobby.storewatch import StoreWatch, Wait
from kitumaija.server.match import Nanos
from tests.support.clock import ms

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
