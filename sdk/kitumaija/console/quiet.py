"""What a command keeps from its terminal."""

from __future__ import annotations

import os


def silence_grpc() -> None:
    """Keep gRPC's own notes off stderr: what they say of a connection, the command says in words.

    gRPC reads this when it is imported, so it has to be said before. Whoever has set
    GRPC_VERBOSITY sees the notes.
    """
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
