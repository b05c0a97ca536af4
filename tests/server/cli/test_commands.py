"""The organizers' commands against a server that runs as a process."""

from __future__ import annotations

import asyncio
import json
import socket
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from kitumaija.server.__main__ import commands
from kitumaija.server.app import App
from kitumaija.server.settings import ServerSettings
from kitumaija.wire.exits import ExitCode
from tests.support.certificates import make_certificates
from tests.support.processes import ServerProcess, cli


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path_factory.mktemp("server") / "data") as running:
        yield running


def _run(server: ServerProcess, *words: str) -> Result:
    arguments = [*words, "--address", server.address, "--data", str(server.data)]
    return CliRunner().invoke(commands(), arguments)


def test_a_token_is_printed_once_and_alone_on_standard_output(server: ServerProcess) -> None:
    done = _run(server, "bot", "register", "alone")

    assert done.exit_code == ExitCode.OK
    assert len(done.stdout.split()) == 1
    assert done.stdout.strip() not in _run(server, "bot", "list", "--json").stdout


def test_a_token_file_is_for_its_owner_alone_and_never_overwritten(
    server: ServerProcess, tmp_path: Path
) -> None:
    file = tmp_path / "filed.token"

    done = _run(server, "bot", "register", "filed", "--token-file", str(file))

    assert done.exit_code == ExitCode.OK
    token = file.read_text(encoding="utf-8").strip()
    assert token
    assert token not in done.output
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    again = _run(server, "bot", "register", "other", "--token-file", str(file))
    assert again.exit_code == ExitCode.USAGE
    assert file.read_text(encoding="utf-8").strip() == token
    assert "other" not in _run(server, "bot", "list").stdout


def test_enter_names_every_bot_that_is_wrong_and_enters_none(server: ServerProcess) -> None:
    _run(server, "bot", "register", "right")
    _run(server, "tournament", "create", "whole")

    done = _run(server, "tournament", "enter", "whole", "right", "wrong", "worse")

    assert done.exit_code == ExitCode.USAGE
    assert "'wrong'" in done.stderr
    assert "'worse'" in done.stderr
    shown = json.loads(_run(server, "tournament", "show", "whole", "--json").stdout)
    assert shown["entrants"] == []


def test_how_long_a_tournament_can_take_is_printed_before_it_starts(server: ServerProcess) -> None:
    done = _run(server, "tournament", "create", "bounded", "--seats", "3")

    (line,) = [line for line in done.stdout.splitlines() if line.startswith("longest tournament")]
    assert "however slow its bots are, with 3 entrants" in line


def test_a_name_with_commas_and_newlines_survives_json(server: ServerProcess) -> None:
    name = 'Åke, "the\u2028second"'
    _run(server, "bot", "register", "named", "--name", name)

    bots = json.loads(_run(server, "bot", "list", "--json").stdout)["bots"]

    assert {bot["bot_id"]: bot["display_name"] for bot in bots}["named"] == name


def test_creating_prints_every_setting_with_its_value(server: ServerProcess) -> None:
    done = _run(
        server,
        *("tournament", "create", "printed", "--limit", "bank=7s", "--option", "pickup=always"),
    )

    assert done.exit_code == ExitCode.OK
    lines = {" ".join(line.split()) for line in done.stdout.splitlines()}
    assert {"limits.bank 7 s", "limits.startup 30 s", "options.pickup always"} <= lines
    assert any(line.startswith("longest match ") for line in lines)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("tournament", "show", "nobody"), ExitCode.USAGE),
        (("tournament", "create", "Not An Id"), ExitCode.USAGE),
        (("tournament", "create", "x", "--seats", "11"), ExitCode.USAGE),
        (("tournament", "create", "x", "--option", "turns_per_player=0"), ExitCode.USAGE),
        (("bot", "register", "y", "--token", "wrong"), ExitCode.REFUSED),
        (("tournament", "create", "taken"), ExitCode.REFUSED),
        (("ratings", "fit", "taken", "--luck"), ExitCode.REFUSED),
        (("tournament", "open", "taken"), ExitCode.REFUSED),
        (("tournament", "resume", "taken"), ExitCode.REFUSED),
    ],
)
def test_a_refusal_is_one_line_and_an_exit_code(
    server: ServerProcess, words: tuple[str, ...], code: ExitCode
) -> None:
    # Made by whichever of these comes first; to the others it is refused, which does no harm.
    _run(server, "tournament", "create", "taken")

    done = _run(server, *words)

    assert done.exit_code == code
    assert done.stdout == ""
    assert len(done.stderr.strip().splitlines()) == 1
    assert done.stderr.startswith("kitumaija: ")


def test_a_tournament_with_too_few_entrants_does_not_start_and_says_why(
    server: ServerProcess,
) -> None:
    _run(server, "bot", "register", "lonely")
    _run(server, "tournament", "create", "small")
    _run(server, "tournament", "enter", "small", "lonely")

    done = _run(server, "tournament", "start", "small")

    assert done.exit_code == ExitCode.REFUSED
    assert "1" in done.stderr
    assert "2" in done.stderr


