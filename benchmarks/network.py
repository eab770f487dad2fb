"""Compare games over the network with games in an arena: `python -m benchmarks network`.

The same two bots play in one process (`doublecross arena`, one worker) and in a tournament on a
server, where each bot is a `doublecross bot` process as on any other machine. Rounds alternate
between the two. The figures are games a second, and the CPU of all processes for a game: that of
the server, of the bots' programs on the wire, and of the processes in which the bots think.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from typing import Annotated, Any, Final

import psutil
import typer
from rich.console import Console

from benchmarks import command, machine
from benchmarks.figures import Figure, spread
from benchmarks.processes import ROOT, BenchmarkError
from benchmarks.server.meter import cpu_s, median
from benchmarks.server.processes import Subject, doublecross
from doublecross.bots.arena.arena import Arena
from doublecross.bots.arena.job import ArenaGame, ArenaJob, match_tasks
from doublecross.bots.arena.moves import MoveBudget
from doublecross.bots.registry import parse_spec
from doublecross.client.options import Login
from doublecross.client.transport import Client
from doublecross.games.registry import make_game
from doublecross.protocol.common import MatchSettings, TimeControl, TournamentTerms
from doublecross.protocol.server_messages import TournamentState

GAME: Final = "dots-and-boxes"
SIZE: Final = 5
BOTS: Final = ("random", "rules")
PLACES: Final = ("server", "wire", "thinking")
WHERE: Final = ROOT / "var"
_LOOK_S: Final = 0.1
_PATIENCE_S: Final = 60.0
"""The most seconds until the bots have joined or played a few games."""
_PAIRS: Final = 5000
"""More game pairs than a round can play."""


def run(
    bots: Annotated[
        list[str] | None, typer.Argument(help=f"The bots; by default {' '.join(BOTS)}.")
    ] = None,
    rounds: Annotated[int, typer.Option(min=1, help="Number of alternating rounds.")] = 5,
    seconds: Annotated[float, typer.Option(min=0.1, help="Seconds of a round.")] = 10.0,
    at_once: Annotated[
        str, typer.Option(help="Games at once over the network, such as 1,8.")
    ] = "1,8",
    quick: command.Quick = False,
    out: command.Out = ROOT / "var/benchmarks",
    markdown: command.Markdown = False,
) -> None:
    """Compare games over the network with games in one process; each bot plays against itself."""
    if quick:
        rounds, seconds = min(rounds, 2), min(seconds, 2.0)
    counts = [int(text) for text in at_once.split(",")]
    say = Console(stderr=True).print

    def part(bot: str) -> dict[str, Any]:
        rows: dict[str, list[dict[str, float]]] = {}
        with tempfile.TemporaryDirectory(dir=WHERE, prefix="bench-") as folder:
            for number in range(rounds):
                row = asyncio.run(in_arena(bot, seconds, number))
                rows.setdefault("arena", []).append(row)
                for count in counts:
                    with networked(Path(folder)) as (server, programs):
                        playing = over_network(server, programs, bot, count, seconds)
                        row = asyncio.run(playing)
                    rows.setdefault(f"{count} at once", []).append(row)
                latest = (f"{name} {found[-1]['per_s']:.1f}/s" for name, found in rows.items())
                say(f"{bot}: {', '.join(latest)}")
        return rows

    WHERE.mkdir(exist_ok=True)
    described = machine.describe(WHERE)
    command.measure("network", list(bots or BOTS), part, described, lines, Path(out), markdown)


# -- in one process -----------------------------------------------------------------------------


class _EnoughError(Exception):
    """Ends the arena when the time of the round is over."""


async def in_arena(bot: str, seconds: float, seed: int) -> dict[str, float]:
    """Time games of a bot against itself in one worker.

    The measurement begins when the first game ends, and lasts at least `seconds`.
    """
    game = make_game(GAME, {"rows": SIZE, "cols": SIZE})
    tasks = match_tasks(game.openings(Random(seed), _PAIRS).found)
    spec = parse_spec(bot)
    began: list[tuple[float, float]] = []
    games = 0
    result: dict[str, Any] = {}

    def used() -> float:
        return sum(cpu_s(pid) for pid in arena.pids) + time.process_time()

    def over(_: ArenaGame) -> None:
        nonlocal games
        now = time.perf_counter()
        if not began:
            began.append((now, used()))
            return
        games += 1
        wall_s = now - began[0][0]
        if wall_s >= seconds:
            cpu = (used() - began[0][1]) / games
            result.update(per_s=games / wall_s, cpu_ms=1000 * cpu)
            raise _EnoughError

    arena = Arena(ArenaJob((spec, spec), game, tasks, MoveBudget(time_s=10.0), seed), on_game=over)
    try:
        await arena.run()
    except _EnoughError:
        return result
    raise BenchmarkError(f"{bot} has played {games} games, which is too fast to be timed.")


# -- over the network ---------------------------------------------------------------------------


class Programs:
    """The processes of the bots."""

    def __init__(self, stack: ExitStack, url: str, folder: Path) -> None:
        self._stack = stack
        self._url = url
        self._folder = folder
        self.pids: list[int] = []

    def start(self, bot: str, name: str, tournament: str, at_once: int) -> None:
        """Start a process in which a bot joins a tournament."""
        child = subprocess.Popen(
            [
                *(
                    sys.executable,
                    "-P",
                    "-c",
                    "import sys; from doublecross.cli.main import main; sys.exit(main())",
                ),
                *("bot", bot, "--name", name, "--tournament", tournament, "--server", self._url),
                *("--concurrency", str(at_once)),
            ],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT), "XDG_STATE_HOME": str(self._folder)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._stack.callback(_end, child)
        self.pids.append(child.pid)


def _end(child: subprocess.Popen[bytes]) -> None:
    child.terminate()
    try:
        child.wait(10)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()


@contextmanager
def networked(folder: Path) -> Iterator[tuple[Subject, Programs]]:
    """Run a server inside this context; give it, and an object that starts bots for it."""
    with ExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=folder)))
        server = stack.enter_context(doublecross(0, place / "bench.db"))
        yield server, Programs(stack, server.url, place)


async def over_network(
    server: Subject, programs: Programs, bot: str, at_once: int, seconds: float
) -> dict[str, float]:
    """Measure games of a bot against itself in a tournament on `server`.

    The measurement begins when each place has finished a few games. It lasts at least `seconds`,
    and until each place has finished a few games again.

    Returns:
        Games a second, and milliseconds of CPU for a game by the kind of process.
    """
    settings = MatchSettings(
        game=GAME,
        params={"rows": SIZE, "cols": SIZE},
        time=TimeControl(base_ms=600_000, increment_ms=1000),
        rated=True,
    )
    terms = TournamentTerms(
        name="Bench", format="round-robin", settings=settings, pairs=_PAIRS, games_at_once=at_once
    )
    async with Client(server.url, Login("human", name="organiser"), rng=Random(1)) as client:

        async def played() -> int:
            return (await client.tournaments.get(tournament)).games_played

        async def until(reached: Callable[[TournamentState], bool]) -> None:
            while not reached(await client.tournaments.get(tournament)):  # noqa: ASYNC110 - a server
                await asyncio.sleep(_LOOK_S)

        tournament = (await client.tournaments.create(terms)).tournament
        for name in ("one", "two"):
            programs.start(bot, name, tournament, at_once)
        async with asyncio.timeout(_PATIENCE_S):
            await until(lambda state: state.entrants_total == 2)
            await client.tournaments.start(tournament)
            await until(lambda state: state.games_played >= 4 * at_once)
        before, at, games = _used(server, programs), time.perf_counter(), await played()
        await asyncio.sleep(seconds)
        async with asyncio.timeout(_PATIENCE_S):
            await until(lambda state: state.games_played >= games + 4 * at_once)
        after, now, games = _used(server, programs), time.perf_counter(), await played() - games
        await client.tournaments.end(tournament)
    spent = {place: 1000 * (after[place] - before[place]) / games for place in PLACES}
    return {"per_s": games / (now - at), "cpu_ms": sum(spent.values()), **spent}


def _used(server: Subject, programs: Programs) -> dict[str, float]:
    """Return the seconds of CPU used so far, by the kind of process."""
    thinking = [
        child.pid for pid in programs.pids for child in psutil.Process(pid).children(recursive=True)
    ]
    pids = {"server": [server.pid], "wire": programs.pids, "thinking": thinking}
    return {place: sum(cpu_s(pid) for pid in found) for place, found in pids.items()}


# -- the figures --------------------------------------------------------------------------------


def lines(results: Mapping[str, Any]) -> list[Figure]:
    """Return the lines of the bots that were measured."""
    found: list[Figure] = []
    for bot, rows in results.items():
        if bot in ("at", "machine"):
            continue
        arena = rows["arena"]
        for name, measured in rows.items():
            found.append(
                Figure(f"{bot}, {name}: games a second", _spread(measured, "per_s", "", 1))
            )
            found.append(Figure("CPU of a game", _spread(measured, "cpu_ms", "ms", 1)))
            if measured is arena:
                continue
            parts = (f"{place} {_median(measured, place):.1f}" for place in PLACES)
            found.append(Figure("of which", f"{', '.join(parts)} ms"))
            pairs = zip(measured, arena, strict=True)
            ratio = median(row["per_s"] / base["per_s"] for row, base in pairs)
            found.append(Figure("games a second / arena", f"{ratio:.2f}"))
    return found


def _median(rows: list[dict[str, float]], key: str) -> float:
    return median(row[key] for row in rows)


def _spread(rows: list[dict[str, float]], key: str, unit: str, digits: int) -> str:
    values = [row[key] for row in rows]
    figure = {"median": median(values), "least": min(values), "most": max(values)}
    return spread(figure, unit, digits)
