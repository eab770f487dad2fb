"""Order the moves of the exact search by a cheap forecast of the work after each move.

Theory of operation
-------------------
The size of the tree below a move depends on the structure of the position that it leaves. Positions
with few safe edges, with many boxes in chains and with long chains need few nodes. The weights were
found by coordinate descent on the number of nodes for random positions of careful play on 3x4, 3x5,
4x4 and 5x5. On 3x4 this order saves four fifths of the nodes, compared with unordered moves.
In addition to this order, neither a history of cutoffs nor the table entries of the children saved
more nodes.
"""

from __future__ import annotations

from typing import Any, Final

from bots.search.bits import ONE, popcount
from bots.search.exact.layout import STRIDE
from bots.search.exact.structure import safe_edges, valences
from bots.search.jit import kernel

# The weights of the forecast; the last three are for an opening, see `price`.
SAFE: Final = 400
ODD: Final = -100
LINK: Final = -1350
JOINED: Final = -600
FOUR: Final = 349
JUNCTION: Final = 800
TAKES: Final = 200
KEEPS: Final = 1000
OPENS: Final = 200


@kernel
def forecast(h: Any, v: Any, masks: Any) -> Any:
    """Return a forecast for a move that leaves the position `h`, `v`; search the highest first."""
    stride = masks[STRIDE]
    junctions, links, four = valences(h, v, masks)
    safe_h, safe_v = safe_edges(h, v, junctions, masks)
    joined = popcount(links & h & links << stride) + popcount(links & v & links << ONE)
    safe = popcount(safe_h) + popcount(safe_v)
    return -(
        SAFE * safe
        + ODD * (safe & 1)
        + LINK * popcount(links)
        + JOINED * joined
        + FOUR * popcount(four)
        + JUNCTION * popcount(junctions)
    )


@kernel
def price(takes: int, keeps: int) -> int:
    """Return what to subtract from the forecast of an opening that gives `takes` boxes away.

    `keeps` of the boxes may be declined.
    """
    return TAKES * takes + OPENS + (KEEPS if keeps else 0)
