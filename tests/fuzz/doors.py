"""Every door that somebody else's bytes come through, by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tests.fuzz.figures import Fuzzer
from tests.fuzz.parsers import frames, page_tokens, record_files, settings_files
from tests.fuzz.port import raw_bytes
from tests.fuzz.services import unary_calls
from tests.fuzz.streams import bot_streams

DOORS: Final[Mapping[str, Fuzzer]] = {
    "records": record_files,
    "settings": settings_files,
    "frames": frames,
    "page-tokens": page_tokens,
    "calls": unary_calls,
    "port": raw_bytes,
    "streams": bot_streams,
}
