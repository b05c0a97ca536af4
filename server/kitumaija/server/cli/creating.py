"""`kitumaija tournament create`: every setting of a tournament, as an option or out of a file."""

from collections.abc import Iterable, Mapping
from datetime import timedelta
from math import ceil
from pathlib import Path
from typing import Annotated, Any

import grpc
import typer
from rich.table import Table

from kitumaija.console.text import counted
from kitumaija.server.choices import Format, HandsVisible, IllegalActions
from kitumaija.server.cli.connection import Server, connected, say
from kitumaija.server.cli.output import print_json, print_table, state_name, table
from kitumaija.server.cli.parameters import (
    DEFAULT_ADDRESS,
    DEFAULT_DATA,
    Address,
    AsJson,
    Data,
    Token,
)
from kitumaija.server.settable.kinds import WrongValue
from kitumaija.server.settable.messages import message_of, values_of
from kitumaija.server.settable.reading import FILE_BYTES_MAX, WrongFile, read_file
from kitumaija.server.settable.table import (
    ALLOW_VERSION_CHANGES,
    BENCH_WAIT,
    BLIND,
    BY_PATH,
    CHALLENGERS,
    ENTRANTS,
    ENTRIES_PER_OWNER,
    FAULTS_TO_FORFEIT,
    FORMAT,
    HANDS_VISIBLE,
    ID,
    ILLEGAL_ACTIONS,
    ILLEGAL_RETRIES,
    MATCH_BUDGET,
    MAX_RUNNING_MATCHES,
    NO_SHOWS_TO_WITHDRAW,
    ROUNDS,
    SETTINGS,
    TABLE_SIZES,
    TABLES_PER_ROUND,
    TITLE,
    UNSAFE_SEED,
    UNTIL,
    Setting,
)
from kitumaija.server.settable.writing import written_file
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.exits import ExitCode


def option_of(setting: Setting[Any], *names: str, more: str = "") -> Any:
    """The option of a setting: its help and its default are those of the table."""
    return typer.Option(*names, help=setting.meaning + more, show_default=setting.left_out)


def pairs_of(group: str, *names: str, metavar: str) -> Any:
    """The option that sets any of a table's settings by its name; it may be given repeatedly."""
    known = [one.name for one in SETTINGS if one.group == group]
    example = {"limits": "per_decision=500ms", "options": "pickup=always"}[group]
    return typer.Option(
        *names,
        metavar=metavar,
        help=f"One of the {group}, such as {example}. Names: {', '.join(known)}. What each of them "
        "means is told by `kitumaija tournament create --explain`.",
        show_default=False,
    )


Limits = Annotated[list[str] | None, pairs_of("limits", "--limit", metavar="NAME=TIME")]
Rules = Annotated[list[str] | None, pairs_of("options", "--option", metavar="NAME=VALUE")]


