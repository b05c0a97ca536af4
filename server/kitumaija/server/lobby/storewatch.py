"""The watch over the disk: what bots wait for while their clock runs, and how long.

Nothing leaves before what it reveals is committed. Where a bot's clock runs on meanwhile, because
an illegal answer is refused or because it is asked again on a new stream, a slow disk would be
charged to the bot; and where a match is offered, to its start-up.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import TypeAlias

from kitumaija.engine import Seat
from kitumaija.server.clock import nanos
from kitumaija.server.match.values import Nanos


@dataclass(slots=True, eq=False)
class Wait:
    """Something that waits to be committed: about a seat's decision, or the offer of a match.

    What lies before `since` has been told; `told` says whether anything has.
    """

    match_id: str
    about: tuple[Seat, int] | None
    since: Nanos
    told: bool = False


StoreWaited: TypeAlias = Callable[[Wait, Nanos, Nanos], None]
"""Called with what waits, and from when to when it waited; in parts while it goes on."""


class StoreWatch:
    """Notices that a commit takes long, while it does.

    Whoever stamps something looks first, as with `StallWatch`: a clock that waits for the disk must
    not run out for it.
    """

    def __init__(self, waited: StoreWaited, *, worth_telling: timedelta) -> None:
        self._waited = waited
        self._least = nanos(worth_telling)
        self._waiting: deque[Wait] = deque()

    def began(self, match_id: str, about: tuple[Seat, int] | None, at: Nanos) -> Wait | None:
        """Note that something is handed over to be committed and then said.

        None, and nothing is noted, where the match's offer to another bot waits already: they share
        the start-up, which must not be given back twice.
        """
        if about is None and any(
            wait.about is None and wait.match_id == match_id for wait in self._waiting
        ):
            return None
        wait = Wait(match_id, about, at)
        self._waiting.append(wait)
        return wait

    def over(self, wait: Wait, at: Nanos) -> None:
        """Note that it is committed. They are committed in the order they were handed over."""
        self._waiting.remove(wait)
        self._tell(wait, at)

    def look(self, now: Nanos) -> None:
        """Tell of what has waited for long, or waits on."""
        for wait in tuple(self._waiting):
            self._tell(wait, now)

    def _tell(self, wait: Wait, now: Nanos) -> None:
        if now - wait.since > (0 if wait.told else self._least):
            since, wait.since, wait.told = wait.since, now, True
            self._waited(wait, since, now)
