"""Two ends of a bot's stream, coupled in memory; and the messages that they say."""

from __future__ import annotations

from typing import Final

from kitumaija.v1 import arena_pb2, game_pb2
from kitumaija.wire.session import Kind, Role, Session

Message = arena_pb2.BotMessage | arena_pb2.ServerMessage

MATCH: Final = "ji5nvlx6wbbzhp7ykfr3gqm2ea"
_LEGAL: Final = game_pb2.LegalActions(turn=True)


def bot_says(kind: Kind, match_id: str = MATCH, decision_id: int = 1) -> arena_pb2.BotMessage:
    """Return a bot's message of a kind, about a match and a decision where it is about one."""
    message = arena_pb2.BotMessage()
    if kind is not Kind.UNKNOWN:
        _fill(getattr(message, kind.value), match_id, decision_id)
    return message


def server_says(
    kind: Kind, match_id: str = MATCH, decision_id: int = 1, *, leaves_open: bool = False
) -> arena_pb2.ServerMessage:
    """Return a message of the server; `leaves_open` is for a Refusal that tells what is legal."""
    message = arena_pb2.ServerMessage()
    if kind is not Kind.UNKNOWN:
        _fill(getattr(message, kind.value), match_id, decision_id)
    if leaves_open:
        message.refusal.legal.CopyFrom(_LEGAL)
    return message


def _fill(
    part: arena_pb2.Answer | arena_pb2.Decision | arena_pb2.Ready, match_id: str, decision_id: int
) -> None:
    part.SetInParent()
    names = {field.name for field in part.DESCRIPTOR.fields}
    if "match_id" in names:
        part.match_id = match_id
    if "decision_id" in names and not isinstance(part, arena_pb2.Ready):
        part.decision_id = decision_id


class Pair:
    """A bot's session and the server's, with nothing under way between them.

    What one says, the other has heard when the call returns.
    """

    def __init__(self) -> None:
        self.bot = Session(Role.BOT)
        self.server = Session(Role.SERVER)

    @classmethod
    def opened(cls) -> Pair:
        """Return a pair that has said Hello and Welcome."""
        pair = cls()
        pair.say(bot_says(Kind.HELLO), server_says(Kind.WELCOME))
        return pair

    def say(self, *messages: Message) -> None:
        """Send messages, each from its end to the other."""
        for message in messages:
            speaker, hearer = self.ends(message)
            assert speaker.sent(message) is hearer.received(message)

    def ends(self, message: Message) -> tuple[Session, Session]:
        """Return who says a message, and who hears it."""
        if isinstance(message, arena_pb2.BotMessage):
            return self.bot, self.server
        return self.server, self.bot
