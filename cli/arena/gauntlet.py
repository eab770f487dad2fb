"""Play one bot against many others, side by side: `doublecross gauntlet`."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Annotated

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
    tally_of,
)
from doublecross.cli.arena.folder import FolderOption, RunFolder, terms_of
from doublecross.cli.arena.limits import limits_of
from doublecross.cli.arena.records import GameRecords
from doublecross.cli.arena.show import ArenaDisplay, job_limits_text, limits_json
from doublecross.cli.shared.console import Problem, out, say
from doublecross.cli.shared.openings import OpeningsFile, read_openings
from doublecross.cli.shared.options import EngineLog, GameName, Size, bot_argument
from doublecross.cli.shared.parsing import DEFAULT_GAME, spec_of
from doublecross.cli.shared.tables import rows_table

if TYPE_CHECKING:
    from doublecross.bots.arena.job import ArenaJob
    from doublecross.bots.arena.report import Report
    from doublecross.bots.arena.tally import PairTally

MOST_OPPONENTS = 100


def gauntlet(
    new: Annotated[str, bot_argument("A bot, such as mcts.", "NEW")],
    old: Annotated[list[str], bot_argument("Its opponents.", "OLD...")],
    game: GameName = DEFAULT_GAME,
    size: Size = None,
    pairs: Annotated[
        int, typer.Option("--pairs", "-n", help="Number of game pairs against each.")
    ] = 100,
    opening_length: OpeningOption = None,
    openings: OpeningsFile = None,
    time: TimeOption = None,
    clock: ClockOption = None,
    nodes: NodesOption = None,
    depth: DepthOption = None,
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
    """Measure one bot against several others.

    It plays game pairs from the same openings against each, as with doublecross arena. After each
    opening it has met all of them equally often. The table has a line for each opponent and one for
    all games. Ctrl-C stops and prints the result so far; with --folder the same command continues.

    Example: doublecross gauntlet mcts random greedy rules --size 4x4 --pairs 50
    """
    from doublecross.cli.arena.files import ArenaFiles

    board = board_of(game, size)
    specs = tuple(spec_of(text, board) for text in (new, *old))
    if len(old) > MOST_OPPONENTS:
        raise Problem(f"A gauntlet has at most {MOST_OPPONENTS} opponents, not {len(old)}.")
    check_count("--pairs", pairs, MOST_PAIRS // len(old))
    check_count("--concurrency", concurrency, MOST_WORKERS)
    limits = limits_of((time, clock, nodes, depth), (None,) * 4, margin, cpu=cpu).of_bots(specs)
    at_once = min(concurrency or os.cpu_count() or 1, pairs * len(old))
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
            _print(job, tally, at_once, as_json=as_json)
            saved.save(tally)
            files.write(job, tally, show.finished_ms)


def _print(job: ArenaJob, tally: PairTally, workers: int, *, as_json: bool) -> None:
    """Print a line for each opponent, and one for all."""
    from doublecross.bots.arena.job import bootstrap_rng
    from doublecross.bots.arena.report import report
    from doublecross.bots.arena.tally import PairTally
    from doublecross.cli.shared.report.formatting import elo_text, likelihood, percent
    from doublecross.cli.shared.report.notes import few_openings
    from doublecross.stats.pairs import PairFigures

    found: list[Report] = []
    for other in range(1, len(job.bots)):
        met = PairTally((0, other))
        for played in tally.games:
            if other in played.players:
                met.add(played)
        found.append(report(job, met, bootstrap_rng(job.seed)))
    figures = PairFigures.of(tally.pentanomial, bootstrap_rng(job.seed))
    planned = len(job.tasks) // len(found)
    if as_json:
        about = {
            "game": job.game.key,
            "size": job.game.size,
            **limits_json(job),
            "seed": job.seed,
            "concurrency": workers,
            "pairs_planned": planned,
            "all": figures.as_json(),
            "opponents": [each.as_json() for each in found],
        }
        say(json.dumps(about, indent=2))
        return
    lines = [(each.second.name, each.figures) for each in found]
    columns = ("Pairs", "Score", "Elo", "Normalised Elo", "LOS")
    rows = [
        (
            name,
            one.pairs.pairs,
            percent(one.score),
            elo_text(one.elo, one.elo_interval),
            elo_text(one.normalised_elo, one.normalised_elo_interval),
            likelihood(one.los),
        )
        for name, one in (*lines, ("all", figures))
    ]
    say(f"{job.names[0]}: +{tally.won} ={tally.drawn} -{tally.lost}", "bold")
    out().print(rows_table(("Against", *columns), rows, right=columns))
    repeated = found[0].figures.pairs.pairs - found[0].openings
    for sentence in few_openings(found[0].openings, repeated, "these figures"):
        say(sentence, "yellow")
    for player, name in enumerate(job.names):
        for kind, count in tally.terminations(player).items():
            say(f"{name} lost {count} by {kind}.", "yellow")
    if tally.leftover:
        say(f"Games of unfinished pairs, not counted: {tally.leftover}.", "yellow")
    say(
        f"{planned} pairs of {job.game.title} {job.game.size} against each,"
        f" {job_limits_text(job)}, seed {job.seed}; intervals of 95 %",
        "dim",
    )
