"""`doublecross account`: people manage an account on a real server."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest
from pyotp import TOTP

from doublecross.server.core.people.accounts import Credential
from doublecross.server.shell.app import DoublecrossServer
from tests.cli.shell import Shell
from tests.protocol.wire import WireClient
from tests.server.shell.accounts.people import GOOD, OTHER, open_server


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.delenv("DOUBLECROSS_TOKEN", raising=False)
    monkeypatch.chdir(tmp_path)


ENGINE = {"name": "edges", "version": "1"}


def shell_of(
    server: DoublecrossServer,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Shell:
    address = server.addresses.http
    assert address is not None
    return Shell("account", capsys, monkeypatch, "--server", address, secrets=(GOOD, OTHER))


async def test_a_person_makes_an_account_and_manages_it_from_two_computers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_server(tmp_path) as server:
        shell = shell_of(server, capsys, monkeypatch)
        assert "keeps no token" in await shell.run("show", code=2)
        assert "is missing" in await shell.run("create Ann", code=2)
        weak = await shell.run("create Ann", "12345678", code=2)
        assert "as a guest now" in weak
        assert "an admin" not in await shell.run("show")
        assert "is an account now" in await shell.run("password", GOOD)
        assert "a person with an account" in await shell.run("show")
        assert "already" in await shell.run("create ANN", GOOD, code=2)

        monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "another computer"))
        for name in ("Ann", "Nobody"):
            wrong = await shell.run(f"login {name}", OTHER, code=2)
            assert wrong.endswith("Error: The name or the password is wrong.")
        assert "Logged in as Ann" in await shell.run("login ann", GOOD)
        rows = json.loads(await shell.run("tokens --json"))
        assert [row["current"] for row in rows].count(True) == 1
        table = await shell.run("tokens")
        assert all(row["token_id"] in table for row in rows)
        assert "current password is wrong" in await shell.run("password", OTHER, OTHER, code=2)
        assert "have ended" in await shell.run("password", GOOD, OTHER)

        monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
        ended = await shell.run("show", code=2)
        assert "doublecross account login" in ended
        accounts = server.authority.store.accounts
        found = await accounts.account_named("Ann")
        assert found is not None
        key = "A" * 32
        app = Credential("x", found.account.account_id, "app", 0, secret=key.encode())
        await accounts.change_credentials([], [app])
        assert "the code" in (await shell.run("login Ann", OTHER, "000", code=2)).lower()
        code = TOTP(key).now()
        assert "Logged in" in await shell.run("login Ann", OTHER, code)
        assert "have ended" in await shell.run("password", OTHER, GOOD)
        assert "Logged out" in await shell.run("logout")
        assert "keeps no token" in await shell.run("show", code=2)
        monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "another computer"))
        assert "had ended already" in await shell.run("logout")


async def test_tokens_and_bots_are_made_used_and_ended(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_server(tmp_path) as server:
        shell = shell_of(server, capsys, monkeypatch)
        await shell.run("create Ann", GOOD)
        for line, says in (
            ("new-token --label cups --scope fly", "no scope 'fly'"),
            ("new-token --label cups --scope play,play", "each scope once"),
            ("new-token --label cups --scope admin", "cannot have the scope admin"),
            ("new-token --label cups --scope play --output no/such/file", "no such folder"),
            ("new-token --label cups --scope bot --for Bob", "no bot called Bob"),
            ("revoke nothing", "no token with that id"),
            ("adopt-bot nothing.token", "cannot be read"),
            ("new-bot @@", "cannot be the name"),
        ):
            assert says in await shell.run(line, code=2)
        text = await shell.run("new-token --label cups --scope organise --output cups.token")
        file = tmp_path / "cups.token"
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert file.read_text().strip() not in text
        token_id = text.split()[-1].rstrip(".")
        limited = await shell.run("show --token-file cups.token")
        assert "with the token of this computer: organise" in limited
        monkeypatch.setenv("DOUBLECROSS_TOKEN", file.read_text())
        assert "with the token of this computer: organise" in await shell.run("show")
        assert "no bot called Bob" in await shell.run(
            "new-token --label x --scope bot --for Bob", code=2
        )
        monkeypatch.delenv("DOUBLECROSS_TOKEN")
        cups = Shell("tournament", capsys, monkeypatch, *shell.options)
        created = await cups.run("create Spring --size 2x2 --token-file cups.token")
        assert "--token-file cups.token" in created
        assert "not both" in await cups.run(
            "create Summer --as Bob --token-file cups.token", code=2
        )
        tournament = created.partition("Tournament ")[2].split()[0]
        assert "--as NAME" in await cups.run(f"end {tournament}", code=2)
        assert "has ended" in await cups.run(f"end {tournament} --token-file cups.token")
        await shell.run(f"revoke {token_id}")
        assert "Log in with" in await shell.run("show --token-file cups.token", code=2)

        text = await shell.run("new-bot Chainer --output chainer.token")
        assert "--token-file chainer.token" in text
        assert "Your bots: Chainer" in await shell.run("show")
        await shell.run("new-token --label second --scope bot --for Chainer --output two.token")
        bot = Shell("bot", capsys, monkeypatch, *shell.options)
        refused = await bot.run("random --wait 0 --token-file two.token --name Other", code=2)
        assert "not both" in refused
        guest = await WireClient.player(server, "Old", kind="bot", engine=ENGINE)
        (tmp_path / "old.json").write_text(json.dumps({"token": guest.received[0]["token"]}))
        assert "Old is a bot that you run" in await shell.run("adopt-bot old.json")
        await guest.close()
