"""The value of an endgame in which only chains and loops that stand alone are left.

Theory of operation
-------------------
The *player in control* is the one who need not open. v(G) is what that player gets more than the
other from here on, both playing best. The other one opens the shortest chain or the shortest
loop, whichever leaves v smaller:

- a long chain of n boxes: the player in control takes all and must open next, n - v(rest), or
  declines the last two, n - 4 + v(rest): the better of these is n - 2 + abs(v(rest) - 2);
- a loop of n boxes: all, or all but the last four: n - 4 + abs(v(rest) - 4);
- a chain of 1 or of 2, which is opened in its middle: no choice is left, n - v(rest).

Sources: K. Buzzard and M. Ciere, Playing simple loony dots and boxes endgames optimally, arXiv
1305.2156; D. Allcock, Best play in Dots and Boxes endgames, arXiv 1811.10747.
"""

from __future__ import annotations

from typing import Any

from bots.search.jit import kernel


@kernel
def control_value(chains: Any, num_chains: int, loops: Any, num_loops: int, work: Any) -> Any:
    """v(G) of `num_chains` chains and `num_loops` loops; their lengths, in boxes, ascending.

    `work` is scratch space of at least ``num_loops + 1`` integers.
    """
    # work[j] is v of the chains from i on and the loops from j on, for the i being worked out;
    # before it is overwritten it still has the value for i + 1.
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
