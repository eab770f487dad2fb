"""Elo ratings of all players of a tournament at once, from their game pairs.

Theory of operation
-------------------
The ratings are the strengths that make all results together most likely
(`doublecross.stats.bradley_terry`). When a player, or a group of players, has won all games against
the others, the likelihood alone would put them infinitely far apart. So each player also gets
`PRIOR_GAMES` drawn games, spread over its opponents. They keep every rating finite and have little
other effect. `RatingList.groups` shows which distances are meaningful. Within a group the results
decide the distance. Between groups they bound it on one side or not at all
(`doublecross.stats.separation`), and the distance follows from the prior.

Within the group of the zero point, intervals come from the bootstrap over game pairs
(`doublecross.stats.resampling`). An interval is symmetric: it reaches as far to both sides of the
rating as the given share of resampled ratings lie from it. Such intervals cover the truth better
than percentiles. Fitted strengths are a little too far apart, and resampled ones twice as much;
percentiles are off by both. The first-order form of this interval, a multiple of the standard
error, needs no draws and covers the truth equally well. Use it for hundreds of players, since a
bootstrap costs `resamples` fits.

For players of other groups, a resampled tournament would only repeat that one side won everything.
Their intervals have the bound that the likelihood sets, and infinity on the other side.

`python -m benchmarks.ratings` measures how often the intervals cover the truth, and the speed.

Sources: P. Hall, On symmetric bootstrap confidence intervals, Journal of the Royal Statistical
Society B 50, 1988; and the sources of the files named above.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from statistics import NormalDist
from typing import Final, Literal

import numpy as np

from doublecross.stats import resampling
from doublecross.stats.bootstrap import LEVEL, Interval
from doublecross.stats.bradley_terry import Flags, Floats, Matchups, fit
from doublecross.stats.pairs import Pentanomial
from doublecross.stats.separation import Separation, groups, reached

PRIOR_GAMES: Final = 0.5
"""Drawn games that the prior gives each player, spread over its opponents."""
RESAMPLES: Final = 1000
"""Tournaments resampled for the intervals. With so many, their lengths vary by about 3 %."""
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
    """The rating of one player, relative to the zero point.

    `elo`, `interval` and `error` (the standard error) are in Elo points. The error is infinite when
    an end of the interval is, and 0 for the anchor. `score` is the player's share of the points it
    played for, 0 to 1, and `pairs` the number of game pairs it played.
    """

    elo: float
    interval: Interval
    score: float
    pairs: int
    error: float


@dataclass(frozen=True, slots=True)
class RatingList:
    """Ratings by the number of the player, and the groups of players.

    Within a group the results alone decide the distances. Each group lists its players from the
    strongest down; the group of the strongest player comes first.
    """

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
) -> RatingList:
    """Return the ratings of `players` players with intervals of level `level`.

    `anchor` is the player whose rating is 0. Without an anchor the mean of the largest group is 0;
    of several such groups, that with the strongest player. The same two players may have several
    pairings. `rng` seeds the bootstrap; the ``"analytic"`` method draws nothing. On one core the
    bootstrap takes some 20 ms for 8 players and seconds for 100; the analytic method takes less
    than a second for 1,000.

    Raises:
        ValueError: there are no players or no resamples, a number is not that of a player, a player
            is paired with itself, or the level is not between 0 and 1.
    """
    if not 0.0 < level < 1.0:
        raise ValueError(f"The level of an interval is between 0 and 1, not {level}.")
    if resamples < 1:
        raise ValueError("A bootstrap needs resamples.")
    if anchor is not None and not 0 <= anchor < players:
        raise ValueError(f"There is no player {anchor} among {players}.")
    matchups, strengths = fitted(players, pairings)
    reach = reached(matchups)
    ranked = groups(reach, strengths)
    base = _base(players, ranked, anchor)
    kept = ~(reach & reach.T)[matchups.first, matchups.second]
    spread = resampling.covariance(matchups, kept, strengths, PRIOR_GAMES)
    elos = ELO * (strengths - base @ strengths)
    errors = _errors(spread, base)
    if method == "analytic":
        halves = NormalDist().inv_cdf((1.0 + level) / 2.0) * errors
    else:
        generator = np.random.default_rng(rng.getrandbits(128))
        drawn = resampling.draws(matchups, kept, strengths, PRIOR_GAMES, generator, resamples)
        off = ELO * (drawn - (drawn @ base)[:, None]) - elos
        halves = np.quantile(np.abs(off), level, axis=0)

    home = np.flatnonzero(base)
    settled: Flags = np.asarray(reach[:, home].all(axis=1) & reach[home].all(axis=0))
    separation = Separation(matchups, reach, strengths)

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

    pairs, points = matchups.pairs, matchups.points
    played = matchups.sums(pairs, pairs)
    won = matchups.sums(points, 2.0 * pairs - points)
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


def fitted(players: int, pairings: Sequence[EloPairing]) -> tuple[Matchups, Floats]:
    """Return the matchups of the pairings, and the most likely strengths in log odds, (players,).

    Raises:
        ValueError: as `rate` does.
    """
    if players < 1:
        raise ValueError("Ratings need a player.")
    matchups = Matchups.of(
        players,
        [p.first for p in pairings],
        [p.second for p in pairings],
        [p.pairs.counts for p in pairings],
    )
    points, games = matchups.points[None], matchups.games[None]
    return matchups, fit(matchups, points, games, PRIOR_GAMES, np.zeros(players))[0]


def _base(players: int, ranked: tuple[tuple[int, ...], ...], anchor: int | None) -> Floats:
    """Return the weight of each player in the zero point, (players,); the weights sum to 1."""
    members = max(ranked, key=len) if anchor is None else (anchor,)
    base = np.zeros(players)
    base[list(members)] = 1.0 / len(members)
    return base


def _errors(spread: Floats, base: Floats) -> Floats:
    """Return the standard errors, in Elo points, of strengths relative to the zero point."""
    along = spread @ base
    variances = np.diag(spread) - 2.0 * along + base @ along
    return np.asarray(ELO * np.sqrt(np.maximum(variances, 0.0)))
