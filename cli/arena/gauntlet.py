"""Play one bot against many others, side by side: `doublecross gauntlet`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from doublecross.cli.arena.options import RunOptions
from doublecross.cli.arena.show import ArenaDisplay, adjudicated, job_limits_text, limits_json
from doublecross.cli.shared.console import Problem, out, say
from doublecross.cli.shared.family import grouped
from doublecross.cli.shared.options import bot_argument
from doublecross.cli.shared.tables import rows_table

if TYPE_CHECKING:
    from doublecross.bots.arena.job import ArenaJob
    from doublecross.bots.arena.report import Report
    from doublecross.bots.arena.tally import PairTally

MOST_OPPONENTS = 100


@grouped
def gauntlet(
    new: Annotated[str, bot_argument("A bot, such as mcts.", "NEW")],
    old: Annotated[list[str], bot_argument("Its opponents.", "OLD...")],
    pairs: Annotated[
        int, typer.Option("--pairs", "-n", help="Number of game pairs against each.")
    ] = 100,
    *,
    options: RunOptions,
) -> None:
    """Measure one bot against several others.

    It plays game pairs from the same openings against each, as with doublecross arena. After each
    opening it has met all of them equally often. The table has a line for each opponent and one for
    all games. Ctrl-C stops and prints the result so far; with --folder the same command continues.

    Example: doublecross gauntlet mcts random greedy rules --size 4x4 --pairs 50
    """
    from doublecross.bots.arena.tally import PairTally

    if len(old) > MOST_OPPONENTS:
        raise Problem(f"A gauntlet has at most {MOST_OPPONENTS} opponents, not {len(old)}.")
    run = options.run((new, *old), pairs)
    tally = PairTally()
    show = ArenaDisplay(run.job, tally)
    try:
        run.play(show)
    finally:
        # After Ctrl-C as well: the finished games have a result.
        if tally.games:
            _print(run.job, tally, run.at_once, as_json=options.as_json)
            run.records.save(tally)
            run.files.write(run.job, tally, show.finished_ms)


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
            "adjudicated": tally.adjudicated,
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
    if job.adjudicate:
        say(adjudicated(tally.adjudicated, 2 * len(tally.pairs)))
    if tally.leftover:
        say(f"Games of unfinished pairs, not counted: {tally.leftover}.", "yellow")
    say(
        f"{planned} pairs of {job.game.title} {job.game.size} against each,"
        f" {job_limits_text(job)}, seed {job.seed}; intervals of 95 %",
        "dim",
    )
