"""Tests the list of commands: it says of each what its own help says, and loads none of them."""

from __future__ import annotations

import subprocess
import sys

import pytest

from doublecross.cli.commands import COMMANDS
from doublecross.cli.main import main, prepare
from tests.cli.commands import ROOT, environment


def test_the_list_has_the_first_sentence_of_each_help() -> None:
    listed = {name: summary for part in COMMANDS.values() for name, (_, summary) in part.items()}
    commands = prepare()
    assert commands.list_commands(None) == list(listed)
    found = {name: commands.get_command(None, name).help.partition("\n\n")[0] for name in listed}
    assert found == listed


def test_help_loads_no_command() -> None:
    script = (
        "import sys\nfrom doublecross.cli.main import main\ncode = main(['--help'])\n"
        "heavy = {'asyncio', 'pydantic', 'rich.console', 'rich.markdown'}\n"
        "sys.exit(code or ' '.join(sorted(heavy & sys.modules.keys())) or 0)"
    )
    process = subprocess.run(
        [sys.executable, "-P", "-c", script],
        cwd=ROOT,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (process.returncode, process.stderr) == (0, "")
    assert "match" in process.stdout


def test_who_mistypes_a_command_is_shown_the_right_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serv"]) == 2
    assert "Did you mean 'serve'?" in capsys.readouterr().err


def test_without_a_command_there_is_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "Host a server:" in capsys.readouterr().err
