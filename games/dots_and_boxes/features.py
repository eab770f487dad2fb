"""Describe chains, loops and capturable boxes as features that a client may point out.

Theory of operation
-------------------
`doublecross.games.dots_and_boxes.structure` finds the parts of a position. Three kinds become
features:

*chain*: its boxes from one end to the other and its edges, the two end edges included. The label
says whether the chain is long, since players fight for the control of long chains.

*loop*: its boxes in order and the edges between them.

*capturable*: the boxes of a sweep in the order of capture and the edges that capture them.
`declinable` and the label say how many of the last boxes a double-dealing move may decline.

Junctions belong to no feature. A box is in at most one feature.
"""

from __future__ import annotations

from typing import Final

from doublecross.games.api import Feature
from doublecross.games.dots_and_boxes.board import DrawnEdges
from doublecross.games.dots_and_boxes.structure import Chain, Loop, Sweep, analyse

CHAIN: Final = "chain"
LOOP: Final = "loop"
CAPTURABLE: Final = "capturable"


def features_of(state: DrawnEdges) -> tuple[Feature, ...]:
    """Return the chains, then the loops, then the sweeps, each in the order of `analyse`."""
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
    label, declinable = f"{len(sweep)} to take", 0
    if sweep.can_double_deal:
        declinable = 4 if sweep.is_closed else 2
        label += f", the last {declinable} can be declined"
    return Feature(CAPTURABLE, label, sweep.boxes, sweep.edges, declinable)
