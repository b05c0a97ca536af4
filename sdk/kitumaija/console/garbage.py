"""How often a process looks for garbage."""

from __future__ import annotations

import gc

THRESHOLDS = (50_000, 20, 100)
"""For `gc.set_threshold`. By Python's own, 700, 10 and 10, garbage is searched for four hundred
times while a command's modules are loaded, which all stay: a sixth of the time that it takes."""


def search_rarely() -> None:
    """Let this process look for garbage rarely. Belongs at its start, before much is loaded."""
    gc.set_threshold(*THRESHOLDS)


def keep_what_is_there() -> None:
    """Never again search what is there now, such as all modules: what is found later is new."""
    gc.collect()
    gc.freeze()
