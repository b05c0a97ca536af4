"""Going on from the journal after the server was away: the same game, and no clock with less."""

from __future__ import annotations

from datetime import timedelta

import pytest

from kitumaija.engine import Card, DecidedBy, GameOptions, PlayCard, Seat, replay
from kitumaija.server.match import (
    AskDecision,
    Connected,
    Fault,
    FaultPolicy,
    Forfeit,
    ForfeitOrdered,
    JournalEntry,
    JournalError,
    MatchNotStarted,
    MatchPhase,
    MatchPlayed,
    MatchVoid,
    Nanos,
    RefuseAnswer,
    SyncMatch,
    VoidOrdered,
    deadline,
    resume,
)
from kitumaija.server.match.journal import (
    Decided,
    Forfeited,
    NotStarted,
    Offered,
    RefusedIllegal,
    Seated,
    Seen,
    Voided,
)
from kitumaija.wire.record import DecisionTiming
from kitumaija.wire.times import Limits
from tests.server.match.table import Table, illegal_for, scripted, setup_of
from tests.support.clock import ManualClock, ms

LIMITS = Limits(
    per_decision=timedelta(seconds=1),
    bank=timedelta(seconds=30),
    increment=timedelta(microseconds=7),
)
SETTLE = ms(20)


def play_on(table: Table, *, entries: int = 1_000_000) -> None:
    """Play on as the script says, to the end or until the journal has so many entries.

    The script looks at nothing but the match itself.

    Bots answer illegally, run out of time and are withdrawn, each at its decision or its moment.
    """
    table.connect()
    table.ready()
    table.sent()
    while not table.results and len(table.journal) < entries:
        pending = table.state.pending
        assert pending is not None
        seat, number = pending.seat, pending.decision_id
        if len(table.state.decisions) > 12 and table.state.seats[3].forfeited is None:
            table.do(ForfeitOrdered(Seat(3), Fault.WITHDRAWN, table.now))
        elif (seat + number) % 11 == 5:
            table.tick_at_deadline()
        elif (seat * 7 + number) % 5 == 1 and pending.illegal < number % 4:
            table.answer(illegal_for(table.question))
        else:
            # Nanoseconds that are no whole microseconds, so that rounding shows.
            rich = table.state.seats[seat].bank > ms(100)
            table.clock.advance(ms(1_051) + 777 if rich else ms(900))
            table.answer(scripted(table.question))
        table.sent()


@pytest.fixture(scope="module", params=[(0, 12), (1, 12), (2, 3)], ids=str)
def whole(request: pytest.FixtureRequest) -> Table:
    """Return a match that was played to its end without an interruption."""
    deal, faults = request.param
    setup = setup_of(
        5,
        deal=f"deal {deal}",
        options=GameOptions(turns_per_player=8),
        limits=LIMITS,
        policy=FaultPolicy(faults_to_forfeit=faults),
    )
    table = Table(setup)
    play_on(table)
    return table


def test_the_match_that_is_cut_below_has_everything_in_it(whole: Table) -> None:
    assert {type(entry) for entry in whole.journal} == {
        Offered,
        Seated,
        Decided,
        RefusedIllegal,
        Seen,
        Forfeited,
    }
    by = {entry.by for entry in whole.journal if isinstance(entry, Decided)}
    assert by == set(DecidedBy)
    faults = {fault for seat in whole.played.faults for fault in seat}
    assert faults == {Fault.DECISION_TIMEOUT, Fault.ILLEGAL_ACTION, Fault.WITHDRAWN}


def test_a_match_cut_after_any_entry_goes_on_to_the_same_game(whole: Table) -> None:
    for cut in range(len(whole.journal) + 1):
        table = Table(whole.setup, ManualClock(3), whole.journal[:cut])
        if not table.results:
            play_on(table)
        assert table.played.game == whole.played.game, cut
        assert table.played.faults == whole.played.faults
        assert table.played.forfeits == whole.played.forfeits
        assert table.played.ending == whole.played.ending


def test_a_match_cut_again_and_again_goes_on_to_the_same_game(whole: Table) -> None:
    table = Table(whole.setup)
    cuts = 0
    while not table.results:
        play_on(table, entries=len(table.journal) + 6)
        table = Table(whole.setup, ManualClock(cuts), table.journal)
        cuts += 1
    assert cuts > 5
    assert table.played.game == whole.played.game


def test_no_bank_is_ever_less_than_at_the_cut(whole: Table) -> None:
    live = Table(whole.setup)
    while not live.results:
        play_on(live, entries=len(live.journal) + 1)
        resumed, _ = resume(live.setup, live.journal, Nanos(0))
        for before, after in zip(live.state.seats, resumed.seats, strict=True):
            assert before.bank <= after.bank < before.bank + 1_000


def test_the_bank_that_is_kept_is_rounded_in_favour_of_the_bot() -> None:
    table = Table(setup_of())
    table.start()
    table.clock.advance(ms(2_050) + 1)
    table.answer(scripted(table.question))
    assert table.state.seats[0].bank == ms(9_000) - 1
    state, _ = resume(table.setup, table.journal, Nanos(0))
    assert state.seats[0].bank == ms(9_000)


