"""Steps about each kind of decision, and each kind of action."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

from kitumaija.sdk.check.exam import Exam
from kitumaija.sdk.check.step import Step
from kitumaija.sdk.check.steps import positions
from kitumaija.sdk.testing.host import Opening


async def _decides(opening: Callable[[], Opening], exam: Exam) -> None:
    table = await exam.sit(opening=opening())
    await table.decide()


def _at(opening: Callable[[], Opening]) -> Callable[[Exam], Awaitable[None]]:
    return partial(_decides, opening)


def _step(name: str, sentence: str, opening: Callable[[], Opening], hint: str) -> Step:
    return Step(name, sentence, _at(opening), "Deciding", hint)


STEPS: Final = (
    _step(
        "catch",
        "Asked to catch, it plays a card that may be played, turns the luck card, or picks up.",
        positions.CATCH.opening,
        "Pick from Decision.legal: `play`, `turn` and `take` may all be there.",
    ),
    _step(
        "luck",
        "Without a card that catches it turns the luck card or picks up.",
        positions.LUCK.opening,
        "`legal.play` may be empty: answer `turn` if it is true, or an amount of `take`.",
    ),
    _step(
        "take",
        "Asked to catch with nothing that catches and no stock, it picks up one of two amounts.",
        positions.PICKUP_IN_CATCH.opening,
        "Answer `take` with one of the amounts in `legal.take`, not with its place in the list.",
    ),
    _step(
        "free",
        "It plays any card as the free card.",
        positions.FREE.opening,
        "In PHASE_FREE `legal.play` holds the whole hand; answer `play`.",
    ),
    _step(
        "free-from-stock",
        "It plays the free card where it may be turned from the stock, too.",
        positions.FREE_FROM_STOCK.opening,
        "In PHASE_FREE `legal.turn` may be true: answer `play` with a card, or `turn`.",
    ),
    _step(
        "pickup",
        "It chooses how many cards to pick up.",
        positions.PICKUP.opening,
        "In PHASE_PICKUP answer `take` with one of the amounts in `legal.take`.",
    ),
    _step(
        "lead",
        "It leads a card to an empty pile, where there is no top card.",
        positions.lead,
        "In PHASE_LEAD `view.top` is CARD_UNSPECIFIED: answer `play` with a card of `legal.play`.",
    ),
    _step(
        "pass-lead",
        "It passes the lead where that is all that is legal.",
        positions.pass_lead,
        "Answer `pass_lead` with an empty Pass where `legal.pass_lead` is true.",
    ),
)
