"""Keep the games of a job in a folder, so that it goes on after any kind of stop.

Theory of operation
-------------------
The file of terms says what is played: the same job again continues, any other one is refused. Each
finished game is a line of the journal. A line that a crash has cut off is dropped, and its game is
played again. All random choices follow from the seed of the job, so the result is that of a run
without a stop, as far as the bots depend on nothing but their generators.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from doublecross.bots.arena.job import ArenaGame, ArenaJob, PairTask
from doublecross.bots.arena.moves import Effort
from doublecross.games.record import RecordedMove

TERMS: Final = "terms.json"
GAMES: Final = "games.jsonl"


class OtherTerms(Exception):  # noqa: N818 - named for what happened
    """The folder has something with other terms, or damaged files; the text is a sentence."""


def keep_terms(
    folder: Path, terms: Mapping[str, str], drawn: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Write `terms` into a new folder, or compare them with those that are there.

    `terms` are in words, such as ``the seed``. Those in `drawn` hold for a new folder only.

    Returns:
        What the folder has for `drawn`.

    Raises:
        OtherTerms: the folder has other terms; the message names the first difference.
        OSError: the folder cannot be used.
    """
    file, drawn = folder / TERMS, dict(drawn or {})
    folder.mkdir(parents=True, exist_ok=True)
    if not file.exists():
        new = file.with_suffix(".new")
        new.write_text(json.dumps({**terms, **drawn}, indent=1), "utf-8")
        new.replace(file)
        return drawn
    try:
        before = json.loads(file.read_text("utf-8"))
        kept = {name: str(before[name]) for name in drawn}
    except (ValueError, KeyError, TypeError):
        raise OtherTerms(f"{file} is damaged; choose another folder.") from None
    for what, value in terms.items():
        if before.get(what) != value:
            was = before.get(what, "something else")
            raise OtherTerms(
                f"{folder} has games of another run: there {what} is {was}, here {value}."
            )
    return kept


class GameJournal:
    """The finished games of `job` in `folder`, and when each ended in UNIX time (ms)."""

    def __init__(self, folder: Path, job: ArenaJob) -> None:
        self._file = folder / GAMES
        self._tasks = {(task.players, task.number): task for task in job.tasks}

    def read(self) -> list[tuple[ArenaGame, int]]:
        """Return the games so far, and cut off the end of the file that holds no whole line.

        Raises:
            OtherTerms: a line makes no sense.
            OSError: the file cannot be used.
        """
        if not self._file.exists():
            return []
        data = self._file.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        if len(whole) < len(data):
            with self._file.open("r+b") as file:
                file.truncate(len(whole))
        try:
            return [self._game(json.loads(line)) for line in whole.splitlines()]
        except (ValueError, KeyError, TypeError):
            raise OtherTerms(f"{self._file} is damaged; choose another folder.") from None

    def add(self, played: ArenaGame, at_ms: int) -> None:
        """Append a finished game."""
        line: dict[str, Any] = asdict(played)
        task: PairTask = played.task
        line["task"] = [*task.players, task.number]
        line["moves"] = [[move.action, move.clock_ms] for move in played.moves]
        with self._file.open("ab") as file:
            file.write(json.dumps({**line, "at_ms": at_ms}).encode() + b"\n")

    def _game(self, line: dict[str, Any]) -> tuple[ArenaGame, int]:
        at_ms = int(line.pop("at_ms"))
        first, second, number = line.pop("task")
        moves = tuple(RecordedMove(*move) for move in line.pop("moves"))
        one, two = (Effort(**effort) for effort in line.pop("efforts"))
        scores = tuple(line.pop("scores"))
        thoughts = tuple((name, text) for name, text in line.pop("thoughts"))
        task = self._tasks[(first, second), number]
        game = ArenaGame(
            task, moves=moves, efforts=(one, two), scores=scores, thoughts=thoughts, **line
        )
        return game, at_ms