def test_a_resumed_journal_goes_on_where_the_old_one_ended(whole: Table) -> None:
    for cut in (1, 2, 40):
        table = Table(whole.setup, ManualClock(3), whole.journal[:cut])
        play_on(table)
        assert table.journal[:cut] == whole.journal[:cut]
        again, _ = resume(whole.setup, table.journal, Nanos(9))
        assert isinstance(again.result, MatchPlayed)
        assert again.result.game == whole.played.game


def test_the_resumed_game_has_the_same_cards(whole: Table) -> None:
    half = len(whole.journal) // 2
    table = Table(whole.setup, ManualClock(3), whole.journal[:half])
    done = sum(isinstance(entry, Decided) for entry in whole.journal[:half])
    steps = replay(whole.played.game).steps
    assert table.state.game == steps[len(table.state.decisions)].state
    assert len(table.state.decisions) >= done


def test_without_a_journal_the_match_is_offered() -> None:
    table = Table(setup_of(), resumed_from=[])
    assert table.journal == [Offered()]
    assert table.state.phase is MatchPhase.GATHERING


def test_a_match_that_was_offered_is_offered_again_with_a_whole_start_up() -> None:
    table = Table(setup_of(), resumed_from=[Offered()])
    table.connect()
    assert table.journal == [Offered()]
    assert len(table.told[0]) == 1
    due = deadline(table.state)
    assert due == table.now + ms(30_000) + SETTLE + 1


# Bots that come back, late or never


def interrupted(seats: int = 3, limits: Limits | None = None, decisions: int = 5) -> Table:
    """Return a match that was just resumed; a decision is open and nobody is there."""
    before = Table(setup_of(seats, limits=limits))
    before.start()
    for _ in range(decisions):
        before.clock.advance(ms(3_050))
        before.play()
    before.clock.advance(ms(700))
    return Table(before.setup, ManualClock(5), before.journal)


def test_the_open_decision_is_asked_with_what_was_left_when_it_was_first_sent() -> None:
    table = interrupted()
    mover = table.mover
    bank = table.state.seats[mover].bank
    table.clock.advance(ms(29_000))
    table.connect(mover)
    assert isinstance(table.told[mover][-2], SyncMatch)
    assert table.question.time_left_us == 1_000_000 + bank // 1_000
    table.sent()
    assert deadline(table.state) == min(
        table.now + ms(1_050) + bank + SETTLE + 1,
        # The grace of those who are not back ends a start-up and a grace after the resumption.
        5 + ms(45_000) + SETTLE + 1,
    )


def test_until_the_start_up_is_over_nobody_s_clock_runs() -> None:
    table = interrupted()
    mover = table.mover
    bank = table.state.seats[mover].bank
    assert deadline(table.state) == 5 + ms(30_000) + ms(1_050) + bank + SETTLE + 1


def test_the_clock_of_a_bot_that_is_not_back_after_the_start_up_runs_from_its_end() -> None:
    table = interrupted()
    mover = table.mover
    table.clock.jump(5 + ms(31_000))
    table.connect(mover)
    assert table.question.time_left_us == table.state.seats[mover].bank // 1_000
    table.sent()
    table.clock.advance(ms(500))
    table.answer(scripted(table.question))
    assert table.state.timings[5].used_us == 1_500_000


def test_a_bot_lost_again_before_the_start_up_is_over_is_away_from_then_on() -> None:
    table = interrupted(limits=Limits(per_decision=timedelta(hours=1)))
    other = (table.mover + 1) % 3
    table.connect()
    table.sent()
    table.tick(ms(1_000))
    table.disconnect(other)
    table.tick(ms(15_000) + SETTLE + 1)
    assert [lost.seat for lost in table.state.forfeits] == [other]


def test_a_bot_that_does_not_come_back_loses_its_seat_after_start_up_and_grace() -> None:
    table = interrupted(limits=Limits(per_decision=timedelta(hours=1)))
    absent = (table.mover + 1) % 3
    for seat in range(3):
        if seat != absent:
            table.connect(seat)
    table.sent()
    table.tick(ms(45_000) + SETTLE)
    assert table.state.forfeits == ()
    table.tick(1)
    assert table.state.forfeits == (Forfeit(Seat(absent), Fault.DISCONNECTED, 5),)


def test_a_match_to_which_nobody_comes_back_is_void() -> None:
    table = interrupted(limits=Limits(per_decision=timedelta(hours=1)))
    table.tick(ms(45_000) + SETTLE + 1)
    assert isinstance(table.result, MatchVoid)


def test_the_illegal_answers_to_the_open_decision_are_remembered() -> None:
    before = Table(setup_of())
    before.start()
    before.answer(illegal_for(before.question))
    before.answer(illegal_for(before.question))
    table = Table(before.setup, ManualClock(5), before.journal)
    table.connect()
    table.answer(illegal_for(table.question), seat=0, decision_id=1)
    assert table.last(0, RefuseAnswer).retries_left == 0
    assert table.state.seats[0].faults == (Fault.ILLEGAL_ACTION,)