def create(
    tournament: Annotated[
        str | None,
        typer.Argument(
            metavar="TOURNAMENT",
            help="The tournament's id; it may be left out where a file says it.",
            show_default=False,
        ),
    ] = None,
    file: Annotated[
        Path | None,
        typer.Option(
            "--file",
            metavar="FILE",
            help="A TOML file of settings, as --explain prints one. What is given on the command "
            "line beside it stands in place of what the file says.",
            show_default=False,
        ),
    ] = None,
    explain: Annotated[
        bool,
        typer.Option(
            "--explain",
            help="Make nothing: print every setting with its meaning, unit, bounds and default, as "
            "a file for --file that has the values that were given.",
        ),
    ] = False,
    played_as: Annotated[Format | None, option_of(FORMAT, "--format")] = None,
    challenger: Annotated[
        list[str] | None,
        option_of(CHALLENGERS, "--challenger", more=" May be given more than once."),
    ] = None,
    seats: Annotated[
        list[int] | None, option_of(TABLE_SIZES, "--seats", more=" May be given more than once.")
    ] = None,
    rounds: Annotated[int | None, option_of(ROUNDS, "--rounds")] = None,
    budget: Annotated[int | None, option_of(MATCH_BUDGET, "--budget")] = None,
    until: Annotated[str | None, option_of(UNTIL, "--until")] = None,
    tables_per_round: Annotated[
        int | None, option_of(TABLES_PER_ROUND, "--tables-per-round")
    ] = None,
    title: Annotated[str | None, option_of(TITLE, "--title")] = None,
    limit: Limits = None,
    option: Rules = None,
    illegal_retries: Annotated[int | None, option_of(ILLEGAL_RETRIES, "--illegal-retries")] = None,
    illegal_actions: Annotated[
        IllegalActions | None, option_of(ILLEGAL_ACTIONS, "--illegal-actions")
    ] = None,
    faults_to_forfeit: Annotated[
        int | None, option_of(FAULTS_TO_FORFEIT, "--faults-to-forfeit")
    ] = None,
    no_shows_to_withdraw: Annotated[
        int | None, option_of(NO_SHOWS_TO_WITHDRAW, "--no-shows-to-withdraw")
    ] = None,
    entries_per_owner: Annotated[
        int | None, option_of(ENTRIES_PER_OWNER, "--entries-per-owner")
    ] = None,
    max_running: Annotated[int | None, option_of(MAX_RUNNING_MATCHES, "--max-running")] = None,
    bench_wait: Annotated[
        str | None, option_of(BENCH_WAIT, "--bench-wait", more=" Such as 30m.")
    ] = None,
    unsafe_seed: Annotated[str | None, option_of(UNSAFE_SEED, "--unsafe-seed")] = None,
    hands_visible: Annotated[
        HandsVisible | None, option_of(HANDS_VISIBLE, "--hands-visible")
    ] = None,
    allow_version_changes: Annotated[
        bool | None,
        option_of(ALLOW_VERSION_CHANGES, "--allow-version-changes/--no-allow-version-changes"),
    ] = None,
    blind: Annotated[bool | None, option_of(BLIND, "--blind/--no-blind")] = None,
    draft: Annotated[
        bool,
        typer.Option("--draft", help="Leave it a draft; `tournament open` opens it for entries."),
    ] = False,
    address: Address = DEFAULT_ADDRESS,
    token: Token = None,
    data: Data = DEFAULT_DATA,
    as_json: AsJson = False,
) -> None:
    """Create a tournament, open it for entries and print every setting."""
    given = {
        ID: tournament,
        TITLE: title,
        FORMAT: played_as,
        CHALLENGERS: challenger or None,
        TABLE_SIZES: seats or None,
        ROUNDS: rounds,
        MATCH_BUDGET: budget,
        UNTIL: until,
        TABLES_PER_ROUND: tables_per_round,
        MAX_RUNNING_MATCHES: max_running,
        ENTRIES_PER_OWNER: entries_per_owner,
        HANDS_VISIBLE: hands_visible,
        ALLOW_VERSION_CHANGES: allow_version_changes,
        BLIND: blind,
        UNSAFE_SEED: unsafe_seed,
        BENCH_WAIT: bench_wait,
        ILLEGAL_ACTIONS: illegal_actions,
        ILLEGAL_RETRIES: illegal_retries,
        FAULTS_TO_FORFEIT: faults_to_forfeit,
        NO_SHOWS_TO_WITHDRAW: no_shows_to_withdraw,
    }
    values = gathered(file, given, {"limits": limit, "options": option})
    if explain:
        typer.echo(written_file(values), nl=False)
        return
    if ID.path not in values:
        raise typer.BadParameter(
            "the tournament has no id: name it, as in `kitumaija tournament create cup`, or give "
            "a --file with a key id"
        )
    entrants = values.get(ENTRANTS.path, ())
    if draft and entrants:
        raise typer.BadParameter(
            "a draft takes no entrants: leave out --draft, or the file's entrants"
        )
    request = v1.CreateTournamentRequest(
        tournament_id=values[ID.path],
        title=values.get(TITLE.path, ""),
        settings=message_of(values),
    )
    with connected(address, token, data) as server:
        made = server.call(server.tournaments.CreateTournament, request).tournament
        if not draft:
            opening = v1.OpenTournamentRequest(tournament_id=made.tournament_id)
            made = server.call(server.tournaments.OpenTournament, opening).tournament
        if entrants:
            made = _enter(server, made.tournament_id, entrants)
    if as_json:
        print_json(made)
        return
    print_table(settings_table(made))


