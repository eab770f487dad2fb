"""Decide what a run does next: labels, self-play, learning, tests and gates.

Theory of operation
-------------------
A run consists of jobs of some seconds. `RunPlan.next_job` gives one to a process that is free, and
`RunPlan.done` takes its result; the state of the plan is plain JSON. A job does the same whenever
it is repeated, so a job that was cut off is simply given out again.

One process does everything in turn, and then the order of the jobs follows from the results alone.
With more processes one learns, and makes samples only while learning has to wait for them. The
others make samples, and test networks as soon as there is one.

Learning waits for samples: the learner sees those of each size `reuse` times on average. The
teachers wait when there are many more samples than the learner has seen. The next shard is of the
size that has the fewest samples, so that small boards do not take all the time. A run that began
from another one has been given samples: the learner may use them, and the teachers do not count
them.

Every `gate_every` steps, and at the end, the network becomes a candidate. It is tested against the
truth and plays the best network, in parts of a few pairs, until the sequential test accepts a
hypothesis. The first candidate needs no opponent.
"""

from __future__ import annotations

from typing import Any, Final

from doublecross.bots.training.settings import TrainSettings
from doublecross.stats.pairs import Pentanomial
from doublecross.stats.sprt import Sprt

Job = dict[str, Any]

GATE: Final = Sprt(0.0, 30.0)
"""A candidate must be better; 30 points are a difference worth keeping."""
PAIRS_AT_ONCE: Final = 20
"""Game pairs in one part of a gate."""
AHEAD: Final = 16
"""Shards of each size that the teachers may be ahead of the learner."""
MATCH_EVERY: Final = 4
"""Every so many accepted networks one plays the bots outside."""
_SLOW_FROM: Final = 0.6
"""The share of a run after which the learning rate falls."""
_SLOWEST: Final = 0.03


