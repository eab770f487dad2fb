"""The bot `mcts`: UCT with rollouts (Monte-Carlo tree search), for any game.

Theory of operation
-------------------
A move is a number of simulations: down the tree by upper confidence bounds, one new leaf, a
rollout to the end of the game, and the result back up. `bots.search.sampling.uct` tells it in
full, with
the way in which proven values are passed up; `bots.mcts.budget` tells which action is played in
the end. Dots and Boxes of every size runs on compiled kernels (`bots.mcts.dots`), every other
game on its own rules in Python (`bots.mcts.tree`).

The tree is kept between the moves of a game: where the new position follows from the old one by
actions that are in the tree, its part of the tree is the start of the next search. Any other
position begins a new tree.

With equal seeds and limits in simulations (no time) the same games are played.

Sources: L. Kocsis and C. Szepesvári, Bandit based Monte-Carlo planning, ECML 2006; M. Winands,
Y. Björnsson and J.-T. Saito, Monte-Carlo tree search solver, CG 2008; OpenSpiel's
`algorithms/mcts.py`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from random import Random

from bots.api import Bot, BotError, Choice, Limit, Option, StopFlag
from bots.api.timing import timed
from bots.mcts.budget import DEFAULT_SIMULATIONS, SimulationBudget, UctSettings
from bots.mcts.dots import DotsTree, warm_up_kernels
from bots.mcts.tree import GenericTree
from games.api import State
from games.dots_and_boxes.rules import DotsAndBoxesState


class MctsBot(Bot):
    """Searches by simulated games, most often the lines that have done best so far."""

    name = "mcts"
    version = "1"
    summary = "Monte-Carlo tree search: plays out thousands of games before it moves."
    options = (
        Option(
            "simulations",
            0,
            "Most simulations for one move; 0 for as many as the limits of the move allow "
            f"({DEFAULT_SIMULATIONS} where they name neither time nor nodes).",
        ),
        Option(
            "c",
            0.2,
            "Exploration constant of UCT, 0 or more: higher tries more moves, lower looks deeper "
            "into the best ones. Rewards are between -1 and 1; outcome wants about 1.",
        ),
        Option(
            "rollout",
            "rules",
            "How simulated games are played out: random; by the rules player's rules; or, in Dots "
            "and Boxes, to the endgame by these rules and then by the fight for control.",
            choices=("random", "rules", "control"),
        ),
        Option(
            "reward",
            "net",
            "What a simulated game counts: outcome (won, drawn or lost), or net (the net score "
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
        self._how = UctSettings(c, self.settings["reward"] == "net", str(self.settings["rollout"]))
        self.tree: DotsTree | GenericTree | None = None
        # A bot is made before it knows its game, and no move may wait for a compiler.
        warm_up_kernels()

    def choose(self, state: State, limit: Limit, stop: StopFlag) -> Choice:
        """The most visited action, proven wins first; see `bots.mcts.budget`.

        An only action takes one simulation. `Choice.nodes` is the number of new simulations.
        """
        simulations = 1 if len(state.legal_actions()) == 1 else self._simulations
        budget = SimulationBudget(timed(limit, self.moves_to_go(state)), stop, simulations)
        tree = self._tree_at(state, limit.memory_mb)
        done = tree.run(budget)
        return tree.choice(done, budget.elapsed)

    def _tree_at(self, state: State, memory_mb: int | None) -> DotsTree | GenericTree:
        """The tree with `state` as its root."""
        tree = self.tree
        if isinstance(state, DotsAndBoxesState):
            if isinstance(tree, DotsTree) and tree.game == state.game:
                tree.follow(state, memory_mb)
                return tree
            self.tree = made = DotsTree(state, self._how, self.rng, memory_mb)
            return made
        if isinstance(tree, GenericTree):
            tree.follow(state, memory_mb)
            return tree
        self.tree = generic = GenericTree(state, self._how, self.rng, memory_mb)
        return generic
