"""Show the progress of `doublecross sprt`, and its verdict."""

from __future__ import annotations

import contextlib
import json
import math
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Literal

from doublecross.bots.arena.sprt_trial import Decided
from doublecross.cli.arena.show import ArenaDisplay, limits_json, print_table
from doublecross.cli.shared.console import err, say, warn

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from doublecross.bots.arena.job import ArenaGame, ArenaJob
    from doublecross.bots.arena.sprt_trial import Trial
    from doublecross.cli.shared.report.page import Plot

EndReason = Literal["bound", "max-pairs", "interrupted", "failed"]
"""Why a test ended: it reached a bound, played all its pairs, was stopped, or failed."""

_FIRST_LINES: Final = (1, 2, 5, 10, 20, 50, 100)
_LINE_EVERY: Final = 100
"""After which pairs a test without a terminal prints a line: these, then every so many."""


class SprtDisplay(ArenaDisplay):
    """Passes the games to `trial` and shows the progress on standard error."""

    def __init__(self, job: ArenaJob, trial: Trial) -> None:
        super().__init__(job, trial.played)
        self._trial = trial
        self._next = _FIRST_LINES[0]
        self._bar: Progress | None = None
        self._line: TaskID | None = None

    @contextlib.contextmanager
    def showing(self) -> Iterator[None]:
        """Show a live line inside this context, if there is a terminal for it.

        Its bar is the LLR between the bounds.
        """
        if not err().is_terminal:
            yield
            return
        from rich.progress import BarColumn, Progress, TextColumn

        columns = (
            TextColumn("{task.description}"),
            TextColumn("{task.fields[pairs]}"),
            TextColumn("H0"),
            BarColumn(bar_width=None),
            TextColumn("H1"),
            TextColumn("{task.fields[standing]}", style="bold"),
        )
        sprt = self._trial.sprt
        # Few updates: drawing takes time from the bots.
        with Progress(
            *columns, console=err(), expand=True, transient=True, refresh_per_second=4
        ) as self._bar:
            self._line = self._bar.add_task(
                " - ".join(self._job.names),
                total=sprt.upper - sprt.lower,
                pairs="starting",
                standing="",
            )
            self._bar.update(self._line, completed=-sprt.lower)  # an LLR of 0
            yield
        self._bar = None

    def count(self, played: ArenaGame, at_ms: int) -> None:
        """Count a game, and show nothing.

        Raises:
            Decided: this game decides the test.
        """
        self._take(played, at_ms)
        if self._trial.verdict is not None:
            raise Decided

    def game(self, played: ArenaGame, at_ms: int) -> None:
        """Count a finished game and show the progress.

        Raises:
            Decided: this game decides the test.
        """
        if played.trace and played.loser is not None:
            self._trace(played.players[played.loser], played.trace)
        trial = self._trial
        if not self._take(played, at_ms):
            return
        pairs = trial.pairs.pairs
        if self._bar is not None and self._line is not None:
            done = min(max(trial.llr, trial.sprt.lower), trial.sprt.upper) - trial.sprt.lower
            self._bar.update(
                self._line, completed=done, pairs=_count(pairs), standing=standing(trial)
            )
        elif pairs >= self._next or trial.verdict is not None:
            self._next = next((n for n in _FIRST_LINES if n > pairs), pairs - pairs % _LINE_EVERY)
            self._next += _LINE_EVERY * (self._next <= pairs)
            warn(f"{_count(pairs)}  {standing(trial)}")
        if trial.verdict is not None:
            raise Decided

    def _take(self, played: ArenaGame, at_ms: int) -> bool:
        """Count a game; return whether another pair counts now."""
        self.finished_ms[played.task.number, played.game] = at_ms
        return self._trial.take(played)


def standing(trial: Trial) -> str:
    """Return the LLR with its bounds, the Elo difference so far, and the games that it may take."""
    from doublecross.stats.pairs import elo_of_score

    sprt, elo = trial.sprt, elo_of_score(trial.pairs.score)
    so_far = f"Elo {elo:+.0f}" if math.isfinite(elo) else f"all {'won' if elo > 0 else 'lost'}"
    numbers = f"LLR {trial.llr:+.2f} ({sprt.lower:+.2f} to {sprt.upper:+.2f})  {so_far}"
    return numbers if trial.verdict is not None else f"{numbers}  about {_left(trial)} games left"


