"""What a service manager is told: that the server is ready, alive, and stopping (`sd_notify`)."""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta


@dataclass(frozen=True, slots=True)
class Systemd:
    """The manager's socket, if it gave one, and how often it wants to hear of a live server."""

    address: str = ""
    watchdog: timedelta | None = None
    """None if it does not want to hear."""

    @classmethod
    def of(cls, environment: Mapping[str, str]) -> Systemd:
        """Return what the variables NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID say."""
        address = environment.get("NOTIFY_SOCKET", "")
        wanted = environment.get("WATCHDOG_USEC", "")
        for_us = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        if not address or not for_us or not wanted.isdecimal() or not int(wanted):
            return cls(address)
        return cls(address, timedelta(microseconds=int(wanted)))

    @classmethod
    def absent(cls) -> Systemd:
        """Return what says nothing to nobody."""
        return cls()

    def say(self, state: str) -> None:
        """Send a line such as `READY=1`. A manager that cannot be reached is no trouble."""
        if not self.address:
            return
        # An address with @ is in the abstract name space, whose names begin with a zero byte.
        address = f"\0{self.address[1:]}" if self.address.startswith("@") else self.address
        with (
            suppress(OSError),
            socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as line,
        ):
            # Whoever does not read must not make the guard wait.
            line.setblocking(False)
            line.sendto(state.encode(), address)
