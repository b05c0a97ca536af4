"""What `kitumaija ratings fit --luck` adds: the strengths without the luck of the cards.

What the cards were worth is worked out by the command, from what everybody can read of a tournament
that is over: its master seed, its entrants' entropies, its matches.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from rich.text import Text

from kitumaija.console.text import counted
from kitumaija.engine import Deal, deal_seed
from kitumaija.server.cli.output import out, print_table, table
from kitumaija.server.cli.progress import bar_of_matches
from kitumaija.server.cli.strengths import HEADS, as_dict, cells, print_alike
from kitumaija.server.rating.fit import Cards, Fit
from kitumaija.server.rating.reference import cards_alone
from kitumaija.server.tournament.course import Attempt, deal_id
from kitumaija.v1 import tournament_pb2 as v1
from kitumaija.wire.codec import options_from_message


def deal_of(tournament: v1.Tournament, match: v1.Match) -> Deal:
    """The deal of a match of a tournament that is over."""
    seats = tuple(seat.bot_id for seat in match.seats)
    attempt = Attempt(match.table_size, match.number, match.attempt, seats)
    name = deal_id(tournament.tournament_id, attempt)
    entropies = {entrant.bot_id: entrant.entropy for entrant in tournament.entrants}
    return Deal(
        name,
        deal_seed(tournament.master_seed, name),
        tuple((bot, entropies[bot]) for bot in seats),
    )


def cards_of(tournament: v1.Tournament, played: Iterable[v1.Match]) -> dict[int, Cards]:
    """What the cards of the finished matches were worth, by table size and number.

    The master seed must be public, that is, the tournament over.
    """
    options = options_from_message(tournament.settings.options)
    finished = [match for match in played if match.state == v1.MATCH_STATE_FINISHED]
    found: dict[int, dict[int, Sequence[float]]] = defaultdict(dict)
    with bar_of_matches(passing=True) as progress:
        for match in progress.track(finished, description="reference replays"):
            key = deal_of(tournament, match).key
            worth = cards_alone(key, len(match.seats), options)
            found[match.table_size][match.number] = worth
    return dict(found)


def luck_as_dict(found: Fit) -> dict[str, Any] | None:
    """Everything, as JSON values; None where nothing is known of the cards."""
    if found.luck is None:
        return None
    return {
        "sets": found.luck.sets,
        "coefficient": found.luck.coefficient,
        "explained": found.luck.explained,
        "cards": found.luck.favour,
        **as_dict(found),
    }


def show_luck(found: Fit) -> None:
    """Print it for people."""
    out.print()
    luck = found.luck
    if luck is None:
        out.print(Text("  no set is whole, so nothing can be said of the luck of the cards"))
        return
    print_table(
        table(
            [">#", "bot", *HEADS, ">cards"],
            (
                [
                    str(row.rank),
                    row.bot_id,
                    *cells(row),
                    f"{luck.favour[row.bot_id]:+z.2f}" if row.bot_id in luck.favour else "–",
                ]
                for row in found.rows
            ),
            title=f"without the luck of the cards · {luck.sets} of {counted(found.sets, 'set')}",
        )
    )
    out.print(
        Text(
            f"  a place that the cards are worth makes {luck.coefficient:z.2f} places; without "
            f"them the sets scatter {_less(luck.explained)}"
        )
    )
    print_alike(found)


def _less(explained: float) -> str:
    return f"{abs(explained):.1%} {'less' if explained >= 0 else 'more'}".replace("%", " %")
