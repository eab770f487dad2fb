"""Build the engines of docs/examples with the tool chains that are here, and let them play."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from doublecross.bots.arena.moves import MoveBudget
from doublecross.bots.arena.referee import play_game
from doublecross.games.registry import make_game
from tests.bots.programs.running import bot_of, script

DOCS = Path(__file__).parents[3] / "docs"
ENGINES = DOCS / "examples" / "engines"
GAME = make_game("dots-and-boxes", {"rows": 2, "cols": 3})


def play(spec: str) -> None:
    """Play from an opening in both seats to the end."""
    budget = MoveBudget(time_s=20.0)
    for seat in (0, 1):
        bot, other = bot_of(spec), bot_of("random")
        bots = (bot, other) if seat == 0 else (other, bot)
        assert play_game(GAME, (0, 5), bots, (budget, budget), 2.0, lambda move: None) is None
        bot.close()


@pytest.mark.parametrize(
    ("file", "build", "run"),
    [
        ("engine.c", "gcc -O0 -Wall -Werror -o mybot {file}", "./mybot"),
        ("Engine.java", "javac -proc:none -d . {file}", "java -XX:TieredStopAtLevel=1 Engine"),
        ("engine.mjs", "", "node {file}"),
        pytest.param("engine.cpp", "g++ -O0 -o mybot {file}", "./mybot", marks=pytest.mark.slow),
        pytest.param("engine.rs", "rustc -o mybot {file}", "./mybot", marks=pytest.mark.slow),
        pytest.param("engine.go", "go build -o mybot {file}", "./mybot", marks=pytest.mark.slow),
    ],
)
def test_an_engine_in_another_language_plays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, build: str, run: str
) -> None:
    for line in filter(None, (build, run)):
        word = shlex.split(line)[0]
        if word != "./mybot" and shutil.which(word) is None:
            pytest.skip(f"{word} is not installed")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GOCACHE", str(tmp_path / "cache"))
    if build:
        subprocess.run(shlex.split(build.format(file=ENGINES / file)), check=True)
    play(f"ugi:{run.format(file=ENGINES / file)}")


def test_the_engine_in_python_plays() -> None:
    play(f"ugi:{script(ENGINES / 'engine.py')}")


def test_the_fifteen_lines_of_the_page_play() -> None:
    code = re.search(r"```python\n(.*?)```", (DOCS / "engine-protocol.md").read_text(), re.DOTALL)
    assert code is not None
    assert (ENGINES / "lines.py").read_text().endswith(code[1])
    play(f"lines:{script(ENGINES / 'lines.py')}")


def test_the_shortest_bot_in_javascript_plays() -> None:
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    play(f"lines:node {ENGINES / 'lines.mjs'}")


def test_no_engine_has_more_than_120_lines() -> None:
    for file in ENGINES.iterdir():
        assert len(file.read_text().splitlines()) <= 120, file.name
