"""What the games between two bots say: score, Elo and net boxes with their intervals."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from random import Random
from typing import Any

from bots.arena.job import ArenaJob, Effort, Termination
from bots.arena.tally import PairTally
from stats.bootstrap import LEVEL, Interval
from stats.means import Estimate, mean_estimate
from stats.pairs import elo_interval, elo_of_score, los, score_interval


@dataclass(frozen=True, slots=True)
class Side:
    """One bot: its name, what its moves took, and how it lost otherwise than on the board."""

    name: str
    effort: Effort
    terminations: dict[Termination, int]


@dataclass(frozen=True, slots=True)
class Report:
    """A result from the first bot's side, over `games` games in finished pairs.

    `score` is from 0 to 1. `elo` and its interval are infinite where the results set no bound
    (clean scores). `openings` counts the different ones of the pairs. `net` is boxes a game.
    `pentanomial` counts the pairs with 0, 1/2, 1, 3/2 and 2 points. Intervals are at `LEVEL`: those
    of `stats.pairs` and, of `net`, Student's over its pairs, which has no bounds with fewer than
    three. These are the figures of two players wherever they met (`stats.rated`). Without any pair
    everything is zero, the score one half and its interval all there is.
    """

    first: Side
    second: Side
    games: int
    won: int
    drawn: int
    lost: int
    leftover: int
    openings: int
    pentanomial: tuple[int, int, int, int, int]
    score: float
    score_interval: Interval
    elo: float
    elo_interval: Interval
    los: float
    net: float
    net_interval: Interval

    def as_json(self) -> dict[str, Any]:
        """As what JSON can hold: what is infinite is null, intervals are lists of two."""
        data = asdict(self)
        for name in ("score_interval", "elo_interval", "net_interval"):
            interval: Interval = getattr(self, name)
            data[name] = [_finite(interval.low), _finite(interval.high)]
        data["elo"] = _finite(self.elo)
        data["level"] = LEVEL
        for name, side in (("first", self.first), ("second", self.second)):
            effort = side.effort
            data[name]["effort"] |= {"mean_s": effort.mean_s, "mean_nodes": effort.mean_nodes}
        return data


def report(job: ArenaJob, tally: PairTally, rng: Random) -> Report:
    """What `tally`, of games of `job`, says; `rng` draws the samples of the bootstrap."""
    pairs = tally.pentanomial
    nets = tally.nets
    net = mean_estimate(nets) if nets else Estimate(0.0, Interval(0.0, 0.0))
    score = score_interval(pairs, rng)
    first, second = (
        Side(job.names[player], tally.effort(player), tally.terminations(player))
        for player in tally.players
    )
    return Report(
        first=first,
        second=second,
        games=2 * pairs.pairs,
        won=tally.won,
        drawn=tally.drawn,
        lost=tally.lost,
        leftover=tally.leftover,
        openings=len({first.task.opening for first, _ in tally.pairs}),
        pentanomial=pairs.counts,
        score=pairs.score,
        score_interval=score,
        elo=elo_of_score(pairs.score),
        elo_interval=elo_interval(score),
        los=los(pairs),
        net=net.mean,
        net_interval=net.interval,
    )


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