def gathered(
    file: Path | None,
    given: Mapping[Setting[Any], object],
    pairs: Mapping[str, Iterable[str] | None],
) -> dict[str, Any]:
    """The values of a file, if there is one, and in their place those of the command line.

    `given` are the values of options, None for those that were not given, and `pairs` texts such as
    `bank=5s` by their table. Ends the command with a line for each thing that is wrong anywhere.
    """
    values, problems = _of_file(file) if file is not None else ({}, [])
    for setting, value in given.items():
        if value is None:
            continue
        try:
            values[setting.path] = setting.kind.read(value)
        except WrongValue as error:
            problems.append(f"{setting.path}: {error}")
    for group, texts in pairs.items():
        try:
            values |= parse_pairs(group, texts)
        except typer.BadParameter as error:
            problems.append(error.message)
    if problems:
        for problem in problems:
            say(problem)
        raise typer.Exit(ExitCode.USAGE)
    return values


def parse_pairs(group: str, pairs: Iterable[str] | None) -> dict[str, Any]:
    """The values of a table's settings that texts such as `bank=5s` stand for, by their keys.

    Raises `typer.BadParameter`.
    """
    known = {one.name: one for one in SETTINGS if one.group == group}
    values = {}
    for pair in pairs or ():
        name, equals, text = pair.partition("=")
        setting = known.get(name.replace("-", "_"))
        if not equals or setting is None:
            raise typer.BadParameter(
                f"'{pair}': write NAME=VALUE with a name of {', '.join(known)}"
            )
        try:
            values[setting.path] = setting.kind.typed(text)
        except WrongValue as error:
            raise typer.BadParameter(f"{setting.path}: {error}") from None
    return values


def settings_table(tournament: v1.Tournament) -> Table:
    """Every setting of a tournament, and what is committed to, as a table."""
    values = values_of(tournament.settings)
    rows = [
        ["state", state_name(tournament.state)],
        *(
            [path, BY_PATH[path].kind.shown(value)]
            for path, value in values.items()
            if path != UNSAFE_SEED.path and value not in ((), "")
        ),
        ["longest match", f"{tournament.longest_match.ToTimedelta().total_seconds():g} s"],
        ["longest tournament", _longest_tournament(tournament)],
        ["master seed committed to", tournament.master_commitment.hex()],
        *(
            [
                f"{counted(committed.deals, 'deal')} at {committed.table_size} seats committed to",
                committed.root.hex(),
            ]
            for committed in tournament.deals_roots
        ),
        ["export will be signed by", tournament.signing_key_fingerprint.hex()],
    ]
    if tournament.settings.unsafe_seed:
        rows.append(["UNSAFE seed", tournament.settings.unsafe_seed])
    title = f"tournament {tournament.tournament_id}"
    if tournament.title != tournament.tournament_id:
        title += f" · {tournament.title}"
    return table(["setting", "value"], rows, title=title)


def _of_file(file: Path) -> tuple[dict[str, Any], list[str]]:
    """The values of a file, and what is wrong with it, a line each."""
    try:
        with file.open("rb") as opened:
            # A byte more than may be: a file without an end is not read to its end.
            return read_file(opened.read(FILE_BYTES_MAX + 1)), []
    except OSError as error:
        return {}, [f"{file} cannot be read ({error.strerror}); --explain prints one to begin with"]
    except WrongFile as error:
        return {}, [f"{file}: {problem}" for problem in error.problems]


def _enter(server: Server, tournament_id: str, entrants: tuple[str, ...]) -> v1.Tournament:
    """Enter the bots that the file names, all or none."""
    first, *more = entrants
    request = v1.EnterTournamentRequest(
        tournament_id=tournament_id, bot_id=first, more_bot_ids=more
    )
    try:
        server.call(server.tournaments.EnterTournament, request)
    except grpc.RpcError:
        say(
            f"{tournament_id} is made and open, and has no entrants yet: put right what is said "
            "below, then enter them with `kitumaija tournament enter`"
        )
        raise
    asking = v1.GetTournamentRequest(tournament_id=tournament_id)
    found: v1.Tournament = server.call(server.tournaments.GetTournament, asking).tournament
    return found


def _longest_tournament(tournament: v1.Tournament) -> str:
    """The bound on the whole tournament, and with how many entrants it holds."""
    if not tournament.HasField("longest_tournament"):
        return "more than 10,000 years"
    longest = tournament.longest_tournament.ToTimedelta()
    text = f"{timedelta(seconds=ceil(longest.total_seconds()))}, however slow its bots are"
    if tournament.HasField("started_at"):
        return text
    playing = sum(one.state == v1.ENTRANT_STATE_ENTERED for one in tournament.entrants)
    return f"{text}, with {max(playing, *tournament.settings.table_sizes)} entrants"
