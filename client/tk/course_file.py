"""Keep a learner's progress in a file beside the settings of the window."""

from __future__ import annotations

import json
import logging
from pathlib import Path

from analysis.course.progress import Progress
from client.tokens import write_private

log = logging.getLogger(__name__)


class CourseFile:
    """The file `course.json` in `folder`. Several windows may write it; what is solved stays."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "course.json"

    def read(self) -> Progress:
        """Return the progress; without a readable file nothing is solved."""
        try:
            return Progress.from_json(json.loads(self._path.read_text("utf-8")))
        except FileNotFoundError:
            return Progress()
        except (OSError, ValueError, RecursionError) as error:
            log.warning("The progress in %s cannot be read (%s).", self._path, error)
            return Progress()

    def add(self, progress: Progress) -> None:
        """Write what is solved in `progress` or in the file; if that fails, log it and go on."""
        joined = self.read().joined(progress)
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_private(self._path, json.dumps(joined.to_json(), indent=2) + "\n")
        except OSError as error:
            log.warning("The progress cannot be written to %s (%s).", self._path, error)
