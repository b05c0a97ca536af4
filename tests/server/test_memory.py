"""What a server and its bots hold on to does not grow with the matches that they have played.

This is the short form of `soak_memory`, which plays thousands.
"""

from __future__ import annotations

from pathlib import Path

from tests.server.soak_memory import BOTS, KEPT, rests

# What a last call still holds comes and goes; a leak of one object a match is far above it.
SLACK = 2 * len(BOTS)


async def test_a_hundred_matches_more_leave_no_object_and_no_stream_behind(tmp_path: Path) -> None:
    first, last = [rest async for rest in rests(tmp_path, (50, 150))]

    assert last.matches - first.matches >= 50
    assert first.streams == last.streams == 0
    grown = {
        name: (first.objects[name], count)
        for name, count in last.objects.items()
        if count > first.objects[name] + SLACK and not name.startswith(KEPT)
    }
    assert grown == {}
