"""Write the report of games between bots as a web page and as CSV."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from doublecross.cli.arena.show import job_limits_text
from doublecross.cli.shared.console import warn
from doublecross.cli.shared.files import write_file
from doublecross.cli.shared.report.files import MOST_EMBEDDED, check_files, write_csv
from doublecross.cli.shared.report.packages import need_plots, need_ratings

if TYPE_CHECKING:
    from doublecross.bots.arena.job import ArenaJob
    from doublecross.bots.arena.tally import PairTally
    from doublecross.cli.shared.report.page import Plot
    from doublecross.stats.results import Results


@dataclass(frozen=True, slots=True)
class ArenaFiles:
    """The files to write: the page `report`, and the games as `csv` with the players beside them.

    None means that a file is not wanted. The page links to the `records`, which the caller writes.
    """

    report: Path | None = None
    csv: Path | None = None
    records: Path | None = None

    def check(self) -> None:
        """Refuse files that cannot be written, before anything is played."""
        check_files(self.records, self.report, csv=self.csv)
        if self.report is not None:
            need_plots()
        elif self.csv is not None:
            need_ratings()

    def write(
        self,
        job: ArenaJob,
        tally: PairTally,
        finished_ms: Mapping[tuple[int, int], int],
        *,
        note: str = "",
        plots: Callable[[], Sequence[Plot]] = tuple,
    ) -> None:
        """Write the files about the games of `tally`.

        The page begins with the sentence `note`. `plots` draws those that it has first.
        """
        if self.report is None and self.csv is None:
            return
        from doublecross.bots.arena.job import bootstrap_rng
        from doublecross.stats.summary import summarise

        embedded = self.report is not None and self.records is None
        # With the second bot of two at 0 the first one's rating is the difference. The random
        # generator is that of the printed table, so that both show the same figures.
        summary = summarise(
            results_of(job, tally, finished_ms, embedded=embedded, note=note),
            bootstrap_rng(job.seed),
            anchor=1 if len(job.bots) == 2 else 0,
        )
        if self.csv is not None:
            write_csv(summary, self.csv)
        if self.report is not None:
            from doublecross.cli.shared.report.page import page

            link = "" if self.records is None else _relative(self.records, self.report)
            records = _records(job, tally) if embedded else {}
            write_file(self.report, [page(summary, link=link, records=records, first=plots())])
            warn(f"Wrote the report to {self.report}.", "dim")


def results_of(
    job: ArenaJob,
    tally: PairTally,
    finished_ms: Mapping[tuple[int, int], int],
    *,
    embedded: bool = False,
    note: str = "",
) -> Results:
    """Return the games of `tally` for statistics, named by their number in the records, from 1.

    `embedded` says that the report holds the records itself. `note` says how the games ended; the
    number of pairs does if it is empty.
    """
    from doublecross.bots.arena.job import bootstrap_rng
    from doublecross.bots.registry import bot_class
    from doublecross.cli.shared.report.formatting import elo_text
    from doublecross.stats.pairs import PairFigures
    from doublecross.stats.results import PlayedGame, Player, Results

    bots = [bot_class(spec.name) for spec in job.bots]
    games = []
    for number, played in enumerate(tally.games, 1):
        one, two = played.efforts
        games.append(
            PlayedGame(
                pair=played.task.number,
                game=0 if played.game == 0 else 1,
                players=played.players,
                winner=played.winner,
                scores=played.scores,
                termination=played.termination,
                void=False,
                mean_s=(one.mean_s, two.mean_s),
                longest_s=(one.longest_s, two.longest_s),
                finished_ms=finished_ms[played.task.number, played.game],
                name=str(number),
                moves=(one.moves, two.moves),
                opening=played.task.opening,
            )
        )
    planned, complete = len(job.tasks), len(tally.pairs)
    figures = PairFigures.of(tally.pentanomial, bootstrap_rng(job.seed))
    spread = elo_text(figures.normalised_elo, figures.normalised_elo_interval)
    notes = [note] if note else []
    opponents = job.names[1] if len(job.bots) == 2 else "all"
    if not note and complete < planned:
        notes.append(f"Stopped after {complete:,} of {planned:,} pairs.")
    notes.append(f"Normalised Elo of {job.names[0]} against {opponents}: {spread}.")
    if embedded and len(games) > MOST_EMBEDDED:
        notes.append(
            "This page does not hold the records of so many games. With --records it links to a"
            " file that holds them."
        )
    return Results(
        title=" - ".join(job.names),
        game=f"{job.game.title} {job.game.size}",
        settings=f"{job_limits_text(job)}, seed {job.seed}",
        players=tuple(
            Player(name, f"{bot.name} {bot.version}")
            for name, bot in zip(job.names, bots, strict=True)
        ),
        games=tuple(games),
        unit=job.game.unit,
        notes=tuple(notes),
    )


def _records(job: ArenaJob, tally: PairTally) -> dict[str, str]:
    from doublecross.bots.arena.job import record_of
    from doublecross.games.record import format_record

    games = tally.games
    if len(games) > MOST_EMBEDDED:
        return {}
    return {str(n): format_record(record_of(played, job)) for n, played in enumerate(games, 1)}


def _relative(records: Path, report: Path) -> str:
    """Return the link from the page to the records; a game's number follows ``#``."""
    path = os.path.relpath(records.resolve(), report.resolve().parent)
    return f"{quote(Path(path).as_posix())}#{{name}}"
