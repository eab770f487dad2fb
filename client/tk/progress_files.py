"""Keep a learner's progress in files beside the settings of the window."""

from __future__ import annotations

import json
import logging
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, ClassVar, Final, Generic, TypeVar

from filelock import FileLock

from doublecross.analysis.course.progress import Progress
from doublecross.analysis.puzzles.progress import (
    PuzzleProgress,
    progress_from_json,
    progress_to_json,
)
from doublecross.client.tokens import write_private

log = logging.getLogger(__name__)

P = TypeVar("P")
_LOCK_S: Final = 2.0
"""How long a window waits for another one that writes, in seconds; that takes milliseconds."""


class ProgressFile(ABC, Generic[P]):
    """The file `name` in `folder`. Several windows may write it; what is solved stays."""

    name: ClassVar[str]

    def __init__(self, folder: Path) -> None:
        self._path = folder / self.name

    def read(self) -> P:
        """Return the progress; without a readable file nothing is solved."""
        try:
            return self._load()
        except (OSError, ValueError, RecursionError) as error:
            log.warning("The progress in %s cannot be read (%s).", self._path, error)
            return self._empty()

    def add(self, progress: P) -> None:
        """Write what is solved in `progress` or in the file; if that fails, log it and go on.

        A file in a form that is not known here gets the ending ``.bak`` first.
        """
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            # Between reading and writing, another window must not write.
            with FileLock(self._path.with_name(f"{self.name}.lock"), timeout=_LOCK_S):
                self._write(progress)
        except OSError as error:  # also if the lock was not free in time
            log.warning("The progress cannot be written to %s (%s).", self._path, error)

    def _write(self, progress: P) -> None:
        try:
            joined = self._joined(self._load(), progress)
        except (ValueError, RecursionError) as error:
            log.warning("The progress in %s cannot be read (%s).", self._path, error)
            self._path.replace(self._path.with_name(f"{self.name}.bak"))
            joined = progress
        write_private(self._path, json.dumps(self._to_json(joined), indent=2) + "\n")

    def _load(self) -> P:
        """Return what is in the file; without one nothing is solved.

        Raises:
            OSError: the file cannot be read.
            ValueError, RecursionError: it has another form.
        """
        try:
            text = self._path.read_text("utf-8")
        except FileNotFoundError:
            return self._empty()
        return self._from_json(json.loads(text))

    @abstractmethod
    def _empty(self) -> P:
        """Return the progress of somebody who has solved nothing."""

    @abstractmethod
    def _joined(self, one: P, other: P) -> P:
        """Return what is solved here or there."""

    @abstractmethod
    def _to_json(self, progress: P) -> dict[str, Any]:
        """Return progress as JSON values."""

    @abstractmethod
    def _from_json(self, value: object) -> P:
        """Read progress; raise ValueError if that is impossible."""


class CourseFile(ProgressFile[Progress]):
    """The file of the exercises of the course that are solved."""

    name = "course.json"

    def _empty(self) -> Progress:
        return Progress()

    def _joined(self, one: Progress, other: Progress) -> Progress:
        return one.joined(other)

    def _to_json(self, progress: Progress) -> dict[str, Any]:
        return progress.to_json()

    def _from_json(self, value: object) -> Progress:
        return Progress.from_json(value)


class PuzzleFile(ProgressFile[PuzzleProgress]):
    """The file of the puzzles that are solved, and of the days of daily puzzles."""

    name = "puzzles.json"

    def _empty(self) -> PuzzleProgress:
        return PuzzleProgress()

    def _joined(self, one: PuzzleProgress, other: PuzzleProgress) -> PuzzleProgress:
        return one.joined(other)

    def _to_json(self, progress: PuzzleProgress) -> dict[str, Any]:
        return progress_to_json(progress)

    def _from_json(self, value: object) -> PuzzleProgress:
        return progress_from_json(value)
