"""What is hidden from a seat though it is the same in both worlds: it must not be there at all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from kitumaija.engine import GameRecord, HandSizes
from kitumaija.server.leaks.plan import Round
from kitumaija.server.leaks.report import Finding
from kitumaija.server.leaks.said import Said, Source
from kitumaija.v1 import arena_pb2


def unasked(
    played: Round,
    seats: Mapping[str, int],
    told: Sequence[Said],
    records: Mapping[str, GameRecord],
) -> Iterator[Finding]:
    """Yield what the watcher was told too early or should never have been told.

    Hand sizes (H4): bots can count them from what is public, and are not to be told them all the
    same. The deal's id and seed: they come with the end of the match.
    """
    over: set[str] = set()
    for one in told:
        seat = seats.get(one.match_id)
        if one.kind == "match_end":
            over.add(one.match_id)
        if isinstance(one.said, arena_pb2.ServerMessage) and one.said.HasField("decision"):
            what = _hand_sizes(played, one.said.decision)
            if what:
                path = "decision.view.hand_sizes"
                yield Finding(played, seat, one.source, one.kind, path, what)
        if one.source in (Source.LOG, Source.METRICS):
            continue  # They come last, and not one by one.
        for match_id, record in records.items():
            if match_id in over:
                continue
            for name, secret in (
                ("id of a deal", record.deal.deal_id.encode()),
                ("seed of a deal", record.deal.seed),
            ):
                if secret in one.data:
                    what = f"the {name} before match {match_id} is over"
                    yield Finding(played, seat, one.source, one.kind, "", what)


def _hand_sizes(played: Round, decision: arena_pb2.Decision) -> str:
    shown, view = played.options.hand_sizes, decision.view
    if shown is HandSizes.ALWAYS or not view.hand_sizes:
        return ""
    if shown is HandSizes.NEVER:
        return "hand sizes, which are never shown here"
    return "" if view.stock_size else "hand sizes after the stock has run out"
