"""`kitumaija serve`: run a server."""

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from kitumaija.server.choices import DEFAULT_PORT, Durability, LogFormat, LogLevel
from kitumaija.server.cli.parameters import AsJson

if TYPE_CHECKING:
    from kitumaija.server.app import App


def serve(
    config: Annotated[
        Path | None, typer.Option("--config", help="A TOML file of settings.", show_default=False)
    ] = None,
    host: Annotated[
        str | None, typer.Option(help="The address to listen on; 127.0.0.1 if left out.")
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(help=f"The port; 0 takes a free one, {DEFAULT_PORT} if left out."),
    ] = None,
    data: Annotated[
        Path | None, typer.Option("--data", help="The data directory; kitumaija-data if left out.")
    ] = None,
    store: Annotated[
        str | None,
        typer.Option(
            help="The database as an SQLAlchemy URL; SQLite in the data directory if left out."
        ),
    ] = None,
    durability: Annotated[
        Durability | None,
        typer.Option(
            help="What a crash of the machine may cost; full, which is nothing, if left out."
        ),
    ] = None,
    log_level: Annotated[
        LogLevel | None, typer.Option(help="From which level on to log; info if left out.")
    ] = None,
    log_format: Annotated[
        LogFormat | None, typer.Option(help="How log lines look; console if left out.")
    ] = None,
    metrics_port: Annotated[
        int | None,
        typer.Option(
            help="Show numbers for Prometheus at http://127.0.0.1:PORT/metrics; 0 takes a free "
            "port; none are shown if left out."
        ),
    ] = None,
    tls_cert: Annotated[
        Path | None,
        typer.Option(
            "--tls-cert",
            metavar="FILE",
            help="The certificate chain to show, PEM; read again when it changes.",
            show_default=False,
        ),
    ] = None,
    tls_key: Annotated[
        Path | None,
        typer.Option(
            "--tls-key", metavar="FILE", help="The certificate's key, PEM.", show_default=False
        ),
    ] = None,
    tls_client_ca: Annotated[
        Path | None,
        typer.Option(
            "--tls-client-ca",
            metavar="FILE",
            help="The authorities, PEM, whose certificates clients have to show; none if left out.",
            show_default=False,
        ),
    ] = None,
    insecure_bind: Annotated[
        bool,
        typer.Option(
            "--insecure-bind", help="Listen without TLS where others can reach it: not safe."
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Run a server until it is stopped; a tournament that was running goes on.

    Each option is also a key of the TOML file and a variable KITUMAIJA_NAME; the option wins over
    the variable, the variable over the file.
    """
    from kitumaija.server.descriptors import raise_limit
    from kitumaija.server.serving import serve as run_server
    from kitumaija.server.settings import ServerSettings, SettingsError

    try:
        settings = ServerSettings.load(
            config,
            host=host,
            port=port,
            data=data,
            store=store,
            durability=durability,
            log_level=log_level,
            log_format=log_format,
            metrics_port=metrics_port,
            tls_cert=tls_cert,
            tls_key=tls_key,
            tls_client_ca=tls_client_ca,
            insecure_bind=insecure_bind or None,
        )
    except SettingsError as error:
        raise typer.BadParameter(str(error)) from error

    warning = raise_limit()
    if warning is not None:
        typer.echo(f"kitumaija: {warning}", err=True)

    def ready(app: "App") -> None:
        if as_json:
            line: dict[str, object] = {
                "address": app.address,
                "data": str(settings.data),
                "pid": os.getpid(),
            }
            if app.metrics_port is not None:
                line["metrics_port"] = app.metrics_port
            typer.echo(json.dumps(line))
        else:
            typer.echo(
                f"serving at {app.address}; data and the organizer's token are in {settings.data}"
            )
            if app.metrics_port is not None:
                typer.echo(f"metrics at http://{settings.metrics_host}:{app.metrics_port}/metrics")

    raise typer.Exit(run_server(settings, ready))
