"""Compute the ratings after each tenth of the game pairs, all on one scale.

Theory of operation
-------------------
Each moment has its own fit, whose zero point is not comparable with others: players join later,
and the mean of a group changes when a weak player joins it. So the ratings of each moment are
shifted until a fixed set of players, the *steady* players, has the same mean as in the end. With
an anchor, the anchor is the only steady player. Otherwise they are the players of the home group
whose distances the results decide at all moments that are shown.

A rating is shown only where the results decide it: from the moment at which the player is in one
group with the steady players (`doublecross.stats.separation`). Before that the prior would decide
the rating, and a player who has only not lost yet would seem to climb. Going back in time from the
end, the first moment at which less than half of the home group is in one group, and all earlier
moments, are left out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from doublecross.stats.elo import Rating
from doublecross.stats.rated import RatedField, strengths
from doublecross.stats.results import GamePair

MOMENTS: Final = 10
"""The number of moments of the ratings over time, after equal shares of the pairs."""


@dataclass(frozen=True, slots=True)
class Courses:
    """Ratings over time.

    `moments` are counts of game pairs, and `ratings` the ratings after each of them, by player.
    `steady` are the players whose mean is the same at all moments.
    """

    moments: tuple[int, ...]
    ratings: tuple[Mapping[int, float], ...]
    steady: tuple[int, ...]


def courses(pairs: Sequence[GamePair], last: RatedField, anchor: int | None) -> Courses:
    """Return the ratings over time.

    `last` are the final ratings. `anchor` is the player whose rating is 0, or None.
    """
    moments = _moments(len(pairs))
    if len(last.home) < 2:
        return Courses(moments, tuple({} for _ in moments), ())
    home = frozenset(last.home)
    steady = home if anchor is None else frozenset((anchor,))
    fewest = len(steady) if anchor is not None else max(2, math.ceil(len(home) / 2))
    taken: list[tuple[dict[int, float], frozenset[int]]] = []
    for moment in reversed(moments):
        elos, groups = strengths(pairs[:moment])
        group = max((frozenset(each) for each in groups), key=lambda each: len(each & steady))
        if len(group) < 2 or len(steady & group) < fewest:
            break
        steady &= group
        taken.append((elos, group))
    ratings: list[Mapping[int, float]] = [{} for _ in moments[len(taken) :]]
    ratings += [_shifted(elos, group, steady, last.ratings) for elos, group in reversed(taken)]
    return Courses(moments, tuple(ratings), tuple(n for n in last.home if n in steady))


def _shifted(
    elos: Mapping[int, float],
    group: frozenset[int],
    steady: frozenset[int],
    last: Mapping[int, Rating],
) -> dict[int, float]:
    """Return the ratings of `group`, shifted to keep the mean of the `steady` players."""
    shift = math.fsum(last[player].elo - elos[player] for player in steady) / len(steady)
    return {player: elos[player] + shift for player in sorted(group)}


def _moments(pairs: int) -> tuple[int, ...]:
    """Return the counts of pairs after which ratings are taken, without repetition."""
    shares = (math.ceil(pairs * at / MOMENTS) for at in range(1, MOMENTS + 1))
    return tuple(dict.fromkeys(share for share in shares if share))
