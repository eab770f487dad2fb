"""Tests that the wheel, installed into its own environment, works like the clone."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.cli.commands import ROOT, running
from tests.cli.samples import write_games
from tests.client.web.harness.bundle import bundled_page
from tests.node.vendor import PACKAGES
from tests.test_architecture import PRODUCTION

pytestmark = pytest.mark.slow

OF_THE_SERVER = ("sqlalchemy", "aiosqlite", "alembic", "starlette", "uvicorn", "structlog")


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the sources, so that the clone stays clean."""
    source = tmp_path_factory.mktemp("source")
    for package in PRODUCTION:
        shutil.copytree(
            ROOT / package, source / package, ignore=shutil.ignore_patterns("__pycache__")
        )
    for name in (
        "pyproject.toml",
        "setup.py",
        "__init__.py",
        "__main__.py",
        "README.md",
        "LICENSE",
    ):
        shutil.copy(ROOT / name, source)
    return source


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Bundle the page, as a wheel should have it."""
    return bundled_page(tmp_path_factory.mktemp("build"))


@pytest.fixture(scope="module")
def wheel(source: Path, page: Path) -> Path:
    out = source / "out"
    _run(
        *(sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check"),
        *("--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", str(out), str(source)),
        env={**os.environ, "PATH": f"{PACKAGES / '.bin'}{os.pathsep}{os.environ['PATH']}"},
    )
    (built,) = out.glob("doublecross-*.whl")
    return built


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make an environment with the wheel, and packages with the names of our folders beside it."""
    environment = tmp_path_factory.mktemp("environment")
    _run(sys.executable, "-m", "venv", "--without-pip", str(environment))
    python = environment / "bin" / "python"
    _run(
        *(sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet"),
        *("--disable-pip-version-check", "--no-deps", "--no-index", str(wheel)),
    )
    (site,) = environment.glob("lib/python*/site-packages")
    _make_decoys(site, "server", "cli")
    return environment


def _make_decoys(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).mkdir(parents=True)
        (folder / name / "__init__.py").write_text("raise ImportError('a decoy')\n")


def _depend(environment: Path, dependencies: Path) -> None:
    """Let the environment have the packages in the folder `dependencies`, and no others."""
    (site,) = environment.glob("lib/python*/site-packages")
    (site / "dependencies.pth").write_text(f"{dependencies}\n")


def _run(*command: str, cwd: Path | None = None, env: dict[str, str] | None = None) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd, env=env)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def _clean(home: Path) -> dict[str, str]:
    """Return environment variables that do not refer to the clone."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    return {**kept, "XDG_STATE_HOME": str(home / "state")}


def _site_packages() -> Path:
    return Path(sysconfig.get_path("purelib"))


def _files(page: Path) -> dict[str, bytes]:
    """Return the files of a page, without what only the type check needs."""
    found = {path.relative_to(page).as_posix(): path for path in page.rglob("*")}
    return {
        name: path.read_bytes()
        for name, path in found.items()
        if path.is_file() and not name.endswith(".d.ts")
    }


def test_the_wheel_has_the_bundled_page_and_the_templates(wheel: Path, page: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        inside = {name: packed.read(name) for name in packed.namelist()}
    for prefix, folder in (("client/web/", page), ("cli/templates/", ROOT / "cli/templates")):
        prefix = f"doublecross/{prefix}"
        found = {name: body for name, body in inside.items() if name.startswith(prefix)}
        assert found == {prefix + name: body for name, body in _files(folder).items()}
    assert [name for name in inside if name.endswith("share/man/man1/doublecross-serve.1")]
    # Two libraries of the page have the same licence (W002).
    options = ("--toplevel", "doublecross", "--ignore", "W002")
    _run(sys.executable, "-m", "check_wheel_contents", *options, str(wheel))


def test_the_description_links_to_no_file_of_the_clone(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as files:
        (name,) = (name for name in files.namelist() if name.endswith(".dist-info/METADATA"))
        text = files.read(name).decode()
    assert "\nDescription-Content-Type: text/markdown\n" in text
    assert "docs/hosting.md" in text
    assert not re.findall(r"\]\((?!https?:)", text)


def test_without_esbuild_the_page_stays_as_it_is(source: Path, tmp_path: Path) -> None:
    build = ("setup.py", "--quiet", "build_py", "--build-lib", str(tmp_path))
    said = _run(sys.executable, *build, cwd=source, env={**os.environ, "PATH": "/nowhere"})
    assert "not bundled, because there is no esbuild" in said
    web = Path("client", "web")
    assert _files(tmp_path / "doublecross" / web) == _files(ROOT / web)


def test_the_server_of_the_wheel_serves_the_bundle(
    environment: Path, page: Path, tmp_path: Path
) -> None:
    _depend(environment, _site_packages())
    program = (str(environment / "bin" / "doublecross"),)
    line = f"serve --json --port 0 --database {tmp_path / 'games.db'}"
    with running(*line.split(), cwd=tmp_path, program=program, env=_clean(tmp_path)) as server:
        http = json.loads(server.line())["http"]
        with urlopen(f"{http}/room/x") as answer:
            document = answer.read().decode()
        named = re.findall(r'<link rel="modulepreload" href="\.\.(/web/\w+/([^"]+))">', document)
        assert {"main.js", "pages/room.js"} <= {name for _, name in named}
        for address, name in named:
            with urlopen(http + address) as answer:
                assert answer.read() == (page / name).read_bytes()


def test_a_match_runs_from_a_folder_with_decoys(environment: Path, tmp_path: Path) -> None:
    _depend(environment, _site_packages())
    here = tmp_path / "here"
    _make_decoys(here, "doublecross", "bots")
    (here / "random.py").write_text("raise ImportError('a decoy')\n")
    env = _clean(tmp_path)
    script = "import json, sys; from doublecross import cli; json.dump([cli.__file__], sys.stdout)"
    python = str(environment / "bin" / "python")
    found = subprocess.run(
        [python, "-P", "-c", script], cwd=here, env=env, capture_output=True, text=True, check=True
    )
    assert Path(json.loads(found.stdout)[0]).is_relative_to(environment)
    program = (str(environment / "bin" / "doublecross"),)
    line = "match rules greedy --size 2x2 --games 4 --records games.txt"
    with running(*line.split(), cwd=here, program=program, env=env) as match:
        assert match.wait() == 0, match.errors
        assert match.errors == ""
        assert match.seen[-1].startswith("4 games of Dots and Boxes 2x2")
    assert (here / "games.txt").read_text().count("[Game ") == 4


def test_without_the_server_extra_the_rest_works(environment: Path, tmp_path: Path) -> None:
    dependencies = tmp_path / "dependencies"
    dependencies.mkdir()
    for entry in _site_packages().iterdir():
        if not entry.name.lower().startswith((*OF_THE_SERVER, "doublecross", "__", "pydantic_set")):
            (dependencies / entry.name).symlink_to(entry)
    _depend(environment, dependencies)
    python, env = str(environment / "bin" / "python"), _clean(tmp_path)
    write_games(tmp_path / "games.txt")
    lines = {
        "serve": (2, "pip install 'doublecross[server] @ file:///"),
        "match rules rules": (2, "pip install 'doublecross[server] @ file:///"),
        "demo": (2, "pip install 'doublecross[server] @ file:///"),
        "export --database games.txt": (2, "pip install 'doublecross[server] @ file:///"),
        "bot rules --wait 0 --server 127.0.0.1:1": (2, "Nothing listens"),
        "rooms --server 127.0.0.1:1": (2, "Nothing listens"),
        "watch --server 127.0.0.1:1": (2, "Nothing listens"),
        "replay games.txt --final": (0, ""),
        "bots": (0, ""),
    }
    # One process for all, because each takes half a second to begin.
    script = f"""
import contextlib, io, json
from doublecross.cli.main import main
for line in {list(lines)!r}:
    errors = io.StringIO()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(errors):
        code = main(line.split())
    print(json.dumps([code, errors.getvalue()]))
"""
    with running("-P", "-c", script, cwd=tmp_path, program=(python,), env=env) as command:
        for line, (code, says) in lines.items():
            found, errors = json.loads(command.line())
            assert found == code, f"{line}: {errors}"
            assert says in errors
            assert errors.count("\n") == (1 if says else 0), errors
