"""The folder of a run: settings, state, journal, samples, checkpoints and nets.

Theory of operation
-------------------
Every file is replaced as a whole, except the journal, which grows. The state has the length of the
journal that belongs to it. A killed run continues from the state: what stands in the journal after
that length is cut off, and the jobs that were under way are done again, with the same seeds. So
nothing is counted twice.

    run.json            the settings
    state.json          how far the run is
    journal.jsonl       what happened, one JSON object on a line
    samples/3x3/*.npz   samples by size
    start.pt            the network in training of the run that this one began from
    checkpoint.pt       the network in training
    candidates/*.onnx   networks that wait for the gate
    best.onnx           the best network
"""

from __future__ import annotations

import errno
import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from filelock import FileLock, Timeout

from doublecross.bots.training.files import replace_file
from doublecross.bots.training.settings import TrainError, TrainSettings

Entry = dict[str, Any]

_SETTINGS: Final = "run.json"
_FULL: Final = (errno.ENOSPC, errno.EDQUOT)


class RunFolder:
    """The files of a run at `path`; `note` receives a sentence about each damaged file."""

    def __init__(self, path: Path, note: Callable[[str], None] = lambda _: None) -> None:
        self.path = path
        self._note = note

    # -- names -------------------------------------------------------------------------------

    @property
    def checkpoint(self) -> Path:
        """The network in training."""
        return self.path / "checkpoint.pt"

    @property
    def start(self) -> Path:
        """The network in training of the run that this one began from, if any."""
        return self.path / "start.pt"

    @property
    def best(self) -> Path:
        """The best network."""
        return self.path / "best.onnx"

    def candidate(self, step: int) -> Path:
        """Return the path of the network after `step` steps."""
        return self.path / "candidates" / f"step-{step:07d}.onnx"

    def shards(self, size: str) -> list[Path]:
        """Return the files with samples of a size, oldest first."""
        return sorted((self.path / "samples" / size).glob("*.npz"), key=lambda path: path.stem)

    def shard(self, size: str, number: int, teacher: str) -> Path:
        """Return the path of a file with samples."""
        return self.path / "samples" / size / f"{number:06d}-{teacher}.npz"

    # -- settings and state ------------------------------------------------------------------

    def exists(self) -> bool:
        """Return whether a run has begun in this folder."""
        return (self.path / _SETTINGS).is_file()

    def begin(self, settings: TrainSettings, source: RunFolder | None = None) -> None:
        """Make the folder and store the settings.

        With `source` the run begins with the network and the samples of that run.

        Raises:
            TrainError: the folder has files of something else, or `source` does not fit.
        """
        state = None if source is None else source.fitting(settings)
        if self.path.exists() and not self.path.is_dir():
            raise TrainError(f"{self.path} is a file. Name a folder.")
        if self.path.is_dir() and any(self.path.iterdir()) and not self.exists():
            raise TrainError(
                f"{self.path} has other files and no training run. Name a new or empty folder."
            )
        for size in settings.sizes:
            (self.path / "samples" / size).mkdir(parents=True, exist_ok=True)
        (self.path / "candidates").mkdir(exist_ok=True)
        if source is not None and state is not None:
            shutil.copyfile(source.checkpoint, self.start)
            for path in (self.best, self.candidate(0)):
                shutil.copyfile(source.best, path)
            sizes = [size for size in settings.sizes if size in state["samples"]]
            for size in sizes:
                for path in source.shards(size):
                    shutil.copyfile(path, self.path / "samples" / size / path.name)
            shards = {size: state["shards"][size] for size in sizes}
            given = {size: state["samples"][size] for size in sizes}
            self.write_state({"best": 0, "shards": shards, "given": given})
        # With this file a run exists, so it comes last.
        replace_file(self.path / _SETTINGS, json.dumps(settings.to_json(), indent=1).encode())

    def fitting(self, settings: TrainSettings) -> Entry:
        """Return the state of this run, with which a run of `settings` could begin.

        Raises:
            TrainError: there is no network yet, or it is of another game or shape.
        """
        mine, state = self.settings(), self.read_state()
        if state is None or not (self.checkpoint.is_file() and self.best.is_file()):
            raise TrainError(f"The training run in {self.path} has no network yet.")
        for name in ("game", "blocks", "channels"):
            if getattr(mine, name) != getattr(settings, name):
                raise TrainError(
                    f"The training run in {self.path} has {name} {getattr(mine, name)}, so its"
                    " network does not fit."
                )
        return state

    def settings(self) -> TrainSettings:
        """Return the settings of the run.

        Raises:
            TrainError: there is no run in this folder, or it is of another version.
        """
        if not self.exists():
            raise TrainError(f"There is no training run in {self.path}.")
        try:
            return TrainSettings.from_json((self.path / _SETTINGS).read_text())
        except (ValueError, TypeError) as error:
            raise TrainError(
                f"The training run in {self.path} is of another version, or its {_SETTINGS} is"
                " damaged. Begin a new run in another folder."
            ) from error

    def read_state(self) -> Entry | None:
        """Return the stored state; None before the first one."""
        path = self.path / "state.json"
        if not path.is_file():
            return None
        try:
            state = json.loads(path.read_text())
        except ValueError as error:
            raise TrainError(
                f"{path} is damaged. Begin a new run in another folder; samples and networks"
                " are still there."
            ) from error
        if not isinstance(state, dict):
            raise TrainError(f"{path} is damaged. Begin a new run in another folder.")
        return state

    def write_state(self, state: Entry) -> None:
        """Store the state, with the length of the journal that belongs to it."""
        journal = self.path / "journal.jsonl"
        length = journal.stat().st_size if journal.is_file() else 0
        replace_file(self.path / "state.json", json.dumps({**state, "journal": length}).encode())

    def restore_best(self, step: int | None) -> None:
        """Replace a damaged `best` by the network after `step` steps, of which it is a copy."""
        if step is None or not self.candidate(step).is_file():
            return
        wanted = self.candidate(step).read_bytes()
        if not self.best.is_file() or self.best.read_bytes() != wanted:
            self._note(f"{self.best} was damaged. It is the network after {step:,} steps again.")
            replace_file(self.best, wanted)

    # -- journal -----------------------------------------------------------------------------

    def append(self, entry: Entry) -> None:
        """Add an entry to the journal."""
        with (self.path / "journal.jsonl").open("ab") as file:
            file.write(json.dumps(entry).encode() + b"\n")

    def cut_journal(self, length: int) -> None:
        """Remove what was written after the journal had `length` bytes."""
        path = self.path / "journal.jsonl"
        if path.is_file() and path.stat().st_size > length:
            with path.open("r+b") as file:
                file.truncate(length)

    def journal(self) -> Iterator[Entry]:
        """Yield all entries; lines that are damaged are noted and left out."""
        path = self.path / "journal.jsonl"
        if not path.is_file():
            return
        for number, line in enumerate(path.read_bytes().splitlines(), 1):
            try:
                entry = json.loads(line)
            except ValueError:
                self._note(f"Line {number} of {path.name} is damaged and left out.")
                continue
            if isinstance(entry, dict):
                yield entry

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Let nobody else train in this folder inside this context.

        Raises:
            TrainError: somebody else does.
        """
        lock = FileLock(self.path / ".lock")
        try:
            lock.acquire(timeout=0)
        except Timeout:
            raise TrainError(f"Another process is training in {self.path}.") from None
        try:
            yield
        finally:
            lock.release()


def disk_sentence(error: OSError, path: Path) -> str:
    """Return what to tell people when a file of a run cannot be written."""
    if error.errno in _FULL:
        return (
            f"The disk with {path} is full. Make room, and start the same command again: the run"
            " continues."
        )
    return f"{error.filename or path} cannot be used: {(error.strerror or str(error)).lower()}."
