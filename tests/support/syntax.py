"""Sources as syntax trees."""

from __future__ import annotations

import ast
import gc


def tree_of(source: str) -> ast.Module:
    """Return the tree of a source, without looking for garbage meanwhile.

    What lies in the garbage may say something in its last moment, for which a traceback is parsed;
    and CPython 3.11 does not survive to be asked for a tree while it makes one (`SystemError`).
    """
    searching = gc.isenabled()
    gc.disable()
    try:
        return ast.parse(source)
    finally:
        if searching:
            gc.enable()
