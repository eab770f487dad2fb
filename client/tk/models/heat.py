"""Keep what a network would play in the positions of one board, for a heat map."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from doublecross.analysis.advice import Policy
from doublecross.client.language import tr
from doublecross.games.api import Game, State

MOST_KEPT: Final = 200
"""How many positions are kept."""
NAMED: Final = 3
"""How many actions the line below the board names."""


@dataclass(frozen=True, slots=True)
class HeatRequest:
    """A position whose policy is wanted; see `Helpers.policy`."""

    game: Game
    opening: tuple[int, ...]
    moves: tuple[int, ...]

    @classmethod
    def of(cls, state: State) -> HeatRequest:
        """Return the request for `state`."""
        return cls(state.game, state.opening, tuple(state.history()))


class HeatModel:
    """The policy of the position that is shown; one request at a time waits for its answer."""

    def __init__(self) -> None:
        self._known: dict[HeatRequest, Policy | str] = {}
        self._shown: HeatRequest | None = None
        self._asked: HeatRequest | None = None

    def show(self, state: State | None) -> HeatRequest | None:
        """Show `state`, or nothing; return the request to make now, if any."""
        over = state is None or state.is_terminal()
        self._shown = None if state is None or over else HeatRequest.of(state)
        if self._asked is not None or self._shown is None or self._shown in self._known:
            return None
        self._asked = self._shown
        return self._asked

    def take(self, request: HeatRequest, answer: Policy | str) -> None:
        """Keep the policy of a position, or the sentence that says why there is none."""
        self._asked = None
        if len(self._known) >= MOST_KEPT:
            del self._known[next(iter(self._known))]
        self._known[request] = answer

    @property
    def shares(self) -> Mapping[int, float]:
        """The shares of actions in the position shown; empty while they are not known."""
        answer = None if self._shown is None else self._known.get(self._shown)
        return dict(answer.shares) if isinstance(answer, Policy) else {}

    @property
    def line(self) -> str:
        """A sentence about the position shown; empty without a heat map."""
        if self._shown is None:
            return ""
        answer = self._known.get(self._shown)
        if answer is None:
            return tr("Asking the network ...")
        if isinstance(answer, str):
            return answer
        if not answer.shares:
            return tr("The rest is counted, without the network.")
        name = self._shown.game.action_name
        best = (f"{name(action)} {percent(share)}" for action, share in answer.shares[:NAMED])
        return tr("After all captures the network would play {edges}", edges=", ".join(best))


def percent(share: float) -> str:
    """Return a share as people read it, such as 31%."""
    return f"{100 * share:.0f}%" if share >= 0.01 else "<1%"


def warmth(share: float, most: float) -> float:
    """Return how strong a share is drawn, from 0 to 1, if the largest one is `most`.

    It is the square, because many shares of half the largest one would hide it.
    """
    return (share / most) ** 2 if most > 0 else 0.0
