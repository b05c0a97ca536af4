"""Ids for bots that were named by where their code lies."""

import re

import pytest

from kitumaija.server.cli.names import bot_ids
from kitumaija.wire.limits import ID_PATTERN


@pytest.mark.parametrize(
    ("source", "bot_id"),
    [
        ("sample:gambler", "gambler"),
        ("sample:async_bot", "async-bot"),
        ("bots/my_bot.py:Daring", "daring"),
        ("/a/very/deep/" + "folder/" * 30 + "broken.py", "broken"),
        (r"C:\bots\mine.py", "mine"),
        ("7th.py", "bot-7th"),
        ("päällikkö.py", "p-llikk"),
        ("ботик.py", "bot"),
        ("bots/" + "x" * 200 + ".py", "x" * 63),
        ("", "bot"),
        ("cmd:sh -c 'exec ./mine: a bot'", "sh"),
        ("cmd:/bin/sh", "sh"),
        ("cmd:no-such-program", "no-such-program"),
    ],
)
def test_a_bot_is_called_after_its_class_its_file_its_sample_or_its_command(
    source: str, bot_id: str
) -> None:
    assert bot_ids([source]) == {bot_id: source}
    assert re.fullmatch(ID_PATTERN, bot_id)


def test_bots_of_one_name_are_numbered_and_keep_their_order() -> None:
    long = "y" * 80
    sources = ["a/same.py", "b/same.py", "sample:same", "same-2", f"1/{long}.py", f"2/{long}.py"]

    ids = bot_ids(sources)

    assert list(ids) == ["same", "same-2", "same-3", "same-2-2", "y" * 63, "y" * 61 + "-2"]
    assert list(ids.values()) == sources
    assert all(re.fullmatch(ID_PATTERN, bot_id) for bot_id in ids)
