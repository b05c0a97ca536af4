"""`kitumaija tournament …`: one group, its commands in the order of their use."""

import typer

from kitumaija.server.cli import (
    auditing,
    clocks,
    creating,
    rehearsing,
    running,
    scheduling,
    verifying,
    watching,
)

app = typer.Typer(
    no_args_is_help=True,
    help="Tournaments: create, enter bots, start, watch, read the standings, export, verify.",
)

app.command("create")(creating.create)
app.command("schedule")(scheduling.schedule)
app.command("rehearse")(rehearsing.rehearse)
app.command("open")(running.open_entries)
app.command("enter")(running.enter)
app.command("close")(running.close)
app.command("start")(running.start)
app.command("watch")(watching.watch)
app.command("standings")(watching.standings)
app.command("matches")(watching.matches)
app.command("clocks")(clocks.clocks)
app.command("export")(watching.export)
app.command("verify")(verifying.verify)
app.command("list")(watching.list_all)
app.command("show")(watching.show)
app.command("audit")(auditing.audit)
app.command("pause")(running.pause)
app.command("resume")(running.resume)
app.command("cancel")(running.cancel)
app.command("withdraw")(running.withdraw)
app.command("disqualify")(running.disqualify)
app.command("bench")(running.bench)
app.command("return")(running.bring_back)
app.command("void")(running.void)
