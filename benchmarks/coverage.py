"""Measure how often rating intervals cover the truth, in simulated tournaments.

The strengths of the simulated players are known. The two games of a simulated pair depend on each
other as real ones do. Some openings decide for a seat, and each player wins one game. After others
both games have the same result. The rest are independent. The last two kinds include draws.
The expected score is exactly that of the strengths; otherwise there would be no truth to compare
with.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from random import Random

import numpy as np
from numpy.random import Generator

from doublecross.stats.bootstrap import LEVEL
from doublecross.stats.elo import RESAMPLES, EloPairing, Method, RatingList, rate
from doublecross.stats.pairs import Pentanomial, score_of_elo


@dataclass(frozen=True, slots=True)
class Field:
    """The kind of tournament to simulate.

    `players` players have strengths drawn evenly from `spread` Elo points. Any two of them play
    `pairs` game pairs (a round robin). With `chance` the total is the same, but each pair is
    between two players drawn at random. With `near` only players meet whose places in the order of
    strength differ by at most `near`, as in tournaments that pair by strength.

    `seat`: share of pairs that the seat decides. `alike`: share of the others whose two games have
    the same result. `drawn`: share of drawn games in the pairs that the seat does not decide, as
    far as the expected score allows.

    Raises:
        ValueError: there are fewer than two players, `near` is below 1, or the seat decides more
            pairs than the spread allows.
    """

    players: int = 8
    pairs: int = 100
    spread: float = 200.0
    chance: bool = False
    near: int | None = None
    seat: float = 0.3
    alike: float = 0.1
    drawn: float = 0.2

    def __post_init__(self) -> None:
        if self.players < 2:
            raise ValueError("A tournament needs two players.")
        if self.near is not None and self.near < 1:
            raise ValueError("`near` must be at least 1: two players are at least one place apart.")
        if self.seat / 2 > score_of_elo(-self.spread):
            raise ValueError(
                f"Players {self.spread:g} Elo points apart cannot let the seat decide "
                f"{self.seat:g} of their pairs."
            )


@dataclass(frozen=True, slots=True)
class Coverage:
    """The coverage of the true ratings by `intervals` intervals of level `level`.

    `covered`, `below` and `above` are the shares of intervals that contained the truth, were below
    it and were above it. `outer` is the covered share among the weakest and the strongest fifth.
    `error` is the standard error of `covered`, computed from whole tournaments, since the intervals
    of one tournament are not independent. `length` is the mean length, in Elo points, of the
    intervals with two finite ends, `one_sided` the share of the others. `off` is the mean of rating
    minus truth.
    """

    intervals: int
    level: float
    covered: float
    below: float
    above: float
    outer: float
    error: float
    length: float
    one_sided: float
    off: float


def outcomes(expected: float, field: Field) -> tuple[float, ...]:
    """Return the probabilities of the five outcomes of a pair.

    `expected` is the expected score of a game of the first player, 0 to 1.
    """
    # The expected score in the pairs that the seat does not decide.
    share = (expected - field.seat / 2) / (1.0 - field.seat)
    draw = min(field.drawn, 2.0 * share, 2.0 * (1.0 - share))
    win, loss = share - draw / 2, 1.0 - share - draw / 2
    alone = (
        loss * loss,
        2.0 * loss * draw,
        2.0 * loss * win + draw * draw,
        2.0 * win * draw,
        win * win,
    )
    alike = (loss, 0.0, draw, 0.0, win)
    seat = (0.0, 0.0, 1.0, 0.0, 0.0)
    return tuple(
        field.seat * c + (1.0 - field.seat) * (field.alike * b + (1.0 - field.alike) * a)
        for a, b, c in zip(alone, alike, seat, strict=True)
    )


def tournament(truth: list[float], field: Field, generator: Generator) -> list[EloPairing]:
    """Return the results of one simulated tournament between players of these strengths."""
    places = {player: place for place, player in enumerate(np.argsort(truth).tolist())}
    matchups = [
        (i, j)
        for i, j in combinations(range(len(truth)), 2)
        if field.near is None or abs(places[i] - places[j]) <= field.near
    ]
    sizes = [field.pairs] * len(matchups)
    if field.chance:
        even = [1.0 / len(matchups)] * len(matchups)
        sizes = generator.multinomial(sum(sizes), even).tolist()
    pairings = []
    for (i, j), size in zip(matchups, sizes, strict=True):
        chances = outcomes(score_of_elo(truth[i] - truth[j]), field)
        a, b, c, d, e = generator.multinomial(size, chances).tolist()
        pairings.append(EloPairing(i, j, Pentanomial((a, b, c, d, e))))
    return pairings


Play = Callable[[list[float], Field, Generator], list[EloPairing]]
"""A function that makes the results of a tournament between players of given strengths."""


def coverage(
    field: Field,
    simulations: int,
    rng: Random,
    *,
    anchor: int | None = None,
    level: float = LEVEL,
    method: Method = "bootstrap",
    resamples: int = RESAMPLES,
    play: Play = tournament,
) -> Coverage:
    """Return how well the intervals of `rate` did in `simulations` simulated tournaments.

    `play` makes the results of a tournament; the other parameters go to `rate`. The anchor's own
    interval, which has no length, does not count.
    """
    generator = np.random.default_rng(rng.getrandbits(128))
    shares: list[float] = []
    outer: list[bool] = []
    lengths: list[float] = []
    below = above = total = 0
    off = 0.0
    for _ in range(simulations):
        truth = generator.uniform(0.0, field.spread, field.players).tolist()
        found = rate(
            field.players,
            play(truth, field, generator),
            rng,
            anchor=anchor,
            level=level,
            method=method,
            resamples=resamples,
        )
        zero = _zero(truth, found, anchor)
        covered = 0
        order = np.argsort(truth).tolist()
        fifth = max(1, len(order) // 5)
        ends = {*order[:fifth], *order[-fifth:]}
        for player, rating in enumerate(found.ratings):
            if player == anchor:
                continue
            true_elo, interval = truth[player] - zero, rating.interval
            covered += true_elo in interval
            if player in ends:
                outer.append(true_elo in interval)
            below += interval.high < true_elo
            above += interval.low > true_elo
            off += rating.elo - true_elo
            if math.isfinite(length := interval.high - interval.low):
                lengths.append(length)
        intervals = len(found.ratings) - (anchor is not None)
        shares.append(covered / intervals)
        total += intervals
    return Coverage(
        intervals=total,
        level=level,
        covered=float(np.mean(shares)),
        below=below / total,
        above=above / total,
        outer=float(np.mean(outer)),
        error=float(np.std(shares) / math.sqrt(simulations)),
        length=float(np.mean(lengths)) if lengths else math.nan,
        one_sided=1.0 - len(lengths) / total,
        off=off / total,
    )


def _zero(truth: list[float], found: RatingList, anchor: int | None) -> float:
    """Return the true strength of the zero point of the ratings."""
    members = max(found.groups, key=len) if anchor is None else (anchor,)
    return sum(truth[player] for player in members) / len(members)
