"""Tests for the manual pages that a wheel has."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path

import pytest

from doublecross.cli.main import prepare
from doublecross.cli.man import write
from tests.cli.test_help import _paths

ROOT = Path(__file__).resolve().parents[2]
GROFF = shutil.which("groff")
BARE = """
import sys
here, folder, *hidden = sys.argv[1:]
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in hidden:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Missing())
sys.path.insert(0, here)
from pathlib import Path
from doublecross.cli.man import write
write(Path(folder), "1")
"""
"""Write the pages without the packages that are named after the two folders."""


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


def needed(requirements: list[str]) -> set[str]:
    """Return the names of these packages and of those that they need."""
    found: set[str] = set()
    waiting = list(requirements)
    while waiting:
        requirement = waiting.pop()
        name = re.sub(r"[-_.]+", "-", re.match(r"[\w.-]+", requirement)[0]).lower()  # type: ignore[index]
        if name in found or "extra ==" in requirement:
            continue
        found.add(name)
        try:
            waiting += requires(name) or ()
        except PackageNotFoundError:
            continue  # for another system
    return found


@pytest.mark.processes
def test_a_build_has_the_packages_that_the_pages_need(tmp_path: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    there = needed(project["build-system"]["requires"])
    hidden = [
        module
        for module, names in packages_distributions().items()
        if module != "doublecross"
        and there.isdisjoint(re.sub(r"[-_.]+", "-", name).lower() for name in names)
    ]
    assert "aiosmtplib" in hidden
    command = [sys.executable, "-c", BARE, str(ROOT), str(tmp_path), *hidden]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "doublecross-serve.1").exists()
