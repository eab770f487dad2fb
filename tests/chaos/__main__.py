"""The long forms of the chaos tests: `python -m tests.chaos --help`.

Each command prints what it measured, and ends with exit code 1 if a promise was broken.
"""

from __future__ import annotations

import asyncio
import importlib.util
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Annotated

import typer

from doublecross.protocol.common import TournamentTerms
from tests.chaos import attacks as attacking
from tests.chaos import fuzz as fuzzing
from tests.chaos import scenarios
from tests.chaos import soak as soaking
from tests.chaos.games import SETTINGS, Ledger, Room, players
from tests.chaos.servers import ServerProcess

app = typer.Typer(add_completion=False, no_args_is_help=True, help=__doc__)
Seed = Annotated[int, typer.Option(help="Seed of everything that is random.")]
Rooms = Annotated[int, typer.Option(help="Rooms with two players each.")]
Times = Annotated[int, typer.Option(help="How often the fault strikes.")]


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="chaos-")


@app.command()
def network(
    harms: Annotated[list[str] | None, typer.Argument(help="Harms; by default all.")] = None,
    rooms: Rooms = 50,
    matches: int = 2,
    seed: Seed = 1,
) -> None:
    """Play through a proxy that harms connections; check games and moves."""
    for harm in harms or scenarios.HARMS:
        began = time.monotonic()
        with _folder() as folder:
            result = asyncio.run(
                scenarios.network(Path(folder), harm, rooms, matches, Random(seed))
            )
        ledger = result.ledger
        _say(
            f"{harm:17} struck {result.struck:6,} times, {result.connections:5,} further "
            f"connections: {len(ledger.finished):,} games and {len(ledger.moves):,} moves as "
            f"acknowledged, {time.monotonic() - began:.0f} s"
        )


def _strike(fault: str, rooms: int, times: int, seed: int) -> None:
    began = time.monotonic()
    with _folder() as folder:
        ledger = asyncio.run(scenarios.faults(Path(folder), fault, rooms, 1, times, Random(seed)))
    _say(
        f"{fault:16} x {times:3}: {len(ledger.finished):,} games and {len(ledger.moves):,} moves as"
        f" acknowledged, refused: {dict(ledger.refused)}, {time.monotonic() - began:.0f} s"
    )


@app.command()
def faults(
    names: Annotated[list[str] | None, typer.Argument(help="Faults; by default all.")] = None,
    rooms: Rooms = 200,
    times: Times = 10,
    seed: Seed = 1,
) -> None:
    """Let the process, disk, database and open files fail under many rooms; check every move."""
    for fault in names or scenarios.FAULTS:
        _strike(fault, rooms, times, seed)


@app.command()
def kills(rooms: Rooms = 20, times: Times = 500, seed: Seed = 1) -> None:
    """Kill a server again and again; check that no acknowledged move is lost."""
    _strike("kill", rooms, times, seed)


@app.command()
def attacks(
    names: Annotated[list[str] | None, typer.Argument(help="Attacks; by default all.")] = None,
    pairs: Annotated[int, typer.Option(help="Ordinary pairs beside the attack.")] = 20,
    seconds: Annotated[float, typer.Option(help="How long to attack.")] = 5.0,
) -> None:
    """Attack a server beside ordinary pairs; judge how long these wait."""
    failed = 0
    for name in names or attacking.ATTACKS:
        with _folder() as folder:
            verdict = asyncio.run(
                attacking.measure(Path(folder), name, pairs, seconds, seconds, events=2_400)
            )
        failed += not verdict.bearable
        _say(
            f"{name:12} p99 {verdict.before_s * 1000:6.1f} -> {verdict.during_s * 1000:7.1f} ms, "
            f"{verdict.moves:5,} moves, {verdict.rss_mb:4.0f} MB, "
            f"{'good' if verdict.bearable else 'TOO SLOW'}, got {dict(verdict.got.most_common(3))}"
        )
    raise typer.Exit(1 if failed else 0)


