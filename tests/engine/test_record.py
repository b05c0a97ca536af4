from __future__ import annotations

import random
from dataclasses import replace

import pytest

from kitumaija.engine import (
    Action,
    DecidedBy,
    Decision,
    GameOptions,
    GameRecord,
    Outcome,
    Pass,
    RecordedResult,
    ReplayError,
    Seat,
    State,
    Termination,
    apply,
    default_action,
    legal_actions,
    match_places,
    new_game,
    parse_action,
    position,
    replay,
    view,
    why_illegal,
)
from tests.support.oracle import ALL_ACTIONS
from tests.support.playouts import choose
from tests.support.recording import random_player, record_game

RECORD = record_game("record", 4, random_player("record"))


def changed(record: GameRecord, index: int, decision: Decision) -> GameRecord:
    decisions = list(record.decisions)
    decisions[index] = decision
    return replace(record, decisions=tuple(decisions))


def test_a_record_replays_to_the_very_states_and_events_of_the_game() -> None:
    step = new_game(RECORD.deal.key, 4, options=RECORD.options)
    steps = [step]
    for decision in RECORD.decisions:
        step = apply(step.state, decision.action)
        steps.append(step)

    played = replay(RECORD)

    assert played.steps == tuple(steps)
    assert played.final == step.state
    assert played.record is RECORD


@pytest.mark.parametrize("seats", range(2, 11))
@pytest.mark.parametrize("turns", [3, 100])
def test_every_recorded_game_replays(seats: int, turns: int) -> None:
    options = GameOptions(turns_per_player=turns)
    record = record_game(f"all {seats}", seats, random_player(f"all {seats}"), options)

    assert replay(record).final.outcome == record.result.outcome


def test_a_flipped_decision_is_named_by_its_index() -> None:
    rng = random.Random(1)
    for index, (step, decision) in enumerate(
        zip(replay(RECORD).steps, RECORD.decisions, strict=False)
    ):
        illegal = rng.choice(
            [
                action
                for action in map(parse_action, ALL_ACTIONS)
                if why_illegal(step.state, action) is not None
            ]
        )

        with pytest.raises(ReplayError) as raised:
            replay(changed(RECORD, index, replace(decision, action=illegal, by=DecidedBy.BOT)))

        assert raised.value.decision_index == index
        assert str(raised.value).startswith(f"decision {index}: ")


def test_a_decision_of_another_seat_is_named_as_out_of_turn() -> None:
    other = Seat((RECORD.decisions[7].seat + 1) % 4)

    with pytest.raises(ReplayError, match=r"decision 7: .*another player's turn"):
        replay(changed(RECORD, 7, replace(RECORD.decisions[7], seat=other)))


def test_a_decision_after_the_end_is_named() -> None:
    longer = replace(RECORD, decisions=(*RECORD.decisions, Decision(Seat(0), Pass())))

    with pytest.raises(ReplayError, match="the game is over") as raised:
        replay(longer)

    assert raised.value.decision_index == len(RECORD.decisions)


def test_a_default_action_that_is_another_than_the_default_is_named() -> None:
    index, decision = next(
        (index, decision)
        for index, (step, decision) in enumerate(
            zip(replay(RECORD).steps, RECORD.decisions, strict=False)
        )
        if decision.by is DecidedBy.BOT and decision.action != _default(step.state)
    )

    with pytest.raises(ReplayError, match=rf"decision {index}: recorded as default with"):
        replay(changed(RECORD, index, replace(decision, by=DecidedBy.DEFAULT)))


def test_a_forfeit_decision_of_a_seat_that_is_not_forfeited_is_named() -> None:
    index, decision = next(
        (index, decision)
        for index, decision in enumerate(RECORD.decisions)
        if decision.by is DecidedBy.DEFAULT
    )

    with pytest.raises(ReplayError, match=rf"decision {index}: .* not among the forfeited"):
        replay(changed(RECORD, index, replace(decision, by=DecidedBy.FORFEIT)))


def test_a_game_cut_short_is_named_where_it_ends() -> None:
    shorter = replace(RECORD, decisions=RECORD.decisions[:-1])

    with pytest.raises(ReplayError, match="recorded outcome") as raised:
        replay(shorter)

    assert raised.value.decision_index == len(RECORD.decisions) - 1


