"""Matches for a server to run while it is measured: tournaments that do not end before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, comb
from pathlib import Path

import grpc

from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.v1 import tournament_pb2_grpc

_MATCHES_A_PLACE = 50
"""How many matches are planned for each that runs at once: more than are played while one looks."""


@dataclass(frozen=True, slots=True)
class Table:
    """A round robin among `bots` at tables of `seats`, with at most `most` matches at once."""

    bots: tuple[str, ...]
    seats: int
    most: int

    @property
    def settings(self) -> v1.TournamentSettings:
        """What the server is told. Limits of time are so wide that nobody is late."""
        settings = v1.TournamentSettings(
            table_sizes=[self.seats], max_running_matches=self.most, unsafe_seed="bench"
        )
        once = comb(len(self.bots), self.seats) * self.seats
        settings.rounds = ceil(self.most * _MATCHES_A_PLACE / once)
        settings.limits.per_decision.seconds = 60
        settings.limits.startup.seconds = 60
        return settings


def begin(address: str, data: Path, tables: Sequence[Table], ca: str = "") -> None:
    """Start the tournaments on a server of this machine; their bots are connected.

    `ca` is the file of the authority that it shows a certificate of, if it speaks TLS.

    Raises `grpc.RpcError` if the server refuses.
    """
    token = (data / "organizer.token").read_text(encoding="ascii").strip()
    metadata = (("authorization", f"Bearer {token}"),)
    with _channel(address, ca) as channel:
        stub = tournament_pb2_grpc.TournamentServiceStub(channel)
        for number, table in enumerate(tables):
            name = f"bench-{number}"
            first, *more = table.bots
            entering = v1.EnterTournamentRequest(
                tournament_id=name, bot_id=first, more_bot_ids=more
            )
            creating = v1.CreateTournamentRequest(tournament_id=name, settings=table.settings)
            stub.CreateTournament(creating, metadata=metadata)
            stub.OpenTournament(v1.OpenTournamentRequest(tournament_id=name), metadata=metadata)
            stub.EnterTournament(entering, metadata=metadata)
            stub.CloseTournament(v1.CloseTournamentRequest(tournament_id=name), metadata=metadata)
            stub.StartTournament(v1.StartTournamentRequest(tournament_id=name), metadata=metadata)


def _channel(address: str, ca: str) -> grpc.Channel:
    if not ca:
        return grpc.insecure_channel(address)
    trusted = grpc.ssl_channel_credentials(Path(ca).read_bytes())
    return grpc.secure_channel(address.removeprefix("https://"), trusted)
