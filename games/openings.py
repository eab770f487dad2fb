"""Collect distinct openings: draw them at random, and search all of them when drawing stalls.

Theory of operation
-------------------
Most boards have far more openings than anybody needs, and random drawing finds new ones quickly.
When drawing stalls, either few openings are left or fair ones are rare. Only a search through all
openings can tell which. That search has a budget. When it finishes within the budget, its answer
is complete, and "the game has no more openings" is proven. Otherwise `collect` refuses the
request, so it never claims a shortage without proof.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Final

from doublecross.games.api import BadParameter, Openings

Opening = tuple[int, ...]

_STALL: Final = 200
"""Random drawing stops after this many draws in a row without a new opening."""
BUDGET: Final = 1_500_000
"""The most nodes of the search through all openings; a request that needs more is refused."""


class BudgetError(Exception):
    """The search through all openings exceeded its budget."""


def check_request(n: int, length: int, limit: int, unit: str) -> None:
    """Check the number and length of the openings that a caller requests.

    Raises:
        BadParameter: `n` or `length` is not a whole number from 0, or `length` exceeds `limit`.
    """
    if type(n) is not int or n < 0:
        raise BadParameter(f"The number of openings must be a whole number from 0, not {n!r}.")
    if type(length) is not int or not 0 <= length <= limit:
        raise BadParameter(
            f"The length of an opening must be from 0 to {limit} {unit}s, not {length!r}."
        )


def collect(
    rng: Random,
    n: int,
    draw: Callable[[Random], Opening | None],
    everything: Callable[[], Iterator[Opening]],
    what: str,
) -> Openings:
    """Return `n` distinct openings, or all of them when the game has fewer.

    `draw` returns one random opening in its canonical form, or None when the attempt failed.
    `everything` yields each opening once in the same form; it raises `BudgetError` when there is
    too much to search. `what` describes the openings in messages, such as "of 4 edges".

    Raises:
        BadParameter: drawing stalled and the search exceeded its budget.
    """
    found: dict[Opening, None] = {}
    misses = 0
    while len(found) < n and misses < _STALL:
        opening = draw(rng)
        if opening is None or opening in found:
            misses += 1
        else:
            found[opening] = None
            misses = 0
    if len(found) == n:
        return Openings(n, tuple(found), f"{_count(n)} {what}, no two alike.")
    try:
        whole = list(everything())
    except BudgetError:
        raise BadParameter(
            f"Openings {what} are too rare: {len(found)} of {n} turned up at random, and there are"
            " too many positions to search through; choose another length."
        ) from None
    # The search finds openings in a fixed order; the sample favours none of them.
    sample = rng.sample(whole, min(n, len(whole)))
    if len(whole) >= n:
        return Openings(n, tuple(sample), f"{_count(n)} {what}, no two alike.", drawn=False)
    verb = "is" if len(whole) == 1 else "are"
    only = "only " if whole else ""
    return Openings(
        n,
        tuple(sample),
        f"There {verb} {only}{_count(len(whole))} {what}, fewer than the {n} wanted.",
        drawn=False,
    )


def _count(n: int) -> str:
    return "1 opening" if n == 1 else f"{n or 'no'} openings"
