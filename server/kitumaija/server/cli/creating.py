"""`kitumaija tournament create`: every setting of a tournament as an option."""

from datetime import timedelta
from math import ceil
from typing import Annotated

import typer
from google.protobuf.duration_pb2 import Duration
from rich.table import Table

from kitumaija.server.choices import IllegalActions
from kitumaija.server.cli.connection import connected
from kitumaija.server.cli.output import print_json, print_table, state_name, table
from kitumaija.server.cli.parameters import (
    DEFAULT_ADDRESS,
    DEFAULT_DATA,
    Address,
    AsJson,
    Data,
    Token,
    TournamentId,
    parse_duration,
)
from kitumaija.v1 import arena_pb2, game_pb2
from kitumaija.v1 import tournament_pb2 as v1

LIMITS = ("startup", "per_decision", "bank", "increment", "margin", "grace", "match_cap")

# The options of the game: the name on the command line, and how its text becomes the field's value.
_CHOICES = {
    "free_from_stock": game_pb2.FreeFromStock,
    "pickup": game_pb2.PickUp,
    "stopped": game_pb2.Stopped,
    "hand_sizes": game_pb2.HandSizes,
}
_PREFIXES = {
    "free_from_stock": "FREE_FROM_STOCK_",
    "pickup": "PICK_UP_",
    "stopped": "STOPPED_",
    "hand_sizes": "HAND_SIZES_",
}
_NUMBERS = ("repetition", "turns_per_player")


def create(
    tournament: TournamentId,
    seats: Annotated[
        list[int] | None,
        typer.Option(
            "--seats", help="A table size, 2-10; may be given more than once; 2 if left out."
        ),
    ] = None,
    rounds: Annotated[int, typer.Option(help="How often the round robin is played.")] = 1,
    budget: Annotated[
        int | None,
        typer.Option(
            help="How many matches all schedules may have together; fewer than all tables are "
            "chosen so that everybody meets everybody about equally often."
        ),
    ] = None,
    title: Annotated[str, typer.Option(help="The title; the id if left out.")] = "",
    limit: Annotated[
        list[str] | None,
        typer.Option(
            "--limit",
            metavar="NAME=TIME",
            help=f"A limit of every match, such as per_decision=500ms. Names: {', '.join(LIMITS)}.",
        ),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option",
            metavar="NAME=VALUE",
            help="An option of the rules, such as pickup=always. "
            f"Names: {', '.join([*_CHOICES, *_NUMBERS])}.",
        ),
    ] = None,
    illegal_retries: Annotated[
        int | None, typer.Option(help="Illegal answers refused before the default is played.")
    ] = None,
    illegal_actions: Annotated[
        IllegalActions,
        typer.Option(help="What an illegal answer leads to; only retry has retries."),
    ] = IllegalActions.RETRY,
    faults_to_forfeit: Annotated[
        int | None,
        typer.Option(help="Faults in one match that forfeit the seat; 0: no number of them does."),
    ] = None,
    no_shows_to_withdraw: Annotated[
        int | None, typer.Option(help="No shows that withdraw an entrant.")
    ] = None,
    entries_per_owner: Annotated[
        int | None, typer.Option(help="How many entrants an owner may have.")
    ] = None,
    max_running: Annotated[
        int | None, typer.Option(help="How many matches may run at once.")
    ] = None,
    unsafe_seed: Annotated[
        str,
        typer.Option(help="A text to make all deals from. Whoever knows it knows every card."),
    ] = "",
    hands_after_match: Annotated[
        bool,
        typer.Option(
            "--hands-after-match",
            help="Show stored hands after the match, not after the tournament.",
        ),
    ] = False,
    allow_version_changes: Annotated[
        bool,
        typer.Option(
            "--allow-version-changes",
            help="Let a bot come back as another version; the standings mark it.",
        ),
    ] = False,
    blind: Annotated[
        bool,
        typer.Option(
            "--blind", help="Tell nobody who sits in a match, its bots included, before its end."
        ),
    ] = False,
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
    settings = v1.TournamentSettings(
        table_sizes=seats or [2],
        rounds=rounds,
        match_budget=budget,
        limits=parse_limits(limit or []),
        options=parse_options(option or []),
        unsafe_seed=unsafe_seed,
        hands_visible=v1.HANDS_VISIBLE_AFTER_MATCH
        if hands_after_match
        else v1.HANDS_VISIBLE_AFTER_TOURNAMENT,
        entries_per_owner=entries_per_owner,
        max_running_matches=max_running,
        faults=v1.FaultPolicy(
            illegal_retries=illegal_retries,
            faults_to_forfeit=faults_to_forfeit,
            no_shows_to_withdraw=no_shows_to_withdraw,
            illegal_actions=v1.IllegalActions.Value(f"ILLEGAL_ACTIONS_{illegal_actions.name}"),
        ),
        allow_version_changes=allow_version_changes,
        blind=blind,
    )
    request = v1.CreateTournamentRequest(tournament_id=tournament, title=title, settings=settings)
    with connected(address, token, data) as server:
        made = server.call(server.tournaments.CreateTournament, request).tournament
        if not draft:
            opening = v1.OpenTournamentRequest(tournament_id=made.tournament_id)
            made = server.call(server.tournaments.OpenTournament, opening).tournament
    if as_json:
        print_json(made)
        return
    print_table(settings_table(made))


