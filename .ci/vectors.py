"""The bytes of the worked examples in proto/vectors/frames.json, made from their JSON by the stubs.

`make vectors` writes them. An example marked `newer` holds what these stubs do not know: its bytes
are written by hand.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from google.protobuf.json_format import ParseDict

from kitumaija.v1 import arena_pb2

FRAMES = Path(__file__).parents[1] / "proto" / "vectors" / "frames.json"


def encoded(example: dict[str, Any]) -> str:
    """The bytes of an example's frame, in hexadecimal."""
    frames = {"PlayRequest": arena_pb2.PlayRequest, "PlayResponse": arena_pb2.PlayResponse}
    message = ParseDict(example["json"], frames[example["frame"]]())
    data: bytes = message.SerializeToString(deterministic=True)
    return data.hex()


def written(examples: list[dict[str, Any]]) -> str:
    """The file's text."""
    made = [
        example if example.get("newer") else {**example, "bytes": encoded(example)}
        for example in examples
    ]
    return json.dumps(made, ensure_ascii=False, indent=2) + "\n"


if __name__ == "__main__":
    FRAMES.write_text(written(json.loads(FRAMES.read_text("utf-8"))), encoding="utf-8")
