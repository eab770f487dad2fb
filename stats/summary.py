"""What the games of a tournament say about its players: ratings, crosstable, scores, times.

Theory of operation
-------------------
The game pair is the unit. Only complete pairs count, of which neither game is void: an opening may
favour a seat, so a single game of a pair would favour whoever had that seat. What does not count
is kept and named, never mixed in.

Intervals are of the level `LEVEL`. Ratings have theirs from `stats.elo`; the score of the first
mover is that of seat 0 in each pair, in other words of a pentanomial, with the interval of
`stats.pairs`. Net scores have Student's interval over their pairs: the pairs of one player are
taken as draws of one kind, although the opponents differ, which makes it rather too long than too
short.

Sources: M. Abramowitz and I. Stegun, Handbook of Mathematical Functions, 1964, 26.7.5 (quantiles
of Student's distribution from those of the normal one).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from statistics import NormalDist
from typing import Final

from stats.bootstrap import LEVEL, Interval
from stats.elo import ELO, RESAMPLES, Method, Pairing, Rating, fitted, rate
from stats.los import los_matrix
from stats.pairs import OUTCOMES, Pentanomial, los, score_interval
from stats.results import PlayedGame, Results

MOMENTS: Final = 10
"""Ratings over time are taken at so many moments, after equal shares of the pairs."""
MOST_LOS: Final = 100
"""Players up to whom each two of them are compared by all games."""
_MOST_BOOTSTRAPPED: Final = 50
"""Players up to whom ratings have bootstrap intervals; for more it would take seconds."""
_DRAWN: Final = 2000
"""Pairs from which on the mean of a sample is as good as normal, so that none need be drawn."""
_FEW: Final = 3
"""Values that a mean must have to get bounds: Student's quantile is not worth much before."""

