"""Puts the services of tournaments, bots and replays on a server."""

from __future__ import annotations

import grpc.aio

from kitumaija.server.archive.signing import Signer
from kitumaija.server.rpc.auth import Authenticator
from kitumaija.server.rpc.bot_service import BotService
from kitumaija.server.rpc.replay_service import ReplayService
from kitumaija.server.rpc.tournament_service import TournamentService
from kitumaija.server.settings import ServerSettings
from kitumaija.server.tournament.director import Director
from kitumaija.v1 import bot_pb2_grpc, replay_pb2_grpc, tournament_pb2_grpc


def add_services(
    server: grpc.aio.Server,
    director: Director,
    authenticator: Authenticator,
    settings: ServerSettings,
    signer: Signer,
) -> None:
    """Serve all unary calls and watches; the bots' streams are `play.py`'s."""
    tournaments = TournamentService(director, authenticator, signer)
    tournament_pb2_grpc.add_TournamentServiceServicer_to_server(tournaments, server)
    bots = BotService(director.context, authenticator, settings)
    bot_pb2_grpc.add_BotServiceServicer_to_server(bots, server)
    replays = ReplayService(director, authenticator)
    replay_pb2_grpc.add_ReplayServiceServicer_to_server(replays, server)
