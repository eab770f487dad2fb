"""The files of a public server: systemd's units, the settings, and the container."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from doublecross.cli.main import main
from doublecross.cli.settings.load import load
from doublecross.server.shell.settings import ServerSettings
from tests.cli.commands import ROOT
from tests.test_architecture import PRODUCTION

UNITS = ROOT / "deploy" / "systemd"
SETTINGS = ROOT / "deploy" / "serve.toml"
HOSTING = (ROOT / "docs" / "hosting.md").read_text()
SCALING = (ROOT / "docs" / "scaling.md").read_text()
DOCKERFILE = (ROOT / "Dockerfile").read_text()
ANALYZE = shutil.which("systemd-analyze")
PROGRAM = "/opt/doublecross/bin/doublecross"


@pytest.mark.processes
@pytest.mark.skipif(ANALYZE is None, reason="systemd-analyze, of Debian's systemd, is missing")
def test_systemd_takes_the_units(tmp_path: Path) -> None:
    assert ANALYZE is not None
    units = []
    template = ROOT / "deploy" / "cluster" / "doublecross@.service"
    for unit in sorted((*UNITS.iterdir(), template)):
        text = unit.read_text()
        assert PROGRAM in text or unit.suffix == ".timer"
        units.append(tmp_path / unit.name)
        units[-1].write_text(text.replace(PROGRAM, "/bin/true"))
    assert len(units) == 4
    said = subprocess.run(
        [ANALYZE, "verify", "--man=no", *map(str, units)], capture_output=True, text=True
    )
    named = [line for line in said.stderr.splitlines() if "doublecross" in line]
    assert (said.returncode, named) == (0, [])


@pytest.mark.processes
def test_the_unit_starts_a_server_with_the_settings_of_the_documents(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    unit = (UNITS / "doublecross.service").read_text()
    command = re.findall(r"^ExecStart=(.*)$", unit, re.MULTILINE)
    assert [shlex.split(each) for each in command] == [
        [PROGRAM, "serve", "--settings", "/etc/doublecross/serve.toml"]
    ]
    assert "ExecReload=/bin/kill -HUP $MAINPID" in unit
    monkeypatch.setenv("DOUBLECROSS_PAGE_RELOAD", "true")
    loaded = load({"database": str(tmp_path / "games.db")}, str(SETTINGS))
    assert loaded.settings.is_https
    assert loaded.settings.sources.is_proxy("127.0.0.1")
    more = ["--database", str(tmp_path / "games.db")]
    assert main(["serve", "--check", "--settings", str(SETTINGS), *more]) == 0
    capsys.readouterr()
    # The database of the file is in the folder that systemd makes, and the backup has it.
    path = tomllib.loads(SETTINGS.read_text())["database"]
    assert path == "/var/lib/doublecross/games.db"
    assert "StateDirectory=doublecross\n" in unit
    assert f"--database {path} " in (UNITS / "doublecross-backup.service").read_text()


def test_the_settings_for_a_server_without_a_proxy_are_right() -> None:
    text = SETTINGS.read_text()
    own = re.sub(r"^# (\w+ = )", r"\1", text, flags=re.MULTILINE)
    own = re.sub(r"^(?:trusted_proxy|public_http) = .*\n", "", own, flags=re.MULTILINE)
    settings = ServerSettings(**tomllib.loads(own))
    assert (settings.port, settings.is_https) == (443, True)


def test_the_container_has_what_the_program_needs_and_settings_that_there_are() -> None:
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    kept = {line[1:] for line in ignored if line.startswith("!")}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    needed = {*PRODUCTION, "__init__.py", "__main__.py", "setup.py"}
    needed |= {"pyproject.toml", "README.md", *project["project"]["license-files"]}
    assert kept == needed | {"constraints.txt"}
    assert all((ROOT / name).exists() for name in kept)
    for name in re.findall(r"\bDOUBLECROSS_(\w+)=", DOCKERFILE):
        assert name.lower() in ServerSettings.model_fields
    extras = re.search(r"^ARG EXTRAS=(.*)$", DOCKERFILE, re.MULTILINE)
    assert extras is not None
    assert set(extras[1].split(",")) <= project["project"]["optional-dependencies"].keys()
    # Two stages from one pinned image; the last one is not run by root.
    images = re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE)
    assert len(images) == 2
    assert len(set(images)) == 1
    assert re.fullmatch(r"python:\d+\.\d+\.\d+-slim-\w+", images[0])
    assert DOCKERFILE.rindex("\nUSER 10001") > DOCKERFILE.rindex("\nRUN ")


def test_the_documents_name_every_file() -> None:
    for path in (ROOT / "deploy").rglob("*"):
        if path.is_file():
            assert f"deploy/{path.relative_to(ROOT / 'deploy')}" in HOSTING + SCALING, path
