"""Check what `match` and `arena` print about bots that fail: the same words and tracebacks."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from doublecross.cli.main import main
from tests.bots import bad_bots, nameless_bots
from tests.cli.commands import running

pytestmark = pytest.mark.usefixtures("fork_server")

MATCH = ("--games", "2", "--size", "1x1", "--time", "30+0", "-c", "1", "--seed", "1")


def ran(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    with running(*arguments, cwd=folder, forks=True) as command:
        code = command.wait()
        out = "".join(f"{line}\n" for line in command.seen)
        return subprocess.CompletedProcess(arguments, code, out, command.errors)


def test_a_bot_without_a_name_plays_under_that_of_its_class(tmp_path: Path) -> None:
    done = ran(tmp_path, "match", f"{nameless_bots.HERE}:Plain", "random", *MATCH)
    assert done.returncode == 0
    assert f"{nameless_bots.HERE}:Plain - random: +" in done.stdout
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("bot", "how", "trace"),
    [("Raises", "crash", "no idea"), ("Illegal", "illegal", "")],
)
def test_a_failure_has_the_same_name_in_a_match_and_in_an_arena(
    tmp_path: Path, bot: str, how: str, trace: str, capsys: pytest.CaptureFixture[str]
) -> None:
    spec = f"{bad_bots.HERE}:{bot}"
    done = ran(tmp_path, "match", spec, "random", *MATCH)
    assert f"Not ended on the board: 2 by {how}\n" in done.stdout
    assert f"{spec} - random: +0 =0 -2" in done.stdout
    assert done.stderr.count("Traceback") == bool(trace)
    assert main(["arena", spec, "random", "--size", "1x1", "--pairs", "1", "--seed", "1"]) == 0
    captured = capsys.readouterr()
    assert f"{spec} lost 2 by {how}." in captured.out
    assert captured.err.count("Traceback") == bool(trace)
    assert trace in captured.err
    assert trace in done.stderr


@pytest.mark.parametrize("tool", ["match", "arena"])
def test_the_traceback_of_a_constructor_is_printed_from_the_bots_first_frame(
    tool: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([tool, f"{nameless_bots.HERE}:BadTable", "random"]) == 2
    errors = capsys.readouterr().err
    assert 'self.table = {}["the table"]' in errors
    assert "registry.py" not in errors
    assert "cannot be made (KeyError: 'the table')" in errors.splitlines()[-1]
