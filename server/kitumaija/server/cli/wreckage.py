"""What a local run keeps and says of bots that ended and of matches that they failed."""

from collections.abc import Iterable
from pathlib import Path

from rich.text import Text

from kitumaija.console.children import Child, Children
from kitumaija.console.text import plain, plain_lines
from kitumaija.server.cli.output import err
from kitumaija.v1 import tournament_pb2 as v1

SHOWN_LINES = 30
"""How many lines of what a child said last are shown; its log has more."""


class Wreckage:
    """Looks after the children of a run: each that ends by itself is told of once."""

    def __init__(self, children: Children) -> None:
        self._children = children
        self._told: set[str] = set()

    def look(self) -> None:
        """Tell of children that ended since the last look."""
        for child in self._children.ended():
            if child.name not in self._told:
                self._told.add(child.name)
                tell(child, f"{child.name} ended with exit code {child.code}")

    def attach(self, matches: Iterable[v1.Match], to: Path) -> int:
        """Put what the bots of failed matches said last beside each; return how many there were.

        A match failed that did not count or in which a seat was forfeited: `TO/MATCH/BOT.log` for
        each of its bots that a child of this run played, of forfeited seats only if there are any.
        """
        failed = 0
        for match in matches:
            blamed = [seat.bot_id for seat in match.seats if seat.forfeited or seat.faults]
            if match.state != v1.MATCH_STATE_VOID and not any(s.forfeited for s in match.seats):
                continue
            failed += 1
            for bot_id in blamed or [seat.bot_id for seat in match.seats]:
                folder = to / match.match_id
                folder.mkdir(parents=True, exist_ok=True)
                said = self._children[bot_id].tail()
                (folder / f"{bot_id}.log").write_text(said, encoding="utf-8")
        return failed


def tell(child: Child, sentence: str) -> None:
    """Say what happened to a child, and the last lines that it wrote."""
    lines = plain_lines(child.tail()).splitlines()[-SHOWN_LINES:]
    said = "\n".join(["; the last that it said:", *lines]) if lines else ", and said nothing"
    err.print(Text(f"kitumaija: {plain(sentence)}{said}"), soft_wrap=True)
    if child.log is not None:
        err.print(Text(f"  ({child.log})"), soft_wrap=True)
