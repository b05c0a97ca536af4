"""Sizes of memory as people write them."""

from __future__ import annotations

import re

_UNITS = {"KiB": 1024, "MiB": 1024**2, "GiB": 1024**3}
_SIZE = re.compile(r"([0-9]{1,9}) ?(KiB|MiB|GiB)")


def parse_size(text: str) -> int:
    """Return the bytes that a text such as ``512MiB`` means, at least one.

    Raises `ValueError` for a text of another form, and for nothing.
    """
    found = _SIZE.fullmatch(text)
    size = int(found[1]) * _UNITS[found[2]] if found else 0
    if not size:
        raise ValueError(f"got '{text}', wanted a size such as 512MiB, in {', '.join(_UNITS)}")
    return size