def test_they_are_remembered_though_another_seat_was_forfeited_since() -> None:
    before = Table(setup_of(3))
    before.start()
    before.answer(illegal_for(before.question))
    before.do(ForfeitOrdered(Seat(2), Fault.WITHDRAWN, before.now))
    table = Table(before.setup, ManualClock(5), before.journal)
    assert table.state.pending is not None
    assert table.state.pending.illegal == 1


def test_an_answer_that_was_taken_before_is_acknowledged_after_the_resumption() -> None:
    before = Table(setup_of())
    before.start()
    action = scripted(before.question)
    before.play()
    table = Table(before.setup, ManualClock(5), before.journal)
    table.connect()
    told = len(table.told[0])
    table.answer(action, seat=0, decision_id=1)
    assert type(table.told[0][told]).__name__ == "AcceptAnswer"


def test_a_decision_number_is_never_used_twice() -> None:
    table = interrupted()
    table.connect()
    table.sent()
    while not table.results:
        table.play()
    for seat in range(3):
        numbers = [ask.decision_id for ask in table.all(seat, AskDecision)]
        assert numbers == sorted(set(numbers)), "asked once each"
        decided = len(table.state.seats[seat].decided)
        assert max(numbers, default=decided) == decided


# Matches that were over


def test_a_match_whose_result_was_not_stored_gives_it_again(whole: Table) -> None:
    table = Table(whole.setup, ManualClock(5), whole.journal)
    assert table.played.game == whole.played.game
    assert table.journal == whole.journal
    table.connect(0)
    assert table.told[0]


def test_a_match_that_did_not_begin_is_over_after_the_resumption_too() -> None:
    before = Table(setup_of())
    before.tick_at_deadline()
    table = Table(before.setup, ManualClock(5), before.journal)
    assert table.result == before.result
    assert isinstance(table.result, MatchNotStarted)


def test_a_void_match_stays_void_and_keeps_what_was_played() -> None:
    before = Table(setup_of())
    before.start()
    before.play()
    before.do(VoidOrdered("The lights went out.", before.now))
    table = Table(before.setup, ManualClock(5), before.journal)
    assert table.result == before.result
    assert isinstance(table.result, MatchVoid)
    assert table.result.reason == "The lights went out."
    assert len(table.result.decisions) == 1


# Journals of another match


def decided(seat: int, number: int, action: PlayCard | None = None) -> Decided:
    action = action or PlayCard(Card.CLUBS_TWO)
    return Decided(Seat(seat), number, action, DecidedBy.BOT, None, DecisionTiming(), 0)


@pytest.mark.parametrize(
    ("entries", "complaint"),
    [
        ([Seated()], "journal entry 0: .*Offered is the first"),
        ([Offered(), Offered()], "journal entry 1: .*Offered is the first, once"),
        ([Offered(), Seated(), Seated()], "entry 2: .*the match was playing then"),
        ([Offered(), decided(0, 1)], "entry 1: .*the match was gathering then"),
        ([Offered(), Seated(), decided(1, 1)], "the next decision was number 1 of seat 0"),
        ([Offered(), Seated(), decided(0, 2)], "the next decision was number 1 of seat 0"),
        ([Offered(), Seated(), RefusedIllegal(Seat(1), 1)], "number 1 of seat 0"),
        ([Offered(), Forfeited(Seat(0), Fault.WITHDRAWN)], "the match was gathering then"),
        (
            [Offered(), Seated(), *[Forfeited(Seat(0), Fault.WITHDRAWN)] * 2],
            "seat 0 does not play any more",
        ),
        ([Offered(), Seated(), Forfeited(Seat(7), Fault.WITHDRAWN)], "seat 7 does not play"),
        ([Offered(), Seated(), NotStarted(())], "the match was playing then"),
        ([Offered(), Voided("x"), Voided("y")], "the match was over before"),
        ([Offered(), Voided("x"), Seated()], "the match was over then"),
    ],
)
def test_a_journal_that_is_not_this_match_s_is_refused(
    entries: list[JournalEntry], complaint: str
) -> None:
    with pytest.raises(JournalError, match=complaint):
        resume(setup_of(3), entries, Nanos(0))


def test_an_illegal_decision_in_the_journal_is_named_without_showing_a_card() -> None:
    setup = setup_of(3)
    table = Table(setup)
    table.start()
    wrong = illegal_for(table.question)
    assert isinstance(wrong, PlayCard)
    with pytest.raises(JournalError) as refusal:
        resume(setup, [Offered(), Seated(), decided(0, 1, wrong)], Nanos(0))
    assert "not_in_hand" in str(refusal.value)
    for card in table.state.game.hand(Seat(1)):
        assert f" {card} " not in str(refusal.value)


def test_a_resumed_match_tells_nobody_anything_before_they_are_there() -> None:
    table = interrupted()
    assert all(not messages for messages in table.told.values())
    table.do(Connected(Seat(1), table.now))
    assert isinstance(table.told[1][0], SyncMatch)
