"""The bot's share in the shuffling of a tournament's deals."""

from __future__ import annotations

import hashlib
import hmac
import logging

from kitumaija.v1 import arena_pb2

SECRET_BYTES = 32

_log = logging.getLogger("kitumaija.sdk")


class EntropyKeeper:
    """Answers for the entropy of each tournament: first its hash, then the value.

    All values come from one `secret` that lives as long as the process, and none tells anything of
    another. A value whose hash was not given by this process is not revealed: it would be another
    than the one committed to, and that looks like cheating.
    """

    def __init__(self, secret: bytes) -> None:
        self._secret = secret
        self._committed: set[str] = set()

    def answer(self, request: arena_pb2.EntropyRequest) -> arena_pb2.BotMessage | None:
        """Return the answer to a request; None where there is none to give."""
        tournament = request.tournament_id
        value = hmac.digest(self._secret, tournament.encode(), "sha256")
        if request.step == arena_pb2.ENTROPY_STEP_COMMIT:
            self._committed.add(tournament)
            value = hashlib.sha256(value).digest()
        elif request.step != arena_pb2.ENTROPY_STEP_REVEAL:
            return None
        elif tournament not in self._committed:
            _log.warning(
                "tournament %s asks for entropy that another run of this bot promised: "
                "it counts as empty",
                tournament,
            )
            return None
        entropy = arena_pb2.Entropy(tournament_id=tournament, value=value, step=request.step)
        return arena_pb2.BotMessage(entropy=entropy)
