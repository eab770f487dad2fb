"""Do the jobs of a run in this process: `Jobs.do` takes a job and returns its result.

Each job takes its random numbers from the seed of the run and its own numbers, and depends on
nothing else. So it gives the same result when it is repeated, in whichever process.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, Final

from doublecross.bots.api import BotError
from doublecross.bots.training.files import replace_file
from doublecross.bots.training.folder import RunFolder
from doublecross.bots.training.judging.matches import play_match
from doublecross.bots.training.learning.export import onnx_bytes
from doublecross.bots.training.learning.learner import Learner, LearnerSettings
from doublecross.bots.training.learning.model import NetShape
from doublecross.bots.training.making import keep_samples, make_samples
from doublecross.bots.training.plan import PAIRS_AT_ONCE
from doublecross.bots.training.settings import TrainError, game_named
from doublecross.bots.training.subjects.choose import subject_of
from doublecross.bots.zero.net import Net
from doublecross.stats.pairs import Pentanomial

Reply = dict[str, Any]

MATCH_PAIRS: Final = 5
"""Game pairs of a match against another bot."""


class Jobs:
    """Does jobs in the run at `folder`. It keeps what later jobs need."""

    def __init__(self, folder: Path) -> None:
        self._folder = RunFolder(folder, _warn)
        self._settings = self._folder.settings()
        self._learner: Learner | None = None
        self._subjects = {
            size: subject_of(self._settings.game, size, self._settings.label_edges)
            for size in self._settings.sizes
        }
        self._form = self._subjects[self._settings.sizes[0]].form
        self._windows = {
            size: subject.window(self._settings.window) for size, subject in self._subjects.items()
        }
        self._read: set[Path] = set()
        self._nets: dict[Path, Net] = {}

    def do(self, job: Reply) -> Reply:
        """Do a job and return its result."""
        work: dict[str, Callable[[Reply], Reply]] = {
            "labels": self._make,
            "self-play": self._make,
            "learn": self._learn,
            "gate": self._gate,
            "truth": self._truth,
            "match": self._match,
            "promote": self._promote,
        }
        return work[job["do"]](job)

    # -- samples -----------------------------------------------------------------------------

    def _make(self, job: Reply) -> Reply:
        """Make a file of samples."""
        net = None if job["best"] is None else self._net(self._folder.candidate(job["best"]))
        made = make_samples(self._settings, job, self._subjects[job["size"]], net)
        keep_samples(self._folder, self._settings, job, made.packed())
        return {"samples": len(made)}

    # -- learning ----------------------------------------------------------------------------

    def _learn(self, job: Reply) -> Reply:
        settings = self._settings
        learner = self._learner = self._learner or self._first_learner()
        if learner.step < job["until"]:
            self._read_shards(job["shards"])
            windows = [window for window in self._windows.values() if len(window)]
            learner.learn(windows, job["until"] - learner.step, job["slow"])
            learner.save(self._folder.checkpoint)
        # A candidate at every gate, and at the end of the run.
        nominated = learner.step % settings.gate_every == 0 or job.get("last", False)
        path = self._folder.candidate(learner.step)
        if nominated or not self._folder.best.exists():
            about = {"seed": settings.seed, "steps": learner.step, "sizes": list(settings.sizes)}
            replace_file(path, onnx_bytes(learner.average, settings.game, about))
        return {"step": learner.step, "losses": learner.losses, "candidate": nominated}

    def _first_learner(self) -> Learner:
        settings = self._settings
        path = self._folder.checkpoint
        if path.exists():
            try:
                return Learner.load(path)
            except ValueError as error:
                raise TrainError(
                    f"{error} So this run cannot continue. Its networks are still there;"
                    " begin a new run in another folder."
                ) from error
        form = self._form
        shape = NetShape(
            settings.blocks, settings.channels,
            planes=form.planes, span=form.span, actions=form.actions,
        )  # fmt: skip
        learner = Learner(shape, LearnerSettings(settings.batch, settings.rate), settings.seed)
        if self._folder.start.exists():
            learner.take_over(Learner.load(self._folder.start))
        return learner

    def _read_shards(self, numbers: dict[str, int]) -> None:
        """Read the shards up to these numbers that have not been read; drop very old ones."""
        for size, window in self._windows.items():
            paths = [
                path
                for path in self._folder.shards(size)
                if path not in self._read and int(path.name[:6]) <= numbers[size]
            ]
            for path in paths:
                try:
                    samples = self._subjects[size].load(path)
                    window.add(samples, path.stem.partition("-")[2])
                except ValueError as error:
                    _warn(f"{error} They are left out.")
                self._read.add(path)

    # -- tests -------------------------------------------------------------------------------

    def _gate(self, job: Reply) -> Reply:
        if job["best"] is None:
            return {"counts": [0] * 5}
        new, old = (self._net(self._folder.candidate(job[key])) for key in ("step", "best"))
        points = []
        for number in range(job["pairs"], job["pairs"] + PAIRS_AT_ONCE):
            size = self._settings.sizes[number % len(self._settings.sizes)]
            rng = Random(f"{self._settings.seed}/gate/{job['step']}/{number}")
            points.append(self._subjects[size].play_pair(new, old, rng))
        return {"counts": list(Pentanomial.of(points).counts)}

    def _truth(self, job: Reply) -> Reply:
        net = self._net(self._folder.candidate(job["step"]))
        seed = f"{self._settings.seed}/truth"
        found = {size: subject.truth(net, seed) for size, subject in self._subjects.items()}
        return {"rows": [{"size": size, **row} for size, row in found.items() if row is not None]}

    def _match(self, job: Reply) -> Reply:
        path = self._folder.candidate(job["step"])
        try:
            game = game_named(self._settings.game, job["size"])
            found = play_match(path, job["against"], game, MATCH_PAIRS, self._settings.seed)
        except BotError as error:
            # A match says how good the network is. The training goes on without it.
            _warn(f"No match against {job['against']} on {job['size']}: {error}")
            return {"rows": []}
        return {"rows": [{"size": job["size"], "against": job["against"], **found}]}

    def _promote(self, job: Reply) -> Reply:
        replace_file(self._folder.best, self._folder.candidate(job["step"]).read_bytes())
        return {"rows": []}

    # -- what is kept ------------------------------------------------------------------------

    def _net(self, path: Path) -> Net:
        if path not in self._nets:
            if len(self._nets) > 3:
                self._nets.clear()
            self._nets[path] = Net.load(path, self._settings.game, self._form.planes)
        return self._nets[path]


def _warn(sentence: str) -> None:
    sys.stderr.write(sentence + "\n")
