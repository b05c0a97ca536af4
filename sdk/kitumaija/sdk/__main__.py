"""``python -m kitumaija.sdk path/to/file.py:Class`` runs a bot, with the standard library alone."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from datetime import timedelta

from kitumaija.sdk.loading import FORMS
from kitumaija.sdk.online import ADDRESS, PATIENCE, TOKEN, run
from kitumaija.wire.limits import DEFAULT_CAPACITY


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the bot that the arguments name; `arguments` default to the process's own."""
    options = _parser().parse_args(arguments)
    run(
        options.bot,
        address=options.address,
        token=options.token,
        capacity=options.capacity,
        version=options.bot_version,
        on_error=options.on_error,
        tls_ca=options.tls_ca,
        tls_cert=options.tls_cert,
        tls_key=options.tls_key,
        patience=timedelta(seconds=options.patience),
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m kitumaija.sdk", description="Play with a bot on a Kitumaija server."
    )
    parser.add_argument("bot", help=f"{FORMS}, or hostile:NAME for one that misbehaves")
    parser.add_argument("--address", help=f"host:port or https://host:port (default: ${ADDRESS})")
    parser.add_argument("--token", help=f"the bot's token (default: ${TOKEN})")
    parser.add_argument(
        "--capacity",
        type=int,
        default=DEFAULT_CAPACITY,
        help="matches at once (default: %(default)s)",
    )
    parser.add_argument("--bot-version", help="default: the class's version")
    parser.add_argument(
        "--on-error",
        choices=("fallback", "raise"),
        default="fallback",
        help="an error in the bot: answer for it and go on (default), or stop",
    )
    parser.add_argument("--tls-ca", metavar="FILE", help="certificates to trust (PEM)")
    parser.add_argument("--tls-cert", metavar="FILE", help="the bot's own certificate (PEM)")
    parser.add_argument("--tls-key", metavar="FILE", help="its key (PEM)")
    parser.add_argument(
        "--patience",
        type=float,
        default=PATIENCE.total_seconds(),
        metavar="SECONDS",
        help="how long the server may be out of reach (default: %(default)g)",
    )
    return parser


if __name__ == "__main__":
    main()
