"""The lifecycle of a tournament, cell by cell."""

from __future__ import annotations

from pathlib import Path

import pytest

from kitumaija.server.tournament.lifecycle import Command, State, WrongState, after, has_started

DOCUMENT = Path(__file__).parents[3] / "server" / "docs" / "tournaments.md"

#           DRAFT      OPEN       CLOSED     RUNNING    PAUSED     FINISHED   CANCELLED
TABLE = """
open        open       -          -          -          -          -          -
enter       -          open       -          -          -          -          -
enter_late  -          -          -          running    paused     -          -
close       -          closed     -          -          -          -          -
start       -          -          running    -          -          -          -
pause       -          -          -          paused     -          -          -
resume      -          -          -          -          running    -          -
cancel      cancelled  cancelled  cancelled  cancelled  cancelled  -          -
withdraw    -          open       closed     running    paused     -          -
disqualify  -          open       closed     running    paused     -          -
bench       -          -          -          running    paused     -          -
return      -          -          -          running    paused     -          -
void        -          -          -          running    paused     -          -
complete    -          -          -          finished   finished   -          -
"""
CELLS = [
    (state, Command(name), target)
    for name, *targets in (line.split() for line in TABLE.strip().splitlines())
    for state, target in zip(State, targets, strict=True)
]


def test_the_table_of_this_test_has_every_cell() -> None:
    assert len({(state, command) for state, command, _ in CELLS}) == len(State) * len(Command)


@pytest.mark.parametrize(("state", "command", "target"), CELLS)
def test_a_command_leads_where_the_table_says_or_is_refused(
    state: State, command: Command, target: str
) -> None:
    if target != "-":
        assert after(state, command) is State(target)
        return
    with pytest.raises(WrongState) as refused:
        after(state, command)
    assert refused.value.state is state
    assert refused.value.command is command
    wanted = [place for place, told, leads in CELLS if told is command and leads != "-"]
    assert list(refused.value.wanted) == wanted
    assert str(refused.value).startswith(f"it is {state} ")


@pytest.mark.parametrize(
    ("state", "command", "said"),
    [
        (State.RUNNING, Command.START, "^it is running already; watch it, or pause it$"),
        (State.PAUSED, Command.START, "cannot be started: it has started and pauses; resume it"),
        (State.RUNNING, Command.CLOSE, "cannot be closed: it has started already"),
        (State.DRAFT, Command.START, "cannot be started: it must be closed"),
        (State.OPEN, Command.START, "cannot be started: it must be closed"),
        (State.CLOSED, Command.CLOSE, "^it is closed already$"),
        (State.RUNNING, Command.RESUME, "^it is running already$"),
        (State.FINISHED, Command.VOID, "cannot have a match declared void: what is over stays"),
        (State.OPEN, Command.BENCH, "put on the bench: it must be running or paused"),
        (State.CLOSED, Command.ENTER, "cannot have a bot entered: it must be open"),
    ],
)
def test_a_refusal_says_why_and_what_to_do_instead(
    state: State, command: Command, said: str
) -> None:
    with pytest.raises(WrongState, match=said):
        after(state, command)


def test_the_document_has_the_same_table() -> None:
    rows = [line.strip("| ").split("|") for line in DOCUMENT.read_text("utf-8").splitlines()]
    cells = [[cell.strip().replace("–", "-") for cell in row] for row in rows if len(row) == 8]
    documented = {row[0].replace("(all is settled)", "complete"): row[1:] for row in cells[1:]}
    assert documented == {
        name: targets for name, *targets in map(str.split, TABLE.strip().splitlines())
    }


def test_only_what_was_started_counts_as_started() -> None:
    assert {state for state in State if has_started(state)} == {
        State.RUNNING,
        State.PAUSED,
        State.FINISHED,
    }
