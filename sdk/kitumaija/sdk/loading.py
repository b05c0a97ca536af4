"""From the name of a bot to its class.

A bot is named ``path/to/file.py:Class``, ``path/to/file.py`` where the file holds one bot, or
``sample:NAME`` for a bot that comes with the SDK. ``hostile:NAME`` names one that misbehaves
(`kitumaija.sdk.testing.hostile`): few of them are bots that can be loaded, most need a server.
``cmd:COMMAND LINE`` names one in any language by how it is started: as a process of its own, never
here.
"""

from __future__ import annotations

import importlib.util
import inspect
import sys
from pathlib import Path
from types import ModuleType

from kitumaija.console.commands import FORM, Command, CommandError, is_command, parse_command
from kitumaija.sdk.bot import Bot
from kitumaija.sdk.errors import LoadError, author_traceback

SAMPLE = "sample:"
HOSTILE = "hostile:"
FORMS = "path/to/file.py:Class, path/to/file.py where it holds one bot, or sample:NAME"
ALL_FORMS = f"{FORMS}; or {FORM}"
"""All ways to name a bot, where one may be a process of its own, too."""

_HERE = Path(__file__).resolve()


def load(name: str) -> type[Bot]:
    """Return the class of bots that `name` means.

    Raises `LoadError`: for a file or a class that is not there, naming those that are; for a class
    that is no bot, or one that misbehaves below the SDK; and for a file that fails, with the
    author's own traceback.
    """
    if is_command(name):
        raise LoadError(
            f"{name} is started as a process of its own, by `kitumaija arena`, `check` or `demo`; "
            f"what is wanted here is {FORMS}"
        )
    if name.startswith(HOSTILE):
        return _hostile_bot(name)
    if name.startswith(SAMPLE):
        return _only_bot(_module(_sample_path(name.removeprefix(SAMPLE))), name)
    path, class_name = _split(name)
    if not path.is_file():
        raise LoadError(f"{name}: there is no file {path} (a bot is named {FORMS})")
    module = _module(path)
    if not class_name:
        return _only_bot(module, name)
    return _bot_called(class_name, module, name)


def command_of(name: str) -> Command | None:
    """Return the command that a bot's name means; None for a name of another form.

    Raises `LoadError` for one that cannot be started, saying why.
    """
    try:
        return parse_command(name) if is_command(name) else None
    except CommandError as error:
        raise LoadError(str(error)) from None


def sample_names() -> tuple[str, ...]:
    """Return the names of the sample bots that come with the SDK, in alphabetical order."""
    return tuple(sorted(path.stem for path in _samples().glob("*.py") if path.stem[0] != "_"))


def _hostile_bot(name: str) -> type[Bot]:
    from kitumaija.sdk.testing.hostile import species_named  # noqa: PLC0415 - it needs gRPC

    kind = species_named(name).kind
    if issubclass(kind, Bot):
        return kind
    raise LoadError(
        f"{name} misbehaves on its connection, and here there is none: "
        "it needs a server, by `kitumaija bot run` or `kitumaija demo --bot`"
    )


def _split(name: str) -> tuple[Path, str]:
    """Part a name at its last colon, unless that is a drive's."""
    path, colon, class_name = name.rpartition(":")
    if colon and not any(separator in class_name for separator in "/\\."):
        return Path(path), class_name
    return Path(name), ""


def _samples() -> Path:
    """The folder of the sample bots: beside the SDK where it is installed, else the checkout's."""
    installed = _HERE.parents[1] / "sample_bots"
    return installed if installed.is_dir() else _HERE.parents[3] / "sample_bots" / "python"


def _sample_path(sample: str) -> Path:
    path = _samples() / f"{sample}.py"
    if sample not in sample_names():
        raise LoadError(
            f"{SAMPLE}{sample}: there is no such sample bot; "
            f"there are {', '.join(sample_names()) or 'none here'}"
        )
    return path


def _module(path: Path) -> ModuleType:
    """Import a file, once, under a name of its own; what lies beside it can be imported by it."""
    path = path.resolve()
    name = f"kitumaija_bot_{path.stem}_{abs(hash(path)):x}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise LoadError(f"{path} is no Python file: a bot's file ends in .py")
    module = importlib.util.module_from_spec(spec)
    # Classes of the file must be found by their module's name, when it is imported and after.
    sys.modules[name] = module
    if str(path.parent) not in sys.path:
        sys.path.insert(0, str(path.parent))
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        raise LoadError(
            f"{path} failed while it was imported:\n{author_traceback(error)}"
        ) from error
    return module


def _bots_of(module: ModuleType) -> dict[str, type[Bot]]:
    """The bots that a module defines itself, by name."""
    classes = _classes_of(module)
    return {name: found for name, found in classes.items() if not inspect.isabstract(found)}


def _classes_of(module: ModuleType) -> dict[str, type[Bot]]:
    """The classes derived from `Bot` that a module defines itself, whole bots or not, by name."""
    return {
        name: found
        for name, found in vars(module).items()
        if isinstance(found, type)
        and issubclass(found, Bot)
        and found.__module__ == module.__name__
    }


def _only_bot(module: ModuleType, name: str) -> type[Bot]:
    bots = _bots_of(module)
    if len(bots) == 1:
        return next(iter(bots.values()))
    if bots:
        raise LoadError(f"{name}: {_listed(bots)}; say which, as {module.__file__}:Class")
    for class_name, found in _classes_of(module).items():
        raise LoadError(f"{name}: {_missing(class_name, found)}")
    raise LoadError(f"{name}: {_listed(bots)}")


def _bot_called(class_name: str, module: ModuleType, name: str) -> type[Bot]:
    bots = _bots_of(module)
    found: object = bots.get(class_name) or getattr(module, class_name, None)
    if found is None:
        raise LoadError(f"{name}: the file has no {class_name}; {_listed(bots)}")
    if not (isinstance(found, type) and issubclass(found, Bot)):
        raise LoadError(
            f"{name}: {class_name} is not a bot, it must be a class derived from "
            f"kitumaija.sdk.Bot; {_listed(bots)}"
        )
    if inspect.isabstract(found):
        raise LoadError(f"{name}: {_missing(class_name, found)}")
    return found


def _missing(class_name: str, found: type[Bot]) -> str:
    return f"{class_name} has no method {', '.join(sorted(found.__abstractmethods__))}"


def _listed(bots: dict[str, type[Bot]]) -> str:
    if not bots:
        return "it defines no bot (a class derived from kitumaija.sdk.Bot with a method choose)"
    return f"it defines the bots {', '.join(sorted(bots))}"
