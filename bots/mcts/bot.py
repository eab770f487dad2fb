"""The bot `mcts`: UCT with rollouts (Monte-Carlo tree search), for any game.

Theory of operation
-------------------
For each move the bot runs a number of simulations. A simulation walks down the tree by upper
confidence bounds, adds a leaf, plays the game to its end (a rollout), and passes the result back
up. `doublecross.bots.search.sampling.uct` explains this in full, including the proof of values.
`doublecross.bots.mcts.budget` explains which action is played in the end. Dots and Boxes of every
size uses compiled kernels (`doublecross.bots.mcts.dots`); every other game uses its rules in Python
(`doublecross.bots.mcts.tree`).

The bot keeps the tree between the moves of a game. If the new position follows from the old one by
actions that are in the tree, the next search starts with that part of the tree. Any other position
begins a new tree.

With equal seeds, and limits in simulations but not in time, the bot plays the same games.

Sources: L. Kocsis and C. Szepesvári, Bandit based Monte-Carlo planning, ECML 2006; M. Winands,
Y. Björnsson and J.-T. Saito, Monte-Carlo tree search solver, CG 2008; OpenSpiel's
`algorithms/mcts.py`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from random import Random
from typing import TYPE_CHECKING

from doublecross.bots.api import Bot, BotError, Choice, Limit, Option, StopFlag
from doublecross.bots.api.timing import timed
from doublecross.bots.mcts.budget import DEFAULT_SIMULATIONS, SimulationBudget, UctSettings
from doublecross.bots.mcts.tree import GenericTree
from doublecross.bots.registry import ENGINES
from doublecross.games.api import State
from doublecross.games.dots_and_boxes.rules import DotsAndBoxesState

if TYPE_CHECKING:
    from doublecross.bots.mcts.dots import DotsTree


class MctsBot(Bot):
    """Searches by simulated games, most often of the moves that have done best so far."""

    name = "mcts"
    version = "1"
    summary = "Monte-Carlo tree search: plays out thousands of games before it moves."
    obeys = frozenset({"nodes"})
    packages = ENGINES
    options = (
        Option(
            "simulations",
            0,
            "The most simulations for one move; 0 for as many as the limits of the move allow "
            f"({DEFAULT_SIMULATIONS} if they have neither time nor nodes).",
        ),
        Option(
            "c",
            0.2,
            "The exploration constant of UCT, 0 or more: a higher one tries more moves, a lower "
            "one searches the best moves more deeply. Rewards are between -1 and 1; the reward "
            "outcome needs about 1.",
        ),
        Option(
            "rollout",
            "rules",
            "How simulated games are played to their end: random; rules, as the bot rules plays; "
            "or, in Dots and Boxes, control: by these rules to the endgame, and then by the fight "
            "for control.",
            choices=("random", "rules", "control"),
        ),
        Option(
            "reward",
            "net",
            "The reward of a simulated game: outcome (won, drawn or lost), or net (the net score "
            "divided by the boxes left when the search begins).",
            choices=("outcome", "net"),
        ),
    )

    def __init__(
        self, rng: Random, options: Mapping[str, int | float | str | bool] | None = None
    ) -> None:
        super().__init__(rng, options)
        c, simulations = float(self.settings["c"]), int(self.settings["simulations"])
        if not (math.isfinite(c) and c >= 0):
            raise BotError(f"Option c of bot mcts must be a number from 0 up, not {c}.")
        if simulations < 0:
            raise BotError(f"Option simulations of bot mcts must be 0 or more, not {simulations}.")
        self._simulations = simulations or None
        self._uct = UctSettings(c, self.settings["reward"] == "net", str(self.settings["rollout"]))
        self.tree: DotsTree | GenericTree | None = None
        # The window lists this class. Only a bot that plays needs the compiled kernels.
        from doublecross.bots.mcts.dots import warm_up_kernels

        # The bot is made before its game is known, and compiling must not take time of a move.
        warm_up_kernels()

    def choose(self, state: State, limit: Limit, stop: StopFlag) -> Choice:
        """Choose the most visited action, or a proven win; see `doublecross.bots.mcts.budget`.

        If there is only one action, this takes one simulation. `Choice.nodes` is the number of new
        simulations.
        """
        simulations = 1 if len(state.legal_actions()) == 1 else self._simulations
        budget = SimulationBudget(timed(limit, self.moves_to_go(state)), stop, simulations)
        tree = self._tree_at(state, limit.memory_mb)
        done = tree.run(budget)
        return tree.choice(done, budget.elapsed)

    def _tree_at(self, state: State, memory_mb: int | None) -> DotsTree | GenericTree:
        """Return the tree with `state` as its root: the kept one if possible, else a new one."""
        from doublecross.bots.mcts.dots import DotsTree

        tree = self.tree
        if isinstance(state, DotsAndBoxesState):
            if isinstance(tree, DotsTree) and tree.game == state.game:
                tree.follow(state, memory_mb)
                return tree
            self.tree = made = DotsTree(state, self._uct, self.rng, memory_mb)
            return made
        if isinstance(tree, GenericTree):
            tree.follow(state, memory_mb)
            return tree
        self.tree = generic = GenericTree(state, self._uct, self.rng, memory_mb)
        return generic
