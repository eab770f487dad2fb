"""Play game pairs until they decide between two Elo differences: `doublecross sprt`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer

from doublecross.cli.arena.options import PairOptions
from doublecross.cli.shared.console import Problem, warn
from doublecross.cli.shared.family import grouped
from doublecross.cli.shared.options import FirstBot, SecondBot

if TYPE_CHECKING:
    from doublecross.bots.arena.sprt_trial import Trial
    from doublecross.cli.arena.run import Run
    from doublecross.cli.arena.sprt_show import EndReason, SprtDisplay
    from doublecross.stats.sprt import Sprt

DEFAULT_MAX_PAIRS: Final = 10_000
"""Nearly all tests of 20 Elo need less, and finding openings for so many takes a second."""


@grouped
def sprt(
    first: FirstBot,
    second: SecondBot,
    elo0: Annotated[float, typer.Option("--elo0", help="The Elo difference A - B under H0.")] = 0.0,
    elo1: Annotated[
        float, typer.Option("--elo1", help="The Elo difference A - B under H1.")
    ] = 20.0,
    alpha: Annotated[float, typer.Option(help="Chance of accepting H1 although H0 holds.")] = 0.05,
    beta: Annotated[float, typer.Option(help="Chance of accepting H0 although H1 holds.")] = 0.05,
    max_pairs: Annotated[
        int, typer.Option("--max-pairs", "-n", help="Stop undecided after so many game pairs.")
    ] = DEFAULT_MAX_PAIRS,
    *,
    options: PairOptions,
) -> None:
    """Decide between two Elo differences with as few games as possible.

    Two bots play game pairs on this machine, as with doublecross arena. A sequential probability
    ratio test stops them when it accepts H0 (A is elo0 points stronger than B) or H1 (A is elo1
    points stronger). Ctrl-C stops undecided and prints the result so far; with --folder the same
    command continues, also after a crash, and reaches the same verdict.

    Example: doublecross sprt champion rules --elo0 0 --elo1 20 --size 5x5 --concurrency 2
    """
    from doublecross.bots.arena.sprt_trial import Trial
    from doublecross.cli.arena.sprt_show import SprtDisplay, llr_plot, print_verdict, sentence

    test = _test_of(elo0, elo1, alpha, beta)
    terms = {"the test": f"{elo0:+g} and {elo1:+g} Elo, alpha {alpha:g}, beta {beta:g}"}
    run = options.run((first, second), max_pairs, "--max-pairs", **terms)
    if max_pairs < test.clean_pairs:
        warn(
            f"Even if {first} wins every game, the test needs {test.clean_pairs} pairs to accept"
            f" {elo1:+g} Elo against {elo0:+g}. Raise --max-pairs or --elo1.",
            "yellow",
        )
    job = run.job
    trial = Trial(test, keep_moves=bool(options.records or options.report))
    show = SprtDisplay(job, trial)

    def finish(ended: EndReason) -> None:
        print_verdict(job, trial, ended, run.at_once, as_json=options.as_json)
        run.records.save(trial.played)
        note = sentence(job, trial, ended)
        run.files.write(
            job, trial.counted, show.finished_ms, note=note, plots=lambda: llr_plot(trial)
        )

    try:
        ended = _play(run, trial, show)
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


def _play(run: Run, trial: Trial, show: SprtDisplay) -> EndReason:
    from doublecross.bots.arena.sprt_trial import Decided

    try:
        run.play(show)
    except Decided:
        return "bound"
    except KeyboardInterrupt:
        # Ctrl-C after the decision, while the workers end, changes nothing.
        return "bound" if trial.verdict is not None else "interrupted"
    return "max-pairs"
