"""Read the policy of the network that comes with the package, for the heat map of a board."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING

from doublecross.analysis.advice import Policy
from doublecross.bots.api import BotError
from doublecross.bots.registry import NETWORKS
from doublecross.bots.zero.shipped import shipped
from doublecross.games.api import State
from doublecross.games.api.sentence import Sentence
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes, DotsAndBoxesState

if TYPE_CHECKING:
    from doublecross.bots.zero.net import Net

NO_POLICY = Sentence("There is no network for this game.")


def has_policy(game: str) -> bool:
    """Return whether the package has a network for `game`, and the libraries to run it."""
    return (
        game == DotsAndBoxes.key
        and shipped(game).is_file()
        and all(importlib.util.find_spec(package) is not None for package in NETWORKS)
    )


class PolicyReader:
    """Reads the policy of positions; it loads the network for the first one."""

    def __init__(self) -> None:
        self._net: Net | None = None

    def read(self, state: State) -> Policy:
        """Return the policy for the mover of `state`, which must not be over.

        Raises:
            BotError: there is no network for this game, or it does not fit.
        """
        if not (isinstance(state, DotsAndBoxesState) and has_policy(state.game.key)):
            raise BotError(NO_POLICY)
        # These imports are slow.
        from doublecross.bots.zero.net import Net
        from doublecross.bots.zero.planes import PLANES
        from doublecross.bots.zero.reading import read_priors
        from doublecross.bots.zero.search import prepare

        prepare(state.board)
        if self._net is None:
            self._net = Net.load(shipped(state.game.key))
            self._net.require(state.game.key, PLANES)
        priors = read_priors(state.board, self._net, state.edges)
        # Edges without a number cannot matter, or the mover captures a box with them first.
        return Policy(tuple(sorted(priors.items(), key=lambda item: (-item[1], item[0]))))
