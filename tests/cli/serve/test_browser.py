"""Tests of `serve --open`, which `make serve` uses."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path
from urllib.request import urlopen

import pytest

from doublecross.cli.main import main
from doublecross.processes.browser import has_screen
from tests.cli.commands import ROOT, environment, running


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {}, False),
        ("linux", {"DISPLAY": ""}, False),
        ("linux", {"DISPLAY": ":0"}, True),
        ("linux", {"WAYLAND_DISPLAY": "wayland-0"}, True),
        ("darwin", {}, True),
    ],
)
def test_a_browser_needs_a_screen(platform: str, variables: dict[str, str], expected: bool) -> None:
    assert has_screen(platform, variables) is expected


def test_the_browser_gets_the_link_that_is_printed(tmp_path: Path) -> None:
    browser = tmp_path / "browser"
    os.mkfifo(tmp_path / "opened")
    # A text browser asks for the kind of terminal, and draws only if there is one.
    browser.write_text(f'#!/bin/sh\necho "$1 ${{TERM-none}}" > {tmp_path}/opened\n')
    browser.chmod(0o755)
    env = environment(BROWSER=str(browser), DISPLAY=":4077", TERM="xterm")
    line = "serve --port 0 --database a.db --open"
    with running(*line.split(), cwd=tmp_path, env=env) as command:
        url = command.until("Open").split("Open")[1].strip(" │")
        assert (tmp_path / "opened").read_text() == f"{url} none\n"
        with urlopen(url, timeout=10) as page:
            assert b"Doublecross" in page.read()
        command.send(signal.SIGINT)
        assert command.wait() == 0


def test_open_and_json_exclude_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--json", "--open"]) == 2
    assert "--open is for people" in capsys.readouterr().err


def test_make_serve_starts_bots_and_takes_options() -> None:
    told = ["make", "--no-print-directory", "--dry-run", "serve", "ARGS=--port 0"]
    printed = subprocess.run(told, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert "serve --bots easy,medium,tricky,hard,perfect --open --port 0" in printed