def test_a_start_that_is_refused_leaves_the_entries_open(server: ServerProcess) -> None:
    for bot in ("early", "bird"):
        _run(server, "bot", "register", bot)
    _run(server, "tournament", "create", "soon")
    said = ""
    for entered in ("early", "bird"):
        _run(server, "tournament", "enter", "soon", entered)
        refused = _run(server, "tournament", "start", "soon")

        assert refused.exit_code == ExitCode.REFUSED
        said = refused.stderr
        shown = json.loads(_run(server, "tournament", "show", "soon", "--json").stdout)
        assert shown["state"] == "TOURNAMENT_STATE_OPEN"

    assert "early, bird" in said


def test_an_export_to_where_nothing_can_be_written_is_said_in_words(
    server: ServerProcess, tmp_path: Path
) -> None:
    _run(server, "tournament", "create", "lost")
    _run(server, "tournament", "cancel", "lost")

    done = _run(server, "tournament", "export", "lost", "--to", str(tmp_path / "no" / "t.zip"))

    assert done.exit_code == ExitCode.USAGE
    assert "--to" in done.stderr


def test_an_export_never_replaces_a_file_unasked(server: ServerProcess, tmp_path: Path) -> None:
    file = tmp_path / "t.zip"
    file.write_bytes(b"precious")

    done = _run(server, "tournament", "export", "printed", "--to", str(file))

    assert done.exit_code == ExitCode.USAGE
    assert file.read_bytes() == b"precious"


def test_an_export_says_in_json_what_it_wrote(server: ServerProcess, tmp_path: Path) -> None:
    file = tmp_path / "over.zip"
    _run(server, "tournament", "create", "over")
    _run(server, "tournament", "cancel", "over")

    done = _run(server, "tournament", "export", "over", "--to", str(file), "--json")

    assert json.loads(done.stdout) == {"file": str(file), "bytes": file.stat().st_size}


def test_an_export_that_fails_leaves_no_file(server: ServerProcess, tmp_path: Path) -> None:
    done = _run(server, "tournament", "export", "nobody", "--to", str(tmp_path / "t.zip"))

    assert done.exit_code == ExitCode.USAGE
    assert list(tmp_path.iterdir()) == []


async def test_a_server_that_wants_certificates_is_reached_with_one(tmp_path: Path) -> None:
    made_of = make_certificates(tmp_path / "certs")
    data = tmp_path / "data"
    app = App(
        ServerSettings.load(
            data=data,
            port=0,
            tls_cert=made_of.cert,
            tls_key=made_of.key,
            tls_client_ca=made_of.ca,
        )
    )
    await app.start()
    try:
        words = ("--address", f"https://localhost:{app.port}", "--data", str(data))
        trusting = {
            "KITUMAIJA_TLS_CA": str(made_of.ca),
            "KITUMAIJA_CLIENT_CERT": str(made_of.client_cert),
            "KITUMAIJA_CLIENT_KEY": str(made_of.client_key),
        }
        made = await asyncio.to_thread(cli, "bot", "register", "a", *words, environment=trusting)
        listed = await asyncio.to_thread(cli, "bot", "list", *words, environment=trusting)
    finally:
        await app.stop()

    assert made.returncode == ExitCode.OK, made.stderr
    assert listed.returncode == ExitCode.OK, listed.stderr
    assert "a" in listed.stdout.split()


