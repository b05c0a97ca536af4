"""``python -m kitumaija.sdk.testing.hostile`` prints the zoo as JSON, for other programs."""

from __future__ import annotations

import json
import sys

from kitumaija.sdk.testing.hostile.zoo import ZOO

if __name__ == "__main__":
    json.dump([species.as_dict() for species in ZOO], sys.stdout, indent=2)
    sys.stdout.write("\n")
