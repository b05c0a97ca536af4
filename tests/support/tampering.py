"""Single bytes of an export changed at random, and what is said to each of them."""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kitumaija.server.archive.facts import facts_from_json, match_from_json
from kitumaija.server.archive.fields import parsed
from kitumaija.server.archive.manifest import NAME
from kitumaija.server.archive.names import MATCHES, TOURNAMENT
from kitumaija.server.checking import Finding, Origin
from kitumaija.server.store.rows import MatchState, SeatedMatch
from tests.support.exports import STRANGER, Export, contents, listed_anew, packed, verified

WAYS: Final = ("file", "content", "listed", "signed")
"""A byte of the ZIP file; of a file in it; the same, and listed anew; and signed by a stranger."""


@dataclass(frozen=True, slots=True)
class Tampered:
    """What came of one change."""

    way: str
    what: str
    """The file and the byte."""
    found: tuple[Finding, ...]
    """What is said without the server's key."""
    wrong: str
    """Why that will not do; empty if it will."""


def tamper(export: Export, seed: int, count: int) -> Iterator[Tampered]:
    """Change a byte `count` times, each way in turn; the same seed, the same changes."""
    chance = random.Random(seed)
    files = contents(export.data)
    with tempfile.TemporaryDirectory() as folder:
        where = Path(folder) / "tampered.zip"
        for number in range(count):
            way = WAYS[number % len(WAYS)]
            yield _tampered(export, files, way, chance, where)


def report(changes: Iterator[Tampered]) -> tuple[Counter[str], list[Tampered]]:
    """Return how many changes there were of each kind, and those that will not do."""
    counted: Counter[str] = Counter()
    wrong: list[Tampered] = []
    for change in changes:
        counted[f"{change.way}: {'found' if change.found else 'meaningless'}"] += 1
        if change.wrong:
            wrong.append(change)
    return counted, wrong


def _tampered(
    export: Export, files: Mapping[str, bytes], way: str, chance: random.Random, where: Path
) -> Tampered:
    if way == "file":
        data, at = _changed(export.data, chance)
        what = f"byte {at} of the ZIP file"
        found, _ = verified(where, data)
        # Nothing is said: then another reader of ZIP files must find every file as it was.
        wrong = "" if found or contents(data) == files else "nothing is said, and contents differ"
        return Tampered(way, what, tuple(found), wrong)
    name = _name(files, chance, manifest=way == "content")
    content, at = _changed(files[name], chance)
    changed = {**files, name: content}
    if way != "content":
        changed = listed_anew(changed, STRANGER if way == "signed" else None)
    found, verdict = verified(where, packed(changed))
    wrong = ""
    if way != "signed":
        wrong = "" if found else "nothing is said"
    elif verified(where, packed(changed), export.key)[1].origin is not Origin.FALSE:
        wrong = "a stranger's signature is taken for the server's"
    elif not found and (verdict.origin is Origin.PROVED or _meaning(changed) != _meaning(files)):
        wrong = "nothing is said, and what was played differs"
    return Tampered(way, f"byte {at} of {name}", tuple(found), wrong)


def _changed(data: bytes, chance: random.Random) -> tuple[bytes, int]:
    at = chance.randrange(len(data))
    other = (data[at] + chance.randrange(1, 256)) % 256
    return data[:at] + bytes([other]) + data[at + 1 :], at


def _name(files: Mapping[str, bytes], chance: random.Random, *, manifest: bool) -> str:
    """Choose a file: half the time any, half the time by its size."""
    names = sorted(name for name in files if manifest or name != NAME)
    weights = [len(files[name]) for name in names] if chance.random() < 0.5 else None
    return chance.choices(names, weights)[0]


def _meaning(files: Mapping[str, bytes]) -> object:
    """What an archive says of the games: who played which deal, what came of it, every record.

    Times, and the reasons why something was not played, are the server's word alone.
    """
    facts = facts_from_json(parsed(files[TOURNAMENT]))
    matches = [
        match_from_json(facts.row.tournament_id, parsed(text))
        for text in files[MATCHES].splitlines()
    ]
    others = {name: content for name, content in files.items() if name not in _TOLD}
    seeds = facts.row.master_seed, facts.row.schedule_seed, facts.scheduled, facts.row.state
    entropies = [(bot, entry.entropy, entry.state) for bot, entry in facts.entrants.items()]
    names = [(bot, row.display_name, row.owner) for bot, row in facts.bots.items()]
    return others, seeds, entropies, names, [_played(seated) for seated in matches]


_TOLD = {NAME, TOURNAMENT, MATCHES}


def _played(seated: SeatedMatch) -> object:
    match = seated.match
    place = match.table_size, match.number, match.attempt, match.deal_id, match.state, match.final
    if match.state is MatchState.FINISHED:
        return place, match, seated.seats
    return place, match.absent, [seat.bot_id for seat in seated.seats]
