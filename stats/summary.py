"""Summarise the games of a tournament: standings, crosstable, scores, times.

Theory of operation
-------------------
The game pair is the unit. A pair counts only if both its games are there and neither is void: an
opening may favour a seat, so a single game of a pair would favour the player in that seat. Games
that do not count are listed apart and never mixed in.

All intervals are of the level `LEVEL`. `doublecross.stats.rated` computes those of ratings. Net
scores have Student's interval over the pairs of the player. It treats these pairs as draws of one
kind although the opponents differ, so it is rather too long than too short. The score of the first
mover is that of seat 0 over all games. It depends on the openings, which all pairings share, so its
interval is over openings (`doublecross.stats.means`). Where openings are not known, each pair
counts as its own opening.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from doublecross.stats.course import courses
from doublecross.stats.elo import RESAMPLES, Rating
from doublecross.stats.means import Estimate, clustered_share, mean_estimate
from doublecross.stats.pairs import Pentanomial, los
from doublecross.stats.rated import rated, superiority
from doublecross.stats.results import GamePair, PlayedGame, Results, points


@dataclass(frozen=True, slots=True)
class CrosstableCell:
    """The results of one player against another.

    `pairs` is from the player's side, `net` its net score a game, and `los` the likelihood of its
    superiority, 0 to 1.
    """

    pairs: Pentanomial
    net: float
    los: float

    @property
    def games(self) -> int:
        """The number of games."""
        return 2 * self.pairs.pairs


@dataclass(frozen=True, slots=True)
class PlayerStanding:
    """The results of one player, from counted pairs only.

    `rating`, `net` (the net score a game) and `score` (the share of the points, 0 to 1) are None
    without a pair. `pairs` is from the player's side. `wins` and `losses` count the player's games
    by termination, the most frequent first. `mean_s` and `longest_s` are the mean and longest time
    of a move in seconds, None without moves. `course` has the rating at each of the moments of the
    summary, None where the results do not decide it (`doublecross.stats.course`).
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
        """The number of games."""
        return 2 * self.pairs.pairs

    @property
    def points(self) -> float:
        """The points: 1 for a win, half for a draw."""
        return self.pairs.points

    @property
    def score(self) -> float | None:
        """The share of the points that the player played for, or None without a pair."""
        return self.pairs.score if self.pairs.pairs else None


@dataclass(frozen=True, slots=True)
class OpeningCounts:
    """How many openings the counted pairs have.

    `different` is the number of distinct openings. `repeated` counts the pairs in which two players
    played an opening that they had played before.
    """

    different: int
    repeated: int


@dataclass(frozen=True, slots=True)
class Summary:
    """All figures of `results`.

    - `standings` has one for each player, by number.
    - `order` has all numbers: by place if there are places; within a place, or without places, the
      strongest first and players without a rating last.
    - `anchor` is the player whose rating is 0, or None if the mean is 0 (see
      `doublecross.stats.elo.rate`).
    - `groups` are the groups of the ratings, and `home` is the one whose ratings are estimates.
    - `cells` is by (player, opponent), both ways, for players who have met.
    - `los` has the likelihoods of superiority by all games, for any two players with a rating, both
      ways. It is empty for more than `doublecross.stats.rated.MOST_LOS` players.
    - `moments` are the counts of pairs after which `PlayerStanding.course` was taken.
    - `steady` are the players whose mean rating is the same at all moments.
    - `pairs` are the counted pairs in the order in which they finished.
    - `first_mover` is the score of seat 0 over all games, 0 to 1, or None without pairs.
    - `openings` is None unless the openings of all pairs are known.
    - `terminations` counts the games of `pairs` by termination.
    - `unfinished` are games whose pair lacks the other game, `void` games without a result. Neither
      count.
    """

    results: Results
    standings: tuple[PlayerStanding, ...]
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
        """Return all points of a player, as its tournament counts them."""
        places = self.results.places
        return places[player].points if places else self.standings[player].points

    def bonus(self, player: int) -> float:
        """Return a player's points from no game: for byes and opponents who did not appear."""
        return self.total(player) - self.standings[player].points

    @property
    def decided(self) -> tuple[int, int, int]:
        """The numbers of pairs that ended 1-1, 1½-½ and 2-0, whoever was ahead."""
        counts = Counter(abs(points(pair, pair[0].players[0]) - 1.0) for pair in self.pairs)
        return counts[0.0], counts[0.5], counts[1.0]


def summarise(
    results: Results, rng: Random, *, anchor: int | None = None, resamples: int = RESAMPLES
) -> Summary:
    """Return the summary of `results`.

    `rng` draws the samples for the intervals, `resamples` of them for the ratings; with more than
    some tens of players the intervals of the ratings are analytic and take no samples. The player
    `anchor` is at rating 0. Without an anchor, or if it has no pair, the mean is 0.

    Raises:
        ValueError: `anchor` is not a player.
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
    standings = tuple(
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
        standings=standings,
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
    """Return the counted pairs in the order in which they finished, and the unfinished games."""
    found: dict[int, dict[int, PlayedGame]] = {}
    for game in games:
        if not game.void:
            found.setdefault(game.pair, {})[game.game] = game
    pairs = [(both[0], both[1]) for both in found.values() if len(both) == 2]
    # A pair is finished when the later of its games is.
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
    """Return the net scores of `player` a game, one value for each pair."""
    return ((a.net(player) + b.net(player)) / 2 for a, b in pairs)


def _rank(results: Results, number: int, rating: Rating | None) -> tuple[int, bool, float, int]:
    place = results.places[number].place if results.places else 0
    return place, rating is None, -rating.elo if rating else 0.0, number


def _line(
    player: int, pairs: list[GamePair], rating: Rating | None, course: tuple[float | None, ...]
) -> PlayerStanding:
    games = [(game, game.seat(player)) for pair in pairs for game in pair]
    outcomes = Counter(game.points(player) for game, _ in games)
    moves = sum(game.moves[seat] for game, seat in games)
    seconds = math.fsum(game.mean_s[seat] * game.moves[seat] for game, seat in games)
    return PlayerStanding(
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
    """Return how often each value occurs, the most frequent first, then by name."""
    return dict(sorted(Counter(values).items(), key=lambda item: (-item[1], item[0])))


def _first_mover(pairs: Sequence[GamePair]) -> Estimate | None:
    if not pairs:
        return None
    # Cluster by opening, or by pair where the opening is not known.
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
