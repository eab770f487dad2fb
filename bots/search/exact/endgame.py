"""Compute the value of an endgame in which only independent chains and loops are left.

Theory of operation
-------------------
The *player in control* is the one who does not have to open. v(G) is the controlled value: the net
score of that player from here on with best play of both. The opponent opens the shortest chain or
the shortest loop, whichever makes v smaller:

- A long chain of n boxes: the player in control takes all and must open next, n - v(rest), or
  declines the last two, n - 4 + v(rest). The better of these is n - 2 + abs(v(rest) - 2).
- A loop of n boxes: the player takes all or declines the last four: n - 4 + abs(v(rest) - 4).
- A chain of 1, or of 2 opened by its middle edge: nothing can be declined, n - v(rest).

Sources: K. Buzzard and M. Ciere, Playing simple loony dots and boxes endgames optimally, arXiv
1305.2156; D. Allcock, Best play in Dots and Boxes endgames, arXiv 1811.10747.
"""

from __future__ import annotations

from typing import Any

from doublecross.bots.search.jit import kernel


@kernel
def control_value(chains: Any, num_chains: int, loops: Any, num_loops: int, work: Any) -> Any:
    """Return v(G) of `num_chains` chains and `num_loops` loops.

    `chains` and `loops` have their lengths in boxes, ascending. `work` is working space of at least
    ``num_loops + 1`` integers.
    """
    # For the current i, work[j] is v of the chains from i on and the loops from j on. Before
    # work[j] is overwritten, it has the value for i + 1.
    work[num_loops] = 0
    for i in range(num_chains, -1, -1):
        for j in range(num_loops, -1, -1):
            best = 1000
            if i < num_chains:
                n = chains[i]
                rest = work[j]
                best = n - rest if n < 3 else n - 2 + abs(rest - 2)
            if j < num_loops:
                n = loops[j]
                best = min(best, n - 4 + abs(work[j + 1] - 4))
            work[j] = best if best < 1000 else 0
    return work[0]
