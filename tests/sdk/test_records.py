"""Records of local games: written, read in either form, worked out again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from kitumaija.engine import Seat, commitment
from kitumaija.sdk import play
from kitumaija.sdk.errors import UsageError
from kitumaija.sdk.records import read_record, record_of, save, verify
from kitumaija.wire.record import RecordFormatError, record_to_json
from tests.support.bots import First, Last

PLAYED = play([First, Last, First], seed="record")
RECORD = record_of(PLAYED)


def test_what_is_saved_is_read_again(tmp_path: Path) -> None:
    save(PLAYED, tmp_path / "a.kitu")

    assert read_record(tmp_path / "a.kitu") == RECORD


def test_the_json_form_is_read_too(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(record_to_json(RECORD), encoding="utf-8")

    assert read_record(tmp_path / "a.json") == RECORD


def test_a_record_names_its_bots_and_their_times() -> None:
    assert [bot.display_name for bot in RECORD.timings.bots] == ["First", "Last", "First-2"]
    assert len(RECORD.timings.decisions) == len(RECORD.game.decisions)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        read_record(tmp_path / "none")


@pytest.mark.parametrize("data", [b"", b"nonsense", b'{"format": 1}', b"{\xff}"])
def test_a_file_that_is_no_record_is_told(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "bad").write_bytes(data)

    with pytest.raises(RecordFormatError):
        read_record(tmp_path / "bad")


def test_all_that_is_in_a_true_record_holds() -> None:
    findings = verify(RECORD, published=commitment(RECORD.game.deal.seed))

    assert [finding.name for finding in findings] == ["commitment", "deal", "decisions", "result"]
    assert all(finding.holds for finding in findings)


def test_another_commitment_than_was_published_is_told() -> None:
    findings = verify(RECORD, published=bytes(32))

    assert [finding.name for finding in findings if not finding.holds] == ["commitment"]


def test_another_deal_does_not_fit_the_decisions() -> None:
    deal = replace(RECORD.game.deal, seed=bytes(32))
    findings = verify(replace(RECORD, game=replace(RECORD.game, deal=deal)))

    assert [finding.name for finding in findings if not finding.holds] == ["decisions"]


def test_a_decision_out_of_turn_is_told_with_its_number() -> None:
    decisions = list(RECORD.game.decisions)
    decisions[5] = replace(decisions[5], seat=Seat((decisions[5].seat + 1) % 3))
    findings = verify(replace(RECORD, game=replace(RECORD.game, decisions=tuple(decisions))))

    (wrong,) = [finding for finding in findings if not finding.holds]
    assert wrong.name == "decisions"
    assert wrong.text.startswith("decision 5:")


def test_a_result_that_does_not_follow_is_told() -> None:
    result = replace(RECORD.game.result, placing=(3, 3, 3))
    findings = verify(replace(RECORD, game=replace(RECORD.game, result=result)))

    assert [finding.name for finding in findings if not finding.holds] == ["result"]
