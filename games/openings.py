"""Collects distinct openings: by drawing at random first, by going through all of them if need be.

Theory of operation
-------------------
Most boards have far more openings than anyone wants, and random drawing finds new ones quickly.
When drawing stalls, either few openings are left or they are rare; only going through all of them
can tell. That search has a budget: inside it the answer is complete and "the game has no more"
is a fact, beyond it the request is refused, so that no shortage is ever claimed without proof.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Final

from games.api import BadParameter, Openings

Opening = tuple[int, ...]

_STALL: Final = 200
"""Draws in a row without a new opening after which drawing gives up."""
BUDGET: Final = 1_500_000
"""Nodes of the search through all openings, beyond it the request is refused."""


class BudgetError(Exception):
    """The search through all openings was cut off."""


def check_request(n: int, length: int, limit: int, unit: str) -> None:
    """Refuse a request that makes no sense.

    Raises:
        BadParameter: `n` or `length` is no whole number from 0, or `length` is above `limit`.
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
    """`n` distinct openings, or all of them where the game has fewer.

    `draw` makes one random opening in its canonical form, None when the attempt failed;
    `everything` yields each opening once in the same form and raises `BudgetError` when there is
    too much to search. `what` names the openings in the sentence, such as "of 4 edges".

    Raises:
        BadParameter: drawing stalled and the search was out of budget.
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
    sample = rng.sample(whole, min(n, len(whole)))
    if len(whole) >= n:
        return Openings(n, tuple(sample), f"{_count(n)} {what}, no two alike.")
    verb = "is" if len(whole) == 1 else "are"
    only = "only " if whole else ""
    return Openings(
        n,
        tuple(sample),
        f"There {verb} {only}{_count(len(whole))} {what}, fewer than the {n} wanted.",
    )


def _count(n: int) -> str:
    return "1 opening" if n == 1 else f"{n or 'no'} openings"
