"""Registering by an invite code: whose a bot is, which `entries_per_owner` counts by.

A code of an owner's own says it. By the code that all have the caller says it himself, and can say
another name each time: where entries are counted, each owner gets a code.
"""

from __future__ import annotations

import hmac

from kitumaija.server.errors import PermissionDenied
from kitumaija.server.settings import ServerSettings
from kitumaija.wire.status import ErrorReason


class Invitations:
    """The invite codes of a server."""

    def __init__(self, settings: ServerSettings) -> None:
        self._open = settings.open_registration
        self._for_all = settings.invite_code
        self._codes = settings.invite_codes

    def owner(self, code: str, said: str, bot_id: str) -> str:
        """Return the owner of a bot that is registered by a code; `said` is who the caller says.

        Raises `PermissionDenied` where no code opens anything, for a code that is none, and for the
        name of an owner to whom another code was given.
        """
        if not self._open:
            raise PermissionDenied(
                ErrorReason.REGISTRATION_CLOSED,
                "only the organizer registers bots here: ask for a token, or call with the "
                "organizer's",
            )
        # All are compared, so that the time taken tells nothing.
        known = [owner for owner, its in self._codes.items() if _same(its, code)]
        if known:
            if said not in {"", known[0]}:
                raise _refused(f"is that of owner {known[0]!r}: name that one, or none")
            return known[0]
        if self._for_all is None or not _same(self._for_all, code):
            raise _refused("is not this server's: ask the organizer for it")
        owner = said or bot_id
        if owner in self._codes:
            raise _refused(f"is not that of owner {owner!r}, who has one: register with that")
        return owner


def _same(code: str, other: str) -> bool:
    return hmac.compare_digest(code.encode(), other.encode())


def _refused(what: str) -> PermissionDenied:
    return PermissionDenied(ErrorReason.INVITE_CODE, f"the invite code {what}")
