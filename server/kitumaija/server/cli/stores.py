"""`kitumaija store check|backup|rotate-token`: what an organizer does with a store by hand."""

import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kitumaija.server.cli.connection import say
from kitumaija.server.cli.output import print_findings, print_json
from kitumaija.server.cli.parameters import (
    DEFAULT_DATA,
    ORGANIZER_TOKEN_FILE,
    AsJson,
    Data,
)
from kitumaija.server.cli.progress import bar_of_matches
from kitumaija.wire.exits import ExitCode

if TYPE_CHECKING:
    from kitumaija.server.checking import Finding, Tally
    from kitumaija.server.store import StoreReader

app = typer.Typer(
    no_args_is_help=True,
    help="The store: prove that it is whole, back it up; a new token for the organizer.",
)

StoreUrl = Annotated[
    str | None,
    typer.Option(
        "--store",
        envvar="KITUMAIJA_STORE",
        help="The database as an SQLAlchemy URL; SQLite in the data directory if left out.",
        show_default=False,
    ),
]


@app.command()
def check(data: Data = DEFAULT_DATA, store: StoreUrl = None, as_json: AsJson = False) -> None:
    """Prove that results, matches, records, journals and ratings agree; nothing is changed.

    Exit code 0 if all is well, 1 if anything is not, 2 if there is no store that can be read.
    """
    from kitumaija.server.checking import Tally
    from kitumaija.server.store import StoreError, StoreReader

    tally = Tally()
    try:
        with StoreReader.open(store or data) as reader:
            address = reader.address
            found = _found(reader, tally)
    except StoreError as error:
        say(str(error))
        raise typer.Exit(ExitCode.USAGE) from error
    looked = f"tournaments {tally.tournaments}, matches {tally.matches}, records {tally.records}"
    verdict = f"findings {len(found)}" if found else "all is well"
    print_findings(
        [finding.sentence for finding in found],
        _as_json(address, tally, found),
        f"{address}: {looked}; {verdict}",
        as_json=as_json,
    )


@app.command()
def backup(
    to: Annotated[
        Path,
        typer.Argument(metavar="TO", help="A directory that is not there yet.", show_default=False),
    ],
    data: Data = DEFAULT_DATA,
    store: StoreUrl = None,
    as_json: AsJson = False,
) -> None:
    """Copy the store, as it is at one moment, into a new data directory; a server may run on.

    `kitumaija serve --data TO` goes on from there. The copy holds every secret that the store
    holds, and the organizer's token.
    """
    from kitumaija.server.store import StoreError
    from kitumaija.server.store.backup import back_up

    try:
        copy = back_up(store or data, to, beside=(data / ORGANIZER_TOKEN_FILE,))
    except StoreError as error:
        say(str(error))
        raise typer.Exit(ExitCode.FAILED) from error
    size = copy.stat().st_size
    if as_json:
        print_json({"data": str(to), "file": str(copy), "bytes": size})
    else:
        typer.echo(f"{copy}: {size} bytes; `kitumaija serve --data {to}` goes on from it")


@app.command("rotate-token")
def rotate_token(
    data: Data = DEFAULT_DATA, store: StoreUrl = None, as_json: AsJson = False
) -> None:
    """Replace the organizer's token; the one before opens nothing any more.

    For one that is lost, or that somebody else may have. The server must not run; what was being
    played goes on when it is started again. The token is written to organizer.token in the data
    directory and shown nowhere.
    """
    from kitumaija.server.clock import utc_now
    from kitumaija.server.organizer import replace
    from kitumaija.server.store import Store, StoreError, StoreReader

    file = data / ORGANIZER_TOKEN_FILE
    try:
        # A directory without a store is a mistake, and no reason to make one.
        with StoreReader.open(store or data):
            pass
        with Store.open(store or str(data)) as opened:
            replace(opened, file, secrets.token_bytes, utc_now)
    except StoreError as error:
        say(str(error))
        raise typer.Exit(ExitCode.FAILED) from error
    except OSError as error:
        say(f"{file} cannot be written ({error.strerror}); the token is the one before")
        raise typer.Exit(ExitCode.FAILED) from error
    if as_json:
        print_json({"file": str(file)})
    else:
        typer.echo(f"the organizer's token is another one now; it is in {file}")


def _found(reader: "StoreReader", tally: "Tally") -> "list[Finding]":
    from kitumaija.server.checking import findings, matches_stored

    with (
        reader.read() as tx,
        bar_of_matches(passing=True) as progress,
    ):
        bar = progress.add_task("checking", total=matches_stored(tx))
        return list(findings(tx, tally, looked_at=lambda: progress.advance(bar)))


def _as_json(address: str, tally: "Tally", found: "list[Finding]") -> dict[str, object]:
    return {
        "store": address,
        "clean": not found,
        "checked": {
            "tournaments": tally.tournaments,
            "matches": tally.matches,
            "records": tally.records,
        },
        "findings": [
            {
                "check": finding.check.value,
                "tournament_id": finding.tournament_id,
                "match_id": finding.match_id,
                "sentence": finding.sentence,
            }
            for finding in found
        ],
    }