def test_a_wrong_outcome_is_named_after_all_decisions() -> None:
    wrong = RecordedResult(Outcome(Termination.TURN_CAP, (1, 1, 1, 1)), RECORD.result.placing)

    with pytest.raises(ReplayError, match="recorded outcome") as raised:
        replay(replace(RECORD, result=wrong))

    assert raised.value.decision_index == len(RECORD.decisions)


def test_a_wrong_placing_is_named_after_all_decisions() -> None:
    wrong = replace(RECORD.result, placing=RECORD.result.placing[::-1])

    with pytest.raises(ReplayError, match="recorded placing") as raised:
        replay(replace(RECORD, result=wrong))

    assert raised.value.decision_index == len(RECORD.decisions)


def test_a_record_under_other_rules_is_not_replayed() -> None:
    with pytest.raises(ReplayError, match="recorded under rules '0', this engine plays '1'"):
        replay(replace(RECORD, rules_version="0"))


@pytest.mark.parametrize("seats", [0, 1, 11])
def test_a_number_of_seats_that_no_game_has_is_not_replayed(seats: int) -> None:
    with pytest.raises(ReplayError, match=f"seats: got {seats}, wanted 2 to 10"):
        replay(replace(RECORD, seats=("ann",) * seats))


def test_another_deal_makes_another_game() -> None:
    other = replace(RECORD.deal, seed=bytes(32))

    with pytest.raises(ReplayError):
        replay(replace(RECORD, deal=other))


def test_a_match_that_ended_early_has_no_outcome_and_replays() -> None:
    """Seats 2, 0 and 3 are forfeited in this order before anybody is out: the match ends."""
    forfeits = (Seat(2), Seat(0), Seat(3))
    cut = replace(
        RECORD,
        decisions=RECORD.decisions[:9],
        result=RecordedResult(None, (3, 1, 4, 2), forfeits),
    )

    assert not replay(cut).final.over


def test_a_forfeited_seat_plays_default_actions_to_the_end() -> None:
    deal_state = new_game(RECORD.deal.key, 4, options=RECORD.options).state
    decisions: list[Decision] = []
    rng, state = random.Random(3), deal_state
    while not state.over:
        if state.mover == 1:
            decisions.append(Decision(Seat(1), _default(state), DecidedBy.FORFEIT))
        else:
            decisions.append(Decision(state.mover, choose(legal_actions(state), rng)))
        state = apply(state, decisions[-1].action).state
    places = match_places(state, [Seat(1)])
    record = replace(
        RECORD,
        decisions=tuple(decisions),
        result=RecordedResult(state.outcome, places, (Seat(1),)),
    )

    assert replay(record).final == state
    assert places[1] == 4


OUT_FIRST = position(seats=4, mover=0, hands={0: "2C", 1: "3C", 3: "4C"}, pile="AC", out=[2])
STOPPED = position(
    seats=4,
    mover=0,
    hands={0: "2C 5C", 1: "3C", 3: "4C"},
    pile="AC",
    out=[2],
    ended=Termination.REPETITION,
)


@pytest.mark.parametrize(
    ("state", "forfeits", "places"),
    [
        (STOPPED, [], (4, 2, 1, 2)),
        (STOPPED, [1], (3, 4, 1, 2)),
        (STOPPED, [1, 3], (2, 4, 1, 3)),
        (STOPPED, [3, 1], (2, 3, 1, 4)),
        (STOPPED, [2], (3, 1, 4, 1)),
        (OUT_FIRST, [1, 3], (2, 4, 1, 3)),
        (OUT_FIRST, [1, 3, 0], (2, 4, 1, 3)),
    ],
)
def test_the_forfeited_come_last_and_the_later_the_better(
    state: State, forfeits: list[int], places: tuple[int, ...]
) -> None:
    assert match_places(state, [Seat(seat) for seat in forfeits]) == places


def test_a_match_that_two_could_still_play_has_no_places() -> None:
    with pytest.raises(ValueError, match="more than one player is still in it"):
        match_places(OUT_FIRST, [Seat(1)])


def test_a_seat_is_forfeited_once() -> None:
    with pytest.raises(ValueError, match="wanted each seat once"):
        match_places(STOPPED, [Seat(1), Seat(1)])


def _default(state: State) -> Action:
    return default_action(view(state, state.mover), legal_actions(state))
