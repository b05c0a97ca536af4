"""The dictionary of two vocabularies: the engine's values and the messages of `kitumaija.v1`.

Every `…_to_message` has its `…_from_message`, and the two are inverse. What cannot be turned into a
value raises `CodecError`; what a newer peer may have added is passed over where its promise in the
.proto says so.
"""

from kitumaija.wire.codec.actions import (
    action_from_message,
    action_to_message,
    legal_from_message,
    legal_to_message,
)
from kitumaija.wire.codec.cards import (
    card_from_message,
    card_to_message,
    cards_from_message,
    cards_to_message,
)
from kitumaija.wire.codec.decisions import decision_message
from kitumaija.wire.codec.errors import CodecError
from kitumaija.wire.codec.events import (
    event_from_message,
    event_to_message,
    events_from_message,
    events_to_message,
    termination_from_message,
    termination_of_newer,
    termination_to_message,
)
from kitumaija.wire.codec.options import (
    options_from_message,
    options_of_newer,
    options_to_message,
)
from kitumaija.wire.codec.views import view_from_message, view_to_message
from kitumaija.wire.codec.worlds import world_from_message, world_to_message

__all__ = [
    "CodecError",
    "action_from_message",
    "action_to_message",
    "card_from_message",
    "card_to_message",
    "cards_from_message",
    "cards_to_message",
    "decision_message",
    "event_from_message",
    "event_to_message",
    "events_from_message",
    "events_to_message",
    "legal_from_message",
    "legal_to_message",
    "options_from_message",
    "options_of_newer",
    "options_to_message",
    "termination_from_message",
    "termination_of_newer",
    "termination_to_message",
    "view_from_message",
    "view_to_message",
    "world_from_message",
    "world_to_message",
]
