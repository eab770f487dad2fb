"""The options of the commands that play game pairs without a server."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from doublecross.cli.arena.folder import FolderOption, RunFolder, terms_of
from doublecross.cli.arena.limits import DEFAULT_TIME_S, ArenaLimits, Options, limits_of
from doublecross.cli.shared.console import Problem, warn
from doublecross.cli.shared.openings import (
    Openings,
    OpeningsFile,
    check_openings,
    find_openings,
    read_openings,
)
from doublecross.cli.shared.options import Dask, EngineLog, GameName, Size
from doublecross.cli.shared.parsing import DEFAULT_GAME, game_of, need_engines, spec_of

if TYPE_CHECKING:
    from doublecross.bots.arena.job import ArenaJob
    from doublecross.bots.registry import BotSpec
    from doublecross.cli.arena.run import Run
    from doublecross.games.api import Game

MOST_PAIRS: Final = 100_000
_MOST_WORKERS: Final = 256
_LEAST_MEMORY_MB: Final = 64
_LEAST_COMPILED_MB: Final = 300
"""The same with a compiled search: with less, numba and numpy cannot even be imported."""


@dataclass(frozen=True)
class PlayOptions:
    """Says what is played, by which limits, and where."""

    game: GameName = DEFAULT_GAME
    size: Size = None
    time: Annotated[
        float | None,
        typer.Option(
            help="Seconds for each move.", show_default=f"{DEFAULT_TIME_S} without other limits"
        ),
    ] = None
    clock: Annotated[
        str | None, typer.Option(help="Clock: seconds a side + seconds a move, such as 10+0.1.")
    ] = None
    nodes: Annotated[
        int | None, typer.Option(help="The most positions searched for each move.")
    ] = None
    depth: Annotated[int | None, typer.Option(help="The most plies searched.")] = None
    margin: Annotated[
        float | None,
        typer.Option(
            help="Seconds by which a move may exceed --time; a later one loses the game.",
            show_default="a quarter of --time, at least 0.1",
        ),
    ] = None
    adjudicate: Annotated[
        int | None,
        typer.Option(
            metavar="EDGES",
            help="End a game by its exact value when so few edges are free.",
            show_default="play all games to their end",
        ),
    ] = None
    concurrency: Annotated[
        int | None,
        typer.Option("--concurrency", "-c", help="Games at once.", show_default="the cores"),
    ] = None
    dask: Dask = None

    @property
    def board(self) -> Game:
        """The game in its size, which may be one of OpenSpiel."""
        from doublecross.bots.bridges.games import know_others

        know_others()
        return game_of(self.game, self.size)

    @property
    def at_once(self) -> int:
        """How many games to play at once, if there are as many."""
        check_count("--concurrency", self.concurrency, _MOST_WORKERS)
        return self.concurrency or os.cpu_count() or 1

    @property
    def second_limits(self) -> Options:
        """The limits of the second bot alone."""
        return None, None, None, None

    def limits(self, specs: tuple[BotSpec, ...], game: Game, *, cpu: bool = False) -> ArenaLimits:
        """Return the limits of these bots.

        Raises:
            Problem: an option has a wrong value, or the exact solver does not play `game`.
        """
        from doublecross.bots.arena.adjudication import MOST_FREE, has_values

        first = self.time, self.clock, self.nodes, self.depth
        limits = limits_of(first, self.second_limits, self.margin, cpu=cpu).of_bots(specs)
        if self.adjudicate is None:
            return limits
        check_count("--adjudicate", self.adjudicate, MOST_FREE)
        if not has_values(game):
            raise Problem(f"--adjudicate needs Dots and Boxes: no exact solver plays {game.title}.")
        need_engines()
        return replace(limits, adjudicate=self.adjudicate)

    def check_openings(self, specs: tuple[BotSpec, ...], game: Game, openings: Openings) -> None:
        """Refuse bots that play no openings, and openings that leave nothing to play."""
        check_openings(specs, openings)
        left = game.num_actions - max(map(len, openings))
        if self.adjudicate is not None and left <= self.adjudicate:
            raise Problem(
                f"--adjudicate must be below {left}: the opening leaves so many edges free."
            )


@dataclass(frozen=True)
class RunOptions(PlayOptions):
    """Adds how to measure, and what to keep."""

    opening_length: Annotated[
        int | None,
        typer.Option(help="Edges drawn before the first move.", show_default="the game's choice"),
    ] = None
    openings: OpeningsFile = None
    cpu: Annotated[
        bool,
        typer.Option("--cpu", help="Let all limits count processor time, not time on a clock."),
    ] = False
    memory: Annotated[
        int | None, typer.Option("--memory", help="The most memory of a worker process, in MiB.")
    ] = None
    pin: Annotated[bool, typer.Option("--pin", help="Let each game run on a core of its own.")] = (
        False
    )
    seed: Annotated[
        int | None, typer.Option(help="Seed of the openings and of the bots' choices.")
    ] = None
    records: Annotated[
        Path | None, typer.Option("--records", "-r", help="Write the games to this file.")
    ] = None
    log: EngineLog = None
    folder: FolderOption = None
    report: Annotated[
        Path | None, typer.Option("--report", help="Write a page with plots to this file.")
    ] = None
    csv: Annotated[
        Path | None,
        typer.Option(
            "--csv", help="Write a line for each game to this file, and the players beside it."
        ),
    ] = None
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False

    def run(
        self, bots: Sequence[str], pairs: int, option: str = "--pairs", **more_terms: str
    ) -> Run:
        """Return a run of so many pairs between the first bot and each other one.

        `option` gave the number of pairs. Another run in the same folder must have equal
        `more_terms`.

        Raises:
            Problem: an option has a wrong value, or the folder has another run.
        """
        from doublecross.cli.arena.files import ArenaFiles
        from doublecross.cli.arena.records import GameRecords
        from doublecross.cli.arena.run import Run

        game, opponents = self.board, len(bots) - 1
        specs = tuple(spec_of(text, game) for text in bots)
        check_count(option, pairs, MOST_PAIRS // opponents)
        at_once = min(self.at_once, pairs * opponents)
        limits = self._placed(self.limits(specs, game, cpu=self.cpu), specs, at_once)
        files = ArenaFiles(self.report, self.csv, self.records)
        files.check()
        listed = read_openings(self.openings, game, self.opening_length)
        terms = terms_of(specs, game, pairs, self.opening_length, limits, listed)
        folder = RunFolder(self.folder, terms | more_terms, self.seed)
        job = self._job(specs, game, pairs, limits, folder.seed, listed)
        folder.open(job)
        records = GameRecords(self.records, job, folder.date)
        return Run(job, at_once, self.dask, folder, files, records)

    def _placed(self, limits: ArenaLimits, specs: tuple[BotSpec, ...], at_once: int) -> ArenaLimits:
        """Return `limits` with those of the worker processes, `at_once` of which play.

        Raises:
            Problem: the memory is too small, or workers cannot have cores of their own.
        """
        if self.memory is not None:
            self._check_memory(self.memory, specs)
        if self.pin and self.dask is not None:
            raise Problem("--pin is for processes of this machine: leave it out with --dask.")
        if self.pin and sys.platform != "linux":
            raise Problem("--pin needs Linux.")
        if self.pin and at_once > (cores := len(os.sched_getaffinity(0))):
            raise Problem(
                f"--pin needs a core for each game at once: --concurrency {cores} at most."
            )
        return replace(limits, memory_mb=self.memory, pin=self.pin)

    def _check_memory(self, memory_mb: int, specs: tuple[BotSpec, ...]) -> None:
        from doublecross.bots.registry import bot_class

        compiled = [spec.name for spec in specs if bot_class(spec.name).packages]
        if self.adjudicate is not None:
            compiled.append("--adjudicate")
        least = _LEAST_COMPILED_MB if compiled else _LEAST_MEMORY_MB
        if memory_mb < least:
            why = f" with {compiled[0]}, whose packages need so much" if compiled else ""
            raise Problem(f"--memory must be at least {least}{why}, not {memory_mb}.")

    def _job(
        self,
        specs: tuple[BotSpec, ...],
        game: Game,
        pairs: int,
        limits: ArenaLimits,
        seed: int,
        listed: Openings,
    ) -> ArenaJob:
        """Return the job with the openings in `listed`, or else drawn ones.

        If there are fewer than pairs, print a warning and repeat them.
        """
        from doublecross.bots.arena.job import ArenaJob, match_tasks

        openings, shortage = find_openings(game, pairs, seed, self.opening_length, listed)
        self.check_openings(specs, game, openings)
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
            adjudicate=limits.adjudicate,
        )


@dataclass(frozen=True)
class PairOptions(RunOptions):
    """Adds the limits of the second of two bots."""

    time_b: Annotated[float | None, typer.Option("--time-b", help="As --time, for B alone.")] = None
    clock_b: Annotated[str | None, typer.Option("--clock-b", help="As --clock, for B alone.")] = (
        None
    )
    nodes_b: Annotated[int | None, typer.Option("--nodes-b", help="As --nodes, for B alone.")] = (
        None
    )
    depth_b: Annotated[int | None, typer.Option("--depth-b", help="As --depth, for B alone.")] = (
        None
    )

    @property
    def second_limits(self) -> Options:
        """The limits of the second bot alone."""
        return self.time_b, self.clock_b, self.nodes_b, self.depth_b


def check_count(option: str, count: int | None, most: int) -> None:
    """Refuse a number that is not from 1 to `most`; None means that the option was not given."""
    if count is not None and not 1 <= count <= most:
        raise Problem(f"{option} must be from 1 to {most}, not {count}.")
