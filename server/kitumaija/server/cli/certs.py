"""`kitumaija certs dev`: certificates to try TLS with."""

from datetime import timedelta
from pathlib import Path
from typing import Annotated

import typer

from kitumaija.server.cli.connection import say
from kitumaija.server.cli.output import print_json
from kitumaija.server.cli.parameters import TLS_CA, AsJson
from kitumaija.wire.exits import ExitCode

app = typer.Typer(no_args_is_help=True, help="Certificates for TLS on machines of your own.")


@app.callback()
def _certs() -> None:
    """Certificates for TLS on machines of your own."""


@app.command()
def dev(
    directory: Annotated[
        Path,
        typer.Argument(
            metavar="DIR", help="Where to write; made if it is not there.", show_default=False
        ),
    ],
    name: Annotated[
        list[str] | None,
        typer.Option(
            "--name",
            help="A host name or address of the server, as its clients dial it; may be given more "
            "than once. This machine's if left out.",
        ),
    ] = None,
    days: Annotated[int, typer.Option(min=1, max=3650, help="How long they are good for.")] = 90,
    as_json: AsJson = False,
) -> None:
    """Make an authority, a certificate that it signed for a server, and one for its clients.

    Nothing is written over. The authority's key is not kept, so these stay the only certificates
    that it ever signed: to be trusted by bots of your own, and by nobody's browser.
    """
    from kitumaija.server.clock import utc_now
    from kitumaija.server.devcerts import (
        CA,
        CERT,
        CLIENT_CERT,
        CLIENT_KEY,
        FILES,
        KEY,
        LOCAL_NAMES,
        NotMade,
        make,
    )

    names = name or list(LOCAL_NAMES)
    try:
        make(directory, names, timedelta(days=days), utc_now())
    except NotMade as error:
        say(str(error))
        raise typer.Exit(ExitCode.USAGE) from error
    if as_json:
        print_json(
            {
                "names": names,
                "days": days,
                "files": [str(directory / one) for one in FILES],
            }
        )
        return
    typer.echo(
        f"the server: kitumaija serve --tls-cert {directory / CERT} --tls-key {directory / KEY}\n"
        f"its bots: kitumaija bot run BOT --address https://{names[0]}:PORT"
        f" --tls-ca {directory / CA}\n"
        f"its commands: {TLS_CA}={directory / CA} kitumaija tournament ...\n"
        f"where clients have to show a certificate too: kitumaija serve --tls-client-ca"
        f" {directory / CA}, and --tls-cert {directory / CLIENT_CERT}"
        f" --tls-key {directory / CLIENT_KEY} for bots"
    )
