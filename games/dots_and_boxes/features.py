"""Chains, loops and boxes to be taken, as what a client may point out on a board.

Theory of operation
-------------------
The parts are those of `games.dots_and_boxes.structure`. Three kinds are worth pointing out:

*chain*: a chain, its boxes from one end to the other and its edges, the two end edges included.
The label says whether it is a long one, for that is what control is fought for.

*loop*: a loop, its boxes in order and the edges between them.

*capturable*: what can be taken in one sweep, its boxes in the order of capture and the strokes
that take them. The label says how many of the last ones may be declined by a double-dealing move.

Junctions belong to none of them. A box is in one feature at most.
"""

from __future__ import annotations

from typing import Final

from games.api import Feature
from games.dots_and_boxes.board import DrawnEdges
from games.dots_and_boxes.structure import Chain, Loop, Sweep, analyse

CHAIN: Final = "chain"
LOOP: Final = "loop"
CAPTURABLE: Final = "capturable"


def features_of(state: DrawnEdges) -> tuple[Feature, ...]:
    """The chains, then the loops, then what can be taken, each in the order of the structure."""
    parts = analyse(state)
    return (
        *map(_chain, parts.chains),
        *map(_loop, parts.loops),
        *map(_capturable, parts.opened),
    )


def _chain(chain: Chain) -> Feature:
    label = f"{'long chain' if chain.is_long else 'chain'} of {len(chain)}"
    return Feature(CHAIN, label, chain.boxes, chain.edges)


def _loop(loop: Loop) -> Feature:
    return Feature(LOOP, f"loop of {len(loop)}", loop.boxes, loop.edges)


def _capturable(sweep: Sweep) -> Feature:
    label = f"{len(sweep)} to take"
    if sweep.can_double_deal:
        label += f", the last {4 if sweep.is_closed else 2} can be declined"
    return Feature(CAPTURABLE, label, sweep.boxes, sweep.edges)
