"""The sizes and numbers that both ends of the protocol count on.

Lengths of texts are in characters (Unicode code points), sizes in bytes. What only the server
limits is not here.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Final

##### Frames #####

FRAME_BYTES_MAX: Final = 64 * 1024
"""The largest frame that a bot may send. A larger one ends its stream."""

FRAME_TO_BOT_BYTES: Final = 256 * 1024
"""What the server packs into one frame; a single message above it travels in a frame of its own."""

REQUEST_BYTES_MAX: Final = 256 * 1024
"""The largest request of every call; a frame of `Play` above its own limit is told so up to here.
It holds some four thousand ids."""

UNARY_BYTES_MAX: Final = 4 * 1024 * 1024
"""The largest answer of every call but `Play`; it is gRPC's own default too."""

##### The stream #####

DEFAULT_CAPACITY: Final = 8
"""How many matches at once a bot is given if its Hello does not say (capacity 0)."""

PING_INTERVAL: Final = timedelta(seconds=5)
"""How often the server sends a Ping on every stream."""

SILENCE_MAX: Final = timedelta(seconds=12)
"""After this long without any message of the other end a stream is given up as dead."""

##### Texts and byte strings of a bot's messages #####

SDK_CHARS_MAX: Final = 100
LANGUAGE_CHARS_MAX: Final = 40
BOT_VERSION_CHARS_MAX: Final = 40
GOODBYE_REASON_CHARS_MAX: Final = 200
MATCH_ID_CHARS_MAX: Final = 64
MATCHES_IN_HELLO_MAX: Final = 256
"""How many matches a Hello may name as still being played."""
ENTROPY_COMMITMENT_BYTES: Final = 32
ENTROPY_BYTES_MAX: Final = 64

##### Names and paging of the other calls #####

ID_PATTERN: Final = r"[a-z][a-z0-9-]{0,62}"
"""What the whole id of a bot or a tournament looks like."""

ID_CHARS_MAX: Final = 63
DISPLAY_NAME_CHARS_MAX: Final = 60
OWNER_CHARS_MAX: Final = 60
TITLE_CHARS_MAX: Final = 100
REASON_CHARS_MAX: Final = 500
UNSAFE_SEED_CHARS_MAX: Final = 200
REQUEST_ID_CHARS_MAX: Final = 64
TEXT_CHARS_MAX: Final = 1024
"""The longest text of a request, whatever it is for; those named above are shorter."""
LIST_ITEMS_MAX: Final = 4096
"""The most texts or messages in a list of a request."""
PAGE_SIZE_DEFAULT: Final = 100
PAGE_SIZE_MAX: Final = 1000

##### Searching #####

WORLDS_MAX: Final = 64
"""How many worlds one call draws."""
LINES_MAX: Final = 64
ACTIONS_MAX: Final = 1024
"""How many lines one call plays, and how many actions in all of them."""
