"""UCT with rollouts in plain Python, for any game.

Theory of operation
-------------------
The search is the same as in `doublecross.bots.search.sampling.uct`, which explains it (the seat
that a node's value is for, the bounds, when a leaf gets children). Here the nodes are Python
objects. Each simulation applies actions to one `doublecross.games.api.State` and undoes them, so a
game needs only its rules.

*Values.* In a game whose scores count cells (`Game.unit`), the value of a finished game is the
net score of seat 0. From any position it is bounded by the net score so far minus and plus the
cells without an owner. In other games it is the utility of seat 0, bounded by -1 and 1. A child
gets its bounds when it is made, so an action that ends the game is solved at once.

*Rollouts* are random or informed. An informed rollout plays like the bot `rules`, but faster: it
plays an action that scores at once (a box, a winning line); else it tries random actions until one
leaves the opponent nothing to score. After an action with such a reply it tries the reply itself,
since in most games that blocks the opponent. After `_TRIES` actions it plays the last one. A search
that has to stop drops an unfinished informed rollout, since on large boards one can take many
milliseconds.

*Memory* is counted in nodes of `NODE_BYTES`. When it is used up, the search still simulates from
the leaves.
"""

from __future__ import annotations

import math
from random import Random
from typing import Final

from doublecross.bots.api import Choice
from doublecross.bots.greedy import best_gain
from doublecross.bots.mcts.budget import Candidate, SimulationBudget, UctSettings, best_candidate
from doublecross.games.api import Game, State

NODE_BYTES: Final = 160
"""Bytes of a node in CPython: the object, its sums, and its place in its parent's list."""

_TRIES: Final = 3
"""The number of actions that an informed rollout tries to find one without a scoring reply."""


class Node:
    """One action in the tree, with sums for its own seat and bounds for seat 0.

    `seat` plays `action`. Over its `visits`, `wins` is the number of won minus lost games and
    `net` the sum of the final values. `children` is None until they are made.
    """

    __slots__ = ("action", "children", "lower", "net", "seat", "upper", "visits", "wins")

    def __init__(self, action: int, seat: int, bounds: tuple[int, int]) -> None:
        self.action = action
        self.seat = seat
        self.lower, self.upper = bounds
        self.visits = 0
        self.wins = 0
        self.net = 0
        self.children: list[Node] | None = None

    def tighten(self) -> bool:
        """Compute the bounds from those of the children; return whether they changed."""
        children = self.children or [self]
        best = max if children[0].seat == 0 else min
        lower = best(child.lower for child in children)
        upper = best(child.upper for child in children)
        changed = (lower, upper) != (self.lower, self.upper)
        self.lower, self.upper = lower, upper
        return changed

    def count(self) -> int:
        """Return the number of nodes of the subtree, including this one."""
        found, waiting = 0, [self]
        while waiting:
            found += 1
            waiting.extend(waiting.pop().children or ())
        return found


