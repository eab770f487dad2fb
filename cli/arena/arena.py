"""Play game pairs between two bots without a server and evaluate them: `doublecross arena`."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import os
import signal
import sys
from dataclasses import replace
from pathlib import Path
from time import time as now
from typing import TYPE_CHECKING, Annotated, Any

import typer

from doublecross.cli.arena.folder import FolderOption, RunFolder, terms_of
from doublecross.cli.arena.limits import DEFAULT_TIME_S, ArenaLimits, limits_of
from doublecross.cli.arena.records import GameRecords
from doublecross.cli.shared.console import FAILED, Problem, warn
from doublecross.cli.shared.openings import (
    Openings,
    OpeningsFile,
    check_openings,
    find_openings,
    read_openings,
)
from doublecross.cli.shared.options import EngineLog, FirstBot, GameName, SecondBot, Size
from doublecross.cli.shared.parsing import DEFAULT_GAME, game_of, spec_of
from doublecross.processes.installation import how_to_add

if TYPE_CHECKING:
    from doublecross.bots.arena.arena import Arena
    from doublecross.bots.arena.cluster import ClusterArena
    from doublecross.bots.arena.job import ArenaGame, ArenaJob
    from doublecross.bots.arena.tally import PairTally
    from doublecross.bots.registry import BotSpec
    from doublecross.cli.arena.show import ArenaDisplay
    from doublecross.games.api import Game

MOST_PAIRS = 100_000
MOST_WORKERS = 256
LEAST_MEMORY_MB = 64


OpeningOption = Annotated[
    int | None,
    typer.Option(help="Edges drawn before the first move.", show_default="the game's choice"),
]
TimeOption = Annotated[
    float | None,
    typer.Option(
        help="Seconds for each move.", show_default=f"{DEFAULT_TIME_S} without other limits"
    ),
]
ClockOption = Annotated[
    str | None, typer.Option(help="Clock: seconds a side + seconds a move, such as 10+0.1.")
]
NodesOption = Annotated[int | None, typer.Option(help="The most positions searched for each move.")]
DepthOption = Annotated[int | None, typer.Option(help="The most plies searched.")]
OtherTimeOption = Annotated[float | None, typer.Option("--time-b", help="As --time, for B alone.")]
OtherClockOption = Annotated[str | None, typer.Option("--clock-b", help="As --clock, for B alone.")]
OtherNodesOption = Annotated[int | None, typer.Option("--nodes-b", help="As --nodes, for B alone.")]
OtherDepthOption = Annotated[int | None, typer.Option("--depth-b", help="As --depth, for B alone.")]
MarginOption = Annotated[
    float | None,
    typer.Option(
        help="Seconds by which a move may exceed --time; a later one loses the game.",
        show_default="a quarter of --time, at least 0.1",
    ),
]
CpuOption = Annotated[
    bool, typer.Option("--cpu", help="Let all limits count processor time, not time on a clock.")
]
MemoryOption = Annotated[
    int | None, typer.Option("--memory", help="The most memory of a worker process, in MiB.")
]
PinOption = Annotated[bool, typer.Option("--pin", help="Let each game run on a core of its own.")]
ConcurrencyOption = Annotated[
    int | None,
    typer.Option("--concurrency", "-c", help="Games at once.", show_default="the cores"),
]
SeedOption = Annotated[
    int | None, typer.Option(help="Seed of the openings and of the bots' choices.")
]
DaskOption = Annotated[
    str | None,
    typer.Option(
        "--dask", metavar="ADDRESS", help="Play on this Dask cluster, such as tcp://10.0.0.5:8786."
    ),
]
RecordsOption = Annotated[
    Path | None, typer.Option("--records", "-r", help="Write the games to this file.")
]
ReportOption = Annotated[
    Path | None, typer.Option("--report", help="Write a page with plots to this file.")
]
CsvOption = Annotated[
    Path | None,
    typer.Option(
        "--csv", help="Write a line for each game to this file, and the players beside it."
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]


def arena(
    first: FirstBot,
    second: SecondBot,
    game: GameName = DEFAULT_GAME,
    size: Size = None,
    pairs: Annotated[int, typer.Option("--pairs", "-n", help="Number of game pairs.")] = 100,
    opening_length: OpeningOption = None,
    openings: OpeningsFile = None,
    time: TimeOption = None,
    clock: ClockOption = None,
    nodes: NodesOption = None,
    depth: DepthOption = None,
    time_b: OtherTimeOption = None,
    clock_b: OtherClockOption = None,
    nodes_b: OtherNodesOption = None,
    depth_b: OtherDepthOption = None,
    margin: MarginOption = None,
    cpu: CpuOption = False,
    concurrency: ConcurrencyOption = None,
    memory: MemoryOption = None,
    pin: PinOption = False,
    seed: SeedOption = None,
    records: RecordsOption = None,
    log: EngineLog = None,
    folder: FolderOption = None,
    dask: DaskOption = None,
    report: ReportOption = None,
    csv: CsvOption = None,
    as_json: JsonOption = False,
) -> None:
    """Measure two bots against each other.

    They play game pairs: each opening twice, with the seats changed. The games run in processes of
    this machine without a server, as fast as the bots think. The result has the score, the Elo
    difference and the net boxes, each with its 95 % interval. Ctrl-C stops and prints the result so
    far; with --folder the same command continues, also after a crash.

    Example: doublecross arena rules greedy --size 5x5 --pairs 100 --concurrency 2
    """
    from doublecross.cli.arena.files import ArenaFiles
    from doublecross.cli.arena.show import ArenaDisplay, print_report

    board = board_of(game, size)
    specs = (spec_of(first, board), spec_of(second, board))
    check_count("--pairs", pairs, MOST_PAIRS)
    check_count("--concurrency", concurrency, MOST_WORKERS)
    limits = limits_of(
        (time, clock, nodes, depth), (time_b, clock_b, nodes_b, depth_b), margin, cpu=cpu
    ).of_bots(specs)
    at_once = min(concurrency or os.cpu_count() or 1, pairs)
    limits = placed(limits, memory, pin=pin, at_once=at_once, dask=dask)
    files = ArenaFiles(report, csv, records)
    files.check()
    listed = read_openings(openings, board, opening_length)
    run = RunFolder(folder, terms_of(specs, board, pairs, opening_length, limits, listed), seed)
    job = job_of(specs, board, pairs, opening_length, limits, run.seed, listed)
    run.open(job)
    tally = tally_of(job)
    show = ArenaDisplay(job, tally)
    saved = GameRecords(records, job, run.date)
    try:
        play(job, at_once, show, saved, run, dask)
    finally:
        # After Ctrl-C as well: the finished games have a result.
        if tally.games:
            print_report(job, tally, at_once, as_json=as_json)
            saved.save(tally)
            files.write(job, tally, show.finished_ms)


def board_of(key: str, size: str | None) -> Game:
    """Return the game `key` in `size` (None: its default size), which may be one of OpenSpiel."""
    from doublecross.bots.bridges.games import know_others

    know_others()
    return game_of(key, size)


def job_of(
    specs: tuple[BotSpec, ...],
    game: Game,
    pairs: int,
    opening_length: int | None,
    limits: ArenaLimits,
    seed: int,
    listed: Openings = (),
) -> ArenaJob:
    """Return a match of so many pairs between the first bot and each other one.

    The openings are those in `listed`, or else drawn. If there are fewer than pairs, print a
    warning and repeat them.
    """
    from doublecross.bots.arena.job import ArenaJob, match_tasks

    openings, shortage = find_openings(game, pairs, seed, opening_length, listed)
    check_openings(specs, openings)
    if shortage:
        warn(shortage)
    return ArenaJob(
        specs,
        game,
        match_tasks(openings, len(specs) - 1),
        limits.budgets[0],
        seed,
        budgets=limits.budgets,
        cpu=limits.cpu,
        memory_mb=limits.memory_mb,
        pin=limits.pin,
    )


def placed(
    limits: ArenaLimits, memory_mb: int | None, *, pin: bool, at_once: int, dask: str | None
) -> ArenaLimits:
    """Return `limits` with those of the worker processes, `at_once` of which play.

    Raises:
        Problem: the memory is too small, or workers cannot have cores of their own.
    """
    if memory_mb is not None and memory_mb < LEAST_MEMORY_MB:
        raise Problem(f"--memory must be at least {LEAST_MEMORY_MB}, not {memory_mb}.")
    if pin and dask is not None:
        raise Problem("--pin is for processes of this machine: leave it out with --dask.")
    if pin and sys.platform != "linux":
        raise Problem("--pin needs Linux.")
    if pin and at_once > (cores := len(os.sched_getaffinity(0))):
        raise Problem(f"--pin needs a core for each game at once: --concurrency {cores} at most.")
    return replace(limits, memory_mb=memory_mb, pin=pin)


def check_count(option: str, count: int | None, most: int) -> None:
    """Refuse a number that is not from 1 to `most`; None means that the option was not given."""
    if count is not None and not 1 <= count <= most:
        raise Problem(f"{option} must be from 1 to {most}, not {count}.")


def tally_of(job: ArenaJob) -> PairTally:
    """Return an empty tally for a match."""
    from doublecross.bots.arena.tally import PairTally

    return PairTally(job.tasks[0].players)


def play(
    job: ArenaJob,
    workers: int,
    show: ArenaDisplay,
    records: GameRecords,
    folder: RunFolder,
    dask: str | None = None,
) -> None:
    """Play the job under a live display; put each finished game into `records` and `folder`.

    It is played by processes of this machine, or on the cluster at the address `dask`.

    The games that `folder` has already come first. The tally of `show` has the games, even after an
    error.

    Raises:
        Problem: a bot cannot be made, or the workers do not start.
        KeyboardInterrupt: Ctrl-C or SIGTERM.
    """
    from doublecross.bots.api import BotError
    from doublecross.bots.arena.arena import ArenaError

    def on_game(played: ArenaGame) -> None:
        now_ms = round(1000 * now())
        folder.add(played, now_ms)
        records.add(played)
        show.game(played, now_ms)

    async def run() -> None:
        me = asyncio.current_task()
        assert me is not None
        with contextlib.suppress(NotImplementedError):  # Windows
            asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, me.cancel)
        done = [played for played, _ in folder.done]
        await arena_of(job, workers, dask, on_game=on_game, on_note=show.note, done=done).run()

    try:
        for played, at_ms in folder.done:
            records.add(played)
            show.count(played, at_ms)
        with show.showing():
            asyncio.run(run())
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None
    except BotError as error:
        raise Problem(str(error), trace=error.trace) from None
    except ArenaError as error:
        raise Problem(str(error), FAILED) from None


def arena_of(job: ArenaJob, workers: int, dask: str | None, **how: Any) -> Arena | ClusterArena:
    """Return what plays the job: processes of this machine, or the cluster at `dask`.

    Raises:
        Problem: the package of the cluster is not installed.
    """
    if dask is None:
        from doublecross.bots.arena.arena import Arena

        return Arena(job, workers=workers, **how)
    if importlib.util.find_spec("distributed") is None:
        raise Problem(
            f"--dask needs a package that is not installed (distributed): {how_to_add('dask')}"
        )
    from doublecross.bots.arena.cluster import ClusterArena

    return ClusterArena(job, dask, **how)
