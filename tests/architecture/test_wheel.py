"""What the wheel carries."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest
from hatchling.builders.wheel import WheelBuilder

from tests.architecture.checkout import ROOT, SOURCE_ROOTS, kept_files


@pytest.fixture(scope="module")
def carried() -> dict[str, str]:
    """The path in the wheel of each file that goes into it, by its path in the checkout."""
    files = WheelBuilder(str(ROOT)).recurse_included_files()
    return {file.relative_path: PurePosixPath(file.distribution_path).as_posix() for file in files}


def test_folder_and_import_path_agree(carried: dict[str, str]) -> None:
    for source, target in carried.items():
        if source.startswith("sample_bots/python/"):
            assert target == source.replace("sample_bots/python", "kitumaija/sample_bots", 1)
        else:
            assert target == source.partition("/")[2]


def test_every_source_file_is_in_it(carried: dict[str, str]) -> None:
    folders = ["sample_bots/python", *(f"{root}/kitumaija" for root in SOURCE_ROOTS)]
    wanted = {
        path.as_posix()
        for path in kept_files()
        if any(path.is_relative_to(folder) for folder in folders) and path.name != "README.md"
    }

    assert set(carried) == wanted


@pytest.mark.parametrize("package", ["console", "engine", "sdk", "server", "v1", "wire"])
def test_each_package_says_that_it_is_typed(carried: dict[str, str], package: str) -> None:
    assert f"kitumaija/{package}/py.typed" in carried.values()


def test_the_protocol_comes_with_its_stubs_and_its_sources(carried: dict[str, str]) -> None:
    protos = [name for name in carried.values() if name.endswith(".proto")]

    assert protos
    for proto in protos:
        stub = proto.removesuffix(".proto") + "_pb2"
        assert {f"{stub}.py", f"{stub}.pyi"} <= set(carried.values())


def test_nothing_of_the_tests_or_the_workshop_is_in_it(carried: dict[str, str]) -> None:
    assert {target.partition("/")[0] for target in carried.values()} == {"kitumaija"}
    assert not any("test_" in target.rpartition("/")[2] for target in carried.values())
