"""Tests that shells complete commands, options and values, as typer's scripts ask for them."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from doublecross.cli.main import main
from tests.cli.commands import PROGRAM, environment

Complete = Callable[..., list[str]]


@pytest.fixture
def complete(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Complete:
    """Return what a shell is told about a line that somebody types."""

    def ask(line: str, shell: str = "fish") -> list[str]:
        words = f"doublecross {line}"
        monkeypatch.setenv("_DOUBLECROSS_COMPLETE", f"complete_{shell}")
        monkeypatch.setenv("_TYPER_COMPLETE_FISH_ACTION", "get-args")
        monkeypatch.setenv("_TYPER_COMPLETE_ARGS", words)
        monkeypatch.setenv("COMP_WORDS", words)
        monkeypatch.setenv("COMP_CWORD", str(words.count(" ")))
        monkeypatch.setenv("COLUMNS", "80")
        with pytest.raises(SystemExit):
            main()
        shown = capsys.readouterr()
        assert shown.err == ""
        return shown.out.splitlines()

    return ask


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("doc", ["doctor"]),
        ("serve --verb", ["--verbose"]),
        ("serve --bots easy,med", ["easy,medium"]),
        ("match greedy rul", ["rules"]),
        ("match greedy rules --game tic", ["tic-tac-toe"]),
        ("match greedy rules --size 7", ["7x7"]),
        ("match greedy rules --game tic-tac-toe --size 4", ["4x4"]),
        ("tournament create Spring --format sw", ["swiss"]),
    ],
)
def test_words_are_completed(line: str, words: list[str], complete: Complete) -> None:
    assert [each.partition("\t")[0] for each in complete(line)] == words


def test_a_long_help_text_stays_on_the_line_of_its_option(complete: Complete) -> None:
    assert max(map(len, shown := complete("serve --"))) > 100
    assert all(each.startswith("--") for each in shown)


@pytest.mark.parametrize(("shell", "says"), [("bash", "doctor"), ("zsh", '(("doctor":"Say what')])
def test_each_shell_has_its_own_form(shell: str, says: str, complete: Complete) -> None:
    assert says in complete("doc", shell)[0]


def test_an_error_is_silent_while_somebody_types(
    complete: Complete, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("doublecross.bots.registry.bot_names", lambda: 1 / 0)
    with pytest.raises(pytest.fail.Exception):  # it ends with a code, not by the shell's way out
        complete("match greedy ru")
    assert capsys.readouterr() == ("", "")


@pytest.mark.processes
@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is missing")
def test_bash_takes_the_script(tmp_path: Path) -> None:
    program = tmp_path / "doublecross"
    program.write_text(f'#!/bin/sh\nexec {shlex.join(PROGRAM)} "$@"\n')
    program.chmod(0o755)
    script = (
        f'eval "$({program} --show-completion)"; COMP_WORDS=(doublecross ladd); COMP_CWORD=1;'
        f' _doublecross_completion "{program}"; echo "${{COMPREPLY[@]}}"'
    )
    command = ["bash", "-c", script]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("ladder\n", "")
