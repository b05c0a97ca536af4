"""Every door that somebody else's bytes come through, by name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from tests.fuzz.decoding import DECODED, by_chance
from tests.fuzz.figures import Fuzzer
from tests.fuzz.names import hostile_names
from tests.fuzz.port import raw_bytes
from tests.fuzz.services import unary_calls
from tests.fuzz.streams import bot_streams

DOORS: Final[Mapping[str, Fuzzer]] = {
    **{name: partial(by_chance, name) for name in DECODED},
    "calls": unary_calls,
    "port": raw_bytes,
    "streams": bot_streams,
    "names": hostile_names,
}
