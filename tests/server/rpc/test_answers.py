"""What becomes of answers: legal, illegal, stale, doubled, unknown, too late."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

import pytest

from kitumaija.engine import DECK, Action, PlayCard
from kitumaija.server.match import Fault, FaultPolicy, JournalEntry
from kitumaija.server.match.journal import Decided
from kitumaija.v1 import arena_pb2
from kitumaija.wire.codec import action_to_message, cards_from_message, legal_from_message
from kitumaija.wire.times import Limits
from tests.server.rpc.scripted import get_ready
from tests.support.arena import Arena
from tests.support.clock import ms
from tests.support.raw_bot import RawBot

PER_DECISION, BANK, MARGIN = 1_000, 10_000, 50


@dataclass
class Table:
    """Alice and bob at a match, and what alice is asked first."""

    arena: Arena
    match_id: str
    alice: RawBot
    bob: RawBot
    decision: arena_pb2.Decision

    @property
    def legal(self) -> tuple[Action, ...]:
        return legal_from_message(self.decision.legal)

    @property
    def illegal(self) -> Action:
        """A card that alice does not hold."""
        hand = cards_from_message(self.decision.view.hand)
        return next(PlayCard(card) for card in DECK if card not in hand)

    def decided(self) -> list[Decided]:
        """Return the decisions that are on the disk."""
        entries: list[JournalEntry] = self.arena.entries(self.match_id)
        return [entry for entry in entries if isinstance(entry, Decided)]


@pytest.fixture
async def table(arena: Arena) -> Table:
    return await seated(arena)


async def seated(arena: Arena, policy: FaultPolicy | None = None) -> Table:
    alice, bob = await arena.connect("alice"), await arena.connect("bob")
    limits = Limits(
        per_decision=timedelta(milliseconds=PER_DECISION),
        bank=timedelta(milliseconds=BANK),
        margin=timedelta(milliseconds=MARGIN),
    )
    setup = arena.open_match("alice", "bob", policy=policy, limits=limits)
    await get_ready(setup.match_id, alice, bob)
    decision = await alice.decision()
    # The clock starts when the write has returned; then the server takes the next message.
    await alice.heard()
    return Table(arena, setup.match_id, alice, bob, decision)


async def test_a_legal_answer_is_accepted_and_is_on_the_disk_by_then(table: Table) -> None:
    await table.alice.answer(table.decision, table.legal[0])

    accepted = (await table.alice.expect("accepted")).accepted

    assert (accepted.match_id, accepted.decision_id) == (table.match_id, 1)
    assert [decided.action for decided in table.decided()] == [table.legal[0]]


async def test_an_illegal_answer_is_refused_with_what_was_legal(table: Table) -> None:
    await table.alice.answer(table.decision, table.illegal)

    refusal = (await table.alice.expect("refusal")).refusal

    assert refusal.reason == arena_pb2.REFUSAL_REASON_ILLEGAL_ACTION
    assert refusal.decision_id == 1
    assert refusal.action == action_to_message(table.illegal)
    assert refusal.legal == table.decision.legal
    assert refusal.retries_left == 2
    assert refusal.detail


async def test_after_the_retries_an_illegal_answer_costs_the_decision(table: Table) -> None:
    left = []
    for _ in range(3):
        await table.alice.answer(table.decision, table.illegal)
        left.append((await table.alice.expect("refusal")).refusal.retries_left)

    assert left == [2, 1, 0]
    assert [decided.fault for decided in table.decided()] == [Fault.ILLEGAL_ACTION]
    await table.alice.decision()


async def test_an_answer_without_an_action_counts_as_illegal(table: Table) -> None:
    await table.alice.answer(table.decision, None)

    refusal = (await table.alice.expect("refusal")).refusal

    assert refusal.reason == arena_pb2.REFUSAL_REASON_MALFORMED_ACTION
    assert refusal.legal == table.decision.legal
    assert refusal.retries_left == 2


async def test_a_card_that_does_not_exist_counts_as_illegal(table: Table) -> None:
    said = arena_pb2.Answer(match_id=table.match_id, decision_id=1)
    said.action.MergeFromString(b"\x08\x63")  # play: card number 99
    await table.alice.say(arena_pb2.BotMessage(answer=said))

    refusal = (await table.alice.expect("refusal")).refusal

    assert refusal.reason == arena_pb2.REFUSAL_REASON_MALFORMED_ACTION
    assert refusal.retries_left == 2


async def test_the_same_answer_twice_is_accepted_twice_and_counts_once(table: Table) -> None:
    await table.alice.answer(table.decision, table.legal[0])
    await table.alice.answer(table.decision, table.legal[0])

    accepted = [(await table.alice.until("accepted")).accepted.decision_id for _ in range(2)]

    assert accepted == [1, 1]
    assert len(table.decided()) == 1


async def test_another_answer_to_a_decided_decision_is_refused(table: Table) -> None:
    await table.alice.answer(table.decision, table.legal[0])
    await table.alice.answer(table.decision, table.illegal)

    refusal = (await table.alice.until("refusal")).refusal

    assert refusal.reason == arena_pb2.REFUSAL_REASON_DECIDED
    assert not refusal.HasField("legal")


@pytest.mark.parametrize("decision_id", [0, 2, 4_000_000_000])
async def test_an_answer_to_a_decision_that_was_not_asked_is_refused(
    table: Table, decision_id: int
) -> None:
    table.decision.decision_id = decision_id
    await table.alice.answer(table.decision, table.legal[0])

    refusal = (await table.alice.expect("refusal")).refusal

    assert refusal.reason == arena_pb2.REFUSAL_REASON_UNKNOWN_DECISION
    assert table.decided() == []


async def test_a_bot_cannot_answer_for_another_seat(table: Table) -> None:
    await table.bob.answer(table.decision, table.legal[0])

    refusal = (await table.bob.expect("refusal")).refusal

    assert refusal.reason == arena_pb2.REFUSAL_REASON_UNKNOWN_DECISION
    assert table.decided() == []


async def test_a_bot_cannot_answer_in_a_match_of_others(table: Table) -> None:
    mallory = await table.arena.connect("mallory")
    await mallory.answer(table.decision, table.legal[0])

    refusal = (await mallory.expect("refusal")).refusal

    assert refusal.reason == arena_pb2.REFUSAL_REASON_UNKNOWN_MATCH
    assert refusal.match_id == table.match_id
    assert table.decided() == []


async def test_an_answer_at_the_last_instant_counts(table: Table) -> None:
    table.arena.clock.advance(ms(PER_DECISION + BANK + MARGIN))
    await table.alice.answer(table.decision, table.legal[0])

    await table.alice.expect("accepted")

    assert [decided.fault for decided in table.decided()] == [None]
    assert table.decided()[0].timing.used_us == (PER_DECISION + BANK + MARGIN) * 1_000
    assert table.decided()[0].bank_left_us == 0


async def test_an_answer_an_instant_later_does_not(table: Table) -> None:
    table.arena.clock.advance(ms(PER_DECISION + BANK + MARGIN) + 1)
    await table.alice.answer(table.decision, table.legal[0])

    refusal = (await table.alice.until("refusal")).refusal

    assert refusal.reason == arena_pb2.REFUSAL_REASON_DECIDED
    assert [decided.fault for decided in table.decided()] == [Fault.DECISION_TIMEOUT]


async def test_a_decision_that_is_not_answered_runs_out_by_itself(table: Table) -> None:
    table.arena.advance(PER_DECISION + BANK + MARGIN + 21)

    await table.alice.decision()

    assert [decided.fault for decided in table.decided()] == [Fault.DECISION_TIMEOUT]


async def test_the_bank_is_spent_only_above_the_time_of_a_decision(table: Table) -> None:
    table.arena.clock.advance(ms(PER_DECISION + MARGIN + 250))
    await table.alice.answer(table.decision, table.legal[0])
    await table.alice.expect("accepted")

    following = await table.alice.decision()

    assert following.bank_us == (BANK - 250) * 1_000
    assert following.time_left_us == (PER_DECISION + BANK - 250) * 1_000
    assert following.last_used_us == (PER_DECISION + MARGIN + 250) * 1_000


async def test_too_many_faults_forfeit_the_seat_and_the_other_is_told_at_the_end(
    arena: Arena,
) -> None:
    table = await seated(arena, FaultPolicy(illegal_retries=0, faults_to_forfeit=1))
    await table.alice.answer(table.decision, table.illegal)
    await table.alice.expect("refusal")

    end = (await table.bob.until("match_end")).match_end

    assert end.ending == arena_pb2.MATCH_ENDING_FORFEITS
    assert list(end.places) == [2, 1]
    assert [forfeit.seat for forfeit in end.forfeits] == [0]
