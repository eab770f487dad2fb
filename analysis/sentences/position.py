"""Sentences about a position: its long chains and who wants how many, and what an endgame is worth.

Sources: E. Berlekamp, The Dots and Boxes Game, 2000 (the long chain rule); K. Buzzard and M. Ciere,
Playing simple loony dots and boxes endgames optimally, arXiv 1305.2156 (the controlled value).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from doublecross.analysis.sentences.templates import phrase
from doublecross.games.api import State
from doublecross.games.api.sentence import Sentence
from doublecross.games.dots_and_boxes.rules import DotsAndBoxesState
from doublecross.games.dots_and_boxes.structure import analyse


def say_position(state: State) -> list[Sentence]:
    """Return what to know about a position; nothing in games other than Dots and Boxes."""
    if not isinstance(state, DotsAndBoxesState) or state.is_terminal():
        return []
    parts = analyse(state)
    found = []
    if parts.opened:
        found.append(phrase("boxes-to-take", count=sum(map(len, parts.opened))))
    long = len(parts.long_chains)
    found.append(phrase("long-chains", count=long) if long else phrase("no-long-chain"))
    if parts.loops:
        found.append(phrase("loops-beside", count=len(parts.loops)))
    found.append(phrase("first-wants-even" if _first_wants_even(state) else "first-wants-odd"))
    if not parts.opened and not parts.junctions:
        value = controlled_value([*map(len, parts.chains)], [*map(len, parts.loops)])
        if value >= 0:
            found.append(phrase("controlled-value", count=value))
    return found


def controlled_value(chains: Sequence[int], loops: Sequence[int]) -> int:
    """Return how many boxes more who does not open first gets, of chains and loops by length.

    The opponent opens the shortest chain or the shortest loop. Who does not open takes all of it
    and must open next, or declines the last boxes: two of a long chain, four of a loop.
    """
    chains, loops = sorted(chains), sorted(loops)

    @cache
    def value(chain: int, loop: int) -> int:
        found = []
        if chain < len(chains):
            n, rest = chains[chain], value(chain + 1, loop)
            found.append(n - rest if n < 3 else n - 2 + abs(rest - 2))
        if loop < len(loops):
            found.append(loops[loop] - 4 + abs(value(chain, loop + 1) - 4))
        return min(found, default=0)

    return value(0, 0)


def _first_wants_even(state: DotsAndBoxesState) -> bool:
    """Return whether seat 0 wants an even number of long chains, by the long chain rule.

    Who makes the first turn wants the dots and the long chains together to be an even number. An
    edge of the opening counts as a turn.
    """
    dots = (state.board.rows + 1) * (state.board.cols + 1)
    return (dots + len(state.opening)) % 2 == 0
