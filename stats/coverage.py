"""Do intervals keep their promise: tournaments of players whose strengths are known, and how often
the intervals of their ratings cover these.

The two games of a simulated pair depend on each other as those of real ones do: some openings
decide for a seat, whoever sits there (each player wins one game); after others both games end
alike; the rest are independent. Each with draws, and so that the expected score is exactly that
of the players' strengths: else the truth would not be the truth.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from random import Random

import numpy as np
from numpy.random import Generator

from stats.bootstrap import LEVEL
from stats.elo import RESAMPLES, EloPairing, Method, RatingList, rate
from stats.pairs import Pentanomial, score_of_elo


@dataclass(frozen=True, slots=True)
class Field:
    """Tournaments to simulate: `players` with strengths drawn evenly from `spread` Elo points, who
    play `pairs` game pairs for each two; each two as many (a round robin), or as many on the
    whole between players of `chance`. With `near` only those meet who are at most so many places
    apart in strength, as where strengths are known before.

    `seat`: share of pairs that the seat decides; `alike`: share of the others whose games end
    alike; `drawn`: share of games that are drawn where neither is the case, as far as the expected
    score allows.

    Raises:
        ValueError: fewer than two players, or a seat that decides more than the spread allows.
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
            raise ValueError("Players meet those who are at least a place apart.")
        if self.seat / 2 > score_of_elo(-self.spread):
            raise ValueError(
                f"Players {self.spread:g} Elo points apart cannot let the seat decide "
                f"{self.seat:g} of their pairs."
            )


@dataclass(frozen=True, slots=True)
class Coverage:
    """How `intervals` intervals did, of which `level` should cover the truth: the shares that
    `covered` it, that were `below` it as a whole and `above`; `outer`, the share that covered it
    of the weakest and the strongest fifth; `error`, the standard error of
    `covered` (intervals of one tournament are not independent, tournaments are); `length`, the mean
    in Elo points of those with two ends, and the share `one_sided` of the others; `off`, the mean
    of rating less truth."""

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
    """The chances of the five outcomes of a pair, between players with this expected score."""
    share = (expected - field.seat / 2) / (1.0 - field.seat)  # where the seat does not decide
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
    """The results of one tournament between players of these strengths."""
    places = {player: place for place, player in enumerate(np.argsort(truth).tolist())}
    couples = [
        (i, j)
        for i, j in combinations(range(len(truth)), 2)
        if field.near is None or abs(places[i] - places[j]) <= field.near
    ]
    sizes = [field.pairs] * len(couples)
    if field.chance:
        even = [1.0 / len(couples)] * len(couples)
        sizes = generator.multinomial(sum(sizes), even).tolist()
    pairings = []
    for (i, j), size in zip(couples, sizes, strict=True):
        chances = outcomes(score_of_elo(truth[i] - truth[j]), field)
        a, b, c, d, e = generator.multinomial(size, chances).tolist()
        pairings.append(EloPairing(i, j, Pentanomial((a, b, c, d, e))))
    return pairings


Play = Callable[[list[float], Field, Generator], list[EloPairing]]
"""Makes the results of a tournament between players of given strengths."""


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
    """What the intervals of `rate`, with these parameters, did in that many tournaments, whose
    results come from `play`. The interval of the anchor, which has no length, is not counted."""
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
            is_so, interval = truth[player] - zero, rating.interval
            covered += is_so in interval
            if player in ends:
                outer.append(is_so in interval)
            below += interval.high < is_so
            above += interval.low > is_so
            off += rating.elo - is_so
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
    """The true strength at which the ratings have their zero."""
    members = max(found.groups, key=len) if anchor is None else (anchor,)
    return sum(truth[player] for player in members) / len(members)
