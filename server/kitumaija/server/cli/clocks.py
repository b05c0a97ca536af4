"""`kitumaija tournament clocks`: what time was measured of each bot."""

from rich.text import Text

from kitumaija.console.text import counted
from kitumaija.server.cli.connection import connected
from kitumaija.server.cli.output import out, print_json, print_table, table
from kitumaija.server.cli.parameters import (
    DEFAULT_ADDRESS,
    DEFAULT_DATA,
    Address,
    AsJson,
    Data,
    Token,
    TournamentId,
)
from kitumaija.v1 import arena_pb2
from kitumaija.v1 import tournament_pb2 as v1

_KINDS = (
    ("charged", "used"),
    ("beyond its own thinking", "overhead"),
    ("of it the network", "network"),
    ("of it the server", "server"),
)
_TOLD = ("per_decision", "bank", "increment", "margin")


def clocks(
    tournament: TournamentId,
    address: Address = DEFAULT_ADDRESS,
    token: Token = None,
    data: Data = DEFAULT_DATA,
    as_json: AsJson = False,
) -> None:
    """Print how long each bot's decisions took, and whose time it was.

    With a bot's own token, those of that bot. Only finished matches count.
    """
    with connected(address, token, data) as server:
        request = v1.GetClocksRequest(tournament_id=tournament)
        found: v1.GetClocksResponse = server.call(server.tournaments.GetClocks, request)
    if as_json:
        print_json(found)
    else:
        print_clocks(found)


def print_clocks(found: v1.GetClocksResponse) -> None:
    """Print the limits, then a few lines for each bot."""
    out.print(
        Text(
            f"{counted(found.matches, 'finished match', 'finished matches')}, "
            f"{limits_line(found.limits)}"
        )
    )
    for bot in found.bots:
        out.print()
        print_table(
            table(
                ["time", ">decisions", ">p50", ">p90", ">p99", ">max"],
                (_row(name, getattr(bot, field)) for name, field in _KINDS),
                title=_title(bot),
            )
        )
        out.print(Text(f"  {_remark(bot)}"))


def limits_line(limits: arena_pb2.Limits) -> str:
    """The limits of a decision, such as `per_decision 1 s, bank 10 s`."""
    return ", ".join(f"{name} {_time(getattr(limits, name).ToMicroseconds())}" for name in _TOLD)


def _title(bot: v1.BotClocks) -> str:
    if bot.display_name == bot.bot_id:
        return bot.bot_id
    return f"{bot.display_name} [{bot.bot_id}]"


def _row(name: str, times: v1.Distribution) -> list[str]:
    if not times.count:
        return [name, "0", "–", "–", "–", "–"]
    shares = (times.p50_us, times.p90_us, times.p99_us, times.max_us)
    return [name, str(times.count), *map(_time, shares)]


def _remark(bot: v1.BotClocks) -> str:
    retimed = f"{bot.retimed} re-timed"
    if bot.retimed:
        retimed += f" by {_time(bot.retimed_us)} in all"
    return f"{bot.timeouts} ran out of time, {retimed}"


def _time(microseconds: int) -> str:
    if abs(microseconds) < 1_000:
        return f"{microseconds} µs"
    if abs(microseconds) < 1_000_000:
        return f"{microseconds / 1_000:.4g} ms"
    return f"{microseconds / 1_000_000:.4g} s"