GamePair = tuple[PlayedGame, PlayedGame]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its interval; an end is infinite where there are too few values for a bound."""

    mean: float
    interval: Interval


@dataclass(frozen=True, slots=True)
class Cell:
    """What one player did against one other: the pairs from its side, its net score a game, and
    the likelihood of its superiority (0 to 1)."""

    pairs: Pentanomial
    net: float
    los: float

    @property
    def games(self) -> int:
        """Number of games."""
        return 2 * self.pairs.pairs


@dataclass(frozen=True, slots=True)
class Line:
    """One player's part of the whole, counted pairs only.

    `rating`, `net` (its net score a game) and `score` (its share of the points, 0 to 1) are None
    without a pair. `pairs` is from its side. `wins` and `losses` count its games by how they
    ended, the most frequent first. `mean_s` and `longest_s` are seconds a move, None without a
    move. `course` has its rating at each of the moments of the summary; None before its first pair
    or the anchor's. Without an anchor the mean of all who had a pair by then is at what it is for
    the same players in the end.
    """

    rating: Rating | None
    pairs: Pentanomial
    won: int
    drawn: int
    lost: int
    net: Estimate | None
    wins: Mapping[str, int]
    losses: Mapping[str, int]
    mean_s: float | None
    longest_s: float | None
    course: tuple[float | None, ...]

    @property
    def games(self) -> int:
        """Number of games."""
        return 2 * self.pairs.pairs

    @property
    def points(self) -> float:
        """1 for a game won, half for a draw."""
        return self.pairs.points

    @property
    def score(self) -> float | None:
        """The share of the points that it played for."""
        return self.pairs.score if self.pairs.pairs else None


@dataclass(frozen=True, slots=True)
class Summary:
    """What `results` say.

    `lines` are by the number of the player, `order` are all numbers, the strongest first and those
    without a rating last. `anchor` is the player at rating 0 (None: the mean, as `stats.elo.rate`
    takes it), `groups` are those of its `RatingList`. `cells` are by (player, opponent), both ways,
    for those who have met; `los` are likelihoods of superiority by all games, for every two who
    have a rating, both ways, and empty with more than `MOST_LOS` of them. `moments` are the counts
    of pairs after which `Line.course` was taken. `pairs` are those that count, in the order in
    which they were finished. `first_mover` is the score of seat 0 over all games, 0 to 1, None
    without pairs. `unfinished` and `void` are the games that do not count: of pairs of which a
    game is missing, and without a result.
    """

    results: Results
    lines: tuple[Line, ...]
    order: tuple[int, ...]
    anchor: int | None
    groups: tuple[tuple[int, ...], ...]
    cells: Mapping[tuple[int, int], Cell]
    los: Mapping[tuple[int, int], float]
    moments: tuple[int, ...]
    pairs: tuple[GamePair, ...]
    first_mover: Estimate | None
    terminations: Mapping[str, int]
    unfinished: tuple[PlayedGame, ...]
    void: tuple[PlayedGame, ...]

    @property
    def decided(self) -> tuple[int, int, int]:
        """How many pairs ended 1-1, 1½-½ and 2-0, whoever was ahead."""
        counts = Counter(abs(points(pair, pair[0].players[0]) - 1.0) for pair in self.pairs)
        return counts[0.0], counts[0.5], counts[1.0]


def summarise(
    results: Results, rng: Random, *, anchor: int | None = None, resamples: int = RESAMPLES
) -> Summary:
    """The summary of `results`; `rng` draws the samples of the intervals, `resamples` for the
    ratings. The player `anchor` is at rating 0; None, or one without a pair: the mean is. With
    more than some tens of players the intervals are analytic and take no samples.

    Raises:
        ValueError: `anchor` is no player.
    """
    count = len(results.players)
    if anchor is not None and not 0 <= anchor < count:
        raise ValueError(f"There is no player {anchor} among {count}.")
    pairs, unfinished = _paired(results.games)
    cells = _cells(pairs)
    met = {player for player, _ in cells}
    anchor = anchor if anchor in met else None
    method: Method = "bootstrap" if len(met) <= _MOST_BOOTSTRAPPED else "analytic"
    ratings, groups = _rated(pairs, rng, anchor, method, resamples)
    moments = _moments(len(pairs))
    courses = [_at(pairs[:moment], anchor, ratings) for moment in moments]
    of: list[list[GamePair]] = [[] for _ in range(count)]
    for pair in pairs:
        for player in pair[0].players:
            of[player].append(pair)
    lines = tuple(
        _line(
            player,
            of[player],
            ratings.get(player),
            tuple(course.get(player) for course in courses),
        )
        for player in range(count)
    )
    return Summary(
        results=results,
        lines=lines,
        order=tuple(sorted(range(count), key=lambda n: _rank(n, ratings.get(n)))),
        anchor=anchor,
        groups=groups,
        cells=cells,
        los=_los(pairs),
        moments=moments,
        pairs=tuple(pairs),
        first_mover=_first_mover(pairs, rng),
        terminations=_counts(game.termination for pair in pairs for game in pair),
        unfinished=unfinished,
        void=tuple(game for game in results.games if game.void),
    )


def points(pair: GamePair, player: int) -> float:
    """The points of `player`, one of its two, in `pair`: 0 to 2."""
    return pair[0].points(player) + pair[1].points(player)


def mean_estimate(values: Sequence[float], level: float = LEVEL) -> Estimate:
    """The mean of independent `values`, one at least, with Student's interval.

    The quantile is that of Abramowitz and Stegun, 26.7.5: with three values it is 3 % short, with
    six 0.1 %. Fewer have no bounds; of values that are all alike the interval is that value.
    """
    n = len(values)
    mean = math.fsum(values) / n
    if n < _FEW:
        return Estimate(mean, Interval(-math.inf, math.inf))
    variance = math.fsum((value - mean) ** 2 for value in values) / (n - 1)
    z, freedom = _normal(level), n - 1
    quantile = (
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    )
    reach = quantile * math.sqrt(variance / n)
    return Estimate(mean, Interval(mean - reach, mean + reach))


def _normal(level: float) -> float:
    return NormalDist().inv_cdf((1.0 + level) / 2.0)


def _paired(games: Sequence[PlayedGame]) -> tuple[list[GamePair], tuple[PlayedGame, ...]]:
    """The pairs that count, in the order in which they were finished, and the games that do not
    for want of the other one."""
    found: dict[int, dict[int, PlayedGame]] = {}
    for game in games:
        if not game.void:
            found.setdefault(game.pair, {})[game.game] = game
    pairs = [(both[0], both[1]) for both in found.values() if len(both) == 2]
    pairs.sort(key=lambda pair: (max(game.finished_ms for game in pair), pair[0].pair))
    single = (game for both in found.values() if len(both) == 1 for game in both.values())
    return pairs, tuple(sorted(single, key=lambda game: game.pair))


def _cells(pairs: Iterable[GamePair]) -> dict[tuple[int, int], Cell]:
    met: dict[tuple[int, int], list[GamePair]] = {}
    for pair in pairs:
        first, second = pair[0].players
        met.setdefault((min(first, second), max(first, second)), []).append(pair)
    cells = {}
    for (first, second), these in sorted(met.items()):
        counts = Pentanomial.of(points(pair, first) for pair in these)
        net = math.fsum(_nets(these, first)) / len(these)
        cells[first, second] = Cell(counts, net, los(counts))
        back = counts.reversed()
        cells[second, first] = Cell(back, -net, los(back))
    return cells


def _nets(pairs: Iterable[GamePair], player: int) -> Iterator[float]:
    """The net scores of `player` a game, a value for each pair."""
    return ((a.net(player) + b.net(player)) / 2 for a, b in pairs)


def _pairings(pairs: Iterable[GamePair]) -> tuple[list[int], list[Pairing]]:
    """All who have a pair, and their pairings, which call them by their place among these. Those
    without one are left out: each would be a group of its own."""
    scores: dict[tuple[int, int], list[float]] = {}
    for pair in pairs:
        first, second = sorted(pair[0].players)
        scores.setdefault((first, second), []).append(points(pair, first))
    there = sorted({player for both in scores for player in both})
    place = {player: at for at, player in enumerate(there)}
    return there, [
        Pairing(place[first], place[second], Pentanomial.of(values))
        for (first, second), values in sorted(scores.items())
    ]


def _rated(
    pairs: Sequence[GamePair],
    rng: Random,
    anchor: int | None,
    method: Method,
    resamples: int,
) -> tuple[dict[int, Rating], tuple[tuple[int, ...], ...]]:
    """The ratings of all who have a pair, and their groups."""
    there, pairings = _pairings(pairs)
    if not there:
        return {}, ()
    zero = there.index(anchor) if anchor in there else None
    found = rate(len(there), pairings, rng, anchor=zero, method=method, resamples=resamples)
    groups = tuple(tuple(there[at] for at in group) for group in found.groups)
    return dict(zip(there, found.ratings, strict=True)), groups


def _at(
    pairs: Sequence[GamePair], anchor: int | None, last: Mapping[int, Rating]
) -> dict[int, float]:
    """The ratings after `pairs`, on the scale of the `last` ones, and without intervals."""
    there, pairings = _pairings(pairs)
    if anchor is not None and anchor not in there:
        return {}
    strengths = fitted(len(there), pairings)[1]
    elos = {player: ELO * float(strengths[at]) for at, player in enumerate(there)}
    fixed = there if anchor is None else [anchor]
    shift = math.fsum(last[player].elo - elos[player] for player in fixed) / len(fixed)
    return {player: elo + shift for player, elo in elos.items()}


def _los(pairs: Sequence[GamePair]) -> dict[tuple[int, int], float]:
    there, pairings = _pairings(pairs)
    if not 1 < len(there) <= MOST_LOS:
        return {}
    matrix = los_matrix(len(there), pairings)
    return {
        (player, other): value
        for player, row in zip(there, matrix, strict=True)
        for other, value in zip(there, row, strict=True)
        if player != other
    }


def _moments(pairs: int) -> tuple[int, ...]:
    shares = (math.ceil(pairs * at / MOMENTS) for at in range(1, MOMENTS + 1))
    return tuple(dict.fromkeys(share for share in shares if share))


def _rank(number: int, rating: Rating | None) -> tuple[bool, float, int]:
    return rating is None, -rating.elo if rating else 0.0, number


def _line(
    player: int, pairs: list[GamePair], rating: Rating | None, course: tuple[float | None, ...]
) -> Line:
    games = [(game, game.seat(player)) for pair in pairs for game in pair]
    outcomes = Counter(game.points(player) for game, _ in games)
    moves = sum(game.moves[seat] for game, seat in games)
    seconds = math.fsum(game.mean_s[seat] * game.moves[seat] for game, seat in games)
    return Line(
        rating=rating,
        pairs=Pentanomial.of(points(pair, player) for pair in pairs),
        won=outcomes[1.0],
        drawn=outcomes[0.5],
        lost=outcomes[0.0],
        net=mean_estimate(list(_nets(pairs, player))) if pairs else None,
        wins=_counts(game.termination for game, seat in games if game.winner == seat),
        losses=_counts(game.termination for game, seat in games if game.loser == seat),
        mean_s=seconds / moves if moves else None,
        longest_s=max(game.longest_s[seat] for game, seat in games) if moves else None,
        course=course,
    )


def _counts(values: Iterable[str]) -> dict[str, int]:
    """How often each value is there, the most frequent first, then by name."""
    return dict(sorted(Counter(values).items(), key=lambda item: (-item[1], item[0])))


def _first_mover(pairs: Sequence[GamePair], rng: Random) -> Estimate | None:
    if not pairs:
        return None
    counts = Pentanomial.of(sum(game.points(game.players[0]) for game in pair) for pair in pairs)
    if counts.pairs <= _DRAWN:
        return Estimate(counts.score, score_interval(counts, rng))
    # What the means of the samples that `score_interval` draws have by the central limit theorem.
    weights, games = counts.weights(), [outcome / 2 for outcome in OUTCOMES]
    total = math.fsum(weights)
    mean = math.fsum(w * x for w, x in zip(weights, games, strict=True)) / total
    variance = math.fsum(w * (x - mean) ** 2 for w, x in zip(weights, games, strict=True)) / total
    reach = _normal(LEVEL) * math.sqrt(variance / counts.pairs)
    return Estimate(counts.score, Interval(max(0.0, mean - reach), min(1.0, mean + reach)))
