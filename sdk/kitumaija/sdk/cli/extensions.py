"""Commands of other packages, found by the entry point group `kitumaija.commands`.

Such an entry point is a function::

    def register(root: typer.Typer, groups: Mapping[str, typer.Typer]) -> None

which adds commands and groups to `root`, and commands to the `groups` that are shared: ``bot`` and
``replay``. It imports what its commands need when it is called, not when its module is imported, so
that a package which is there without what it needs is found out here.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import Final, NoReturn

import typer

from kitumaija.wire.exits import ExitCode

GROUP: Final = "kitumaija.commands"

ORGANIZERS: Final[Mapping[str, tuple[str, ...]]] = {
    "": ("serve", "demo", "tournament", "ratings", "store", "certs"),
    "bot": ("register", "list", "rotate", "disable"),
    "replay": ("explain",),
}
"""The organizers' commands, by group: where they are not installed, they say what to install."""


def extend(
    root: typer.Typer,
    groups: Mapping[str, typer.Typer],
    points: Iterable[EntryPoint] | None = None,
) -> None:
    """Add the commands of the packages that are installed, and say of the others how to get them.

    `points` are the entry points to take, by default all of the group.
    """
    for point in sorted(entry_points(group=GROUP) if points is None else points):
        try:
            register = point.load()
            register(root, groups)
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] == "kitumaija":
                raise  # a fault of ours, and nothing that installing would mend
    for group_name, commands in ORGANIZERS.items():
        group = groups[group_name] if group_name else root
        for command in commands:
            if command not in _names(group):
                full_name = f"{group_name} {command}".strip()
                _add_placeholder(group, command, full_name)


def _names(group: typer.Typer) -> set[str | None]:
    return {command.name for command in group.registered_commands} | {
        added.name for added in group.registered_groups
    }


def _add_placeholder(group: typer.Typer, command: str, full_name: str) -> None:
    group.command(
        command,
        help="For organizers: pip install 'kitumaija[server]'.",
        add_help_option=False,
        context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
    )(_explainer(full_name))


def _explainer(full_name: str) -> Callable[[], NoReturn]:
    def explain() -> NoReturn:
        sys.stderr.write(
            f"kitumaija {full_name} is an organizer's command and needs more: "
            "pip install 'kitumaija[server]'\n"
        )
        raise typer.Exit(ExitCode.USAGE)

    return explain