class RunPlan:
    """The plan of a run that ends after `steps` steps or `seconds` seconds, whichever is first.

    `state` is a stored state to continue from. `opponents` are bots that accepted networks play.
    """

    def __init__(
        self,
        settings: TrainSettings,
        state: Job | None = None,
        *,
        steps: int | None = None,
        seconds: float | None = None,
        opponents: tuple[str, ...] = (),
    ) -> None:
        self.settings = settings
        self._steps = steps
        self._seconds = seconds
        self._opponents = opponents
        state = state or {}
        self.step = int(state.get("step", 0))
        self.seconds = float(state.get("seconds", 0.0))
        self.samples: dict[str, int] = dict.fromkeys(settings.sizes, 0)
        self.samples.update(state.get("samples", {}))
        self.shards: dict[str, int] = dict.fromkeys(settings.sizes, 0)
        self.shards.update(state.get("shards", {}))
        self.given: dict[str, int] = dict(state.get("given", {}))
        self.best: int | None = state.get("best")
        self.accepted = int(state.get("accepted", 0))
        self.nominated = int(state.get("nominated", 0))
        self.waiting: list[Job] = list(state.get("waiting", []))
        self._testing = False
        self._learning = False
        self._making: set[tuple[str, int]] = set()

    def state(self) -> Job:
        """Return the state as JSON values."""
        return {
            "step": self.step,
            "seconds": self.seconds,
            "samples": self.samples,
            "shards": self.shards,
            "given": self.given,
            "best": self.best,
            "accepted": self.accepted,
            "nominated": self.nominated,
            "waiting": self.waiting,
        }

    # -- what to do --------------------------------------------------------------------------

    @property
    def progress(self) -> float:
        """The share of the run that is over, from 0 to 1."""
        parts = [0.0]
        if self._steps is not None:
            parts.append(self.step / self._steps)
        if self._seconds is not None:
            parts.append(self.seconds / self._seconds)
        return min(1.0, max(parts))

    @property
    def over(self) -> bool:
        """Return whether all is done: the limit is reached, and the last network was tested."""
        busy = self.waiting or self._learning or self._testing
        return self.progress >= 1.0 and self.nominated == self.step and not busy

    def next_job(self, *, learns: bool, makes: bool, tests: bool = True) -> Job | None:
        """Return a job for a process that `learns`, `makes` samples and tests, or does both.

        One that makes samples tests no networks without `tests`.
        Returns None if there is nothing to do for it now.
        """
        if makes and tests and self.waiting and not self._testing:
            self._testing = True
            return self.waiting[0]
        if self.progress >= 1.0:
            if learns and not self._learning and self.nominated != self.step:
                # The last network is a candidate too. There is nothing to learn in this job.
                self._learning = True
                return {**self._learn(), "until": self.step, "last": True}
            return None
        if learns and not self._learning and self._enough():
            self._learning = True
            return self._learn()
        return self._make() if makes else None

    def _enough(self) -> bool:
        """Return whether there are samples for the next chunk of steps."""
        settings, sizes = self.settings, self.settings.sizes
        fewest = min(self.samples[size] + self.given.get(size, 0) for size in sizes)
        # A batch has equally many samples of each size.
        made = fewest * len(sizes)
        seen = (self.step + settings.chunk) * settings.batch
        return fewest > 0 and made >= 4 * settings.batch and seen <= settings.reuse * made

    def _learn(self) -> Job:
        settings = self.settings
        until = self.step + settings.chunk
        until = min(until, (self.step // settings.gate_every + 1) * settings.gate_every)
        if self._steps is not None:
            until = min(until, self._steps)
        late = max(0.0, (self.progress - _SLOW_FROM) / (1.0 - _SLOW_FROM))
        return {
            "do": "learn",
            "from": self.step,
            "until": until,
            "slow": round(1.0 - (1.0 - _SLOWEST) * late, 4),
            "shards": dict(self.shards),
        }

    def _make(self) -> Job | None:
        sizes = self.settings.sizes
        seen = self.step * self.settings.batch
        ahead = sum(self.samples.values()) - seen
        if ahead > AHEAD * len(sizes) * self.settings.shard and self._enough():
            return None

        def planned(size: str) -> int:
            ahead = sum(1 for other, _ in self._making if other == size)
            return self.samples[size] + ahead * self.settings.shard

        size = min(sizes, key=planned)
        number = self.shards[size] + 1
        while (size, number) in self._making:
            number += 1
        self._making.add((size, number))
        return {"do": self._teacher(number), "size": size, "number": number, "best": self.best}

    def _teacher(self, number: int) -> str:
        teacher = self.settings.teacher
        if teacher == "labels" or self.best is None:
            # Self-play with an untrained network teaches little.
            return "labels" if teacher != "self-play" else "self-play"
        return "self-play" if teacher == "self-play" or number % 2 else "labels"

    # -- what was done -----------------------------------------------------------------------

    def give_back(self, job: Job) -> None:
        """Take back a job that was not done."""
        if job["do"] == "learn":
            self._learning = False
        elif job["do"] in ("labels", "self-play"):
            self._making.discard((job["size"], job["number"]))
        else:
            self._testing = False

    def done(self, job: Job, reply: Job) -> list[Job]:
        """Take the result of a job; return the entries for the journal."""
        self.give_back(job)
        about = {"seconds": round(self.seconds, 1), "kind": job["do"]}
        match job["do"]:
            case "labels" | "self-play":
                size = job["size"]
                self.samples[size] += reply["samples"]
                self.shards[size] = max(self.shards[size], job["number"])
                return [{**about, "size": size, "samples": reply["samples"]}]
            case "learn":
                self.step = reply["step"]
                if reply["candidate"]:
                    self._nominate(reply["step"])
                if job.get("last"):
                    return []
                return [{**about, "step": self.step, **reply["losses"]}]
            case "gate":
                return self._gate(about, job, reply)
            case _:
                self.waiting.pop(0)
                return [{**about, "step": job["step"], **row} for row in reply["rows"]]

    def _nominate(self, step: int) -> None:
        """Let the network after `step` steps be tested, unless another one is being tested."""
        self.nominated = step
        if any(job["do"] == "gate" for job in self.waiting) and self.progress < 1.0:
            return
        self.waiting.append({"do": "truth", "step": step})
        self.waiting.append(
            {"do": "gate", "step": step, "best": self.best, "pairs": 0, "counts": [0] * 5}
        )

    def _gate(self, about: Job, job: Job, reply: Job) -> list[Job]:
        """Count a part of a gate, and decide."""
        counts = [a + b for a, b in zip(job["counts"], reply["counts"], strict=True)]
        pairs = job["pairs"] + sum(reply["counts"])
        a, b, c, d, e = counts
        verdict = GATE.verdict(Pentanomial((a, b, c, d, e)))
        first = job["best"] is None
        if verdict is None and pairs < self.settings.gate_pairs and not first:
            self.waiting[0] = {**job, "counts": counts, "pairs": pairs}
            return []
        self.waiting.pop(0)
        accepted = first or verdict == "H1"
        if accepted:
            self.best = job["step"]
            self.accepted += 1
            self.waiting.insert(0, {"do": "promote", "step": job["step"]})
            if self.accepted % MATCH_EVERY == 1 or self.progress >= 1.0:
                self.waiting += [
                    {"do": "match", "step": job["step"], "against": bot, "size": size}
                    for bot in self._opponents
                    for size in self.settings.sizes
                ]
        return [
            {
                **about,
                "step": job["step"],
                "best": job["best"],
                "counts": counts,
                "accepted": accepted,
                "verdict": verdict or "none",
            }
        ]
