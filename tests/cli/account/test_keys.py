"""Tests for keys, and for signing and checking records on the command line and over HTTP."""

from __future__ import annotations

import asyncio
import json
import stat
from pathlib import Path

import pytest

from doublecross.cli.main import main
from doublecross.games.record import parse_records
from doublecross.server.shell.push import public_key, read_key
from tests.protocol.wire import serving
from tests.server.shell.test_http import Reader
from tests.server.store.test_saved import build


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the database of a server, whose records nobody has signed."""
    monkeypatch.chdir(tmp_path)
    build(tmp_path / "games.db")
    return tmp_path


def run(line: str, capfd: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """Run the command; return its exit code and what it printed."""
    capfd.readouterr()
    code = main(line.split())
    printed, complaint = capfd.readouterr()
    return code, printed + complaint


def save(name: str, text: str) -> None:
    Path(name).write_text(text)


def test_records_are_signed_and_each_change_is_reported(
    here: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    code, said = run("keys new --database games.db", capfd)
    assert (code, f"signing_key = {json.dumps(str(here / 'games.db.key'))}" in said) == (0, True)
    assert stat.S_IMODE((here / "games.db.key").stat().st_mode) == 0o600
    public = said.partition("Public key: ")[2].split()[0]
    export = "export --database games.db --output games.txt"
    assert run(f"{export} --sign games.db.key", capfd)[0] == 0
    assert len(parse_records(Path("games.txt").read_text())) == 4
    whole = "All 4 games are signed and unchanged.\n"
    assert run(f"export --verify games.txt --key {public}", capfd) == (0, whole)
    Path("public.txt").write_text(f"{public}\n")
    Path("public.json").write_text(run("keys show --database games.db --json", capfd)[1])
    for file in ("public.txt", "public.json", "games.db.key"):
        assert run(f"export --verify games.txt --key {file}", capfd) == (0, whole)

    text = Path("games.txt").read_text()
    Path("changed.txt").write_text(text.replace("resigned", "timeout").replace('"Eve"', '"Eva"', 1))
    code, said = run(f"export --verify changed.txt --key {public}", capfd)
    assert code == 1
    *games, last = said.splitlines()
    assert last == "2 of 4 games are signed and unchanged."
    assert all("it was changed after the server had signed it." in game for game in games)

    old = run("keys show --database games.db", capfd)[1].split()[0]
    code, said = run("keys rotate --database games.db", capfd)
    assert (code, said.startswith(f"Replaced the key {old} by ")) == (0, True)
    lines = run("keys show --database games.db", capfd)[1].splitlines()
    assert lines[0].endswith("in use")
    assert lines[1].startswith(old)
    assert " until 20" in lines[1]
    newer = lines[0].split()[1]
    assert run("export --verify games.txt --key games.db.key", capfd) == (0, whole)
    code, said = run(f"export --verify games.txt --key {newer}", capfd)
    assert (code, said.count(f"it is signed with the key '{old}', which is none")) == (1, 4)
    assert run(export, capfd)[0] == 0
    code, said = run(f"export --verify games.txt --key {newer}", capfd)
    assert (code, said.count("it has no signature.")) == (1, 4)


def test_a_key_for_pushes_is_private_and_never_replaced(
    here: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    code, said = run("keys push push.pem", capfd)
    assert (code, f"push_key = {json.dumps(str(here / 'push.pem'))}" in said) == (0, True)
    assert stat.S_IMODE((here / "push.pem").stat().st_mode) == 0o600
    made = (here / "push.pem").read_text()
    assert len(public_key(read_key(here / "push.pem"))) == 87
    code, said = run("keys push push.pem", capfd)
    assert (code, "exists already" in said) == (2, True)
    assert (here / "push.pem").read_text() == made


async def test_a_server_signs_what_it_gives_out_and_publishes_its_keys(
    here: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["keys", "new", "--database", "games.db"]) == 0
    async with serving(here) as server, Reader(server) as http:
        assert await http.get("/api/keys") == {"keys": []}
        listed = await http.get("/api/games")
        path = f"/api/games/{listed['games'][0]['id']}?format=text"
        plain = (await http.client.get(path)).text
        assert "Signature" not in plain
        verify = ["export", "--verify", "one.txt", "--server", server.addresses.http]
        save("one.txt", plain)
        assert await asyncio.to_thread(main, verify) == 2
        assert "signs no records" in capfd.readouterr().err
    async with serving(here, signing_key=here / "games.db.key") as server, Reader(server) as http:
        save("one.txt", (await http.client.get(path)).text)
        verify = ["export", "--verify", "one.txt", "--server", server.addresses.http]
        capfd.readouterr()
        assert await asyncio.to_thread(main, verify) == 0
        # The server of this test may log something meanwhile.
        assert "The game is signed and unchanged.\n" in capfd.readouterr().out
        output = ["export", "--server", server.addresses.http, "--output", "all.txt"]
        assert await asyncio.to_thread(main, output) == 0
        verify[2] = "all.txt"
        assert await asyncio.to_thread(main, verify) == 0
        assert "All 4 games" in capfd.readouterr().out
        found = (await http.get("/api/tournaments"))["tournaments"][0]["id"]
        save("all.txt", (await http.client.get(f"/api/tournaments/{found}/records")).text)
        assert await asyncio.to_thread(main, verify) == 0
        assert "All 2 games" in capfd.readouterr().out


def test_the_key_is_saved_restored_and_copied_with_the_database(
    here: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run("backup without.tar --database games.db", capfd)[0] == 0
    assert run("keys new --database games.db", capfd)[0] == 0
    key = Path("games.db.key").read_bytes()
    code, said = run("backup with.tar --database games.db", capfd)
    assert (code, "the key of the server" in said) == (0, True)
    code, said = run("restore with.tar --database new/new.db", capfd)
    assert code == 0
    assert f"signing_key = {json.dumps(str(here / 'new' / 'new.db.key'))}" in said
    assert Path("new/new.db.key").read_bytes() == key
    assert stat.S_IMODE(Path("new/new.db.key").stat().st_mode) == 0o600
    code, said = run("restore without.tar --database plain.db", capfd)
    assert (code, "signing_key" in said, Path("plain.db.key").exists()) == (0, False, False)
    Path("taken.db.key").write_text("precious")
    for command in ("restore with.tar --database", "database copy games.db"):
        code, said = run(f"{command} taken.db", capfd)
        assert (code, "taken.db.key exists already" in said) == (2, True)
    assert Path("taken.db.key").read_text() == "precious"
    code, said = run("database copy games.db copy.db", capfd)
    assert (code, "Copied the key of the server" in said) == (0, True)
    assert Path("copy.db.key").read_bytes() == key


def test_wrong_keys_get_one_sentence(here: Path, capfd: pytest.CaptureFixture[str]) -> None:
    Path("games.txt").write_text("hello\n")
    Path("serve.toml").write_text('signing_key = "open.key"\ndatabase = "games.db"\n')
    Path("open.key").write_text("{}")
    Path("open.key").chmod(0o644)
    assert run("keys new --database made.db", capfd)[0] == 0
    public = json.loads(Path("made.db.key").read_text())["keys"][0]["public"]
    for line, says in {
        "keys sideways": "No such command",
        "keys show --database games.db": "There is no file of keys",
        "keys rotate --database games.db": "There is no file of keys",
        "keys new --database made.db": "There are keys in",
        "keys show --settings serve.toml": "Everybody can read the private key open.key",
        "keys show --settings missing.toml": "there is no file missing.toml",
        "export --database games.db --sign missing.key": "There is no file of keys missing.key",
        "export --database games.db --sign games.txt": "games.txt; run: chmod 600 games.txt",
        "export --database games.db --key x": "--key is for --verify",
        "export --verify games.txt --key x --server y": "not both",
        "export --verify games.txt --database games.db": "without other options",
        "export --verify games.txt --key nothing": "neither a public key nor a file",
        "export --verify games.txt --key serve.toml": "serve.toml has no public keys.",
        f"export --verify missing.txt --key {public}": "missing.txt cannot be read",
        f"export --verify games.db --key {public}": "games.db is not a file of records",
        f"export --verify games.txt --key {public}": "games.txt is not a file of records",
        "export --verify games.txt --server http://127.0.0.1:1": "cannot be reached",
        "serve --settings serve.toml --check --port 0": "serve.toml line 1: Everybody can read",
    }.items():
        code, said = run(line, capfd)
        assert (code, said.count("\n")) == (2, 1), (line, said)
        assert says in said, line
