"""Play game pairs between two bots without a server and evaluate them: `doublecross arena`."""

from __future__ import annotations

from typing import Annotated

import typer

from doublecross.cli.arena.options import PairOptions
from doublecross.cli.shared.family import grouped
from doublecross.cli.shared.options import FirstBot, SecondBot


@grouped
def arena(
    first: FirstBot,
    second: SecondBot,
    pairs: Annotated[int, typer.Option("--pairs", "-n", help="Number of game pairs.")] = 100,
    *,
    options: PairOptions,
) -> None:
    """Measure two bots against each other.

    They play game pairs: each opening twice, with the seats changed. The games run in processes of
    this machine without a server, as fast as the bots think. The result has the score, the Elo
    difference and the net boxes, each with its 95 % interval. Ctrl-C stops and prints the result so
    far; with --folder the same command continues, also after a crash.

    Example: doublecross arena rules greedy --size 5x5 --pairs 100 --concurrency 2
    """
    from doublecross.bots.arena.tally import PairTally
    from doublecross.cli.arena.show import ArenaDisplay, print_report

    run = options.run((first, second), pairs)
    tally = PairTally()
    show = ArenaDisplay(run.job, tally)
    try:
        run.play(show)
    finally:
        # After Ctrl-C as well: the finished games have a result.
        if tally.games:
            print_report(run.job, tally, run.at_once, as_json=options.as_json)
            run.records.save(tally)
            run.files.write(run.job, tally, show.finished_ms)
