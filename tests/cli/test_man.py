"""Tests for the manual pages that a wheel has."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from doublecross.cli.main import prepare
from doublecross.cli.man import write
from tests.cli.test_help import _paths

GROFF = shutil.which("groff")


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("man")
    write(folder, "1.2.3")
    return folder


def test_each_command_has_a_page_that_names_it(pages: Path) -> None:
    hidden = {("engine", "play")}
    names = {"-".join(("doublecross", *path)) for path in _paths(prepare()) if path not in hidden}
    assert {path.stem for path in pages.iterdir()} == names
    text = (pages / "doublecross-serve.1").read_text()
    assert '.TH "DOUBLECROSS-SERVE" 1 "" "doublecross 1.2.3"' in text
    assert ".B \\-\\-port <int>\n" in text
    assert "[default: 8765]" in text


@pytest.mark.processes
@pytest.mark.skipif(GROFF is None, reason="groff is missing")
def test_groff_prints_all_pages_without_a_warning(pages: Path) -> None:
    assert GROFF is not None
    command = [GROFF, "-man", "-ww", "-Kutf8", "-Tutf8", *map(str, sorted(pages.iterdir()))]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert "doublecross-arena - Measure two bots" in done.stdout
