"""Compute the bounds and means of nodes from those of their moves, and choose moves by PUCT.

`doublecross.bots.zero.tree` explains what they mean.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from doublecross.bots.search.exact.kernel import after
from doublecross.bots.search.jit import kernel
from doublecross.bots.search.sampling.playout_tree import utility
from doublecross.bots.zero.tree import (
    CHILD,
    DECLINED,
    FIRST,
    FIRST_SCORE,
    FIRST_UTILITY,
    HIGH,
    KEEPS,
    LEFT,
    LOW,
    MOVES,
    NET,
    POSITION,
    SCORE,
    STATS,
    TAKEN,
    TAKES,
    TRIES,
    UTILITY,
    VISITS,
    Rules,
    ZeroTree,
)


@kernel
def bounds_of(move: int, left: int, moves: Any, positions: Any) -> Any:
    """Return the bounds of the value of `move` for its player, with `left` boxes left before it."""
    takes, keeps, child = moves[move, TAKES], moves[move, KEEPS], moves[move, CHILD]
    low = takes - left
    high = left - takes
    if child >= 0:
        low = positions[child, LOW]
        high = positions[child, HIGH]
    a, b = after(takes, keeps, low), after(takes, keeps, high)
    if keeps and low + keeps < 0 < high + keeps:
        # The smallest absolute value is 0, or 1 for an odd number of boxes.
        return min(a, b), after(takes, keeps, -keeps + ((low + keeps) & 1))
    return min(a, b), max(a, b)


@kernel
def outlook(stat: int, tree: ZeroTree) -> Any:
    """Return (utility, score, node) of a move with nodes, for its player.

    The node is the one that the opponent chooses.
    """
    taken, declined = tree.stats[stat, TAKEN], tree.stats[stat, DECLINED]
    if declined >= 0 and tree.means[declined, UTILITY] < -tree.means[taken, UTILITY]:
        return tree.means[declined, UTILITY], tree.means[declined, SCORE], declined
    return -tree.means[taken, UTILITY], -tree.means[taken, SCORE], taken


@kernel
def refresh(node: int, tree: ZeroTree, rules: Rules) -> None:
    """Compute the bounds and the means of a node from those of its moves."""
    positions, moves, means = tree.positions, tree.moves, tree.means
    position, net = tree.nodes[node, POSITION], tree.nodes[node, NET]
    first, stat, left = (
        positions[position, FIRST],
        tree.nodes[node, STATS],
        positions[position, LEFT],
    )
    if positions[position, LOW] < positions[position, HIGH]:
        low = -left
        high = -left
        for move in range(first, first + positions[position, MOVES]):
            a, b = bounds_of(move, left, moves, positions)
            low = max(low, a)
            high = max(high, b)
        positions[position, LOW] = max(low, positions[position, LOW])
        positions[position, HIGH] = min(high, positions[position, HIGH])
    low, high = positions[position, LOW], positions[position, HIGH]
    weight = 1.0
    good = means[node, FIRST_UTILITY]
    score = means[node, FIRST_SCORE]
    if low < high:
        for i in range(positions[position, MOVES]):
            tries = tree.stats[stat + i, TRIES]
            # A move that is certainly worse than another one does not matter any more.
            if tries and bounds_of(first + i, left, moves, positions)[1] >= low:
                mine, boxes, _ = outlook(stat + i, tree)
                good += tries * mine
                score += tries * boxes
                weight += tries
    least, most = utility(net + low, rules.boxes), utility(net + high, rules.boxes)
    means[node, UTILITY] = min(max(good / weight, least), most)
    means[node, SCORE] = min(max(score / weight, net + low), net + high)


@kernel
def choose(node: int, tree: ZeroTree, rules: Rules) -> int:
    """Return which move of a node to try next, counted from its first, by PUCT."""
    positions, stats = tree.positions, tree.stats
    position, stat = tree.nodes[node, POSITION], tree.nodes[node, STATS]
    first, many, left = (
        positions[position, FIRST], positions[position, MOVES], positions[position, LEFT],
    )  # fmt: skip
    low = positions[position, LOW]
    seen = 0.0
    for i in range(many):
        if stats[stat + i, TRIES]:
            seen += tree.priors[first + i]
    unseen = tree.means[node, UTILITY] - rules.less * np.sqrt(seen)
    bonus = rules.c * np.sqrt(float(tree.nodes[node, VISITS]))
    best = 0
    best_score = -1e9
    for i in range(many):
        least, most = bounds_of(first + i, left, tree.moves, positions)
        if most < low:
            continue
        tries = stats[stat + i, TRIES]
        score = outlook(stat + i, tree)[0] if tries else unseen
        # Another visit of a move whose value is known would teach nothing.
        if tries == 0 or least < most:
            score += bonus * tree.priors[first + i] / (1 + tries)
        if score > best_score:
            best_score = score
            best = i
    return best


@kernel
def view(root: int, tree: ZeroTree, utilities: Any, lows: Any, highs: Any) -> None:
    """Write the mean utility of each move of a node (0 without visits), and its bounds."""
    position, stat = tree.nodes[root, POSITION], tree.nodes[root, STATS]
    first, left = tree.positions[position, FIRST], tree.positions[position, LEFT]
    for i in range(tree.positions[position, MOVES]):
        lows[i], highs[i] = bounds_of(first + i, left, tree.moves, tree.positions)
        utilities[i] = outlook(stat + i, tree)[0] if tree.stats[stat + i, TRIES] else 0.0
