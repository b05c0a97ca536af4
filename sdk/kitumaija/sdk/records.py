"""Records of games on disk: written after a game, read in either form, and checked."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kitumaija.console.text import counted
from kitumaija.engine import RecordedResult, ReplayError, commitment, deal_key, replay
from kitumaija.sdk.errors import UsageError
from kitumaija.sdk.local import Played
from kitumaija.wire.merkle import root_of_path
from kitumaija.wire.record import (
    DecisionTiming,
    MatchRecord,
    RecordedBot,
    RecordFormatError,
    RecordTimings,
    record_from_bytes,
    record_from_json,
    record_to_bytes,
)

SUFFIX = ".kitu"
"""How the names of record files end."""


def record_of(played: Played) -> MatchRecord:
    """Return the record of a game that was played here."""
    return MatchRecord(
        game=played.record,
        timings=RecordTimings(
            match_id=played.record.deal.deal_id,
            limits=played.limits,
            decisions=tuple(DecisionTiming(used_us=used // 1000) for used in played.used),
            bots=tuple(
                RecordedBot(
                    player.seat,
                    player.name,
                    bot_version=about.version,
                    sdk=about.sdk,
                    language=about.language,
                )
                for player, about in zip(played.players, played.about, strict=True)
            ),
        ),
    )


def save(played: Played, path: Path) -> None:
    """Write the record of a game to a file, which is replaced."""
    path.write_bytes(record_to_bytes(record_of(played)))


def read_record(path: Path) -> MatchRecord:
    """Return the record in a file, in either form.

    Raises `UsageError` for a file that cannot be read, `RecordFormatError` for one that holds no
    record or only a part of one.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}") from error
    if not data.lstrip().startswith(b"{"):
        return record_from_bytes(data)
    try:
        return record_from_json(data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise RecordFormatError(f"the JSON is not UTF-8: {error}") from error


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was worked out again, and whether the record agrees."""

    name: str
    holds: bool
    text: str


def verify(
    record: MatchRecord, *, published: bytes | None = None, root: bytes | None = None
) -> tuple[Finding, ...]:
    """Work everything in a record out again; `published` is the deal's commitment, if known.

    `root` is what the tournament published at its start for this table size: the deal is to be one
    of those that it is over. The findings are in the order of the game: the commitment to the
    deal's seed, its path to the root, the deal's key, the decisions, the result. What follows from
    something that does not hold is left out.
    """
    deal = record.game.deal
    own = commitment(deal.seed)
    findings = [
        Finding(
            "commitment",
            published in (None, own),
            own.hex()
            if published in (None, own)
            else f"published {published.hex() if published else ''}, the seed's is {own.hex()}",
        ),
        *_path_findings(record, own, root),
        Finding(
            "deal",
            holds=True,
            text=f"key {deal_key(deal.seed, deal.deal_id, dict(deal.entropies)).hex()} of deal "
            f"{deal.deal_id!r} with {len(deal.entropies)} entropies",
        ),
    ]
    decisions = len(record.game.decisions)
    try:
        replay(record.game)
    except ReplayError as error:
        if error.decision_index < decisions:
            return (*findings, Finding("decisions", holds=False, text=str(error)))
        return (
            *findings,
            Finding("decisions", holds=True, text=f"{decisions}, each legal and in turn"),
            Finding("result", holds=False, text=error.reason),
        )
    return (
        *findings,
        Finding("decisions", holds=True, text=f"{decisions}, each legal and in turn"),
        Finding("result", holds=True, text=_result(record.game.result)),
    )


def _path_findings(
    record: MatchRecord, committed: bytes, root: bytes | None
) -> tuple[Finding, ...]:
    """Whether a deal is one of those that its tournament committed to together at its start.

    Nothing is said of a record without a path where no root is given, as of a local game.
    """
    proof, deal_id = record.timings.deal_proof, record.game.deal.deal_id
    if proof is None:
        said = (
            f"the record has none, so deal {deal_id!r} is not proved by a root; a deal of a later "
            "attempt is proved by the master seed, when it is public"
        )
        return () if root is None else (Finding("path", holds=False, text=said),)
    where = f"deal {proof.position} of {proof.deals}, from 0"
    found = root_of_path(committed, proof.position, proof.deals, proof.path)
    if found is None:
        said = (
            f"got a path of {counted(len(proof.path), 'hash', 'hashes')}, which is none of {where}"
        )
        return (Finding("path", holds=False, text=said),)
    # The last parts of a deal's id are its number in the schedule and the attempt at it.
    if deal_id.split("/")[-2:] != [str(proof.position), "1"]:
        said = f"it is that of {where}; the deal is {deal_id!r}"
        return (Finding("path", holds=False, text=said),)
    if root is not None and found != root:
        said = f"published {root.hex()}, the path of {where}, leads to {found.hex()}"
        return (Finding("path", holds=False, text=said),)
    return (Finding("path", holds=True, text=f"{where}, leads to the root {found.hex()}"),)


def _result(result: RecordedResult) -> str:
    if result.void:
        return "none, for the match is void: it was broken off there"
    ended = result.outcome.termination.value if result.outcome else "cut short by forfeits"
    return f"{ended}, places by seat {' '.join(map(str, result.placing))}"