def _left(trial: Trial) -> str:
    return f"{trial.sprt.games_left(trial.pairs):,.0f}"


def doubt(job: ArenaJob, pairs: int) -> str:
    """Return a warning if the first `pairs` pairs repeat openings, otherwise nothing."""
    distinct = len({task.opening for task in job.tasks[:pairs]})
    if distinct >= pairs:
        return ""
    openings = "1 opening" if distinct == 1 else f"{distinct} openings"
    return (
        f"Only {openings} differ in these {pairs} pairs. Deterministic bots play the same games"
        " again in the others, so a wrong verdict is more likely than alpha and beta say."
    )


def sentence(job: ArenaJob, trial: Trial, ended: EndReason) -> str:
    """Return the verdict as one sentence."""
    sprt, count = trial.sprt, _count(trial.pairs.pairs)
    low, high = _elo(sprt.elo0), _elo(sprt.elo1)
    names = " - ".join(job.names)
    numbers = f"LLR {trial.llr:+.2f}, bounds {sprt.lower:+.2f} and {sprt.upper:+.2f}"
    if trial.verdict is not None:
        found, other = (low, high) if trial.verdict == "H0" else (high, low)
        finding = f"for {names} the results speak for {found} Elo, not {other}"
        return f"{trial.verdict} accepted after {count}: {finding} ({numbers})."
    how = {
        "max-pairs": f"Undecided after {count}, the most allowed",
        "interrupted": f"Undecided, stopped after {count}",
    }.get(ended, f"Undecided, failed after {count}")
    finding = f"for {names} the results speak neither for {low} Elo nor for {high}"
    return f"{how}: {finding} ({numbers})."


def llr_plot(trial: Trial) -> list[Plot]:
    """Draw the course of the LLR for the page, if any pair counts."""
    from doublecross.cli.shared.report.plots import llr_svg

    if not trial.course:
        return []
    bounds = (trial.sprt.lower, trial.sprt.upper)
    text = (
        f"The LLR after each of {_count(len(trial.course))}: from {min(trial.course):+.2f} to"
        f" {max(trial.course):+.2f}, at last {trial.llr:+.2f}."
    )
    caption = "The test accepts H0 at the lower bound and H1 at the upper one."
    return [("Log likelihood ratio", llr_svg(trial.course, bounds), text, caption)]


def print_verdict(
    job: ArenaJob, trial: Trial, ended: EndReason, workers: int, *, as_json: bool = False
) -> None:
    """Print how the test ended, and the result of the pairs that count."""
    from doublecross.bots.arena.job import bootstrap_rng
    from doublecross.bots.arena.report import report

    result = report(job, trial.counted, bootstrap_rng(job.seed))
    if as_json:
        say(json.dumps(_about(job, trial, ended, workers) | result.as_json(), indent=2))
        return
    print_table(replace(job, tasks=job.tasks[: trial.pairs.pairs]), result)
    if trial.beyond:
        say(f"{_count(trial.beyond, 'game')} beyond these pairs not counted.", "dim")
    if trial.verdict is None and trial.course:
        say(f"If outcomes go on like this, {_left(trial)} more games decide on average.", "dim")
    say(sentence(job, trial, ended), "bold")
    if repeated := doubt(job, trial.pairs.pairs):
        say(repeated)


def _about(job: ArenaJob, trial: Trial, ended: EndReason, workers: int) -> dict[str, Any]:
    sprt = trial.sprt
    return {
        "verdict": trial.verdict,
        "ended": ended,
        "sentence": sentence(job, trial, ended),
        "doubt": doubt(job, trial.pairs.pairs),
        "pairs": trial.pairs.pairs,
        "max_pairs": len(job.tasks),
        "distinct_openings": len({task.opening for task in job.tasks}),
        "games_beyond": trial.beyond,
        "llr": trial.llr,
        "games_left": sprt.games_left(trial.pairs) if trial.course else None,
        "lower": sprt.lower,
        "upper": sprt.upper,
        "elo0": sprt.elo0,
        "elo1": sprt.elo1,
        "alpha": sprt.alpha,
        "beta": sprt.beta,
        "game": job.game.key,
        "size": job.game.size,
        **limits_json(job),
        "seed": job.seed,
        "concurrency": workers,
    }


def _count(number: int, unit: str = "pair") -> str:
    return f"{number} {unit}" if number == 1 else f"{number} {unit}s"


def _elo(elo: float) -> str:
    return f"{elo:+g}" if elo else "0"
