"""Show a match while it is played: its progress, or every move."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from doublecross.bots.names import distinct
from doublecross.bots.runner.config import STORAGE_SENTENCES
from doublecross.cli.shared.board_display import game_sentence
from doublecross.cli.shared.console import err, is_terminal, out, say

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from doublecross.bots.hosting.series import SeriesJob, SeriesScore
    from doublecross.games.api import Game

_STEPS: Final = 10
"""The number of progress lines that a match prints without a terminal."""


class ProgressDisplay:
    """Shows a progress bar, or some lines without a terminal; with `verbose` every move."""

    def __init__(self, job: SeriesJob, game: Game, score: SeriesScore, verbose: bool) -> None:
        self._job = job
        self._game = game
        self._score = score
        self._verbose = verbose
        self._players: dict[str, list[str]] = {}
        self._progress: Progress | None = None
        self._task: TaskID | None = None
        self._steps_shown = 0

    @contextlib.contextmanager
    def showing(self) -> Iterator[None]:
        """Show the progress bar inside this context, if there is a terminal for it."""
        if not (is_terminal() or out().is_terminal):
            yield
            return
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        columns = (
            TextColumn("{task.description}"),
            BarColumn(bar_width=None),
            MofNCompleteColumn(),
            TextColumn("{task.fields[score]}", style="bold"),
        )
        names = " - ".join(distinct(self._job.specs))
        with Progress(*columns, console=out(), expand=True) as self._progress:
            self._task = self._progress.add_task(names, total=self._score.total, score="starting")
            yield
        self._progress = None

    def error_line(self, line: str) -> None:
        """Print a line that a child process wrote to standard error."""
        target = out() if self._progress is not None else err()
        target.print(line.removeprefix("Error: "), style="dim", soft_wrap=True)

    def news(self, message: dict[str, Any]) -> None:
        """Show what has happened in the match."""
        what = message["what"]
        if what == "began":
            self._game_began(message)
        elif what == "move":
            self._move_made(message)
        elif what == "game":
            self._game_ended(message)
        elif what == "storage":
            self.error_line(STORAGE_SENTENCES[message["works"]])

    def _game_began(self, message: dict[str, Any]) -> None:
        shown = self._score.players
        players = [shown.get(player, player) for player in message["players"]]
        self._players[message["room"]] = players
        first, second = players
        opening = " ".join(self._game.action_name(action) for action in message["opening"])
        say()
        after = f", after {opening}" if opening else ""
        say(f"Room {message['room']}: {first} - {second}{after}", "bold")

    def _move_made(self, message: dict[str, Any]) -> None:
        player = self._players[message["room"]][message["seat"]]
        width = max(map(len, self._score.names))
        value = message["expected"]
        expects = "" if value is None else f"expects {value:+.3g}"
        stand_in = "  (a stand-in)" if message["fallback"] else ""
        first, second = message["scores"]
        name = self._game.action_name(message["action"])
        room = f"{message['room']}  " if self._job.at_once > 1 else ""
        say(
            f"{room}{message['ply'] + 1:4}  {player:<{width}}  {name:<4}"
            f" {first:>3}:{second:<3} {expects}{stand_in}".rstrip()
        )

    def _game_ended(self, message: dict[str, Any]) -> None:
        s = self._score
        if self._verbose:
            sentence = game_sentence(message, s.names)
            say(f"Game {message['index'] + 1} of {s.total}: {sentence}", "bold")
        if self._progress is not None and self._task is not None:
            score = f"+{s.won} ={s.drawn} -{s.lost}  net {s.net:+}"
            self._progress.update(self._task, completed=len(s.games), score=score)
        elif not self._verbose and len(s.games) * _STEPS // s.total > self._steps_shown:
            self._steps_shown = len(s.games) * _STEPS // s.total
            say(f"{len(s.games):>{len(str(s.total))}}/{s.total}  +{s.won} ={s.drawn} -{s.lost}")
