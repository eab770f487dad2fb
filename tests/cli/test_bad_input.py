"""Tests that bad input gives one sentence on standard error, exit code 2 and no traceback."""

from __future__ import annotations

import contextlib
import json
import socket
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from doublecross.cli.main import main
from tests.cli.commands import running
from tests.cli.samples import GAME, write_games

NOBODY = "127.0.0.1:1"
"""An address at which no server listens."""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_games(tmp_path / "games.txt")
    (tmp_path / "text.txt").write_text("hello\n")
    (tmp_path / "bytes.txt").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / "illegal.txt").write_text(GAME.replace("b3", "a2", 1))
    return tmp_path


BAD = [
    ("nothing", "No such command"),
    ("lessons sideways", "No such command"),
    ("lessons check", "Missing argument"),
    ("lessons check no.json", "cannot be read"),
    ("lessons check bytes.txt", "not a text file"),
    ("lessons check text.txt", "is not JSON"),
    ("match", "Missing argument"),
    ("match rules", "Missing argument"),
    ("match rules greedy --sideways", "No such option"),
    ("match nobody rules", "There is no bot 'nobody'"),
    ("match rules nobody", "There is no bot 'nobody'; there are "),
    ("match rules greedi", "There is no bot 'greedi'; did you mean greedy?"),
    ("arena mybot.py rules", "for a class of yours write mybot:ClassName, for a program"),
    ("arena ./mybot rules", 'for a program write "ugi:./mybot"'),
    ("match rules:deep=3 rules", "no option 'deep'"),
    ("match rules:seed=x rules", "whole number"),
    ("match rules: rules", "is no bot"),
    ("match no.such:Bot rules", "cannot be loaded"),
    ("match rules greedy --game chess", "There is no game 'chess'"),
    ("match rules greedy --size 11x11", "from 1 to 10"),
    ("match rules greedy --size big", "is not a size"),
    ("match rules greedy --time fast", "is no time control"),
    ("match rules greedy --time 0.01", "out of range"),
    ("match rules greedy --games 3", "Games come in pairs"),
    ("match rules greedy --games 0", "from 2 to"),
    ("match rules greedy --games many", "whole number|valid integer"),
    ("match rules greedy --games 2 --pairs 1", "not both"),
    ("match rules greedy --concurrency 0", "from 1 to 256"),
    ("match rules greedy --records no/such/file", "no such folder"),
    ("match rules greedy --server ftp://x", "begins with ftp"),
    (f"match rules greedy --games 2 --server {NOBODY}", "Nothing listens"),
    ("bot nobody", "There is no bot 'nobody'"),
    ("bot rules --game chess", "There is no game 'chess'"),
    ("bot rules --sizes 5x5-3x3", "wrong order"),
    ("bot rules --sizes 5x5-6x6-7x7", "is not a size"),
    ("bot rules --sizes 5-6", "too few numbers"),
    ("bot rules --time -", "is not a range"),
    ("bot rules --time 60-10", "wrong order"),
    ("bot rules --seek 5x5", "is not a seek"),
    ("bot rules --seek 5x5@fast", "is no time control"),
    ("bot rules --seek 50x5@60", "from 1 to 10"),
    ("bot rules --name @@", "cannot be the name"),
    ("bot rules --games 0", "range|greater"),
    ("bot rules --server ftp://x", "begins with ftp"),
    (f"bot rules --wait 0 --server {NOBODY}", "Nothing listens"),
    ("rooms --server a/b?c", "is not a server address|more than a host"),
    (f"rooms --server {NOBODY}", "Nothing listens"),
    (f"watch --server {NOBODY}", "Nothing listens"),
    ("replay", "Missing argument"),
    ("replay nothing.txt", "cannot be read"),
    ("replay .", "cannot be read"),
    ("replay text.txt", "is not a file of records"),
    ("replay bytes.txt", "is not UTF-8 text"),
    ("replay illegal.txt", "Line 9"),
    ("replay empty.txt", "holds no games"),
    ("replay games.txt --game 3", "2 games"),
    ("replay games.txt --game 0", "range|greater"),
    ("replay games.txt --at 99", "no position 99"),
    ("replay games.txt --picture game.bmp", "end with .svg, .png, .gif, .webp"),
    ("replay games.txt --picture nowhere/game.svg", "no such folder"),
    ("replay games.txt --picture game.gif --width 721", "from 160 to 720"),
    (f"export --server {NOBODY}", "Nothing listens"),
    (f"export --server http://{NOBODY}", "cannot be reached"),
    ("export --server http://host:port", "is not an HTTP address"),
    ("export --server a --database b", "not both"),
    ("export --database nothing.db", "There is no database"),
    ("export --database text.txt", "cannot be opened"),
    ("export --output no/such/file", "no such folder"),
    ("export --game chess", "There is no game 'chess'"),
    ("backup b.tar --settings text.txt", "text.txt is not TOML"),
    ("database sideways", "No such command"),
    ("database verify", "Missing argument"),
    ("database verify nothing.db", "There is no database"),
    ("database upgrade text.txt", "file is not a database"),
    ("demo --folder text.txt", "cannot be made"),
    ("bot rules --token-file nothing.token", "cannot be read"),
    ("bot rules --token-file bytes.txt", "has no token"),
    ("bot rules --token-file empty.txt", "has no token"),
    ("bot rules --token-file a --name b", "not both"),
    ("tournament create Spring --token-file nothing.token", "cannot be read"),
    ("admin list --database nothing.db", "No server runs"),
    ("admin list --server a/b?c --token-file text.txt", "more than a host"),
    ("admin player-data Bob", "Missing option"),
    ("account login Ann --server a/b?c", "more than a host"),
    ("account login @@", "cannot be the name"),
    ("account show", "keeps no token"),
]


