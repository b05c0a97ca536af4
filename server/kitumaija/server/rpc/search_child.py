"""The process that draws worlds and plays in them, apart from the server's event loop.

It reads requests from its standard input and writes answers to its standard output, one after
another, and ends when the first does: so it never outlives its server. A request is a byte that
says which method, four with a length (little-endian), and so many bytes; an answer is the same with
a byte that says whether it is one.
"""

from __future__ import annotations

import json
import os
import signal
import struct
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, BinaryIO, Final

from kitumaija.server.rpc.searching import Unanswerable, apply_actions, sample_worlds
from kitumaija.v1 import world_pb2

HEADER: Final = struct.Struct("<BI")
SAMPLE, APPLY = 1, 2
ANSWERED, REFUSED = 0, 1

_GIVES_WAY_BY = 5
"""How much nicer than its server it is."""

_METHODS: Final[dict[int, tuple[Any, Callable[[Any], Any]]]] = {
    SAMPLE: (world_pb2.SampleWorldsRequest, sample_worlds),
    APPLY: (world_pb2.ApplyActionsRequest, apply_actions),
}


class _TooMuch(Exception):
    """A request took more of the processor than it may."""


def main(cpu_seconds: float) -> None:
    """Answer until there is nothing more to be read."""
    os.nice(_GIVES_WAY_BY)
    # Who stops the server by Ctrl-C means the server, which ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGPROF, _stop)
    source, target = sys.stdin.buffer, sys.stdout.buffer
    while header := source.read(HEADER.size):
        method, size = HEADER.unpack(header)
        kind, payload = _answer(method, source.read(size), cpu_seconds)
        _write(target, kind, payload)


def _answer(method: int, payload: bytes, cpu_seconds: float) -> tuple[int, bytes]:
    request_type, answer = _METHODS[method]
    try:
        signal.setitimer(signal.ITIMER_PROF, cpu_seconds)
        try:
            response = answer(request_type.FromString(payload))
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    except Unanswerable as error:
        refused = {"field": error.field, "got": error.got, "wanted": error.wanted}
        return REFUSED, json.dumps(refused).encode()
    except _TooMuch:
        wanted = f"what takes less than {cpu_seconds:g} s"
        refused = {"field": "request", "got": "too much work", "wanted": wanted}
        return REFUSED, json.dumps(refused).encode()
    return ANSWERED, response.SerializeToString()


def _write(target: BinaryIO, kind: int, payload: bytes) -> None:
    target.write(HEADER.pack(kind, len(payload)) + payload)
    target.flush()


def _stop(_: int, __: FrameType | None) -> None:
    raise _TooMuch


if __name__ == "__main__":
    main(float(sys.argv[1]))
