"""A bot without any SDK, that is fair or misbehaves in one way: `python hand_made.py HOW`.

It speaks the protocol of `proto/README.md` and takes the first legal action. Where it dials, its
environment says.
"""

from __future__ import annotations

import os
import queue
import sys
import time
from collections.abc import Iterator
from typing import Any

import grpc

from kitumaija.v1 import arena_pb2, arena_pb2_grpc, game_pb2

HOW = sys.argv[1] if len(sys.argv) > 1 else "fair"
kept: list[bytes] = []
to_say: queue.SimpleQueue[arena_pb2.BotMessage | None] = queue.SimpleQueue()


def frames() -> Iterator[arena_pb2.PlayRequest]:
    while (message := to_say.get()) is not None:
        yield arena_pb2.PlayRequest(messages=[message])


def note(*words: object) -> None:
    sys.stderr.write(" ".join(map(str, words)) + "\n")


def say(**message: Any) -> None:
    to_say.put(arena_pb2.BotMessage(**message))


def first(legal: game_pb2.LegalActions) -> dict[str, Any]:
    if legal.play:
        return {"play": legal.play[0]}
    if legal.turn:
        return {"turn": {}}
    if legal.take:
        return {"take": legal.take[0]}
    return {"pass_lead": {}}


def answer(asked: arena_pb2.Decision | arena_pb2.Refusal, action: dict[str, Any]) -> None:
    say(answer={"match_id": asked.match_id, "decision_id": asked.decision_id, "action": action})


def talk(asked: arena_pb2.Decision) -> None:
    """At the third decision say what nobody asked for: two answers, or words without end."""
    if asked.decision_id == 3 and HOW == "strays":
        action = first(asked.legal)
        say(answer={"match_id": "another", "decision_id": 1, "action": action})
        say(answer={"match_id": asked.match_id, "decision_id": 900, "action": action})
    elif asked.decision_id == 3:
        while True:
            say(resync={"match_id": asked.match_id})
            if to_say.qsize() > 1000:
                time.sleep(0.001)
    answer(asked, first(asked.legal))


def decide(asked: arena_pb2.Decision) -> None:
    third = asked.decision_id == 3
    if HOW == "silent" or (HOW == "slow-once" and third):
        return
    if HOW == "crashes" and third:
        note("out of ideas")
        os._exit(7)
    if HOW == "grows" and third:
        kept.append(b"x" * (256 << 20))
        return
    if HOW == "leaves" and third:
        say(goodbye={"reason": "bored"})
        return
    if HOW == "breaks" and third:
        say(hello={"sdk": "again"})
        return
    if HOW == "resyncs" and third:
        say(resync={"match_id": asked.match_id})
    if HOW == "wrong" or (HOW == "wrong-once" and third):
        answer(asked, {"take": 52} if asked.decision_id % 2 else {})
        return
    answer(asked, first(asked.legal))
    if HOW == "repeats":
        answer(asked, first(asked.legal))


def hear(message: arena_pb2.ServerMessage) -> None:
    kind = message.WhichOneof("message")
    if kind == "match_start" and HOW != "unready":
        say(ready={"match_id": message.match_start.match_id})
    elif kind == "decision":
        (talk if HOW in {"strays", "floods"} else decide)(message.decision)
    elif kind == "refusal":
        reason = arena_pb2.RefusalReason.Name(message.refusal.reason)
        note(reason, message.refusal.retries_left, message.refusal.detail)
        if message.refusal.HasField("legal") and HOW == "wrong-once":
            answer(message.refusal, first(message.refusal.legal))
        elif message.refusal.HasField("legal"):
            answer(message.refusal, {"take": 52})
    elif kind == "match_sync":
        note("synced, events:", len(message.match_sync.events))
    elif kind == "match_end":
        note("over:", *message.match_end.places)
        if HOW == "ends":
            os._exit(5)
    elif kind == "ping":
        say(pong={"nonce": message.ping.nonce})


def main() -> None:
    if HOW == "mute":
        note("thinking about it")
        time.sleep(600)
    channel = grpc.insecure_channel(os.environ["KITUMAIJA_ADDRESS"])
    token = ("authorization", f"Bearer {os.environ['KITUMAIJA_TOKEN']}")
    stream = arena_pb2_grpc.ArenaServiceStub(channel).Play(frames(), metadata=(token,))
    say(hello={"sdk": "hand/1", "language": "sketch", "bot_version": "7", "capacity": 1})
    note("here: process", os.getpid())
    for frame in stream:
        for message in frame.messages:
            hear(message)


if __name__ == "__main__":
    main()
