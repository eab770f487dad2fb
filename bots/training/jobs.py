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

from bots.api import BotError
from bots.training.files import replace_file
from bots.training.folder import RunFolder
from bots.training.judging.games import Desk, NetPlayer, Player, play_out
from bots.training.judging.matches import play_match
from bots.training.judging.truth import measure
from bots.training.learning.batches import SampleWindow
from bots.training.learning.export import onnx_bytes
from bots.training.learning.learner import Learner, LearnerSettings
from bots.training.learning.model import NetShape
from bots.training.plan import PAIRS_AT_ONCE
from bots.training.settings import board_named
from bots.training.teachers.labels import Labeller, prepare_labels
from bots.training.teachers.samples import Samples
from bots.training.teachers.selfplay import SelfPlay
from bots.zero.net import Net
from bots.zero.planes import PLANES
from stats.pairs import Pentanomial

Reply = dict[str, Any]

MATCH_PAIRS: Final = 5
"""Game pairs of a match against another bot."""
TRUTH_GAMES: Final = 40
TRUTH_POSITIONS: Final = 200


class Jobs:
    """Does jobs in the run at `folder`. It keeps what later jobs need."""

    def __init__(self, folder: Path) -> None:
        self._folder = RunFolder(folder, _warn)
        self._settings = self._folder.settings()
        self._learner: Learner | None = None
        self._windows = {
            size: SampleWindow(board_named(size), self._settings.window)
            for size in self._settings.sizes
        }
        self._read: set[Path] = set()
        self._labellers: dict[str, Labeller] = {}
        self._desks: dict[str, Desk] = {}
        self._nets: dict[Path, Net] = {}
        prepare_labels()

    def do(self, job: Reply) -> Reply:
        """Do a job and return its result."""
        work: dict[str, Callable[[Reply], Reply]] = {
            "labels": self._make_labels,
            "self-play": self._play_itself,
            "learn": self._learn,
            "gate": self._gate,
            "truth": self._truth,
            "match": self._match,
            "promote": self._promote,
        }
        return work[job["do"]](job)

    # -- samples -----------------------------------------------------------------------------

    def _make_labels(self, job: Reply) -> Reply:
        size = job["size"]
        if size not in self._labellers:
            self._labellers[size] = Labeller(board_named(size))
        made = self._labellers[size].make(self._settings.shard, self._seed(job))
        return self._store(job, made)

    def _play_itself(self, job: Reply) -> Reply:
        net = None if job["best"] is None else self._net(self._folder.candidate(job["best"]))
        game = SelfPlay(board_named(job["size"]), net, self._settings.simulations)
        # A sample of self-play costs a search, so its shards are smaller.
        made = game.make(max(1, self._settings.shard // 8), self._seed(job))
        return self._store(job, made)

    def _store(self, job: Reply, made: Samples) -> Reply:
        made.save(self._folder.shard(job["size"], job["number"], job["do"]))
        # Twice the window stays on the disk: shards differ in length.
        oldest = job["number"] - 2 * self._settings.window // self._settings.shard
        for teacher in ("labels", "self-play"):
            self._folder.shard(job["size"], oldest, teacher).unlink(missing_ok=True)
        return {"samples": len(made)}

    def _seed(self, job: Reply) -> str:
        return f"{self._settings.seed}/{job['do']}/{job['size']}/{job['number']}"

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
            return Learner.load(path)
        shape = NetShape(settings.blocks, settings.channels)
        learner = Learner(shape, LearnerSettings(settings.batch, settings.rate), settings.seed)
        if self._folder.start.exists():
            learner.take_over(Learner.load(self._folder.start))
        return learner

    def _read_shards(self, numbers: dict[str, int]) -> None:
        """Read the shards up to these numbers that have not been read; drop very old ones."""
        for size, window in self._windows.items():
            board = window.board
            paths = [
                path
                for path in self._folder.shards(size)
                if path not in self._read and int(path.name[:6]) <= numbers[size]
            ]
            for path in paths:
                try:
                    samples = Samples.load(path, board.num_edges, board.num_boxes)
                    window.add(samples, path.stem.partition("-")[2])
                except ValueError as error:
                    _warn(f"{error} They are left out.")
                self._read.add(path)

    # -- tests -------------------------------------------------------------------------------

    def _gate(self, job: Reply) -> Reply:
        if job["best"] is None:
            return {"counts": [0] * 5}
        new, old = (NetPlayer(self._net(self._folder.candidate(job[k]))) for k in ("step", "best"))
        points = []
        for number in range(job["pairs"], job["pairs"] + PAIRS_AT_ONCE):
            size = self._settings.sizes[number % len(self._settings.sizes)]
            desk = self._desk(size)
            rng = Random(f"{self._settings.seed}/gate/{job['step']}/{number}")
            edges = desk.board.num_edges
            start = desk.start(edges - rng.randint(0, edges // 4), rng)
            pair: list[tuple[Player, Player]] = [(new, old), (old, new)]
            nets = [play_out(desk, players, start).net for players in pair]
            points.append(_points(nets[0]) + _points(-nets[1]))
        return {"counts": list(Pentanomial.of(points).counts)}

    def _truth(self, job: Reply) -> Reply:
        net = self._net(self._folder.candidate(job["step"]))
        rows = []
        for size in self._settings.sizes:
            found = measure(
                self._desk(size),
                net,
                games=TRUTH_GAMES,
                positions=TRUTH_POSITIONS,
                seed=f"{self._settings.seed}/truth",
            )
            rows.append({"size": size, **found.to_json()})
        return {"rows": rows}

    def _match(self, job: Reply) -> Reply:
        path = self._folder.candidate(job["step"])
        try:
            found = play_match(path, job["against"], job["size"], MATCH_PAIRS, self._settings.seed)
        except BotError as error:
            # A match says how good the net is. The training goes on without it.
            _warn(f"No match against {job['against']} on {job['size']}: {error}")
            return {"rows": []}
        return {"rows": [{"size": job["size"], "against": job["against"], **found}]}

    def _promote(self, job: Reply) -> Reply:
        replace_file(self._folder.best, self._folder.candidate(job["step"]).read_bytes())
        return {"rows": []}

    # -- what is kept ------------------------------------------------------------------------

    def _desk(self, size: str) -> Desk:
        if size not in self._desks:
            self._desks[size] = Desk(board_named(size), 32)
        return self._desks[size]

    def _net(self, path: Path) -> Net:
        if path not in self._nets:
            if len(self._nets) > 3:
                self._nets.clear()
            self._nets[path] = Net.load(path, self._settings.game, PLANES)
        return self._nets[path]


def _points(net: int) -> float:
    return 1.0 if net > 0 else 0.5 if net == 0 else 0.0


def _warn(sentence: str) -> None:
    sys.stderr.write(sentence + "\n")
