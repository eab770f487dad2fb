"""Tests for commands that read files and registries, without a server."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
from pathlib import Path

import pytest

from doublecross.cli.main import main
from doublecross.cli.shared.console import Problem
from doublecross.cli.shared.files import check_file, write_file
from doublecross.cli.shared.records import read_records
from doublecross.cli.watch.replay import _Cursor
from tests.cli.commands import PROGRAM, environment
from tests.cli.samples import write_games


@pytest.fixture
def games(tmp_path: Path) -> str:
    path = tmp_path / "games.txt"
    write_games(path)
    return str(path)


def test_replay_prints_every_board_into_a_pipe(
    games: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", games]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Ann - [bold]Bob[/], Dots and Boxes 1x1, 60+1, game 1 of 2\n")
    assert out.count("+###+") == 2  # the two horizontal edges, each as the last move once
    assert "Move 4 of 4: [bold]Bob[/] b3  0:1" in out
    assert " 2 | B |\n" in out
    assert out.endswith("[bold]Bob[/] wins 1:0.\n")


def test_replay_shows_one_position(games: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", games, "--at", "3"]) == 0
    out = capsys.readouterr().out
    assert "0:09.5" in out
    assert "> B [bold]Bob[/]" in out
    assert main(["replay", games, "--game", "2", "--final"]) == 0
    assert "Cid wins: Dee resigned." in capsys.readouterr().out


def test_a_bad_game_spoils_no_other(games: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = Path(games)
    broken = path.read_text().split("\n\n")[0] + "\n\nno move *\n"
    path.write_text(f"{broken}\n{path.read_text()}")
    assert main(["replay", games, "--game", "3", "--final"]) == 0
    assert "Cid wins: Dee resigned." in capsys.readouterr().out
    assert main(["replay", games]) == 2
    assert "Game 1 of" in capsys.readouterr().err
    cursor = _Cursor(read_records(path), 2, read_records(path).record(2))
    cursor.other_game(-1)
    assert (cursor.game, "Game 1 of" in cursor.problem) == (2, True)
    cursor.other_game(1)
    assert (cursor.game, cursor.problem) == (3, "")


def test_replay_steps_by_keys_in_a_terminal(games: str) -> None:
    keyboard, terminal = pty.openpty()
    process = subprocess.Popen(
        [*PROGRAM, "replay", games],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env=environment(TERM="xterm", LINES="30"),
        start_new_session=True,
    )
    os.close(terminal)
    try:
        _read_until(keyboard, b"q: quit")
        os.write(keyboard, b"\x1b[C")
        _read_until(keyboard, b"Move 1 of 4")
        os.write(keyboard, b"\x1b[F")
        _read_until(keyboard, b"wins 1:0")
        os.write(keyboard, b"]")
        _read_until(keyboard, b"Cid - Dee")
        os.write(keyboard, b"q")
        assert process.wait(20) == 0
    finally:
        process.kill()
        process.wait(20)
        os.close(keyboard)


def _read_until(fd: int, text: bytes) -> None:
    seen = b""
    while text not in seen:
        assert select.select([fd], [], [], 20)[0], seen
        seen += os.read(fd, 65536)


def test_only_a_plain_file_is_replaced_as_a_whole(tmp_path: Path) -> None:
    real, link, pipe = tmp_path / "real", tmp_path / "link", tmp_path / "pipe"
    real.write_text("old")
    link.symlink_to(real)
    write_file(link, ["one\n", "two\n"])
    assert link.is_symlink()
    assert real.read_text() == "one\n\ntwo\n"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_file(pipe, ["one\n"])
        assert pipe.is_fifo()
        assert os.read(reader, 100) == b"one\n"
    finally:
        os.close(reader)
    with pytest.raises(Problem, match="cannot be written: it is a folder"):
        write_file(tmp_path, ["one\n"])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "pipe", "real"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["match", "random", "random", "--records"],
        ["arena", "random", "random", "--records"],
        ["arena", "random", "random", "--report"],
        ["arena", "random", "random", "--csv"],
        ["sprt", "random", "random", "--records"],
        ["ladder", "random", "random", "--records"],
        ["ladder", "random", "random", "--json"],
        ["tournament", "report", "t7c2k3p4q", "--report"],
        ["export", "--output"],
        ["backup"],
    ],
)
@pytest.mark.parametrize(
    ("file", "why"),
    [
        (".", "it is a folder"),
        ("none/games.txt", "there is no such folder"),
        ("/sys/games.txt", "permission denied"),
        ("x" * 250, "file name too long"),
        ("loop", "its links lead in a circle"),
    ],
)
def test_a_file_that_cannot_be_written_is_refused_before_anything_is_done(
    arguments: list[str],
    file: str,
    why: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("loop").symlink_to("loop")
    assert main([*arguments, file]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err == f"Error: {file} cannot be written: {why}.\n"
    assert [path.name for path in tmp_path.iterdir()] == ["loop"]


def test_checking_a_file_leaves_it_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    check_file(path)
    assert list(tmp_path.iterdir()) == []
    path.write_text("old")
    check_file(path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
    check_file(Path("/dev/null"))


def test_a_dash_stands_for_standard_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.chdir(tmp_path)
    check_file(Path("-"))
    write_file(Path("-"), ["½\n"])
    sys.stdout.flush()
    assert capfdbinary.readouterr().out == "½\n".encode()
    assert not list(tmp_path.iterdir())


def test_a_closed_pipe_is_no_error(games: str) -> None:
    process = subprocess.run(
        f"'{sys.executable}' -P -m doublecross.cli.main replay '{games}' | head -n 1",
        shell=True,
        executable="/bin/bash",
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.stderr == ""
    assert process.stdout.startswith("Ann - ")


def test_games_and_bots_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games"]) == 0
    assert "dots-and-boxes" in capsys.readouterr().out
    assert main(["bots"]) == 0
    out = capsys.readouterr().out
    assert "rules" in out
    assert "seed=NUMBER" in out


@pytest.mark.parametrize(
    "command",
    ["demo", "serve", "bot", "match", "rooms", "watch", "replay", "export", "games", "bots"],
)
def test_every_command_has_help_with_an_example(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    assert main([command, "--help"]) == 0
    assert f"Example: doublecross {command}" in capsys.readouterr().out
