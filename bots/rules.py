"""The bot `rules`: it plays Dots and Boxes by simple rules, and other games like a beginner.

Theory of operation
-------------------
In Dots and Boxes the bot follows the rules that beginners discover: capture every box that can be
captured; else draw an edge that gives no box away; else give away as few boxes as possible. It
never declines a box, so it plays no double-dealing move and does not fight for control. A player
who does wins the endgame, which makes this bot a reference for that skill. It opens a chain of 2
boxes by its middle edge (the hard-hearted handout), which leaves the opponent no double-dealing
move.

With the option ``sacrifice=classical`` it gives boxes away as in the classical description of this
player, which does not look at chains: it draws an edge that gives exactly one box, else one that
gives exactly two (hard-hearted handout or not), else any edge.

In any other game it wins at once where it can, avoids actions that let the opponent win at once
(in tic-tac-toe it blocks), and plays at random otherwise.

Source: E. Berlekamp, The Dots and Boxes Game, 2000, chapters 1 and 2.
"""

from __future__ import annotations

from time import perf_counter
from typing import Final

from doublecross.bots.api import Bot, Choice, Limit, Option, StopFlag
from doublecross.bots.greedy import best_gain
from doublecross.games.api import State
from doublecross.games.dots_and_boxes.board import GROUND, Board
from doublecross.games.dots_and_boxes.rules import DotsAndBoxesState
from doublecross.games.dots_and_boxes.structure import (
    Chain,
    Loop,
    Structure,
    analyse,
    boxes_given,
    capturing_edges,
    greedy_captures,
    handouts,
    safe_edges,
)

LEAST: Final = "least"
CLASSICAL: Final = "classical"


class RulesBot(Bot):
    """Captures, else draws a safe edge, else gives fewest boxes away; breaks ties at random."""

    name = "rules"
    version = "1"
    summary = "Takes every chance, plays safe while it can, then gives away as little as possible."
    options = (
        Option(
            "sacrifice",
            LEAST,
            "how it gives boxes away: as few as it can, or one, two, anything",
            (LEAST, CLASSICAL),
        ),
    )

    def choose(self, state: State, limit: Limit, stop: StopFlag) -> Choice:
        """Choose by the first rule that applies; this takes well under a millisecond on 5x5."""
        start = perf_counter()
        score: float | None
        if isinstance(state, DotsAndBoxesState):
            actions, score, nodes = rule_edges(state, str(self.settings["sacrifice"]))
            action = self.rng.choice(actions)
        else:
            action, score, nodes = self._generic(state)
        return Choice(action, score=score, nodes=nodes, elapsed=perf_counter() - start)

    def _generic(self, state: State) -> tuple[int, float | None, int]:
        """Choose for another game: return the action, its score and the positions tried.

        The order is: win, else score without letting the opponent win, else any action that does
        not let the opponent win, else any action.
        """
        mover = state.current_player()
        actions = state.legal_actions()
        self.rng.shuffle(actions)
        nodes = len(actions)
        for action in actions:
            state.apply(action)
            won = state.returns()[mover] > 0
            state.undo()
            if won:
                return action, 1.0, nodes
        gains, gain = best_gain(state, actions)
        if gain > 0:
            actions = gains + [action for action in actions if action not in gains]
        # A reply that refuted one action usually refutes the next one too, so try it first.
        refutations: list[int] = []
        for action in actions:
            state.apply(action)
            refuted, tried = _loses_at_once(state, mover, refutations)
            state.undo()
            nodes += tried
            if not refuted:
                return action, None, nodes
        return actions[0], -1.0, nodes


def _loses_at_once(state: State, mover: int, refutations: list[int]) -> tuple[bool, int]:
    """Return whether `mover` has lost or the opponent can win at once, and the replies tried.

    A reply that wins goes to the front of `refutations`.
    """
    if state.is_terminal():
        return state.returns()[mover] < 0, 0
    if state.current_player() == mover:
        return False, 0
    tried = 0
    known = [action for action in refutations if state.is_legal(action)]
    for action in known + state.legal_actions():
        tried += 1
        state.apply(action)
        lost = state.returns()[mover] < 0
        state.undo()
        if lost:
            if action not in refutations:
                refutations.insert(0, action)
            return True, tried
    return False, tried


def rule_edges(
    state: DotsAndBoxesState, sacrifice: str = LEAST
) -> tuple[list[int], float | None, int]:
    """Return the edges that the rules allow, the mover's expected net score, and the edges tried.

    The rules regard all the returned edges as equally good. `sacrifice` is `LEAST` or `CLASSICAL`.
    The expected final net score assumes that both players always give away the smallest chain or
    loop; it is None where the classical player gives boxes away at random.
    """
    board, edges = state.board, state.edges
    mover = state.current_player()
    scores = state.scores()
    net = float(scores[mover] - scores[1 - mover])
    taken = greedy_captures(board, edges)
    safe = safe_edges(state)
    if taken:
        captures = capturing_edges(state)
        quiet = [edge for edge in captures if not _opens(board, edges, edge)]
        rest = 0.0 if safe else _expected_rest(_sizes(analyse(state)))
        return quiet or list(captures), net + taken + rest, len(captures)
    if safe:
        return list(safe), net, len(safe)
    parts = analyse(state)
    sizes = _sizes(parts)
    if sacrifice == CLASSICAL:
        given = handouts(state)
        for count in (1, 2):
            if allowed := [edge for edge, boxes in given.items() if boxes == count]:
                return allowed, net + _expected_rest(sizes or [count]), len(given)
        return list(given), None, len(given)
    smallest, least = _smallest_handouts(state, parts)
    return smallest, net + _expected_rest(sizes or [least]), len(sizes)


def _opens(board: Board, edges: int, edge: int) -> bool:
    """Return whether drawing `edge` gives some box its third edge."""
    return any(
        box != GROUND and (edges & board.box_masks[box]).bit_count() == 2
        for box in board.edge_boxes[edge]
    )


def _smallest_handouts(state: DotsAndBoxesState, parts: Structure) -> tuple[list[int], int]:
    """Return the edges that give away fewest boxes, and how many boxes that are.

    There must be no safe edges. Then every undrawn edge belongs to a chain or a loop, and all edges
    of one chain or loop give the same boxes away. The boxes are counted by playing the captures,
    since a chain with both ends at one junction can give away more than its own boxes.
    """
    found: list[int] = []
    least = state.board.num_boxes + 1
    both: tuple[Chain | Loop, ...] = (*parts.chains, *parts.loops)
    for part in both:
        # A chain or loop gives at least its own boxes away.
        if len(part) > least:
            continue
        given = boxes_given(state, part.edges[0])
        if given < least:
            found, least = [], given
        if given == least:
            found += part.edges if len(part) != 2 else part.edges[1:2]
    return found, least


def _sizes(parts: Structure) -> list[int]:
    """Return the numbers of boxes of all chains and loops, ascending."""
    return sorted([len(chain) for chain in parts.chains] + [len(loop) for loop in parts.loops])


def _expected_rest(sizes: list[int]) -> float:
    """Return the net score of the player who opens first when both give away `sizes` in turn."""
    return float(sum(size if turn % 2 else -size for turn, size in enumerate(sizes)))
