"""Compute the statistics of the games between two bots: score, Elo and net boxes."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from random import Random
from typing import Any

from doublecross.bots.arena.job import ArenaJob
from doublecross.bots.arena.moves import Effort, Termination
from doublecross.bots.arena.tally import PairTally
from doublecross.stats.bootstrap import LEVEL, Interval
from doublecross.stats.means import Estimate, mean_estimate
from doublecross.stats.pairs import PairFigures, interval_json


@dataclass(frozen=True, slots=True)
class Side:
    """One bot: its name, the effort of its moves, and its losses other than on the board."""

    name: str
    effort: Effort
    terminations: dict[Termination, int]


@dataclass(frozen=True, slots=True)
class Report:
    """The result of `games` games in finished pairs, for the first bot.

    `leftover` counts the games of unfinished pairs, `adjudicated` those that ended by their exact
    value. `openings` counts the different openings of the
    pairs. `net` is the mean of the net boxes of a game.

    The interval of `net` is Student's over the pairs, which has no bounds with fewer than three
    pairs. The same formulas serve games on servers
    (`doublecross.stats.rated`). Without any finished pair the counts are zero, the score is one
    half and its interval is from 0 to 1.
    """

    first: Side
    second: Side
    games: int
    won: int
    drawn: int
    lost: int
    adjudicated: int
    leftover: int
    openings: int
    figures: PairFigures
    net: float
    net_interval: Interval

    def as_json(self) -> dict[str, Any]:
        """Return the report as data for JSON: null for infinite numbers, lists for intervals."""
        data = asdict(self)
        del data["figures"]
        data |= self.figures.as_json()
        data |= {"net_interval": interval_json(self.net_interval), "level": LEVEL}
        for name, side in (("first", self.first), ("second", self.second)):
            effort = side.effort
            data[name]["effort"] |= {
                "mean_s": effort.mean_s,
                "mean_nodes": effort.mean_nodes,
                "mean_searched_s": effort.mean_searched_s,
                "mean_searched_nodes": effort.mean_searched_nodes,
            }
        return data


def report(job: ArenaJob, tally: PairTally, rng: Random) -> Report:
    """Compute the report of the games of `job` in `tally`; `rng` draws the bootstrap samples."""
    pairs = tally.pentanomial
    nets = tally.nets
    net = mean_estimate(nets) if nets else Estimate(0.0, Interval(0.0, 0.0))
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
        adjudicated=tally.adjudicated,
        leftover=tally.leftover,
        openings=len({first.task.opening for first, _ in tally.pairs}),
        figures=PairFigures.of(pairs, rng),
        net=net.mean,
        net_interval=net.interval,
    )
