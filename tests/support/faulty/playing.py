"""Faults in matches: being ready, choosing, taking a refusal, and minding the clock."""

from __future__ import annotations

import asyncio

from kitumaija.v1 import arena_pb2, cards_pb2, game_pb2
from tests.support.faulty.fault import Fault
from tests.support.faulty.hand_written import HandWritten, Leaves, Match

Decision = arena_pb2.Decision
Action = game_pb2.Action


class NeverReady(HandWritten):
    async def on_match_start(self, start: arena_pb2.MatchStart) -> None:
        pass


class ReadyForOne(HandWritten):
    """Is ready for a match when it has none."""

    async def on_match_start(self, start: arena_pb2.MatchStart) -> None:
        if not self.matches:
            await super().on_match_start(start)


class ReadyOnce(HandWritten):
    """Does not say again what it said on an earlier stream."""

    async def on_match_start(self, start: arena_pb2.MatchStart) -> None:
        if start.match_id not in self.matches:
            await super().on_match_start(start)


class Eager(HandWritten):
    """Answers before it is asked."""

    async def on_seating(self, seating: arena_pb2.Seating) -> None:
        await super().on_seating(seating)
        action = Action(turn=game_pb2.TurnCard())
        answer = arena_pb2.Answer(match_id=seating.match_id, decision_id=1, action=action)
        await self.say(answer=answer)


class SmallTables(HandWritten):
    """Has no room for more than four players."""

    def choose(self, decision: Decision) -> Action | None:
        if decision.view.seats > 4:
            raise IndexError("list index out of range")
        return super().choose(decision)


class OneMatch(HandWritten):
    """Keeps one match, whatever its id."""

    def match(self, match_id: str) -> Match:
        return self.matches.setdefault("the match", Match("the match"))


class LastMatch(HandWritten):
    """Answers in the match that was seated last."""

    seated = ""

    async def on_seating(self, seating: arena_pb2.Seating) -> None:
        self.seated = seating.match_id
        await super().on_seating(seating)

    def answer(self, decision: Decision, action: Action) -> arena_pb2.Answer:
        return arena_pb2.Answer(
            match_id=self.seated, decision_id=decision.decision_id, action=action
        )


class FromTheHand(HandWritten):
    """Plays its first card, legal or not."""

    def choose(self, decision: Decision) -> Action | None:
        return Action(play=decision.view.hand[0])


class CardsOnly(HandWritten):
    """Knows no action but to play a card."""

    def choose(self, decision: Decision) -> Action | None:
        return Action(play=decision.legal.play[0]) if decision.legal.play else None


class TakesByPlace(HandWritten):
    """Answers which amount of the list it takes, not the amount."""

    def choose(self, decision: Decision) -> Action | None:
        legal = decision.legal
        alone = legal.take and not legal.play and not legal.turn
        return Action(take=0) if alone else super().choose(decision)


class TakesAll(HandWritten):
    def choose(self, decision: Decision) -> Action | None:
        if decision.view.phase == game_pb2.PHASE_PICKUP:
            return Action(take=decision.view.pile_size + 2)
        return super().choose(decision)


class AlwaysTurns(HandWritten):
    """Turns whenever the stock has a card."""

    def choose(self, decision: Decision) -> Action | None:
        if decision.view.stock_size and decision.view.phase == game_pb2.PHASE_FREE:
            return Action(turn=game_pb2.TurnCard())
        return super().choose(decision)


class LuckIsForCatching(HandWritten):
    """Picks up where its luck was good."""

    def choose(self, decision: Decision) -> Action | None:
        return Action(take=1) if decision.view.luck else super().choose(decision)


class NeedsATop(HandWritten):
    def choose(self, decision: Decision) -> Action | None:
        if decision.view.top == cards_pb2.CARD_UNSPECIFIED:
            raise KeyError("CARD_UNSPECIFIED")
        return super().choose(decision)


class NeverPasses(HandWritten):
    def choose(self, decision: Decision) -> Action | None:
        if decision.legal.pass_lead:
            return Action(play=decision.view.hand[0])
        return super().choose(decision)


class NoSpecialRules(HandWritten):
    """Leaves when it hears of options that it did not think of."""

    async def on_seating(self, seating: arena_pb2.Seating) -> None:
        await super().on_seating(seating)
        if seating.options.pickup == game_pb2.PICK_UP_ALWAYS:
            raise NotImplementedError("pickup")


class Tires(HandWritten):
    """Has had enough after a hundred decisions of one match."""

    def choose(self, decision: Decision) -> Action | None:
        return None if decision.decision_id > 100 else super().choose(decision)


##### Refusals #####


