"""`kitumaija bench`: how fast a server is on this machine."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.table import Table

from kitumaija.server.cli.connection import say
from kitumaija.server.cli.output import err, out, print_json, print_table, table
from kitumaija.server.cli.parameters import AsJson
from kitumaija.wire.exits import ExitCode

if TYPE_CHECKING:
    from kitumaija.server.bench.results import Measured, Spread
    from kitumaija.server.bench.scenarios import Scenario

app = typer.Typer(
    help="Measure how fast a server is on this machine, beside a bare echo.", no_args_is_help=True
)

_HEADS = {
    "per_second": "decisions/s",
    "games_per_second": "games/s",
    "p50_ms": "p50 ms",
    "p99_ms": "p99 ms",
    "cpu_us": "µs of CPU each",
    "decisions_a_frame": "a frame",
    "mib": "MiB",
    "welcomed_percent": "% welcomed",
    "arrivals_per_second": "arrivals/s",
    "kib_each": "KiB each",
    "core_percent": "% of a core",
}
"""The figures that are printed, with their heads; all are in the JSON."""
_SMOKE = {"bots": 10, "seconds": 0.3, "warm_up": 0.2, "turns": 1}


@app.command("run")
def run_scenarios(
    only: Annotated[
        list[str] | None,
        typer.Option("--only", help="A scenario (`kitumaija bench list`); may be given again."),
    ] = None,
    bots: Annotated[int, typer.Option(min=2, help="How many bots, where many are meant.")] = 100,
    turns: Annotated[int, typer.Option(min=1, help="How often each side is measured.")] = 5,
    seconds: Annotated[float, typer.Option(min=0.1, help="How long a side is measured.")] = 5.0,
    warm_up: Annotated[float, typer.Option(min=0.0, help="How long it plays before that.")] = 2.0,
    smoke: Annotated[
        bool, typer.Option("--smoke", help="A look at whether all of it runs; no figures to keep.")
    ] = False,
    to: Annotated[Path | None, typer.Option("--out", help="Keep the result as JSON.")] = None,
    as_json: AsJson = False,
) -> None:
    """Measure, in turns, and print medians with the lowest and the highest.

    A machine that does something else meanwhile measures that too. Only what was measured within
    one run can be compared, so the ratios are what counts.
    """
    import grpc

    from kitumaija.server.bench.processes import BenchError
    from kitumaija.server.bench.running import chosen, measure, whole
    from kitumaija.server.bench.sides import Scale, Times

    try:
        scenarios = chosen(only or [])
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error
    if smoke:
        bots, turns = int(_SMOKE["bots"]), int(_SMOKE["turns"])
        seconds, warm_up = _SMOKE["seconds"], _SMOKE["warm_up"]
    scale = Scale(bots, Times(seconds, warm_up))
    at = datetime.now(tz=UTC)

    def begun(scenario: "Scenario", turn: int) -> None:
        say(f"turn {turn + 1} of {turns}: {scenario.name}")

    try:
        measured = measure(scenarios, scale, turns, begun=begun)
    except BenchError as error:
        err.print(str(error), soft_wrap=True)
        raise typer.Exit(ExitCode.FAILED) from error
    except grpc.RpcError as error:
        err.print(f"the server refused what was to be measured: {error}", soft_wrap=True)
        raise typer.Exit(ExitCode.FAILED) from error
    result = whole(measured, scale, turns, at)
    if to is not None:
        to.write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    if as_json:
        print_json(result)
    else:
        _print(result["machine"], measured)


@app.command("list")
def list_scenarios(as_json: AsJson = False) -> None:
    """Print what can be measured."""
    from kitumaija.server.bench.scenarios import SCENARIOS

    if as_json:
        print_json([{"name": one.name, "title": one.title} for one in SCENARIOS])
        return
    print_table(table(("scenario", "what"), [(one.name, one.title) for one in SCENARIOS]))


@app.command("compare")
def compare(before: Path, after: Path, as_json: AsJson = False) -> None:
    """Print what two results that were kept have in common, and how it changed."""
    from kitumaija.server.bench.comparing import NoResult, changes, load

    try:
        found = list(changes(load(before), load(after)))
    except NoResult as error:
        raise typer.BadParameter(str(error)) from error
    if as_json:
        print_json(
            [
                {
                    "scenario": change.scenario,
                    "what": change.what,
                    "before": change.before.as_dict(),
                    "after": change.after.as_dict(),
                    "apart": change.apart,
                }
                for change in found
            ]
        )
        return
    rows = [
        (
            change.scenario,
            change.what,
            _spread(change.before),
            _spread(change.after),
            "apart" if change.apart else "",
        )
        for change in found
    ]
    print_table(table(("scenario", "figure", ">before", ">after", ""), rows))


@app.command("plot")
def plot_curve(
    result: Path, to: Annotated[Path, typer.Option("--out", help="The SVG to write.")]
) -> None:
    """Draw throughput and latency by load, of a result with the scenario load-curve."""
    from kitumaija.server.bench.comparing import NoResult, load
    from kitumaija.server.bench.plot import plot

    try:
        drawn = plot(load(result))
    except (NoResult, ValueError) as error:
        raise typer.BadParameter(str(error)) from error
    to.write_text(drawn, encoding="utf-8")


def _print(machine: "dict[str, Any]", measured: "list[Measured]") -> None:
    out.print(
        f"{machine['cpu']}, {machine['cores']} cores, Python {machine['python']}, "
        + ", ".join(
            f"{name} {version}" for name, version in machine["versions"].items() if version
        ),
        soft_wrap=True,
    )
    for found in measured:
        out.print()
        print_table(_sides(found))
        if found.scenario.ratios:
            print_table(_ratios(found))


def _sides(found: "Measured") -> Table:
    sides = found.sides()
    names = [name for name in _HEADS if any(name in figures for figures in sides.values())]
    rows = [
        (side, *(_spread(figures[name]) if name in figures else "" for name in names))
        for side, figures in sides.items()
    ]
    heads = ("side", *(f">{_HEADS[name]}" for name in names))
    return table(heads, rows, title=f"{found.scenario.name}: {found.scenario.title}")


def _ratios(found: "Measured") -> Table:
    rows = [
        (
            f"{ratio.what}: {ratio.of} {'−' if ratio.difference else '/'} {ratio.to}",
            _spread(found.ratio(ratio)),
        )
        for ratio in found.scenario.ratios
    ]
    return table(("ratio of one turn", ">median [lowest, highest]"), rows)


def _spread(spread: "Spread") -> str:
    """The median; behind it lowest and highest, if there was more than one turn."""
    if spread.low == spread.high:
        return f"{spread.median:,.4g}"
    return f"{spread.median:,.4g} [{spread.low:,.4g}, {spread.high:,.4g}]"
