"""Bots that are processes of their own, in any language, hosted for games on this machine.

Each is started by a command, told by its environment where to dial, and dials in as it would on a
server. It is said what a server says, by the same machine of the protocol, and judged as a server
judges: by the machine's clock, with the same retries, and by the default action where it fails.

`host` has the server, `stream` one bot's stream, `guest` a bot's process, and `seat` the bot of one
game.
"""

from kitumaija.sdk.hosting.guest import Guest
from kitumaija.sdk.hosting.host import Host
from kitumaija.sdk.hosting.seat import HostedBot

__all__ = ["Guest", "Host", "HostedBot"]
