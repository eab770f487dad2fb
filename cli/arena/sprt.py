"""Play game pairs until they decide between two Elo differences: `doublecross sprt`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Final

import typer

from doublecross.cli.arena.arena import (
    MOST_PAIRS,
    MOST_WORKERS,
    ClockOption,
    ConcurrencyOption,
    CpuOption,
    CsvOption,
    DaskOption,
    DepthOption,
    JsonOption,
    MarginOption,
    MemoryOption,
    NodesOption,
    OpeningOption,
    OtherClockOption,
    OtherDepthOption,
    OtherNodesOption,
    OtherTimeOption,
    PinOption,
    RecordsOption,
    ReportOption,
    SeedOption,
    TimeOption,
    board_of,
    check_count,
    job_of,
    placed,
    play,
)
from doublecross.cli.arena.folder import FolderOption, RunFolder, terms_of
from doublecross.cli.arena.limits import limits_of
from doublecross.cli.arena.records import GameRecords
from doublecross.cli.shared.console import Problem, warn
from doublecross.cli.shared.openings import OpeningsFile, read_openings
from doublecross.cli.shared.options import EngineLog, FirstBot, GameName, SecondBot, Size
from doublecross.cli.shared.parsing import DEFAULT_GAME, spec_of

if TYPE_CHECKING:
    from doublecross.bots.arena.job import ArenaJob
    from doublecross.bots.arena.sprt_trial import Trial
    from doublecross.cli.arena.sprt_show import EndReason, SprtDisplay
    from doublecross.stats.sprt import Sprt

DEFAULT_MAX_PAIRS: Final = 10_000
"""Nearly all tests of 20 Elo need less, and finding openings for so many takes a second."""


def sprt(
    first: FirstBot,
    second: SecondBot,
    elo0: Annotated[float, typer.Option("--elo0", help="The Elo difference A - B under H0.")] = 0.0,
    elo1: Annotated[
        float, typer.Option("--elo1", help="The Elo difference A - B under H1.")
    ] = 20.0,
    alpha: Annotated[float, typer.Option(help="Chance of accepting H1 although H0 holds.")] = 0.05,
    beta: Annotated[float, typer.Option(help="Chance of accepting H0 although H1 holds.")] = 0.05,
    game: GameName = DEFAULT_GAME,
    size: Size = None,
    max_pairs: Annotated[
        int, typer.Option("--max-pairs", "-n", help="Stop undecided after so many game pairs.")
    ] = DEFAULT_MAX_PAIRS,
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
    """Decide between two Elo differences with as few games as possible.

    Two bots play game pairs on this machine, as with doublecross arena. A sequential probability
    ratio test stops them when it accepts H0 (A is elo0 points stronger than B) or H1 (A is elo1
    points stronger). Ctrl-C stops undecided and prints the result so far; with --folder the same
    command continues, also after a crash, and reaches the same verdict.

    Example: doublecross sprt champion rules --elo0 0 --elo1 20 --size 5x5 --concurrency 2
    """
    from doublecross.bots.arena.sprt_trial import Trial
    from doublecross.cli.arena.files import ArenaFiles
    from doublecross.cli.arena.sprt_show import SprtDisplay, llr_plot, print_verdict, sentence

    test = _test_of(elo0, elo1, alpha, beta)
    board = board_of(game, size)
    specs = (spec_of(first, board), spec_of(second, board))
    check_count("--max-pairs", max_pairs, MOST_PAIRS)
    check_count("--concurrency", concurrency, MOST_WORKERS)
    if max_pairs < test.clean_pairs:
        warn(
            f"Even if {first} wins every game, the test needs {test.clean_pairs} pairs to accept"
            f" {elo1:+g} Elo against {elo0:+g}. Raise --max-pairs or --elo1.",
            "yellow",
        )
    limits = limits_of(
        (time, clock, nodes, depth), (time_b, clock_b, nodes_b, depth_b), margin, cpu=cpu
    ).of_bots(specs)
    at_once = min(concurrency or os.cpu_count() or 1, max_pairs)
    limits = placed(limits, memory, pin=pin, at_once=at_once, dask=dask)
    files = ArenaFiles(report, csv, records)
    files.check()
    listed = read_openings(openings, board, opening_length)
    terms = terms_of(specs, board, max_pairs, opening_length, limits, listed)
    terms["the test"] = f"{elo0:+g} and {elo1:+g} Elo, alpha {alpha:g}, beta {beta:g}"
    run = RunFolder(folder, terms, seed)
    job = job_of(specs, board, max_pairs, opening_length, limits, run.seed, listed)
    run.open(job)
    trial = Trial(test, keep_moves=records is not None or report is not None)
    show = SprtDisplay(job, trial)
    saved = GameRecords(records, job, run.date)

    def finish(ended: EndReason) -> None:
        print_verdict(job, trial, ended, at_once, as_json=as_json)
        saved.save(trial.played)
        note = sentence(job, trial, ended)
        files.write(job, trial.counted, show.finished_ms, note=note, plots=lambda: llr_plot(trial))

    try:
        ended = _play(job, at_once, trial, show, saved, run, dask)
    except BaseException:
        if trial.played.games:
            finish("failed")
        raise
    finish(ended)


def _test_of(elo0: float, elo1: float, alpha: float, beta: float) -> Sprt:
    from doublecross.stats.sprt import Sprt

    if elo0 >= elo1:
        raise Problem(f"--elo0 must be below --elo1; they are {elo0:g} and {elo1:g}.")
    try:
        return Sprt(elo0, elo1, alpha, beta)
    except ValueError as error:
        raise Problem(f"--{error}") from None  # it begins with the name of the option


def _play(
    job: ArenaJob,
    workers: int,
    trial: Trial,
    show: SprtDisplay,
    records: GameRecords,
    folder: RunFolder,
    dask: str | None,
) -> EndReason:
    from doublecross.bots.arena.sprt_trial import Decided

    try:
        play(job, workers, show, records, folder, dask)
    except Decided:
        return "bound"
    except KeyboardInterrupt:
        # Ctrl-C after the decision, while the workers end, changes nothing.
        return "bound" if trial.verdict is not None else "interrupted"
    return "max-pairs"
