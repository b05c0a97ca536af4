"""Who is drawn into a round while somebody has left or is on the bench."""

from __future__ import annotations

from kitumaija.server.schedule.round_formats import RoundFormat
from kitumaija.server.schedule.rounds import RoundRules, Rounds
from kitumaija.server.schedule.seating import Round, names_of
from kitumaija.server.tournament.drawing import following

BOTS = ("ann", "bob", "cid", "dot")


def after_a_round(played_as: RoundFormat) -> tuple[Rounds, dict[str, int]]:
    """A first round of all, and its points: the first of each table won."""
    rounds = Rounds(RoundRules(played_as, 2, 5, 1000, bytes(32)), BOTS)
    first = rounds.next_after(None)
    assert first is not None
    rounds.add(first)
    return rounds, {seats[0]: 4 for seats in first.tables}


def drawn_of(played_as: RoundFormat, left: str = "", benched: str = "") -> Round | None:
    rounds, points = after_a_round(played_as)
    return following(rounds, points, left=left.split(), benched=benched.split())


def test_who_left_or_is_on_the_bench_has_no_part_in_a_round() -> None:
    for played_as in (RoundFormat.SWISS, RoundFormat.LADDER):
        drawn = drawn_of(played_as, left="ann", benched="bob")
        assert drawn is not None
        assert names_of(drawn) == {"cid", "dot"}


def test_where_there_is_no_round_without_the_bench_it_is_waited_for() -> None:
    drawn = drawn_of(RoundFormat.SWISS, left="ann", benched="bob cid")
    assert drawn is not None
    assert names_of(drawn) == {"bob", "cid", "dot"}
    assert drawn_of(RoundFormat.SWISS, left="ann bob cid", benched="dot") is None


def test_nobody_goes_out_of_a_knockout_on_the_bench() -> None:
    rounds, points = after_a_round(RoundFormat.KNOCKOUT)
    one, other = points
    drawn = following(rounds, points, left=(), benched=(one,))
    assert drawn is not None
    assert names_of(drawn) == {one, other}
    assert following(rounds, points, left=(one,), benched=(other,)) is None
