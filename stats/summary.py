"""What the games of a tournament say: standings, crosstable, scores, times.

Theory of operation
-------------------
The game pair is the unit. Only complete pairs count, of which neither game is void: an opening may
favour a seat, so a single game of a pair would favour whoever had that seat. What does not count
is kept and named, never mixed in.

Intervals are of the level `LEVEL`. Ratings have theirs from `stats.rated`. Net scores have
Student's interval over their pairs: the pairs of one player are taken as draws of one kind,
although the opponents differ, which makes it rather too long than too short. The score of the first
mover is that of seat 0 over all games; what it would be elsewhere depends on the openings, which
all pairings share, so its interval is over openings (`stats.means`). Where openings are not known,
each pair counts as one of its own.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from stats.course import courses
from stats.elo import RESAMPLES, Rating
from stats.means import Estimate, clustered_share, mean_estimate
from stats.pairs import Pentanomial, los
from stats.rated import rated, superiority
from stats.results import GamePair, PlayedGame, Results, points


@dataclass(frozen=True, slots=True)
class CrosstableCell:
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
class StandingLine:
    """One player's part of the whole, counted pairs only.

    `rating`, `net` (its net score a game) and `score` (its share of the points, 0 to 1) are None
    without a pair. `pairs` is from its side. `wins` and `losses` count its games by how they
    ended, the most frequent first. `mean_s` and `longest_s` are seconds a move, None without a
    move. `course` has its rating at each of the moments of the summary, None where the results do
    not decide it yet (`stats.course`).
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
class OpeningCounts:
    """From what the counted pairs were played: `different` openings, of which two players have
    `repeated` some, each time more than the first counted once."""

    different: int
    repeated: int


@dataclass(frozen=True, slots=True)
class Summary:
    """What `results` say.

    `lines` are by the number of the player. `order` are all numbers: by place, if `results` have
    places, and within a place, or else, the strongest first and those without a rating last.
    `anchor` is the player at rating 0 (None: the mean, as `stats.elo.rate` takes it), `groups` are
    those of its `RatingList`; only for the players of `home`, one of these, ratings are estimates.
    `cells` are by (player, opponent), both ways, for those who have met; `los` are likelihoods of
    superiority by all games, for every two who have a rating, both ways, and empty with more than
    `stats.rated.MOST_LOS` of them. `moments` are the counts of pairs after which
    `StandingLine.course` was taken, and `steady` those whose mean is the same at all of them.
    `pairs` are those that count, in the order in which they were finished. `first_mover` is the
    score of seat 0 over all games, 0 to 1, None without pairs. `openings` is None where they are
    not known of all pairs. `unfinished` and `void` are the games that do not count: of pairs of
    which a game is missing, and without a result.
    """

    results: Results
    lines: tuple[StandingLine, ...]
    order: tuple[int, ...]
    anchor: int | None
    groups: tuple[tuple[int, ...], ...]
    home: tuple[int, ...]
    cells: Mapping[tuple[int, int], CrosstableCell]
    los: Mapping[tuple[int, int], float]
    moments: tuple[int, ...]
    steady: tuple[int, ...]
    pairs: tuple[GamePair, ...]
    first_mover: Estimate | None
    openings: OpeningCounts | None
    terminations: Mapping[str, int]
    unfinished: tuple[PlayedGame, ...]
    void: tuple[PlayedGame, ...]

    def total(self, player: int) -> float:
        """All points of a player, as its tournament counts them."""
        places = self.results.places
        return places[player].points if places else self.lines[player].points

    def bonus(self, player: int) -> float:
        """Those of its points that are from no game: for byes, and opponents who did not come."""
        return self.total(player) - self.lines[player].points

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
    found = rated(pairs, rng, anchor, resamples)
    course = courses(pairs, found, anchor)
    of: list[list[GamePair]] = [[] for _ in range(count)]
    for pair in pairs:
        for player in pair[0].players:
            of[player].append(pair)
    lines = tuple(
        _line(
            player,
            of[player],
            found.ratings.get(player),
            tuple(ratings.get(player) for ratings in course.ratings),
        )
        for player in range(count)
    )
    return Summary(
        results=results,
        lines=lines,
        order=tuple(sorted(range(count), key=lambda n: _rank(results, n, found.ratings.get(n)))),
        anchor=anchor,
        groups=found.groups,
        home=found.home,
        cells=cells,
        los=superiority(pairs),
        moments=course.moments,
        steady=course.steady,
        pairs=tuple(pairs),
        first_mover=_first_mover(pairs),
        openings=_openings(pairs),
        terminations=_counts(game.termination for pair in pairs for game in pair),
        unfinished=unfinished,
        void=tuple(game for game in results.games if game.void),
    )


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


def _cells(pairs: Iterable[GamePair]) -> dict[tuple[int, int], CrosstableCell]:
    met: dict[tuple[int, int], list[GamePair]] = {}
    for pair in pairs:
        first, second = pair[0].players
        met.setdefault((min(first, second), max(first, second)), []).append(pair)
    cells = {}
    for (first, second), these in sorted(met.items()):
        counts = Pentanomial.of(points(pair, first) for pair in these)
        net = math.fsum(_nets(these, first)) / len(these)
        cells[first, second] = CrosstableCell(counts, net, los(counts))
        back = counts.reversed()
        cells[second, first] = CrosstableCell(back, -net, los(back))
    return cells


def _nets(pairs: Iterable[GamePair], player: int) -> Iterator[float]:
    """The net scores of `player` a game, a value for each pair."""
    return ((a.net(player) + b.net(player)) / 2 for a, b in pairs)


def _rank(results: Results, number: int, rating: Rating | None) -> tuple[int, bool, float, int]:
    place = results.places[number].place if results.places else 0
    return place, rating is None, -rating.elo if rating else 0.0, number


def _line(
    player: int, pairs: list[GamePair], rating: Rating | None, course: tuple[float | None, ...]
) -> StandingLine:
    games = [(game, game.seat(player)) for pair in pairs for game in pair]
    outcomes = Counter(game.points(player) for game, _ in games)
    moves = sum(game.moves[seat] for game, seat in games)
    seconds = math.fsum(game.mean_s[seat] * game.moves[seat] for game, seat in games)
    return StandingLine(
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


def _first_mover(pairs: Sequence[GamePair]) -> Estimate | None:
    if not pairs:
        return None
    # By opening, or by pair where there is nobody who knows it.
    clusters: defaultdict[Hashable, list[GamePair]] = defaultdict(list)
    for pair in pairs:
        opening = pair[0].opening
        clusters[pair[0].pair if opening is None else opening].append(pair)
    sums = [
        (math.fsum(game.points(game.players[0]) for pair in these for game in pair), 2 * len(these))
        for these in clusters.values()
    ]
    return clustered_share(sums)


def _openings(pairs: Iterable[GamePair]) -> OpeningCounts | None:
    played: Counter[tuple[tuple[int, ...], tuple[int, int]]] = Counter()
    for pair in pairs:
        opening, (first, second) = pair[0].opening, pair[0].players
        if opening is None:
            return None
        played[opening, (min(first, second), max(first, second))] += 1
    if not played:
        return None
    return OpeningCounts(len({opening for opening, _ in played}), played.total() - len(played))
