"""`doublecross admin`: a host and an admin manage a real server."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from doublecross.cli.main import main
from doublecross.cli.shared.server_files.bot_tokens import token_folder
from doublecross.cli.shared.server_files.host_file import HOST_FILE
from doublecross.client.private import write_private
from doublecross.server.shell.app import DoublecrossServer
from tests.cli.shell import Shell
from tests.protocol.wire import WireClient
from tests.server.shell.accounts.people import GOOD, member
from tests.server.shell.admin.hosting import TOKEN, hosted

SMALL = {"game": "dots-and-boxes", "params": {"rows": 1, "cols": 1}}


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("DOUBLECROSS_TOKEN", raising=False)
    monkeypatch.delenv("DOUBLECROSS_DATABASE", raising=False)
    monkeypatch.chdir(tmp_path)


def write_host_file(server: DoublecrossServer, folder: Path, token: str = TOKEN) -> str:
    """Write what a server leaves beside its database; return the database."""
    database = str(folder / "games.db")
    path = token_folder(database) / HOST_FILE
    path.parent.mkdir(exist_ok=True)
    write_private(path, json.dumps({"http": server.addresses.http, "token": token}))
    return database


async def test_a_host_sees_and_manages_the_players(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with hosted(tmp_path) as (server, _):
        database = write_host_file(server, tmp_path)
        shell = Shell("admin", capsys, monkeypatch, "--database", database, secrets=(TOKEN, GOOD))
        assert "No room is open" in await shell.run("list rooms")
        assert "Nobody is banned" in await shell.run("list bans")
        assert "no list of 'cats'" in await shell.run("list cats", code=2)
        bob = await WireClient.player(server, "Bob")
        ann = await member(server)
        await bob.ask({"type": "create_room", "settings": SMALL, "key": "k"})
        players = json.loads(await shell.run("list players --json"))
        assert [each["name"] for each in players] == ["Bob"]
        room = players[0]["rooms"][0]
        assert room in await shell.run("list players")
        assert f"{room} waiting dots-and-boxes 1x1 0 Bob" in await shell.run("list rooms")
        assert "Ann person yes" in await shell.run("list accounts --search an")

        assert "Add --yes" in await shell.run(f"close-room {room}", code=2)
        assert "closed" in await shell.run(f"close-room {room} --yes --reason stuck")
        assert "1 player can read it" in await shell.run("announce Soon --minutes 5")
        assert "In play: 0 games" in await shell.run("drain")
        assert "begin again" in await shell.run("drain --off")

        for line, says in (
            ("ban Bob --for 3x --yes", "is no time"),
            ("ban Bob --for 0h --yes", "is no time"),
            ("ban 300.1.1.1 --address --yes", "no address"),
            ("kick Nobody --yes", "Nobody"),
            ("unban nothing", "ban"),
            ("grant @@ --yes", "cannot be the name"),
            ("rename Bob Ann --yes", "Ann"),
            ("delete-player Nobody --yes", "Nobody"),
            ("player-data Ann --output no/such/file", "no such folder"),
        ):
            assert says in await shell.run(line, code=2), line
        assert "has ended" in await shell.run("kick Bob --yes")
        assert "Bob is banned until" in await shell.run("ban Bob --for 3d --yes --reason insults")
        bans = json.loads(await shell.run("list bans --json"))
        assert "insults" in await shell.run("list bans")
        assert "lifted" in await shell.run(f"unban {bans[0]['ban_id']}")
        assert "for good" in await shell.run("ban 192.0.2.7 --address --yes")

        assert "Bob is Robert now" in await shell.run("rename Bob Robert --yes")
        assert "an admin now" in await shell.run("grant Ann --yes")
        assert f"{server.addresses.http}/account#reset=" in await shell.run("password Ann --yes")
        assert "alone now" in await shell.run("end-second-factor Ann --yes")
        assert "have ended" in await shell.run("end-tokens Ann --yes")
        assert await ann.refused("account", "bad_token")
        assert "0 games" in await shell.run("player-data Robert --output robert.json")
        assert stat.S_IMODE((tmp_path / "robert.json").stat().st_mode) == 0o600
        assert json.loads((tmp_path / "robert.json").read_text())["player"]["name"] == "Robert"
        assert "Robert is deleted" in await shell.run("delete-player Robert --yes")

        log = json.loads(await shell.run("audit --limit 1000 --json"))
        assert {"rename", "ban", "grant"} <= {each["action"] for each in log}
        assert "host" in await shell.run("audit --limit 1")
        await bob.close()


async def test_only_an_admin_manages_a_server_elsewhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with hosted(tmp_path) as (server, host):
        ann = await member(server)
        address = server.addresses.http
        assert address is not None
        shell = Shell("admin", capsys, monkeypatch, "--server", address, secrets=(ann.secret,))
        assert "needs the token of an admin" in await shell.run("list", code=2)
        assert "not both" in await shell.run("list --database a.db", code=2)
        (tmp_path / "ann.token").write_text(ann.secret)
        (tmp_path / "empty.token").write_text("")
        assert "new-token" in await shell.run("list --token-file ann.token", code=2)
        assert "has no token" in await shell.run("list --token-file empty.token", code=2)
        (tmp_path / "old.token").write_text("a-token-that-has-ended")
        assert "does not know this token" in await shell.run("list --token-file old.token", code=2)
        await host.ask("admin/grant", body={"player": "Ann", "admin": True})
        assert "No such player" in await shell.run("list --token-file ann.token")
        monkeypatch.setenv("DOUBLECROSS_TOKEN", ann.secret)
        assert "Loop lag" in await shell.run("top --once")

        # On the server's machine: a file of an earlier start, then a damaged one, then none.
        here = Shell("admin", capsys, monkeypatch, "--database", str(tmp_path / "games.db"))
        database = write_host_file(server, tmp_path, token="another one")
        assert "does not run" in await here.run("top --once", code=1)
        (token_folder(database) / HOST_FILE).write_text("{}")
        assert "is damaged" in await here.run("list", code=2)
        (token_folder(database) / HOST_FILE).unlink()
        assert "No server runs on" in await here.run("list", code=2)


def test_a_server_that_has_stopped_and_wrong_settings_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = token_folder(str(tmp_path / "games.db"))
    folder.mkdir()
    (folder / HOST_FILE).write_text('{"http": "http://127.0.0.1:1", "token": "x"}')
    (tmp_path / "a.toml").write_text('database = "games.db"\nport = -1\n')
    for more, code, says in (
        (("--database", str(tmp_path / "games.db")), 1, "start it with doublecross serve"),
        (("--settings", "a.toml"), 2, "a.toml line 2"),
        (("--token-file", "a.toml"), 2, "add --server"),
    ):
        assert main(["admin", "list", *more]) == code
        assert says in " ".join(capsys.readouterr().err.split())