class Insists(HandWritten):
    """Says the same again when it is refused."""

    async def on_refusal(self, refusal: arena_pb2.Refusal) -> None:
        await self.say(answer=self.match(refusal.match_id).answer)


class Sulks(HandWritten):
    async def on_refusal(self, refusal: arena_pb2.Refusal) -> None:
        pass


class AlwaysAgain(HandWritten):
    """Answers again whether it may or not."""

    async def on_refusal(self, refusal: arena_pb2.Refusal) -> None:
        await super().on_refusal(refusal)
        match = self.matches.get(refusal.match_id)
        if match and match.asked == refusal.decision_id and not refusal.HasField("legal"):
            await self.say(answer=match.answer)


class OnceMore(HandWritten):
    """Tries once more when the last retry is gone."""

    tried = 0

    async def on_refusal(self, refusal: arena_pb2.Refusal) -> None:
        await super().on_refusal(refusal)
        self.tried = self.tried + 1 if refusal.HasField("legal") else 0
        if refusal.retries_left == 1 and self.tried > 1:
            await self.say(answer=self.match(refusal.match_id).answer)


class AnyRefusal(HandWritten):
    """Takes every refusal for one of its last answer."""

    async def on_refusal(self, refusal: arena_pb2.Refusal) -> None:
        await super().on_refusal(refusal)
        match = self.matches.get(refusal.match_id)
        if match and match.answer and refusal.decision_id < match.asked:
            await self.say(answer=match.answer)


class GivesUp(HandWritten):
    """Leaves for good when one seat is forfeited."""

    async def on_refusal(self, refusal: arena_pb2.Refusal) -> None:
        if refusal.reason == arena_pb2.REFUSAL_REASON_FORFEITED:
            raise Leaves(1)
        await super().on_refusal(refusal)


##### The clock #####


class Slow(HandWritten):
    """Thinks for 600 ms, however long it may."""

    async def on_decision(self, decision: Decision) -> None:
        await asyncio.sleep(0.6)
        await super().on_decision(decision)


class RemembersTheBank(HandWritten):
    """Thinks for three quarters of what it had for its first decision."""

    had = 0.0

    async def on_decision(self, decision: Decision) -> None:
        self.had = self.had or decision.time_left_us / 1e6
        if self.had < 0.7:
            await asyncio.sleep(0.75 * self.had)
        await super().on_decision(decision)


class KnowsNoNetwork(HandWritten):
    """Thinks for all of the time that is left where the way there and back takes most of it."""

    async def on_decision(self, decision: Decision) -> None:
        if decision.round_trip_us > 1e5:
            await asyncio.sleep(decision.time_left_us / 1e6 - 0.2)
        await super().on_decision(decision)


class OneAfterTheOther(HandWritten):
    async def on_decision(self, decision: Decision) -> None:
        await asyncio.sleep(0.1)
        await super().on_decision(decision)


class Boasts(HandWritten):
    def answer(self, decision: Decision, action: Action) -> arena_pb2.Answer:
        answer = super().answer(decision, action)
        answer.think_time_us = 10_000_000
        return answer


class ThinksWhereItReads(HandWritten):
    async def on_decision(self, decision: Decision) -> None:
        await asyncio.sleep(0.5)
        await super().on_decision(decision)


class TakesItsTimeBack(HandWritten):
    """Takes for a decision that is asked again as long as it likes."""

    async def on_match_sync(self, sync: arena_pb2.MatchSync) -> None:
        await super().on_match_sync(sync)
        await asyncio.sleep(0.8)


class Hoards(HandWritten):
    """Keeps half a megabyte of each match for ever."""

    kept: tuple[bytearray, ...] = ()

    async def on_match_end(self, end: arena_pb2.MatchEnd) -> None:
        await super().on_match_end(end)
        self.kept = (*self.kept, bytearray(b"x" * (512 << 10)))


##### Ends #####


class NeedsPlaces(HandWritten):
    async def on_match_end(self, end: arena_pb2.MatchEnd) -> None:
        end.places[0]
        await super().on_match_end(end)


class EndsAll(HandWritten):
    """Leaves everything when one match is over in which it is asked."""

    async def on_match_end(self, end: arena_pb2.MatchEnd) -> None:
        match = self.matches.get(end.match_id)
        await super().on_match_end(end)
        if match is not None and match.asked:
            raise Leaves(0)


class KnowsAllMatches(HandWritten):
    async def on_match_end(self, end: arena_pb2.MatchEnd) -> None:
        del self.matches[end.match_id]