@pytest.mark.parametrize("address", ["ftp://localhost:4800", "https://localhost:4800"])
def test_an_address_that_cannot_be_dialled_is_a_wrong_call(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KITUMAIJA_TLS_CA", "no-such-file.pem")

    done = CliRunner().invoke(commands(), ["bot", "list", "--address", address])

    assert done.exit_code == ExitCode.USAGE


def test_a_certificate_without_its_key_is_a_wrong_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate = tmp_path / "client.pem"
    certificate.touch()
    monkeypatch.setenv("KITUMAIJA_CLIENT_CERT", str(certificate))

    done = CliRunner().invoke(commands(), ["bot", "list", "--address", "https://localhost:4800"])

    assert done.exit_code == ExitCode.USAGE
    assert "KITUMAIJA_CLIENT_KEY" in done.stderr


def test_a_server_that_is_not_there_is_said_in_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
    done = CliRunner().invoke(commands(), ["bot", "list", "--address", address])

    assert done.exit_code == ExitCode.UNREACHABLE
    assert "kitumaija serve" in done.stderr


def test_a_second_server_on_the_same_data_is_refused_in_one_line(server: ServerProcess) -> None:
    done = cli("serve", "--port", "0", "--data", str(server.data))

    assert done.returncode == ExitCode.FAILED
    assert len(done.stderr.strip().splitlines()) == 1


def test_a_taken_port_is_said_in_one_line(server: ServerProcess, tmp_path: Path) -> None:
    port = server.address.rpartition(":")[2]

    done = cli("serve", "--port", port, "--data", str(tmp_path / "data"), "--log-level", "error")

    assert done.returncode == ExitCode.FAILED
    assert port in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_settings_that_cannot_be_are_said_in_one_line(tmp_path: Path) -> None:
    done = cli("serve", "--host", "0.0.0.0", "--data", str(tmp_path / "data"))

    assert done.returncode == ExitCode.USAGE
    assert "insecure_bind" in done.stderr


def test_a_command_without_the_organizers_token_says_where_it_looked(
    server: ServerProcess, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    words = ["bot", "register", "tokenless", "--address", server.address, "--data", str(elsewhere)]

    done = CliRunner().invoke(commands(), words)

    assert done.exit_code == ExitCode.REFUSED
    assert f"there is none in {elsewhere}" in done.stderr
    assert "--token" in done.stderr


##### A tournament is a file #####


def test_a_tournament_is_a_file_and_the_command_line_stands_in_its_place(
    server: ServerProcess, tmp_path: Path
) -> None:
    for bot in ("filed-ann", "filed-bob"):
        _run(server, "bot", "register", bot)
    file = tmp_path / "cup.toml"
    file.write_text(
        'id = "filed"\ntitle = "The cup"\nentrants = ["filed-ann", "filed-bob"]\nrounds = 3\n'
        'blind = true\nlimits = { bank = "2s", margin = "20ms" }\noptions.pickup = "always"\n'
        "entries_per_owner = 5\n"
    )

    done = _run(
        server,
        *("tournament", "create", "--file", str(file), "--limit", "bank=7s", "--no-blind"),
        *("--json",),
    )

    assert done.exit_code == ExitCode.OK, done.output
    made = json.loads(done.stdout)
    assert (made["tournament_id"], made["title"]) == ("filed", "The cup")
    assert [one["bot_id"] for one in made["entrants"]] == ["filed-ann", "filed-bob"]
    settings = made["settings"]
    assert (settings["rounds"], settings["blind"]) == (3, False)
    assert (settings["limits"]["bank"], settings["limits"]["margin"]) == ("7s", "0.020s")
    assert settings["options"]["pickup"] == "PICK_UP_ALWAYS"


def test_what_is_explained_is_a_file_that_makes_the_tournament_it_explains(
    server: ServerProcess, tmp_path: Path
) -> None:
    explained = _run(server, "tournament", "create", "plain", "--explain", "--rounds", "4")
    file = tmp_path / "plain.toml"
    file.write_text(explained.stdout, encoding="utf-8")

    done = _run(server, "tournament", "create", "--file", str(file), "--json")

    _run(server, "tournament", "create", "default", "--rounds", "4")
    default = json.loads(_run(server, "tournament", "show", "default", "--json").stdout)
    assert json.loads(done.stdout)["settings"] == default["settings"]


def test_everything_that_is_wrong_with_file_and_options_is_told_and_nothing_is_made(
    server: ServerProcess, tmp_path: Path
) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text('id = "wrong"\nround = 3\nblind = 1\n')

    done = _run(server, "tournament", "create", "--file", str(file), "--rounds", "0")

    assert done.exit_code == ExitCode.USAGE
    first, second, third = done.stderr.splitlines()
    assert first == f"kitumaija: {file}: round: there is no such key; the nearest is rounds"
    assert second.startswith(f"kitumaija: {file}: blind: got 1, wanted true or false")
    assert third.startswith("kitumaija: rounds: got 0, wanted a whole number")
    assert _run(server, "tournament", "show", "wrong").exit_code == ExitCode.USAGE


def test_of_entrants_who_cannot_enter_none_does_and_what_is_made_is_said(
    server: ServerProcess, tmp_path: Path
) -> None:
    _run(server, "bot", "register", "known")
    file = tmp_path / "half.toml"
    file.write_text('id = "half"\nentrants = ["known", "unknown"]\n')

    done = _run(server, "tournament", "create", "--file", str(file))

    assert done.exit_code == ExitCode.USAGE
    assert "half is made and open, and has no entrants yet" in done.stderr
    assert "'unknown'" in done.stderr
    shown = json.loads(_run(server, "tournament", "show", "half", "--json").stdout)
    assert (shown["state"], shown["entrants"]) == ("TOURNAMENT_STATE_OPEN", [])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "the tournament has no id"),
        (("--file", "nowhere.toml"), "nowhere.toml cannot be read"),
        (("drafted", "--draft", "--file", "FILE"), "a draft takes no entrants"),
        (("cup", "--title", "two\nlines"), "title: got"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_with_what_to_do(
    server: ServerProcess, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    file = tmp_path / "entrants.toml"
    file.write_text('entrants = ["ann"]\n')

    done = _run(server, "tournament", "create", *(str(file) if w == "FILE" else w for w in words))

    assert done.exit_code == ExitCode.USAGE
    assert said in done.stderr
