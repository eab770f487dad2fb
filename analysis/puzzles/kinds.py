"""The kinds of puzzles, and how the kind of a position follows from what its moves cost.

A puzzle has one idea. Which one it is depends on what can be done in the position, and on which
moves keep the value:

- Boxes can be taken. Only to decline them keeps the value (`decline`; `loop` if these are the last
  four of a loop), or only to take them does (`take`).
- No box can be taken, and some edges are safe. No safe edge keeps the value (`sacrifice`), or only
  some of them do (`control`), or all of the last few do (`last-safe`).
- No edge is safe. Only the middle edge of a chain of 2 keeps the value (`hard-hearted`), or a loop
  must be opened, or kept (`loop`), or it matters which chain is opened (`which-chain`).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, NamedTuple

from doublecross.games.dots_and_boxes.rules import DotsAndBoxesState
from doublecross.games.dots_and_boxes.structure import (
    Chain,
    Loop,
    Structure,
    analyse,
    capturing_edges,
    double_dealing_edges,
    safe_edges,
)

FEW_SAFE: Final = 3
"""The most safe edges in puzzles of the kind `last-safe`."""


class Kind(NamedTuple):
    """A kind of puzzle: a title, and the question that it asks."""

    title: str
    question: str


KINDS: Final[dict[str, Kind]] = {
    "last-safe": Kind("The last safe edges", "Which edge gives nothing away?"),
    "which-chain": Kind("Which chain to give", "You must give boxes away. Which?"),
    "hard-hearted": Kind("Give two boxes", "You must give boxes away. How?"),
    "take": Kind("Take them all", "Take the boxes, or leave some?"),
    "decline": Kind("Keep control", "Take the boxes, or leave some?"),
    "loop": Kind("Loops", "A loop decides. Which move?"),
    "sacrifice": Kind("Give boxes away in time", "Which move keeps the most boxes?"),
    "control": Kind("Fight for control", "Who will have to open the first long chain?"),
}
"""All kinds by their names, roughly from the first that a learner needs."""


def kind_of(state: DotsAndBoxesState, keeping: Collection[int]) -> str | None:
    """Return the kind of a position in which the moves `keeping` keep the value; None: no kind."""
    if captures := capturing_edges(state):
        return _with_captures(state, set(keeping), set(captures))
    safe = set(safe_edges(state))
    best = set(keeping)
    if not safe:
        return _without_safe_edges(analyse(state), best)
    if not safe & best:
        return "sacrifice"
    if not best <= safe:
        return None
    if best != safe:
        return "control"
    return "last-safe" if len(safe) <= FEW_SAFE else None


def _with_captures(state: DotsAndBoxesState, best: set[int], captures: set[int]) -> str | None:
    declining = set(double_dealing_edges(state))
    if best <= declining:
        sweeps = analyse(state).opened
        closed = {sweep.double_dealing for sweep in sweeps if sweep.is_closed}
        return "loop" if best & closed else "decline"
    if not best <= captures:
        return None
    return "take" if declining else None


def _without_safe_edges(parts: Structure, best: set[int]) -> str | None:
    middles = {chain.hard_hearted for chain in parts.chains}
    ends = {edge for chain in parts.chains for edge in chain.half_hearted}
    if best <= middles and ends:
        return "hard-hearted"
    regions: tuple[Chain | Loop, ...] = (*parts.chains, *parts.loops)
    opened = [region for region in regions if best & set(region.edges)]
    # A region counts only if all of its edges are as good; else the kind would hide what matters.
    if len(opened) == len(regions):
        return None
    return "loop" if parts.loops else "which-chain"
