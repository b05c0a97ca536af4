"""Playing over the network: one stream to the server, with all of a bot's matches on it.

`Client` is the whole of it; `kitumaija.sdk.run` is the short way to it.
"""

from kitumaija.sdk.client.client import Client
from kitumaija.sdk.client.settings import Address, Settings

__all__ = ["Address", "Client", "Settings"]
