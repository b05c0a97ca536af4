"""From an empty server to a tournament whose first matches are offered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from kitumaija.server.choices import IllegalActions
from kitumaija.server.leaks.bots import Player
from kitumaija.server.leaks.plan import Ending, Round
from kitumaija.server.leaks.side import Side
from kitumaija.v1 import arena_pb2, game_pb2
from kitumaija.v1 import tournament_pb2 as v1

TOURNAMENT = "cup"
STARTUP = timedelta(minutes=1)
PER_DECISION = timedelta(minutes=5)
GRACE = timedelta(seconds=5)
"""Only who is to run out of time does: the clock is moved for that alone."""


@dataclass(frozen=True, slots=True)
class Table:
    """A match that is offered."""

    match_id: str
    number: int
    """Its place in the schedule."""
    players: tuple[Player, ...]
    """Its bots, by seat."""


async def opened(
    side: Side, played: Round, hear: Callable[[arena_pb2.ServerMessage | str], None]
) -> tuple[Table, ...]:
    """Open the tournament of a round, and return its matches in the order of the schedule.

    `hear` gets what the watcher is told. Of a bot that is not to be there the stream is gone.
    """
    for number, bot_id in enumerate(played.bots):
        await side.register(bot_id, hear if number == played.watcher else None)
    calls, named = side.tournaments, TOURNAMENT
    settings = tournament_settings(played)
    await side.order(
        calls.CreateTournament, v1.CreateTournamentRequest(tournament_id=named, settings=settings)
    )
    await side.order(calls.OpenTournament, v1.OpenTournamentRequest(tournament_id=named))
    for player in side.players:
        await player.connect(capacity=played.matches)
    first, *others = played.bots
    await side.order(
        calls.EnterTournament,
        v1.EnterTournamentRequest(tournament_id=named, bot_id=first, more_bot_ids=others),
    )
    await _all_gave(side, arena_pb2.ENTROPY_STEP_COMMIT)
    await side.order(calls.CloseTournament, v1.CloseTournamentRequest(tournament_id=named))
    await _all_gave(side, arena_pb2.ENTROPY_STEP_REVEAL)
    wanted = played.matches * played.seats
    if played.ending is Ending.ABSENT:
        absent = side.players[played.victim]
        await absent.close()
        await side.gone(absent)
        wanted -= played.matches
    await side.order(
        calls.StartTournament, v1.StartTournamentRequest(tournament_id=named, allow_absent=True)
    )
    await side.bell.until(
        lambda: sum(len(player.offered) for player in side.players) == wanted,
        "not every match was offered",
    )
    # What is left of the schedule is never begun: what hands were held is hidden while it is.
    await side.order(calls.PauseTournament, v1.PauseTournamentRequest(tournament_id=named))
    return await _tables(side)


def tournament_settings(played: Round) -> v1.TournamentSettings:
    """Return the settings of a round's tournament."""
    options = played.options
    settings = v1.TournamentSettings(
        table_sizes=[played.seats],
        rounds=2,
        max_running_matches=played.matches,
        faults=v1.FaultPolicy(
            illegal_actions=v1.IllegalActions.Value(f"ILLEGAL_ACTIONS_{played.illegal.name}"),
            illegal_retries=1 if played.illegal is IllegalActions.RETRY else 0,
            faults_to_forfeit=1 + played.forgiven,
        ),
        hands_visible=v1.HandsVisible.Value(f"HANDS_VISIBLE_{played.hands_visible.name}"),
        blind=played.blind,
        options=game_pb2.GameOptions(
            free_from_stock=game_pb2.FreeFromStock.Value(
                f"FREE_FROM_STOCK_{options.free_from_stock.name}"
            ),
            pickup=game_pb2.PickUp.Value(f"PICK_UP_{options.pickup.name}"),
            repetition=options.repetition,
            turns_per_player=options.turns_per_player,
            stopped=game_pb2.Stopped.Value(f"STOPPED_{options.stopped.name}"),
            hand_sizes=game_pb2.HandSizes.Value(f"HAND_SIZES_{options.hand_sizes.name}"),
        ),
    )
    for name, limit in (("startup", STARTUP), ("per_decision", PER_DECISION), ("grace", GRACE)):
        getattr(settings.limits, name).FromTimedelta(limit)
    return settings


async def _all_gave(side: Side, step: int) -> None:
    """Wait until every bot has given its entropy and the server has noted it."""
    await side.bell.until(
        lambda: all(step in player.gave for player in side.players),
        "not every bot was asked for its entropy",
    )
    for player in side.players:
        await player.settle()
    await side.app.hall.settle()


async def _tables(side: Side) -> tuple[Table, ...]:
    """Return the matches that run, as the organizer sees them listed."""
    players = {player.bot_id: player for player in side.players}
    request = v1.ListMatchesRequest(tournament_id=TOURNAMENT)
    listed = await side.order(side.tournaments.ListMatches, request)
    return tuple(
        Table(match.match_id, match.number, tuple(players[seat.bot_id] for seat in match.seats))
        for match in sorted(listed.matches, key=lambda match: int(match.number))
    )
