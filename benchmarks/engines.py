"""Measure what a move through an engine costs: `python -m benchmarks.engines`."""

from __future__ import annotations

import shutil
import statistics
import subprocess
import tempfile
from pathlib import Path
from random import Random
from time import perf_counter
from typing import Annotated, Final

import typer

from benchmarks.processes import ROOT
from doublecross.bots import ugi
from doublecross.bots.api import Limit
from doublecross.bots.arena.moves import MoveBudget, PlayedMove
from doublecross.bots.arena.referee import play_game
from doublecross.bots.registry import make_bot, parse_spec
from doublecross.games.api import Game, State
from doublecross.games.registry import make_game

_ENGINE: Final = ROOT / "docs" / "examples" / "engines" / "engine.c"
_TARGET_MS: Final = 0.15


def played(game: Game, program: Path) -> tuple[list[float], list[State]]:
    """Return the seconds of each move in a game of an engine with itself, and its positions."""
    spec = parse_spec(f"ugi:{program}")
    first, second = (make_bot(spec.name, Random(1), spec.options) for _ in range(2))
    bots = (first, second)
    for bot in bots:
        bot.get_ready(game)
    seconds: list[float] = []
    states: list[State] = []
    state, budget = game.initial_state(), MoveBudget(time_s=1.0)
    moves: list[PlayedMove] = []
    play_game(game, (), bots, (budget, budget), 1.0, moves.append)
    for move in moves:
        seconds.append(move.seconds)
        states.append(state.clone())
        state.apply(move.action)
    for bot in bots:
        bot.close()
    return seconds, states


def piped(states: list[State], program: Path) -> list[float]:
    """Return the seconds that the same questions take in a pipe, without anything around it."""
    with subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as engine:
        assert engine.stdin is not None
        assert engine.stdout is not None
        engine.stdin.write(f"setoption name UGI_Size value {states[0].game.size}\n".encode())
        seconds = []
        for state in states:
            go = ugi.go_line(Limit(time_s=1.0), state.current_player())
            question = f"{ugi.position_line(state)}\n{go}\n".encode()
            began = perf_counter()
            engine.stdin.write(question)
            engine.stdin.flush()
            engine.stdout.readline()
            seconds.append(perf_counter() - began)
        engine.stdin.close()
    return seconds


def run(
    rounds: Annotated[int, typer.Option(min=1, help="Alternating games.")] = 100,
    size: Annotated[str, typer.Option(help="The board.")] = "5x5",
) -> None:
    """Measure moves through an engine in an arena, beside the same questions in a bare pipe."""
    compiler = shutil.which("cc")
    if compiler is None:
        raise typer.BadParameter("This needs a C compiler: apt-get install gcc.")
    rows, cols = map(int, size.split("x"))
    game = make_game("dots-and-boxes", {"rows": rows, "cols": cols})
    arena: list[float] = []
    pipe: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "engine")
        subprocess.run([compiler, "-O2", "-o", program, _ENGINE], check=True)
        for _ in range(rounds):
            seconds, states = played(game, program)
            arena.append(1000 * statistics.mean(seconds))
            pipe.append(1000 * statistics.mean(piped(states, program)))
    overhead = [whole - bare for whole, bare in zip(arena, pipe, strict=True)]
    for name, values in (("arena", arena), ("bare pipe", pipe), ("difference", overhead)):
        low, middle, high = statistics.quantiles(values, n=4)
        print(f"{name:10}  {middle:.3f} ms a move ({low:.3f} to {high:.3f})")
    print(f"wanted: a difference under {_TARGET_MS} ms")


if __name__ == "__main__":
    typer.run(run)
