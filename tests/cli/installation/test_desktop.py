"""Tests for `doublecross desktop`, with freedesktop.org's programs where they are installed."""

from __future__ import annotations

import configparser
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from doublecross.cli.installation import desktop
from doublecross.cli.main import main

pytestmark = pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="There is no such menu")


def _entry(path: Path) -> configparser.SectionProxy:
    entry = configparser.RawConfigParser()
    entry.read(path)
    return entry["Desktop Entry"]


def test_files_are_written_valid_and_removed(tmp_path: Path) -> None:
    data = tmp_path / "data"
    assert main(["desktop", "install"]) == 0
    entries = sorted(data.glob("applications/*.desktop"))
    assert [path.stem for path in entries] == ["doublecross-replay", "doublecross"]
    if checker := shutil.which("desktop-file-validate"):
        done = subprocess.run([checker, *entries], capture_output=True, text=True, check=False)
        assert (done.stdout, done.stderr) == ("", "")
    replay, _ = map(_entry, entries)
    program, *rest = shlex.split(replay["Exec"])
    assert shutil.which(program)
    assert rest[-2:] == ["replay", "%f"]
    types = ElementTree.parse(data / "mime" / "packages" / "doublecross.xml")
    (kind,) = types.getroot()
    assert replay["MimeType"] == f"{kind.get('type')};"
    assert (data / "icons/hicolor/scalable/apps/doublecross.svg").read_text().startswith("<svg")
    assert main(["desktop", "remove"]) == 0
    assert not [*data.rglob("*doublecross*")]


def test_a_path_with_unusual_characters_is_quoted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    odd = tmp_path / 'my $games 100% "x"'
    odd.mkdir()
    (odd / "doublecross").touch()
    monkeypatch.setattr("sysconfig.get_path", lambda _: str(odd))
    text = desktop.files()["applications/doublecross.desktop"]
    assert r'my \\$games 100%% \\"x\\"/doublecross" play' in text
