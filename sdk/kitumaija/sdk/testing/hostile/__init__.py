"""A zoo of misbehaving bots, so that organizers can rehearse what real ones will do to them.

``hostile:NAME`` names one wherever a bot is named that is to play on a server; `ZOO` lists them,
each with the fault that a server must give it. They harm nobody else: what they send, keep and hold
is bounded, and so is how long they live. Run them against a server of your own only.

Most are `Animal`s, which speak below the SDK and are made and run as its `Client` is. Those that
are a `Bot` play in local games too.
"""

from kitumaija.sdk.testing.hostile.animal import Animal
from kitumaija.sdk.testing.hostile.zoo import ZOO, Species, species_named

__all__ = ["ZOO", "Animal", "Species", "species_named"]
