"""What may be known of who played when a match has ended, and is left out of the comparison then.

Where it is hidden who sits in a match, other bots sit there in the other world. Until it has ended
nothing may differ by that. Afterwards everybody may know who it was: MatchEnd and the seat's replay
name the players, listings have them in place of pseudonyms, and the standings count the result
(by which the versions of those who played are shown, too). All else that is told stays compared:
places, forfeits and faults by seat, every card, every other match.

The log is the organizer's, who knows who plays: bots have no names in it here.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import TypeVar

from google.protobuf.message import Message

from kitumaija.server.leaks.plan import Ending, Round
from kitumaija.server.leaks.said import LISTED_FOR, Said, Source
from kitumaija.v1 import arena_pb2, replay_pb2
from kitumaija.v1 import tournament_pb2 as v1

_BOT = re.compile(r"\bb\d+\b")
_OVER = frozenset({v1.MATCH_STATE_FINISHED, v1.MATCH_STATE_CANCELLED})

MessageT = TypeVar("MessageT", bound=Message)


def without_names(played: Round, others: Collection[str], told: Sequence[Said]) -> list[Said]:
    """Return what was told without what may be known by then of who played.

    `others` are the matches in which other bots sit in the other world.
    """
    if not others:
        return list(told)
    rest = [one for one in told if one.source is not Source.LOG]
    log = [one for one in told if one.source is Source.LOG]
    nameless = (_replaced(one, _BOT.sub("a bot", str(one.said))) for one in log)
    return [
        *_told(rest, others, everything_ends=played.ending is Ending.CANCELLED),
        *sorted(nameless, key=lambda one: one.data),
    ]


def _told(
    told: Sequence[Said], others: Collection[str], *, everything_ends: bool
) -> Iterator[Said]:
    known = False
    for one in told:
        said = one.said
        if isinstance(said, arena_pb2.ServerMessage) and said.HasField("match_end"):
            end = said.match_end
            if end.match_id in others and end.ending != arena_pb2.MATCH_ENDING_VOID:
                known = True
                yield _replaced(one, _end(said))
                continue
        elif isinstance(said, v1.ListMatchesResponse):
            known |= everything_ends and any(match.state in _OVER for match in said.matches)
            if one.kind == LISTED_FOR and known:
                continue
            yield _replaced(one, _listing(said, others, everything_ends=everything_ends))
            continue
        elif isinstance(said, replay_pb2.GetSeatReplayResponse) and one.match_id in others:
            yield _replaced(one, _replay(said))
            continue
        elif isinstance(said, v1.GetStandingsResponse) and known:
            yield _replaced(one, _standings(said))
            continue
        elif isinstance(said, v1.GetTournamentResponse) and known:
            yield _replaced(one, _tournament(said))
            continue
        yield one


def _end(said: arena_pb2.ServerMessage) -> arena_pb2.ServerMessage:
    kept = _copy(said)
    kept.match_end.ClearField("players")
    kept.match_end.ClearField("entropies")
    return kept


def _listing(
    said: v1.ListMatchesResponse, others: Collection[str], *, everything_ends: bool
) -> v1.ListMatchesResponse:
    kept = _copy(said)
    for match in kept.matches:
        void = match.state == v1.MATCH_STATE_VOID and everything_ends
        if match.match_id in others and (match.state in _OVER or void):
            for seat in match.seats:
                seat.ClearField("bot_id")
    return kept


def _replay(said: replay_pb2.GetSeatReplayResponse) -> replay_pb2.GetSeatReplayResponse:
    kept = _copy(said)
    kept.seating.ClearField("players")
    return kept


def _standings(said: v1.GetStandingsResponse) -> v1.GetStandingsResponse:
    kept = _copy(said)
    kept.ClearField("remarks")
    for table in kept.tables:
        table.ClearField("rows")
    return kept


def _tournament(said: v1.GetTournamentResponse) -> v1.GetTournamentResponse:
    kept = _copy(said)
    for entrant in kept.tournament.entrants:
        entrant.ClearField("bot_version")
    return kept


def _copy(message: MessageT) -> MessageT:
    kept = type(message)()
    kept.CopyFrom(message)
    return kept


def _replaced(one: Said, said: Message | str) -> Said:
    return Said(one.source, one.kind, one.match_id, said)
