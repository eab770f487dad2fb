"""Elo ratings of all players of a tournament at once, from their game pairs.

Theory of operation
-------------------
The ratings are the strengths that make all results together most likely (`stats.bradley_terry`).
Where one player has won all games, or a group of players all against the others, the likelihood
alone would drive them infinitely far apart; so each player is also given `PRIOR_GAMES` drawn
games, spread over its opponents, which keeps everything finite and else hardly counts.
What such distances are worth is told by `RatingList.groups`: between players of one group the
results decide the distance; between groups they bound it on one side or not at all
(`stats.separation`), and the prior makes the distance.

Intervals within the group of the zero point come from the bootstrap over game pairs
(`stats.resampling`): as far to both sides of the rating as the given share of the resampled ones
lie from it. This symmetric interval covers the truth better than percentiles: fitted strengths
are a little too far apart, the resampled ones twice that, and percentiles are off by both. Its
first-order form, a multiple of the standard error, takes no draws, covers as well, and is the one
for hundreds of players: a bootstrap costs `resamples` fits. For players of other groups a
resampled tournament would only repeat that they won everything; they get the bound that the
likelihood sets, and infinity on the other side.

`python -m benchmarks.ratings` measures how often the intervals cover the truth, and the speed.

Sources: P. Hall, On symmetric bootstrap confidence intervals, Journal of the Royal Statistical
Society B 50, 1988; and those of the files named.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from statistics import NormalDist
from typing import Final, Literal

import numpy as np

from stats import resampling
from stats.bootstrap import LEVEL, Interval
from stats.bradley_terry import Couples, Flags, Floats, fit
from stats.pairs import Pentanomial
from stats.separation import Separation, groups, reached

PRIOR_GAMES: Final = 0.5
"""Drawn games that each player is given, spread over its opponents."""
RESAMPLES: Final = 1000
"""Tournaments drawn again for the intervals, whose lengths then repeat to about 3 %."""
ELO: Final = 400.0 / math.log(10.0)
"""Elo points in one unit of log odds."""

Method = Literal["bootstrap", "analytic"]


@dataclass(frozen=True, slots=True)
class EloPairing:
    """The game pairs of two players, given by their numbers, from the side of `first`."""

    first: int
    second: int
    pairs: Pentanomial


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's rating: in Elo points with its interval and its standard error, relative to the
    zero point; `score` is its share of all points it played for, 0 to 1; `pairs` how many it
    played. The error is infinite where an end of the interval is, and 0 for the anchor."""

    elo: float
    interval: Interval
    score: float
    pairs: int
    error: float


@dataclass(frozen=True, slots=True)
class RatingList:
    """Ratings by the number of the player, and the groups within which the results alone decide
    the distances, as numbers of players: that of the strongest player first, and each from its
    strongest player down."""

    ratings: tuple[Rating, ...]
    groups: tuple[tuple[int, ...], ...]


def rate(
    players: int,
    pairings: Sequence[EloPairing],
    rng: Random,
    *,
    anchor: int | None = None,
    level: float = LEVEL,
    method: Method = "bootstrap",
    resamples: int = RESAMPLES,
    prior_games: float = PRIOR_GAMES,
) -> RatingList:
    """The ratings of `players` players with intervals of level `level`.

    The player `anchor` is at 0; None: the mean of the largest group is (of several as large, of
    that with the strongest player). A pair of players may have several pairings. `rng` seeds the
    bootstrap; the ``"analytic"`` method draws nothing. On one core the bootstrap takes some 20 ms
    for 8 players and seconds for 100, the other method less than a second for 1,000.

    Raises:
        ValueError: a number that is no player's, a player paired with itself, a prior not above
            zero, a level not between 0 and 1, no resamples, or no players.
    """
    if not 0.0 < level < 1.0:
        raise ValueError(f"The level of an interval is between 0 and 1, not {level}.")
    if resamples < 1:
        raise ValueError("A bootstrap needs resamples.")
    if anchor is not None and not 0 <= anchor < players:
        raise ValueError(f"There is no player {anchor} among {players}.")
    couples, strengths = fitted(players, pairings, prior_games)
    reach = reached(couples)
    ranked = groups(reach, strengths)
    base = _base(players, ranked, anchor)
    kept = ~(reach & reach.T)[couples.first, couples.second]
    spread = resampling.covariance(couples, kept, strengths, prior_games)
    elos = ELO * (strengths - base @ strengths)
    errors = _errors(spread, base)
    if method == "analytic":
        halves = NormalDist().inv_cdf((1.0 + level) / 2.0) * errors
    else:
        generator = np.random.default_rng(rng.getrandbits(128))
        drawn = resampling.draws(couples, kept, strengths, prior_games, generator, resamples)
        off = ELO * (drawn - (drawn @ base)[:, None]) - elos
        halves = np.quantile(np.abs(off), level, axis=0)

    home = np.flatnonzero(base)
    settled: Flags = np.asarray(reach[:, home].all(axis=1) & reach[home].all(axis=0))
    separation = Separation(couples, reach, strengths)

    def interval(player: int) -> Interval:
        elo = float(elos[player])
        if settled[player]:
            return Interval(elo - float(halves[player]), elo + float(halves[player]))
        contrast = -base
        contrast[player] += 1.0
        low = ELO * separation.lower(contrast, level)
        high = -ELO * separation.lower(-contrast, level)
        # A strong prior may have put the rating beyond what the results alone leave possible.
        return Interval(min(low, elo), max(high, elo))

    pairs, points = couples.pairs, couples.points
    played = couples.sums(pairs, pairs)
    won = couples.sums(points, 2.0 * pairs - points)
    ratings = tuple(
        Rating(
            float(elos[player]),
            interval(player),
            float(won[player] / (2.0 * played[player])) if played[player] else 0.5,
            round(played[player]),
            float(errors[player]) if settled[player] else math.inf,
        )
        for player in range(players)
    )
    return RatingList(ratings, ranked)


def fitted(
    players: int, pairings: Sequence[EloPairing], prior_games: float = PRIOR_GAMES
) -> tuple[Couples, Floats]:
    """Who met whom with what results, and the most likely strengths in log odds, (players,).

    Raises:
        ValueError: as `rate` does.
    """
    if players < 1:
        raise ValueError("Ratings need a player.")
    if prior_games <= 0:
        raise ValueError(f"The prior must be above zero games, not {prior_games}.")
    couples = Couples.of(
        players,
        [p.first for p in pairings],
        [p.second for p in pairings],
        [p.pairs.counts for p in pairings],
    )
    points, games = couples.points[None], couples.games[None]
    return couples, fit(couples, points, games, prior_games, np.zeros(players))[0]


def _base(players: int, ranked: tuple[tuple[int, ...], ...], anchor: int | None) -> Floats:
    """What each player's strength counts in the zero point: weights (players,) with the sum 1."""
    members = max(ranked, key=len) if anchor is None else (anchor,)
    base = np.zeros(players)
    base[list(members)] = 1.0 / len(members)
    return base


def _errors(spread: Floats, base: Floats) -> Floats:
    """Standard errors, in Elo points, of the strengths relative to the zero point."""
    along = spread @ base
    variances = np.diag(spread) - 2.0 * along + base @ along
    return np.asarray(ELO * np.sqrt(np.maximum(variances, 0.0)))
