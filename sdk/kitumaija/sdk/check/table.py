"""A match, as the examiner leads it: what is said of it, and the answers held against the rules."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final

from kitumaija.engine import Action, format_action
from kitumaija.sdk.check.step import Failed
from kitumaija.sdk.check.stream import Heard
from kitumaija.sdk.testing.host import Referee
from kitumaija.v1 import arena_pb2
from kitumaija.wire.codec import action_from_message
from kitumaija.wire.codec.errors import CodecError
from kitumaija.wire.kinds import Kind

if TYPE_CHECKING:
    from kitumaija.sdk.check.exam import Exam

UNREADY_MAX: Final = 2
"""After so many matches in a row without a Ready no bot is waited for as long as it may take."""


class Table:
    """One match. Its clock is that of the protocol, measured where the examiner sits."""

    def __init__(self, exam: Exam, referee: Referee) -> None:
        self.exam = exam
        self.referee = referee
        self.started = False
        self.over = False
        self.slowest = 0.0
        """The longest that the bot took for a decision, in seconds."""
        self.last_used = 0.0
        """What it took for its last decision, in seconds."""
        self.asked_at = 0.0
        """When the last decision was asked, in seconds of the loop's clock."""
        self._left = timedelta()
        self._bank = referee.limits.bank

    @property
    def match_id(self) -> str:
        """The match's id."""
        return self.referee.match_id

    ##### The course of a match #####

    async def offer(self) -> Heard:
        """Offer it, and return the Ready."""
        self.started = True
        await self.exam.stream.say(self.referee.start())
        return await self.ready()

    async def ready(self) -> Heard:
        """Hear Ready. A bot that never says it is waited for a shorter time after some matches."""
        exam = self.exam
        within = exam.times.startup if exam.unready < UNREADY_MAX else exam.times.patience
        exam.unready += 1
        heard = await exam.stream.hear(
            Kind.READY,
            within,
            match_id=self.match_id,
            wanted=f"Ready for match {self.match_id} within {within:g} s",
        )
        exam.unready = 0
        return heard

    async def sit(self) -> None:
        """Offer it, hear Ready, and tell who plays."""
        await self.offer()
        await self.exam.stream.say(self.referee.seating())

    async def ask(self, *, time_left: timedelta | None = None) -> None:
        """Ask the next decision; its time is what is left of the limits, if nothing is said."""
        await self.exam.stream.say(self.question(time_left=time_left))

    def question(self, *, time_left: timedelta | None = None) -> arena_pb2.ServerMessage:
        """Return the next Decision, and start its clock."""
        left = self._begin(time_left)
        return self.referee.ask(time_left=left, bank=min(self._bank, left))

    def question_again(self) -> arena_pb2.ServerMessage:
        """Return the open Decision again, with the time that is left of it."""
        now = self.exam.now()
        left = max(timedelta(), self._left - timedelta(seconds=now - self.asked_at))
        return self.referee.ask_again(time_left=left, bank=min(self._bank, left))

    def _begin(self, time_left: timedelta | None) -> timedelta:
        self.asked_at = self.exam.now()
        self._left = (
            self.referee.limits.per_decision + self._bank if time_left is None else time_left
        )
        return self._left

    async def hear_answer(self, *, within: float | None = None) -> arena_pb2.Answer:
        """Return the answer to the decision asked last, which must be in time.

        `within` is the time in seconds from the asking, where it is not what the bot was told.
        Answers to earlier decisions are passed over: they crossed what was said meanwhile.
        """
        margin = self.referee.limits.margin
        left = (self._left + margin).total_seconds() if within is None else within
        decision_id = self.referee.decision_id
        until = self.asked_at + left
        wanted = (
            f"an Answer to decision {decision_id} of match {self.match_id} "
            f"within its time, {left - margin.total_seconds():g} s"
        )
        earlier: list[int] = []
        while True:
            try:
                heard = await self.exam.stream.hear(
                    Kind.ANSWER,
                    max(0.0, until - self.exam.now()),
                    match_id=self.match_id,
                    wanted=wanted,
                )
            except Failed as failed:
                others = ", ".join(map(str, earlier))
                besides = f", and answers to decisions which were not open: {others}"
                raise Failed(wanted, f"{failed.got}{besides if others else ''}") from None
            answer: arena_pb2.Answer = heard.said
            if answer.decision_id == decision_id:
                break
            if answer.decision_id not in range(1, decision_id):
                raise Failed(
                    f"an Answer with decision_id {decision_id}, as it was asked",
                    f"one with decision_id {answer.decision_id}",
                )
            earlier.append(answer.decision_id)
        self._account(heard.at - self.asked_at)
        return answer

    def action_of(self, answer: arena_pb2.Answer) -> Action:
        """Return the action of an answer. Raises `Failed` for one that is not legal."""
        legal = self.referee.legal
        wanted = f"one of the legal actions: {', '.join(map(format_action, legal))}"
        try:
            action = action_from_message(answer.action)
        except CodecError as error:
            raise Failed(wanted, f"no action ({error})") from None
        if action not in legal:
            raise Failed(wanted, f"{format_action(action)!r}")
        return action

    async def answer(self) -> Action:
        """Return the legal action that the bot answers in time."""
        return self.action_of(await self.hear_answer())

    async def decide(self) -> Action:
        """Ask, hear the answer and accept it; return the action, which was played."""
        await self.ask()
        action = await self.answer()
        self.referee.take(action)
        await self.exam.stream.say(self.referee.accepted())
        return action

    async def play(self, *, decisions: int | None = None) -> None:
        """Play on, to the end and its MatchEnd if it comes within so many decisions."""
        asked = 0
        while self.referee.proceed():
            if asked == decisions:
                return
            asked += 1
            await self.decide()
        await self.exam.stream.say(self.referee.end())
        self.over = True

    async def void(self) -> None:
        """Say that the match does not count."""
        self.over = True
        await self.exam.stream.say(self.referee.void())

    def _account(self, used: float) -> None:
        """Pay for a decision as the protocol has it."""
        limits = self.referee.limits
        self.last_used = used
        self.slowest = max(self.slowest, used)
        over = timedelta(seconds=used) - limits.per_decision - limits.margin
        self._bank -= max(timedelta(), min(over, self._bank))
        self._bank += limits.increment
