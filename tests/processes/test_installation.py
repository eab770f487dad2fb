"""Tests for the command that adds optional packages to this installation."""

from __future__ import annotations

import json
import re
import shlex
import sys
import sysconfig
from pathlib import Path
from typing import Any

import pytest

from doublecross.processes.command import ROOT
from doublecross.processes.installation import how_to_add
from tests.test_architecture import PRODUCTION

COMMIT = "0123456789abcdef0123456789abcdef01234567"
GIT = {"vcs": "git", "requested_revision": "main", "commit_id": COMMIT}


def install(site: Path, origin: dict[str, Any] | str | None) -> None:
    """Write what pip writes about an installed package, with its origin (PEP 610)."""
    folder = site / "doublecross-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: doublecross\nVersion: 1.0\n")
    if origin is not None:
        text = origin if isinstance(origin, str) else json.dumps(origin)
        (folder / "direct_url.json").write_text(text)


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the only folder in which Python looks for installed packages."""
    monkeypatch.setattr(sys, "path", [str(tmp_path), sysconfig.get_path("stdlib")])
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent))
    return tmp_path


@pytest.mark.parametrize(
    ("origin", "source"),
    [
        (
            {"url": "https://host.example/ann/doublecross", "vcs_info": GIT},
            f"git+https://host.example/ann/doublecross@{COMMIT}",
        ),
        (
            {"url": "ssh://git@host.example/doublecross", "vcs_info": GIT, "subdirectory": "a b"},
            f"git+ssh://git@host.example/doublecross@{COMMIT}#subdirectory=a%20b",
        ),
        (
            {"url": "https://host.example/doublecross.zip", "archive_info": {}},
            "https://host.example/doublecross.zip",
        ),
        # What pip leaves of a secret in a URL, or what other installers may leave.
        (
            {"url": "https://ann:secret@host.example:99/d", "vcs_info": GIT},
            f"git+https://host.example:99/d@{COMMIT}",
        ),
        (
            {"url": "https://secret@host.example/d.zip#secret", "archive_info": {}},
            "https://host.example/d.zip",
        ),
        (
            {"url": "ssh://git:secret@host.example/d", "vcs_info": GIT},
            f"git+ssh://host.example/d@{COMMIT}",
        ),
    ],
)
def test_it_comes_from_where_this_installation_came_from(
    origin: dict[str, Any], source: str, site: Path
) -> None:
    install(site, origin)
    wanted = f"doublecross[server,engines] @ {source}"
    assert how_to_add("server", "engines") == f"pip install {shlex.quote(wanted)}"


def test_a_folder(site: Path) -> None:
    clone = site / "it's a clone"
    clone.mkdir()
    install(site, {"url": clone.as_uri(), "dir_info": {}})
    command = shlex.split(how_to_add("server"))
    assert command == ["pip", "install", f"doublecross[server] @ {clone.as_uri()}"]


def test_a_folder_whose_changes_show_at_once(site: Path) -> None:
    clone = site / "it's a clone"
    clone.mkdir()
    install(site, {"url": clone.as_uri(), "dir_info": {"editable": True}})
    assert shlex.split(how_to_add("server")) == ["pip", "install", "-e", f"{clone}[server]"]


@pytest.mark.parametrize(
    "origin",
    [
        pytest.param(None, id="from an index, or a package of the system"),
        pytest.param({"url": "file:///nowhere/d.whl", "archive_info": {}}, id="no longer there"),
        pytest.param({"url": "https://a.example/d.zip?secret", "archive_info": {}}, id="a query"),
        pytest.param({"url": "https://a.example/d", "vcs_info": {"vcs": "git"}}, id="no commit"),
        pytest.param({}, id="no url"),
        pytest.param("{", id="no JSON"),
    ],
)
def test_without_a_source_no_name_is_left_to_an_index(
    origin: dict[str, Any] | str | None, site: Path
) -> None:
    install(site, origin)
    assert how_to_add("server") == "install the extra server from where you got doublecross"


def test_a_clone_that_is_not_installed(site: Path) -> None:
    assert not list(site.iterdir())
    assert how_to_add("server", "engines", "train") == (
        "install the extras server, engines and train from where you got doublecross"
    )


def test_no_text_lets_an_index_choose_what_is_installed() -> None:
    files = [file for name in PRODUCTION for file in (ROOT / name).rglob("*.*") if file.is_file()]
    files += [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "deploy").rglob("*.*")]
    texts = {
        file: file.read_text() for file in files if file.suffix in (".py", ".js", ".md", ".sh")
    }
    bare = re.compile(r'doublecross\[[^]]*\](?! @)|dependencies = \[.*"doublecross\b(?! @)')
    assert [file for file, text in texts.items() if bare.search(text)] == []


@pytest.mark.parametrize(
    ("file", "text", "command"),
    [
        ("pipx_metadata.json", "{}", "pipx install --force "),
        (
            "uv-receipt.toml",
            '[tool]\nrequirements = [{ name = "doublecross", extras = ["engines"] }]\n',
            "uv tool install --force 'doublecross[engines,server] ",
        ),
        ("pyvenv.cfg", "home = /usr/bin\nuv = 0.9.1\n", "uv pip install --python "),
        ("pyvenv.cfg", "home = /usr/bin\n", "pip install "),
    ],
)
def test_the_command_is_that_of_the_installer(
    site: Path, monkeypatch: pytest.MonkeyPatch, file: str, text: str, command: str
) -> None:
    install(site, {"url": "https://host.example/ann/doublecross", "vcs_info": GIT})
    monkeypatch.setattr(sys, "prefix", str(site))
    (site / file).write_text(text)
    assert how_to_add("server").startswith(command)


def test_without_its_environment_active_the_command_names_the_python(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(site, {"url": "https://host.example/d.zip", "archive_info": {}})
    monkeypatch.setenv("PATH", str(site))
    assert shlex.split(how_to_add("server"))[:4] == [sys.executable, "-m", "pip", "install"]
