"""Play a match of two bots for a command, and print its result."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from doublecross.cli.shared.console import BAD_INPUT, FAILED, Problem, say

if TYPE_CHECKING:
    from doublecross.bots.hosting.series import SeriesJob, SeriesScore
    from doublecross.games.api import Game


class MatchDisplay(Protocol):
    """The display of a match."""

    def showing(self) -> contextlib.AbstractContextManager[None]:
        """Return the context in which the match is played."""

    def news(self, message: dict[str, Any]) -> None:
        """Take a message about the match; see `doublecross.bots.hosting.series_player`."""

    def error_line(self, line: str) -> None:
        """Take a line that a child process wrote to standard error."""


def run_match(
    job: SeriesJob,
    game: Game,
    score: SeriesScore,
    display: MatchDisplay,
    *,
    server: str | None = None,
    records: Path | None = None,
) -> None:
    """Play the match and count its games in `score`.

    It is played on `server`, or (None) on a server that is started for it and thrown away.
    """
    try:
        with display.showing():
            asyncio.run(_play_on(server, job, score, display, records))
    except (KeyboardInterrupt, asyncio.CancelledError, Problem) as end:
        if score.games:
            print_result(job, game, score)
        if isinstance(end, asyncio.CancelledError):  # SIGTERM
            raise KeyboardInterrupt from None
        raise


def print_result(job: SeriesJob, game: Game, score: SeriesScore) -> None:
    """Print the result of a match."""
    s, played = score, len(score.games)
    first, second = s.names
    say()
    say(f"{first} - {second}: +{s.won} ={s.drawn} -{s.lost}, score {_score(s)}", "bold")
    average = s.net / played if played else 0
    if game.unit:
        say(f"Net {game.unit} of {first}: {s.net:+} ({average:+.2f} a game)")
    if s.irregular:
        kinds = ", ".join(f"{count} by {kind}" for kind, count in sorted(s.irregular.items()))
        say(f"Not ended on the board: {kinds}")
    unfinished = "" if played == s.total else f" of {s.total}"
    say(
        f"{played}{unfinished} games of {game.title} {game.size}, {job.settings.time.text},"
        f" {'rated' if job.settings.rated else 'casual'}, seed {job.seed}",
        "dim",
    )


def _score(s: SeriesScore) -> str:
    played = len(s.games)
    points = f"{s.score:g}/{played}"
    return f"{points} ({100 * s.score / played:.1f} %)" if played else points


async def _play_on(
    server: str | None,
    job: SeriesJob,
    score: SeriesScore,
    display: MatchDisplay,
    records: Path | None,
) -> None:
    from doublecross.bots.hosting.series import SeriesFailed, played

    me = asyncio.current_task()
    assert me is not None
    with contextlib.suppress(NotImplementedError):  # Windows
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, me.cancel)
    try:
        async with played(
            server, job, score, on_news=display.news, on_error_line=display.error_line
        ):
            if records is not None:
                await asyncio.to_thread(_save, score, records)
    except SeriesFailed as failed:
        code = BAD_INPUT if failed.at_start else FAILED
        raise Problem(str(failed), code, failed.trace) from None


def _save(score: SeriesScore, path: Path) -> None:
    from doublecross.cli.shared.files import write_file
    from doublecross.cli.shared.remote.reading import fetch_records

    if score.http is None:
        raise Problem("The server has no web address; the records cannot be fetched.")
    write_file(path, fetch_records(score.http, score.game_ids))