@pytest.mark.parametrize(("line", "says"), BAD, ids=[line for line, _ in BAD])
def test_bad_input_ends_with_one_sentence(
    line: str, says: str, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(line.split()) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert_one_sentence(captured.err, says)


def assert_one_sentence(text: str, says: str) -> None:
    assert text.startswith("Error: ")
    assert text.endswith("\n")
    assert text.count("\n") == 1, text
    assert any(part in text for part in says.split("|")), text


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        sock.listen()
        yield sock.getsockname()[1]


def test_a_server_that_cannot_start_says_why(here: Path, taken_port: int) -> None:
    # In processes of their own, since a server sets the logging of its process up; all at once.
    free = "--port 0 --http-port 0 --database"
    cases = {
        f"serve --port {taken_port} --http-port 0 --database a.db": f"Port {taken_port} is in use",
        "serve --port 70000": "--port must be from 0 to 65535, not 70000.",
        f"serve {free} text.txt": "cannot be opened",
        f"serve --host 203.0.113.7 {free} a.db": "Cannot listen on",
    }
    with contextlib.ExitStack() as stack:
        commands = {line: stack.enter_context(running(*line.split(), cwd=here)) for line in cases}
        for line, command in commands.items():
            assert (command.wait(), command.seen) == (2, []), line
            assert_one_sentence(command.errors, cases[line])


def test_a_database_of_a_newer_version_is_refused(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    serve = ["serve", "--json", "--port", "0", "--http-port", "0", "--database", "new.db"]
    with running(*serve, cwd=here) as server:
        assert json.loads(server.line())["what"] == "ready"
        assert main(["export", "--database", "new.db"]) == 2
        assert_one_sentence(capsys.readouterr().err, "Another server is using")
    with sqlite3.connect("new.db") as connection:
        connection.execute("update alembic_version set version_num = '9999'")
    connection.close()
    assert main(["export", "--database", "new.db"]) == 2
    assert_one_sentence(capsys.readouterr().err, "newer version of Doublecross")
    with running(*serve, cwd=here) as server:
        assert server.wait() == 2
        assert_one_sentence(server.errors, "newer version of Doublecross")
