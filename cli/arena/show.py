"""Show the progress of `doublecross arena`, and its result as a table or JSON."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from time import monotonic
from typing import TYPE_CHECKING, Final

from doublecross.cli.shared.console import err, out, say, warn
from doublecross.cli.shared.tables import rows_table

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from doublecross.bots.arena.job import ArenaGame, ArenaJob
    from doublecross.bots.arena.moves import MoveBudget
    from doublecross.bots.arena.report import Report
    from doublecross.bots.arena.tally import PairTally

_STEPS: Final = 10
"""The number of progress lines that an arena prints without a terminal."""
_NOTES: Final = 5
"""The most notes on failures during the games; the result counts all failures."""


class ArenaDisplay:
    """Counts the games in `tally` and shows the progress on standard error.

    `finished_ms` says when each game ended: UNIX time in ms, by pair and game.
    """

    def __init__(self, job: ArenaJob, tally: PairTally) -> None:
        self.finished_ms: dict[tuple[int, int], int] = {}
        self._job = job
        self._tally = tally
        self._total = 2 * len(job.tasks)
        self._played = self._before = self._steps_shown = self._notes = 0
        self._outcomes = {1.0: 0, 0.5: 0, 0.0: 0}
        self._traced: set[int] = set()
        self._began = monotonic()
        self._progress: Progress | None = None
        self._task: TaskID | None = None

    @contextlib.contextmanager
    def showing(self) -> Iterator[None]:
        """Show a progress bar inside this context, if there is a terminal for it."""
        self._began = monotonic()
        if not err().is_terminal:
            yield
            return
        from rich.progress import (
            BarColumn,
            MofNCompleteColumn,
            Progress,
            TextColumn,
            TimeRemainingColumn,
        )

        columns = (
            TextColumn("{task.description}"),
            BarColumn(bar_width=None),
            MofNCompleteColumn(),
            TextColumn("{task.fields[score]}", style="bold"),
            TimeRemainingColumn(),
        )
        # Few updates: drawing takes time from the bots.
        with Progress(
            *columns, console=err(), expand=True, transient=True, refresh_per_second=4
        ) as self._progress:
            self._task = self._progress.add_task(
                " - ".join(self._job.names), total=self._total, score="starting"
            )
            yield
        self._progress = None

    def count(self, played: ArenaGame, at_ms: int) -> None:
        """Count a game that ended at that UNIX time, and show nothing."""
        self.finished_ms[played.task.number, played.game] = at_ms
        self._tally.add(played)
        self._played += 1
        self._before = self._played
        self._steps_shown = self._played * _STEPS // self._total
        self._outcomes[played.points(self._tally.players[0])] += 1

    def game(self, played: ArenaGame, at_ms: int) -> None:
        """Count a finished game and show the progress."""
        before, steps = self._before, self._steps_shown
        self.count(played, at_ms)
        self._before = before
        won, drawn, lost = self._outcomes.values()
        score = f"+{won} ={drawn} -{lost}"
        if played.trace and played.loser is not None:
            self._trace(played.players[played.loser], played.trace)
        if self._progress is not None and self._task is not None:
            self._progress.update(self._task, completed=self._played, score=score)
        elif self._steps_shown > steps:
            width = len(str(self._total))
            spent = monotonic() - self._began
            left = spent * (self._total - self._played) / (self._played - before)
            ahead = f"  {duration(left)} left" if self._played < self._total else ""
            warn(f"{self._played:>{width}}/{self._total}  {score}{ahead}")

    def note(self, sentence: str) -> None:
        """Show a failure after which the match goes on."""
        self._notes += 1
        if self._notes <= _NOTES:
            warn(sentence, "yellow")
        elif self._notes == _NOTES + 1:
            warn("Further notes are not shown.", "yellow")

    def _trace(self, player: int, trace: str) -> None:
        if player not in self._traced:
            self._traced.add(player)
            warn(trace.rstrip(), "dim")


def print_report(job: ArenaJob, tally: PairTally, workers: int, *, as_json: bool = False) -> None:
    """Print the result of a match."""
    from doublecross.bots.arena.job import bootstrap_rng
    from doublecross.bots.arena.report import report

    result = report(job, tally, bootstrap_rng(job.seed))
    if as_json:
        print_json(job, result, workers)
    else:
        print_table(job, result)


def print_json(job: ArenaJob, result: Report, workers: int) -> None:
    """Print the result as one JSON object on standard output."""
    about = {
        "game": job.game.key,
        "size": job.game.size,
        **limits_json(job),
        "seed": job.seed,
        "concurrency": workers,
        "pairs_planned": len(job.tasks),
    }
    say(json.dumps(about | result.as_json(), indent=2))


def print_table(job: ArenaJob, result: Report) -> None:
    """Print the result for people."""
    from rich.table import Table

    from doublecross.cli.shared.report.formatting import (
        elo_text,
        likelihood,
        net_text,
        percent_text,
    )
    from doublecross.cli.shared.report.notes import few_openings
    from doublecross.stats.means import Estimate

    r, unit, figures = result, job.game.unit, result.figures
    say(f"{r.first.name} - {r.second.name}: +{r.won} ={r.drawn} -{r.lost}", "bold")
    if r.games:
        counts = Table(box=None, show_header=False, padding=(0, 2, 0, 0))
        counts.add_column(no_wrap=True)
        counts.add_column(no_wrap=True)
        counts.add_row("Score", percent_text(Estimate(figures.score, figures.score_interval)))
        counts.add_row("Elo difference", elo_text(figures.elo, figures.elo_interval))
        counts.add_row(
            "Normalised Elo", elo_text(figures.normalised_elo, figures.normalised_elo_interval)
        )
        counts.add_row("LOS", likelihood(figures.los))
        counts.add_row("Pairs with 0, ½, 1, 1½, 2", "  ".join(map(str, figures.pairs.counts)))
        if unit:
            counts.add_row(f"Net {unit} a game", net_text(Estimate(r.net, r.net_interval)))
        out().print(counts)
        out().print(_efforts(r))
    for side in (r.first, r.second):
        if side.terminations:
            kinds = ", ".join(f"{count} by {kind}" for kind, count in side.terminations.items())
            say(f"{side.name} lost {kinds}.", "yellow")
    if job.adjudicate:
        say(adjudicated(r.adjudicated, r.games))
    if r.leftover:
        count = "1 game" if r.leftover == 1 else f"{r.leftover} games"
        say(f"{count} of unfinished pairs not counted.", "yellow")
    planned = len(job.tasks)
    of = "" if r.games == 2 * planned else f" of {planned}"
    unit = "pair" if r.games == 2 and not of else "pairs"
    if r.games:
        for sentence in few_openings(r.openings, r.games // 2 - r.openings, "these figures"):
            say(sentence, "yellow")
    say(
        f"{r.games // 2}{of} {unit} of {job.game.title} {job.game.size}, {job_limits_text(job)},"
        f" seed {job.seed}; intervals of 95 %",
        "dim",
    )


def adjudicated(count: int, games: int) -> str:
    """Say how many of the games ended by their exact value."""
    return f"{count} of {games} games ended by their exact value."


def limits_text(budget: MoveBudget) -> str:
    """Return the limits of a job for people, such as ``0.1 s a move``."""
    clock = "" if budget.clock_s is None else f"{budget.clock_s:g}+{budget.increment_s:g} s a side"
    move = "" if budget.time_s is None else f"{budget.time_s:g} s a move"
    return ", ".join(filter(None, (clock, move, budget.extent))) or "no limits"


def job_limits_text(job: ArenaJob) -> str:
    """Return the limits of the bots of a job for people."""
    first, *rest = (limits_text(job.budget_of(player)) for player in range(len(job.bots)))
    others = " and ".join(dict.fromkeys(rest))
    text = first if first == others else f"{first} against {others}"
    text = f"{text} of processor time" if job.cpu else text
    return f"{text}, adjudicated from {job.adjudicate} edges" if job.adjudicate else text


def limits_json(job: ArenaJob) -> dict[str, object]:
    """Return the limits of a job for JSON, those of each bot by its name among them."""
    budgets = [(name, job.budget_of(player)) for player, name in enumerate(job.names)]
    return {
        "cpu_time": job.cpu,
        "adjudicate": job.adjudicate or None,
        "limits": {
            name: {
                "time_control": budget.text,
                "margin_s": budget.margin,
                "depth": budget.depth,
                "nodes": budget.nodes,
            }
            for name, budget in budgets
        },
    }


def _efforts(result: Report) -> object:
    over_searched = ("searched", "searched ms", "searched nodes")
    numbers = ("mean ms", "max ms", "nodes", "overruns", *over_searched)
    # 80 columns need two lines for the longest name.
    table = rows_table(("A move", *numbers), (), right=numbers, whole=("A move",))
    for side in (result.first, result.second):
        effort = side.effort
        table.add_row(
            side.name,
            _ms(effort.mean_s),
            _ms(effort.longest_s),
            f"{effort.mean_nodes:,.0f}",
            str(effort.overruns),
            f"{100 * effort.searched / effort.moves:.0f} %" if effort.moves else "-",
            "-" if (mean := effort.mean_searched_s) is None else _ms(mean),
            "-" if (nodes := effort.mean_searched_nodes) is None else f"{nodes:,.0f}",
        )
    return table


def duration(seconds: float) -> str:
    """Return a time for people, such as ``40 s``, ``3 min`` or ``2.5 h``."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def _ms(seconds: float) -> str:
    return f"{1000 * seconds:.3g}" if seconds < 0.1 else f"{1000 * seconds:.0f}"
