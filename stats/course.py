"""Ratings over time: those after each tenth of the pairs, on one scale that stays where it is.

Theory of operation
-------------------
Each moment has a fit of its own, whose zero means nothing to that of another: players come in, and
a group that is joined by somebody weak rises. So all moments are laid over each other at the same
players, the *steady* ones: their mean is at each moment what it is in the end. With an anchor that
is the anchor, else those of the home group whose distances are decided at all moments that are
shown.

A rating is shown only where the results decide it: from the moment on at which the player and the
steady ones are in one group (`stats.separation`). Before, a prior would make the rating, and a
player who merely has not lost yet would seem to climb. Going back from the end, a moment at which
less than half of the home group hangs together is not shown any more, nor are those before it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from stats.elo import Rating
from stats.rated import RatedField, strengths
from stats.results import GamePair

MOMENTS: Final = 10
"""Ratings over time are taken at so many moments, after equal shares of the pairs."""


@dataclass(frozen=True, slots=True)
class Courses:
    """`moments` are counts of pairs, `ratings` those after each of them, by player; `steady` the
    players whose mean is the same at all of them."""

    moments: tuple[int, ...]
    ratings: tuple[Mapping[int, float], ...]
    steady: tuple[int, ...]


def courses(pairs: Sequence[GamePair], last: RatedField, anchor: int | None) -> Courses:
    """Ratings over time; `last` are those in the end, `anchor` the player at 0, if there is one."""
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
    ratings += [_laid(elos, group, steady, last.ratings) for elos, group in reversed(taken)]
    return Courses(moments, tuple(ratings), tuple(n for n in last.home if n in steady))


def _laid(
    elos: Mapping[int, float],
    group: frozenset[int],
    steady: frozenset[int],
    last: Mapping[int, Rating],
) -> dict[int, float]:
    shift = math.fsum(last[player].elo - elos[player] for player in steady) / len(steady)
    return {player: elos[player] + shift for player in sorted(group)}


def _moments(pairs: int) -> tuple[int, ...]:
    shares = (math.ceil(pairs * at / MOMENTS) for at in range(1, MOMENTS + 1))
    return tuple(dict.fromkeys(share for share in shares if share))