class GenericTree:
    """The tree of one game: `follow` the game, `run` simulations, and get the `choice`."""

    def __init__(
        self, state: State, settings: UctSettings, rng: Random, memory_mb: int | None
    ) -> None:
        self._settings = settings
        self._rng = rng
        self._counts_cells = counts_cells(state.game)
        self._begin(state)
        self._limit_memory(memory_mb)

    def _begin(self, state: State) -> None:
        self._state = state.clone()
        self._root = Node(-1, 0, bounds(state, self._counts_cells))
        self._used = 1
        self._set_scale()

    def _set_scale(self) -> None:
        """Set the net score that gives a reward of 1: the number of cells that are left."""
        self._scale = 1
        if self._counts_cells:
            cells = len(self._state.game.geometry().cells)
            self._scale = max(1, cells - sum(self._state.scores()))

    def _limit_memory(self, memory_mb: int | None) -> None:
        self._capacity = None if memory_mb is None else (memory_mb << 20) // NODE_BYTES

    @property
    def visits(self) -> int:
        """The number of simulations through the root, including those of earlier moves."""
        return self._root.visits

    @property
    def used(self) -> int:
        """The number of nodes in the tree."""
        return self._used

    def follow(self, state: State, memory_mb: int | None) -> bool:
        """Make `state` the root; return whether the tree had it. If not, a new tree begins."""
        self._limit_memory(memory_mb)
        node: Node | None = None
        played = continuation(self._state, state)
        if played is not None:
            node = self._root
            for action in played:
                node = next((c for c in node.children or () if c.action == action), None)
                if node is None:
                    break
        if node is None:
            self._begin(state)
            return False
        self._root = node
        self._state = state.clone()
        self._used = node.count()
        self._set_scale()
        return True

    def run(self, budget: SimulationBudget) -> int:
        """Simulate until the root is solved or the budget is spent; return the simulations run."""
        state = self._state.clone()
        # Even a search that is stopped at once needs actions to choose from.
        if self._root.children is None:
            self._grow(self._root, state)
            self._root.tighten()
        done = 0
        while self._root.lower != self._root.upper and not budget.is_over(done):
            if not self._simulate(state, budget, done):
                break
            done += 1
        return done

    def choice(self, done: int, elapsed: float) -> Choice:
        """Return the action to play after `run`, with the principal variation."""
        best = best_candidate(self.candidates())
        pv, node = [best.action], self._child(self._root, best)
        while node.children and any(child.visits for child in node.children):
            onward = best_candidate(self._candidates(node))
            pv.append(onward.action)
            node = self._child(node, onward)
        return Choice(best.action, best.score, tuple(pv), done, elapsed)

    def _child(self, node: Node, candidate: Candidate) -> Node:
        assert node.children is not None
        return node.children[candidate.index]

    def candidates(self) -> list[Candidate]:
        """Return the statistics of the actions at the root."""
        return self._candidates(self._root)

    def _candidates(self, node: Node) -> list[Candidate]:
        found = []
        for index, child in enumerate(node.children or ()):
            lower, upper = child.lower, child.upper
            if child.seat == 1:
                lower, upper = -upper, -lower
            visits = max(child.visits, 1)
            net, reward = child.net / visits, self._total(child) / visits
            if lower == upper:
                net = float(lower)
                reward = net / self._scale if self._settings.net else float(_sign(lower))
            found.append(Candidate(child.action, index, child.visits, reward, net, lower, upper))
        return found

    def _total(self, node: Node) -> float:
        """Return the sum of the rewards of `node`."""
        return node.net / self._scale if self._settings.net else float(node.wins)

    def _grow(self, node: Node, state: State) -> None:
        """Make the children of `node`, whose position is `state`, in random order."""
        seat = state.current_player()
        node.children = []
        actions = state.legal_actions()
        self._rng.shuffle(actions)
        for action in actions:
            state.apply(action)
            node.children.append(Node(action, seat, bounds(state, self._counts_cells)))
            state.undo()
        self._used += len(actions)

    def _simulate(self, state: State, budget: SimulationBudget, done: int) -> bool:
        """Run one simulation from the root; return False if it was stopped.

        `state` is the position of the root, before and afterwards.
        """
        node = self._root
        path = [node]
        while node.lower != node.upper:
            if node.children is None:
                room = self._capacity is None or self._used < self._capacity
                if not node.visits or not room:
                    break
                self._grow(node, state)
                for above in reversed(path):
                    # Bounds that did not change cannot change those above them.
                    if not above.tighten():
                        break
                continue
            node = self._select(node)
            path.append(node)
            state.apply(node.action)
        start = state.ply
        # A solved node needs no rollout: its equal bounds below set the value.
        finished = node.lower == node.upper or self._rollout(state, budget, done)
        value = net_value(state, self._counts_cells)
        for _ in range(state.ply - start + len(path) - 1):
            state.undo()
        if not finished:
            return False
        for above in reversed(path):
            value = min(max(value, above.lower), above.upper)
            mine = value if above.seat == 0 else -value
            above.visits += 1
            above.net += mine
            above.wins += _sign(mine)
        return True

    def _select(self, node: Node) -> Node:
        """Return the child of an unsolved node with the highest upper confidence bound."""
        children = node.children
        assert children is not None
        mine = children[0].seat == 0
        certain = node.lower if mine else -node.upper
        log_visits = math.log(max(node.visits, 1))
        best, best_value = children[0], -math.inf
        for child in children:
            # This child cannot be better than a value that is already certain.
            if (child.upper if mine else -child.lower) <= certain:
                continue
            # A child without a visit has no mean to compare.
            if not child.visits:
                return child
            value = self._total(child) / child.visits
            value += self._settings.c * math.sqrt(log_visits / child.visits)
            if value > best_value:
                best, best_value = child, value
        return best

    def _rollout(self, state: State, budget: SimulationBudget, done: int) -> bool:
        """Play `state` to its end; return False if the rollout was stopped."""
        while not state.is_terminal():
            # Random rollouts are fast, so they are never interrupted.
            if self._settings.rollout == "random":
                state.apply(self._rng.choice(state.legal_actions()))
                continue
            if budget.is_over(done):
                return False
            state.apply(informed_action(state, self._rng))
        return True


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)


def counts_cells(game: Game) -> bool:
    """Return whether the final score of a game counts cells, one point for each."""
    return bool(game.unit)


def net_value(state: State, by_cells: bool) -> int:
    """Return the current value of `state` for seat 0: the net score of cells, or the utility."""
    first, second = state.scores() if by_cells else state.returns()
    return round(first - second) if by_cells else round(first)


def bounds(state: State, by_cells: bool) -> tuple[int, int]:
    """Return the bounds of the final value for seat 0; they are equal when the game is over."""
    value = net_value(state, by_cells)
    if state.is_terminal():
        return value, value
    if not by_cells:
        return -1, 1
    left = len(state.game.geometry().cells) - sum(state.scores())
    return value - left, value + left


def continuation(before: State, after: State) -> tuple[int, ...] | None:
    """Return the actions from `before` to `after`; None if `after` does not continue `before`."""
    if before.game != after.game or before.opening != after.opening:
        return None
    old, new = before.history(), after.history()
    return new[len(old) :] if new[: len(old)] == old else None


def informed_action(state: State, rng: Random) -> int:
    """Choose an action for a rollout: one that scores, else one after which the opponent cannot.

    It tries at most `_TRIES` actions of the second kind and then plays the last one.
    """
    actions = state.legal_actions()
    rng.shuffle(actions)
    best, gain = best_gain(state, actions)
    if gain > 0:
        return best[0]
    mover = state.current_player()
    action = actions.pop()
    for _ in range(_TRIES):
        state.apply(action)
        refuted, reply = False, -1
        if state.is_terminal():
            refuted = state.returns()[mover] < 0
        elif state.current_player() != mover:
            replies, given = best_gain(state, state.legal_actions())
            refuted, reply = given > 0, replies[0]
        state.undo()
        if not refuted or not actions:
            break
        if reply in actions:
            actions.remove(reply)
            action = reply
        else:
            action = actions.pop()
    return action
