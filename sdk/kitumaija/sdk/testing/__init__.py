"""For the tests of bots: a turn made by hand, a bot over many seeds, a server that plays a script.

`make_turn` makes a turn to ask a bot about. `check_bot` plays a bot over many seeds and says where
it fails. `ScriptedServer` is a real server on this machine that says what a script tells it to, to
see how a bot, or a client in any language, copes with a broken line.
"""

from kitumaija.sdk.testing.checks import ALL_OPTIONS, Anything, Checked, check_bot
from kitumaija.sdk.testing.host import Referee, host_match
from kitumaija.sdk.testing.server import Line, Script, ScriptedServer, seating_of
from kitumaija.sdk.testing.turns import make_turn

__all__ = [
    "ALL_OPTIONS",
    "Anything",
    "Checked",
    "Line",
    "Referee",
    "Script",
    "ScriptedServer",
    "check_bot",
    "host_match",
    "make_turn",
    "seating_of",
]
