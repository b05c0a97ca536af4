"""Commands whose server dies before it answers, sent again with the same request id."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import grpc

from kitumaija.server.store import StoreReader, audit
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.v1 import tournament_pb2_grpc
from tests.support.processes import PATIENCE_SECONDS, ServerProcess, whole_tournament

pytestmark = whole_tournament


def test_a_command_sent_again_after_a_crash_is_done_once(tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "data") as server:
        server.register("a", "b")
        server.run("tournament", "create", "t")
        entering = v1.EnterTournamentRequest(tournament_id="t", bot_id="a", request_id="enter-a")
        entered = _over_a_crash(server, "EnterTournament", entering)
        server.run("tournament", "enter", "t", "b")
        server.run("tournament", "close", "t")
        starting = v1.StartTournamentRequest(
            tournament_id="t", allow_absent=True, request_id="start"
        )
        started = _over_a_crash(server, "StartTournament", starting)

        assert entered.entrant.bot_id == "a"
        assert started.tournament.state == v1.TOURNAMENT_STATE_RUNNING
        shown = server.read("tournament", "show", "t")
        assert [entrant["bot_id"] for entrant in shown["entrants"]] == ["a", "b"]
        assert shown["matches"]["planned"] == 2
        assert shown["state"] == "TOURNAMENT_STATE_RUNNING"
    with StoreReader.open(tmp_path / "data") as store, store.read() as tx:
        log = [(row.action, row.subject) for row in audit.page(tx, size=100).rows]
    assert log.count(("enter", "a")) == 1
    assert log.count(("start", "t")) == 1


def _over_a_crash(server: ServerProcess, method: str, request: Any) -> Any:
    """Send a request, kill the server at once, start it and send the request twice more."""
    with grpc.insecure_channel(server.address) as channel:
        grpc.channel_ready_future(channel).result(PATIENCE_SECONDS)
        lost = _method(channel, method).future(request, metadata=_token(server))
        server.kill()
        server.start()
        lost.cancel()
    with grpc.insecure_channel(server.address) as channel:
        again, once_more = (
            _method(channel, method)(request, metadata=_token(server), timeout=PATIENCE_SECONDS)
            for _ in range(2)
        )
    assert again == once_more
    return again


def _method(channel: grpc.Channel, name: str) -> Any:
    return getattr(tournament_pb2_grpc.TournamentServiceStub(channel), name)


def _token(server: ServerProcess) -> tuple[tuple[str, str], ...]:
    token = (server.data / "organizer.token").read_text(encoding="utf-8").strip()
    return (("authorization", f"Bearer {token}"),)
