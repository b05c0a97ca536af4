from __future__ import annotations

import pytest

from kitumaija.engine import IllegalReason, Outcome, OutOfTurn, Termination


def test_s29_the_kitumaija_of_a_finished_game_is_the_last() -> None:
    assert Outcome(Termination.FINISHED, (2, 4, 1, 3)).kitumaija == 1


@pytest.mark.parametrize("stopped", [Termination.REPETITION, Termination.TURN_CAP])
def test_g5_a_stopped_game_has_no_kitumaija_even_with_one_last(stopped: Termination) -> None:
    assert Outcome(stopped, (2, 4, 1, 3)).kitumaija is None


def test_who_acts_out_of_turn_is_told_so_and_shown_no_hand() -> None:
    error = OutOfTurn("8H", "catch P0 ...")

    assert error.reason is IllegalReason.NOT_YOUR_TURN
    assert error.position == "catch P0 ..."
    assert str(error) == "'8H' is illegal: it is another player's turn"


def test_the_texts_of_reasons_are_their_names() -> None:
    assert [reason.value for reason in IllegalReason] == [
        reason.name.lower() for reason in IllegalReason
    ]


def test_every_reason_has_a_sentence_of_its_own() -> None:
    assert len({reason.sentence for reason in IllegalReason}) == len(IllegalReason)
