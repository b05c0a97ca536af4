"""Who may call what: every method of this server, and which callers it lets in.

This is the only place that says so; `admission.py` goes by it, and a method that is not in it is
refused to everybody. What a caller is then shown may depend on more: whether a match is over,
whose seat it is (`replay_service.py`, `tournament_reads.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import Final


class Access(Enum):
    """Who a method lets in. A token that is nobody's, or a disabled bot's, is never let in."""

    ANYBODY = "anybody"
    """With a token or without one."""
    INVITED = "the organizer; with open registration, whoever has the invite code"
    """The service compares the code: it is in the request, and a setting."""
    BOT = "a bot"
    """The token says which one: nothing in a request does."""
    BOT_OR_ORGANIZER = "a bot, about itself; the organizer, about all"
    TOKEN = "a bot; the organizer"
    """What is answered is the same for everybody."""
    OWN_BOT = "the bot that the request names; the organizer"
    """The request has a field `bot_id`."""
    ORGANIZER = "the organizer"


_OF_SERVICE: Final[Mapping[str, Mapping[str, Access]]] = {
    "kitumaija.v1.ArenaService": {
        "Play": Access.BOT,
    },
    "kitumaija.v1.BotService": {
        "RegisterBot": Access.INVITED,
        "RotateToken": Access.OWN_BOT,
        "GetBot": Access.ANYBODY,
        "ListBots": Access.ANYBODY,
        "DisableBot": Access.ORGANIZER,
    },
    "kitumaija.v1.TournamentService": {
        "CreateTournament": Access.ORGANIZER,
        "OpenTournament": Access.ORGANIZER,
        # Several bots in one request are the organizer's to enter, which the service sees to.
        "EnterTournament": Access.OWN_BOT,
        "CloseTournament": Access.ORGANIZER,
        "StartTournament": Access.ORGANIZER,
        "PauseTournament": Access.ORGANIZER,
        "ResumeTournament": Access.ORGANIZER,
        "CancelTournament": Access.ORGANIZER,
        "WithdrawEntrant": Access.OWN_BOT,
        "DisqualifyEntrant": Access.ORGANIZER,
        # Not the bot's own: it could wait for others to be out of the way.
        "BenchEntrant": Access.ORGANIZER,
        "ReturnEntrant": Access.ORGANIZER,
        "GetTournament": Access.ANYBODY,
        "ListTournaments": Access.ANYBODY,
        "ListMatches": Access.ANYBODY,
        "WatchTournament": Access.ANYBODY,
        "GetStandings": Access.ANYBODY,
        "GetClocks": Access.BOT_OR_ORGANIZER,
        "ExportTournament": Access.ANYBODY,
        "VoidMatch": Access.ORGANIZER,
        "RebuildRatings": Access.ORGANIZER,
        "ListAuditEntries": Access.ORGANIZER,
    },
    "kitumaija.v1.ReplayService": {
        "GetRecord": Access.ANYBODY,
        "GetSeatReplay": Access.ANYBODY,
        "ExplainSeat": Access.ANYBODY,
        "WatchMatch": Access.ANYBODY,
    },
    "kitumaija.v1.WorldService": {
        "SampleWorlds": Access.TOKEN,
        "ApplyActions": Access.TOKEN,
    },
    "grpc.health.v1.Health": {
        "Check": Access.ANYBODY,
        "List": Access.ANYBODY,
        "Watch": Access.ANYBODY,
    },
    "grpc.reflection.v1alpha.ServerReflection": {
        "ServerReflectionInfo": Access.ANYBODY,
    },
}

ACCESS: Final[Mapping[str, Access]] = MappingProxyType(
    {
        f"/{service}/{method}": access
        for service, methods in _OF_SERVICE.items()
        for method, access in methods.items()
    }
)
"""Who each method lets in, by its full name as gRPC has it: `/kitumaija.v1.BotService/GetBot`."""
