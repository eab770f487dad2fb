"""Write the records of `doublecross arena` and `doublecross sprt` while the games are played."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from doublecross.cli.shared.console import warn
from doublecross.cli.shared.files import add_text, write_file

if TYPE_CHECKING:
    from doublecross.bots.arena.job import ArenaGame, ArenaJob
    from doublecross.bots.arena.tally import PairTally


class GameRecords:
    """Adds each finished game to the file `path` (None: nowhere), so that no end loses it.

    `date` is when the run began, in ISO 8601.
    """

    def __init__(self, path: Path | None, job: ArenaJob, date: str) -> None:
        self._path = path
        self._job = job
        self._date = date
        self._is_new = True

    def add(self, played: ArenaGame) -> None:
        """Write a game that has just finished."""
        if self._path is not None:
            add_text(self._path, self._text(played), first=self._is_new)
            self._is_new = False

    def save(self, tally: PairTally) -> None:
        """Write all games anew, in the order of the job, and print how many there are."""
        if self._path is None:
            return
        games = tally.games
        write_file(self._path, [self._text(played) for played in games])
        count = "1 game" if len(games) == 1 else f"{len(games)} games"
        warn(f"Wrote {count} to {self._path}.", "dim")

    def _text(self, played: ArenaGame) -> str:
        from doublecross.bots.arena.job import record_of
        from doublecross.games.record import format_record

        return format_record(record_of(played, self._job, self._date))