@app.command()
def fuzz(
    seconds: Annotated[float, typer.Option(help="For each target.")] = 60.0,
    seed: Seed = 1,
    coverage: Annotated[bool, typer.Option(help="Let atheris choose the input.")] = False,
) -> None:
    """Feed bytes to the codecs, to the frames and to the reader of records."""
    if coverage and importlib.util.find_spec("atheris") is None:
        raise typer.BadParameter("The package atheris is not installed: pip install atheris")
    for target in fuzzing.TARGETS:
        if coverage:
            command = (sys.executable, "-m", "tests.chaos.coverage_fuzz", target, f"{seconds:.0f}")
            if subprocess.run(command, check=False).returncode:
                raise typer.Exit(1)
        else:
            _say(f"{target:8} {fuzzing.run(target, seed, seconds=seconds):,} inputs")


@app.command()
def soak(
    games: Annotated[int, typer.Option(help="How many games.")] = 100_000,
    rooms: Rooms = 100,
    most_mb: Annotated[float, typer.Option(help="The growth of memory that is allowed.")] = 20.0,
) -> None:
    """Play short games on one server; check that its memory stays flat."""
    began = time.monotonic()
    with _folder() as folder:
        result = asyncio.run(soaking.soak(Path(folder), games, rooms, _say))
    _say(
        f"{result.games:,} games in {time.monotonic() - began:.0f} s, growth since the third tenth:"
        f" {result.growth_mb:+.1f} MB, failures: {result.failures}"
    )
    raise typer.Exit(1 if result.failures or result.growth_mb > most_mb else 0)


@app.command()
def http(
    examples: Annotated[int, typer.Option(help="Requests for each address.")] = 200, seed: Seed = 1
) -> None:
    """Let schemathesis ask the HTTP interface by its OpenAPI document."""
    if importlib.util.find_spec("schemathesis") is None:
        raise typer.BadParameter("The package schemathesis is not installed.")
    with _folder() as folder, ServerProcess(Path(folder)) as server:
        config = Path(folder, "schemathesis.toml")
        config.write_text(asyncio.run(_http_config(server)))
        options = ("--max-examples", str(examples), "--seed", str(seed))
        document = f"{server.http}/api/openapi.json"
        program: Sequence[str] = (sys.executable, "-m", "schemathesis.cli", "--config-file")
        command = (*program, str(config), "run", document, *options)
        code = subprocess.run(command, check=False).returncode
    raise typer.Exit(code)


async def _http_config(server: ServerProcess) -> str:
    """Play a game and create a tournament; return a file of settings with their names.

    The best of `/api/ratings` need a game and perhaps its size, which OpenAPI cannot say.
    """
    ledger, rng = Ledger(), Random(1)
    async with players(server.url, ["Ann", "Bob"], rng) as found:
        room = Room((found[0], found[1]), ledger, rng)
        await room.open()
        await room.play(1)
        terms = TournamentTerms(name="cup", format="round-robin", settings=SETTINGS)
        cup = await found[0].client.tournaments.create(terms)
    dictionary = 'parameters."path.{}" = {{ dictionary = "{}", probability = 0.5 }}'
    return "\n".join(
        (
            "[dictionaries]",
            f'games = {{ values = ["{next(iter(ledger.finished))}"] }}',
            f'tournaments = {{ values = ["{cup.tournament}"] }}',
            'players = { values = ["Ann"] }',
            "[[operations]]",
            'include-path = "/api/games/{game_id}"',
            dictionary.format("game_id", "games"),
            "[[operations]]",
            'include-path-regex = "^/api/tournaments/{tournament_id}"',
            dictionary.format("tournament_id", "tournaments"),
            "[[operations]]",
            'include-path = "/api/players/{name}"',
            dictionary.format("name", "players"),
            "[[operations]]",
            'include-path = "/api/ratings"',
            "checks.positive_data_acceptance.enabled = false",
        )
    )


if __name__ == "__main__":
    app()