class OwnFaultsOnly(HandWritten):
    async def on_match_end(self, end: arena_pb2.MatchEnd) -> None:
        await super().on_match_end(end)
        if end.faults and end.faults[0].seat != 0:
            raise ValueError("that was not me")


class KnowsEverybody(HandWritten):
    """Looks its opponents up."""

    async def on_seating(self, seating: arena_pb2.Seating) -> None:
        await super().on_seating(seating)
        if any(player.bot_id.startswith("p-") for player in seating.players):
            raise KeyError("p-7f3a")


class AnswersWhatItMust(HandWritten):
    """Answers the first decision of a frame alone."""

    async def hear_frame(self, messages: list[arena_pb2.ServerMessage]) -> None:
        asked = [message for message in messages if message.HasField("decision")]
        later = {id(message) for message in asked[1:]}
        await super().hear_frame([each for each in messages if id(each) not in later])


class BlindToTheRest(HandWritten):
    """Does not see what is asked in the frame that seats it."""

    async def hear_frame(self, messages: list[arena_pb2.ServerMessage]) -> None:
        seated = any(message.HasField("seating") for message in messages)
        heard = [each for each in messages if not (seated and each.HasField("decision"))]
        await super().hear_frame(heard)


class CountsDecisions(HandWritten):
    """Numbers its answers itself, in one row for all matches."""

    count = 0

    def answer(self, decision: Decision, action: Action) -> arena_pb2.Answer:
        answer = super().answer(decision, action)
        self.count += 1
        answer.decision_id = self.count
        return answer


FAULTS = (
    Fault(NeverReady, "ready", "wanted Ready for match check-1 within 1 s; got nothing"),
    Fault(ReadyForOne, "ready-each", "wanted Ready"),
    Fault(ReadyOnce, "ready-again", "wanted Ready"),
    Fault(Eager, "unasked", "wanted nothing after Seating, until a decision is asked; got ANSWER"),
    Fault(SmallTables, "seats", "with exit code 1"),
    Fault(OneMatch, "many", "wanted an Answer"),
    Fault(LastMatch, "order", "wanted one of the legal actions"),
    Fault(FromTheHand, "catch", "wanted one of the legal actions: 2D, 8H, turn; got '9C'"),
    Fault(CardsOnly, "luck", "wanted an Answer"),
    Fault(TakesByPlace, "take", "wanted one of the legal actions: take 2, take 3"),
    Fault(AlwaysTurns, "free", "got 'turn'"),
    Fault(LuckIsForCatching, "free-from-stock", "got 'take 1'"),
    Fault(TakesAll, "pickup", "wanted one of the legal actions: take 2, take 3; got 'take 5'"),
    Fault(NeedsATop, "lead", "with exit code 1"),
    Fault(NeverPasses, "pass-lead", "wanted one of the legal actions: pass; got 'QS'"),
    Fault(Insists, "refused", "wanted another Answer to the decision"),
    Fault(Sulks, "refused", "wanted an Answer to decision 1"),
    Fault(AlwaysAgain, "refused-closed", "wanted no further Answer"),
    Fault(OnceMore, "last-chance", "wanted no further Answer once no retries are left"),
    Fault(GivesUp, "forfeited", "wanted"),
    Fault(AnyRefusal, "refused-stale", "after a Refusal about an earlier decision; got ANSWER"),
    Fault(BlindToTheRest, "together", "wanted an Answer"),
    Fault(CountsDecisions, "decision-ids", "which were not open: 2"),
    Fault(AnswersWhatItMust, "superseded", "wanted an Answer to decision 2"),
    Fault(Slow, "in-time", "within its time, 0.4 s"),
    Fault(RemembersTheBank, "bank", "within its time, 0.4 s"),
    Fault(KnowsNoNetwork, "round-trip", "wanted an Answer"),
    Fault(OneAfterTheOther, "at-once", "within its time, 0.4 s"),
    Fault(Boasts, "think-time", "got 10000000"),
    Fault(ThinksWhereItReads, "pong-while-asked", "wanted a Pong with nonce 11"),
    Fault(TakesItsTimeBack, "time-left", "wanted an Answer"),
    Fault(NeedsPlaces, "void", "ended the stream"),
    Fault(EndsAll, "end-while-asked", "with exit code 0"),
    Fault(KnowsAllMatches, "end-again", "with exit code 1"),
    Fault(OwnFaultsOnly, "end-told", "with exit code 1"),
    Fault(KnowsEverybody, "blind", "with exit code 1"),
    Fault(NoSpecialRules, "options", "with exit code 1"),
    Fault(Tires, "long-match", "wanted an Answer to decision 101"),
    Fault(Hoards, "memory", "wanted at most +48 MiB over 150 matches"),
)