def parse_limits(pairs: list[str]) -> arena_pb2.Limits:
    """The limits that texts such as `bank=5s` stand for. Raises `typer.BadParameter`."""
    limits = arena_pb2.Limits()
    for name, value in _pairs(pairs, LIMITS):
        duration = Duration()
        duration.FromTimedelta(parse_duration(value))
        getattr(limits, name).CopyFrom(duration)
    return limits


def parse_options(pairs: list[str]) -> game_pb2.GameOptions:
    """The options of the rules that texts such as `pickup=always` stand for.

    Raises `typer.BadParameter`.
    """
    options = game_pb2.GameOptions()
    for name, value in _pairs(pairs, (*_CHOICES, *_NUMBERS)):
        if name in _NUMBERS:
            if not value.isdecimal():
                raise typer.BadParameter(f"{name}={value}: write a whole number from 0 up")
            setattr(options, name, int(value))
            continue
        values = {
            key.removeprefix(_PREFIXES[name]).lower(): number
            for key, number in _CHOICES[name].items()
            if number
        }
        if value not in values:
            raise typer.BadParameter(f"{name}={value}: write one of {', '.join(values)}")
        setattr(options, name, values[value])
    return options


def _pairs(pairs: list[str], names: tuple[str, ...]) -> list[tuple[str, str]]:
    split = []
    for pair in pairs:
        name, equals, value = pair.partition("=")
        name = name.replace("-", "_")
        if not equals or name not in names:
            raise typer.BadParameter(
                f"'{pair}': write NAME=VALUE with a name of {', '.join(names)}"
            )
        split.append((name, value))
    return split


def settings_table(tournament: v1.Tournament) -> Table:
    """Every setting of a tournament, and what is committed to, as a table."""
    settings = tournament.settings
    rows = [
        ["state", state_name(tournament.state)],
        ["table sizes", ", ".join(map(str, settings.table_sizes))],
        ["rounds", str(settings.rounds)],
        ["matches at most", str(settings.match_budget)],
        *(
            [f"limit {name}", f"{getattr(settings.limits, name).ToTimedelta().total_seconds():g} s"]
            for name in LIMITS
        ),
        ["longest match", f"{tournament.longest_match.ToTimedelta().total_seconds():g} s"],
        ["longest tournament", _longest_tournament(tournament)],
        *(
            [
                f"option {name}",
                kind.Name(getattr(settings.options, name)).removeprefix(_PREFIXES[name]).lower(),
            ]
            for name, kind in _CHOICES.items()
        ),
        *([f"option {name}", str(getattr(settings.options, name))] for name in _NUMBERS),
        [
            "illegal actions",
            v1.IllegalActions.Name(settings.faults.illegal_actions)
            .removeprefix("ILLEGAL_ACTIONS_")
            .lower()
            .replace("_", " "),
        ],
        ["illegal retries", str(settings.faults.illegal_retries)],
        ["faults to forfeit", str(settings.faults.faults_to_forfeit or "no number of them")],
        ["no shows to withdraw", str(settings.faults.no_shows_to_withdraw)],
        ["entries per owner", str(settings.entries_per_owner)],
        ["running matches at most", str(settings.max_running_matches)],
        ["who sits in a match", "told at its end" if settings.blind else "told at its beginning"],
        ["version changes", "allowed" if settings.allow_version_changes else "not allowed"],
        [
            "stored hands shown",
            v1.HandsVisible.Name(settings.hands_visible)
            .removeprefix("HANDS_VISIBLE_")
            .lower()
            .replace("_", " the "),
        ],
        ["master seed committed to", tournament.master_commitment.hex()],
        ["export will be signed by", tournament.signing_key_fingerprint.hex()],
    ]
    if settings.unsafe_seed:
        rows.append(["UNSAFE seed", settings.unsafe_seed])
    title = f"tournament {tournament.tournament_id}"
    if tournament.title != tournament.tournament_id:
        title += f" · {tournament.title}"
    return table(["setting", "value"], rows, title=title)


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
