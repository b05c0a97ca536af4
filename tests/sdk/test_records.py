"""Records of local games: written, read in either form, worked out again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kitumaija.engine import Seat, commitment
from kitumaija.sdk import play
from kitumaija.sdk.errors import UsageError
from kitumaija.sdk.records import Finding, read_record, record_of, save, verify
from kitumaija.wire.merkle import MerkleTree, leaf
from kitumaija.wire.record import (
    DealProof,
    MatchRecord,
    RecordFormatError,
    record_from_bytes,
    record_to_bytes,
    record_to_json,
)
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


##### The path to what a tournament committed to at its start #####


def proved(number: int = 1, attempt: int = 1, **changed: Any) -> tuple[MatchRecord, bytes]:
    """The record as that of a deal among three, with its path, and the root."""
    deals = [bytes([one]) * 32 for one in range(3)]
    deals[1] = commitment(RECORD.game.deal.seed)
    proof = DealProof(1, 3, (leaf(deals[0]), leaf(deals[2])))
    deal = replace(RECORD.game.deal, deal_id=f"cup/3/{number}/{attempt}")
    timings = replace(RECORD.timings, deal_proof=replace(proof, **changed))
    game = replace(RECORD.game, deal=deal)
    return replace(RECORD, game=game, timings=timings), MerkleTree(deals).root


def path_finding(record: MatchRecord, root: bytes | None = None) -> Finding:
    (found,) = [each for each in verify(record, root=root) if each.name == "path"]
    return found


def test_a_deal_is_shown_to_be_among_those_committed_to_at_the_start() -> None:
    record, root = proved()

    assert path_finding(record, root).holds
    assert path_finding(record).text == f"deal 1 of 3, from 0, leads to the root {root.hex()}"
    read = record_from_bytes(record_to_bytes(record))
    assert path_finding(read, root).holds


@pytest.mark.parametrize(
    ("number", "attempt", "changed", "said"),
    [
        (1, 1, {"position": 0}, "published"),
        (1, 1, {"deals": 9}, "got a path of 2 hashes, which is none"),
        (1, 1, {"position": 3}, "got a path of 2 hashes, which is none"),
        (1, 1, {"path": (bytes(32), bytes(32))}, "published"),
        (2, 1, {}, "the deal is 'cup/3/2/1'"),
        (1, 2, {}, "the deal is 'cup/3/1/2'"),
    ],
)
def test_a_path_of_another_deal_or_to_another_root_is_told(
    number: int, attempt: int, changed: dict[str, Any], said: str
) -> None:
    record, root = proved(number, attempt, **changed)
    if "position" in changed and changed["position"] == 0:
        deal = replace(record.game.deal, deal_id="cup/3/0/1")
        record = replace(record, game=replace(record.game, deal=deal))

    found = path_finding(record, root)

    assert not found.holds
    assert said in found.text


def test_a_record_without_a_path_is_not_proved_by_a_root_and_holds_without_one() -> None:
    assert "path" not in {each.name for each in verify(RECORD)}
    found = path_finding(RECORD, bytes(32))
    assert not found.holds
    assert "the record has none" in found.text
