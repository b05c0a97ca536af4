"""The list of the misbehaving bots, and their names. What they do is in `tests/e2e/test_zoo.py`."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from datetime import timedelta

import pytest
from typer.testing import CliRunner

from kitumaija.engine import GameOptions
from kitumaija.sdk import play
from kitumaija.sdk.bot import Bot
from kitumaija.sdk.cli.root import build
from kitumaija.sdk.client import Address, Settings
from kitumaija.sdk.errors import ConnectionFailed, LoadError
from kitumaija.sdk.loading import load
from kitumaija.sdk.testing.hostile import ZOO, Animal, Species, species_named
from kitumaija.v1 import fault_pb2
from kitumaija.wire.times import Limits
from tests.support.client import SECRET, Never

LOCAL = [species for species in ZOO if species.local]
FAULTS = {
    name.removeprefix("FAULT_KIND_").lower()
    for name, number in fault_pb2.FaultKind.items()
    if number
}


@pytest.mark.parametrize("species", ZOO, ids=lambda species: species.name)
def test_an_animal_says_what_it_does_and_which_fault_it_must_get(species: Species) -> None:
    said = species.kind.__doc__ or ""

    assert (f": `{species.fault}`." in said) if species.fault else (": no fault." in said)
    assert species.what
    assert not species.what.endswith((".", ":"))


def test_the_faults_are_those_of_the_protocol() -> None:
    for species in ZOO:
        assert ({species.fault} if species.fault else set()) | species.also <= FAULTS
        assert species.fault not in species.also


def test_no_two_have_one_name() -> None:
    assert len({species.name for species in ZOO}) == len(ZOO)
    assert all(species_named(species.source) is species for species in ZOO)


def test_an_unknown_name_is_answered_with_those_that_there_are() -> None:
    with pytest.raises(LoadError, match="hostile:tame: there is no such .* slow, illegal"):
        load("hostile:tame")


@pytest.mark.parametrize("species", ZOO, ids=lambda species: species.name)
def test_only_what_misbehaves_in_its_decisions_alone_plays_without_a_server(
    species: Species,
) -> None:
    if species.local:
        assert issubclass(load(species.source), Bot)
    else:
        assert issubclass(species.kind, Animal)
        with pytest.raises(LoadError, match=f"{species.source} .* needs a server"):
            load(species.source)


@pytest.mark.parametrize(
    "species", [species for species in ZOO if not species.local], ids=lambda species: species.name
)
async def test_where_there_is_no_server_every_animal_says_so_as_a_bot_of_the_sdk_does(
    species: Species,
) -> None:
    kind = species.kind
    assert issubclass(kind, Animal)
    with socket.socket() as taken:
        # And nobody listens there.
        taken.bind(("127.0.0.1", 0))
        address = Address("127.0.0.1", taken.getsockname()[1], tls=False)
        settings = Settings(address, "token", patience=timedelta(0))

        with pytest.raises(ConnectionFailed):
            await kind(settings, random=Never(), secret=SECRET).run()


def test_the_slow_one_is_late_in_local_games_too() -> None:
    quick = Limits(
        per_decision=timedelta(milliseconds=2), bank=timedelta(0), margin=timedelta(milliseconds=1)
    )

    short = GameOptions(turns_per_player=5)
    played = play(
        [load("hostile:slow"), load("sample:smallest")], seed=1, limits=quick, options=short
    )

    slow, smallest = played.late
    assert slow > 0
    assert smallest == 0


def test_the_list_is_told_to_people_and_to_programs() -> None:
    wanted = [species.as_dict() for species in ZOO]
    by_module = subprocess.run(
        [sys.executable, "-m", "kitumaija.sdk.testing.hostile"],
        capture_output=True,
        check=True,
    )
    by_command = CliRunner().invoke(build(), ["bot", "zoo", "--json"])
    for_people = CliRunner().invoke(build(), ["bot", "zoo"])

    assert json.loads(by_module.stdout) == wanted
    assert json.loads(by_command.stdout) == wanted
    assert all(species.source in for_people.stdout for species in ZOO)


def test_an_unknown_name_ends_the_command_before_anything_is_dialled() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "kitumaija.sdk", "hostile:tame"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 2
    assert "there are slow, illegal" in done.stderr
