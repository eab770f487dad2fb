"""Keep the values of the free edges of the positions of one board, and label them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from doublecross.analysis.judgement import Estimate
from doublecross.analysis.values import PositionValues
from doublecross.client.language import tr
from doublecross.client.tk.models.heat import HeatRequest
from doublecross.games.api import State

MOST_KEPT: Final = 200
"""How many positions are kept."""
_SAME: Final = 0.5
"""Estimates that differ by less are equally good, in points of net score."""

ValuesRequest = HeatRequest
"""A position whose values are wanted; see `Helpers.values`."""


@dataclass(frozen=True, slots=True)
class ValueLabel:
    """The value of one action as the board shows it: the mover's final lead, such as ``+3``.

    `best` says that no action is better, `exact` that the value is not an estimate.
    """

    text: str
    best: bool
    exact: bool


class ValuesModel:
    """The values of the position that is shown; one request at a time waits for its answer.

    A position whose request failed is asked for again when it is shown again.
    """

    def __init__(self, names: tuple[str, str]) -> None:
        self._names = names
        self._known: dict[ValuesRequest, PositionValues] = {}
        self._failed: tuple[ValuesRequest, str] | None = None
        self._shown: ValuesRequest | None = None
        self._mover = 0
        self._over = False
        self._asked: ValuesRequest | None = None

    def show(self, state: State | None) -> ValuesRequest | None:
        """Show `state`, or nothing; return the request to make now, if any."""
        self._over = state is not None and state.is_terminal()
        shown = None
        if state is not None and not self._over:
            shown, self._mover = ValuesRequest.of(state), state.current_player()
        if self._failed is not None and self._failed[0] != shown:
            self._failed = None
        self._shown = shown
        if self._asked is not None or shown is None or shown in self._known or self._failed:
            return None
        self._asked = shown
        return shown

    def take(self, request: ValuesRequest, answer: PositionValues | str) -> None:
        """Keep the values of a position, or the sentence that says why there are none."""
        self._asked = None
        if isinstance(answer, str):
            self._failed = request, answer
            return
        if len(self._known) >= MOST_KEPT:
            del self._known[next(iter(self._known))]
        self._known[request] = answer

    @property
    def labels(self) -> Mapping[int, ValueLabel]:
        """The label of each action in the position shown; empty while they are not known."""
        values = self._values
        if values is None:
            return {}
        top = values.value
        return {
            each.action: ValueLabel(
                lead_text(each.value.of(self._mover)),
                _as_good(each.value, top, self._mover),
                each.value.exact,
            )
            for each in values.actions
        }

    @property
    def line(self) -> str:
        """A sentence about the position shown; empty without values."""
        if self._over:
            return tr("The game is over: there is nothing to value.")
        if self._shown is None:
            return ""
        if self._failed is not None:
            return self._failed[1]
        values = self._values
        if values is None:
            return tr("Computing the values ...")
        name = self._names[self._mover]
        if not self._shown.game.unit:
            return tr("{name} is to move: +1 wins, 0 draws, −1 loses.", name=name)
        rough = [each.value.spread for each in values.actions if not each.value.exact]
        if not rough:
            return tr(
                "By how much {name}, to move, will lead in the end. All values are exact.",
                name=name,
            )
        if len(rough) < len(values.actions):
            return tr(
                "By how much {name}, to move, will lead in the end. Pale ones are estimates, "
                "give or take {error:.1f}.",
                name=name,
                error=max(rough),
            )
        return tr(
            "By how much {name}, to move, will lead in the end. They are estimates, "
            "give or take {error:.1f}.",
            name=name,
            error=max(rough),
        )

    @property
    def short_line(self) -> str:
        """The sentence for a narrow window."""
        values = self._values
        if values is None or (self._shown is not None and not self._shown.game.unit):
            return self.line
        return (
            tr("The mover's final lead, exact")
            if values.exact
            else tr("The mover's final lead, estimated")
        )

    @property
    def _values(self) -> PositionValues | None:
        return None if self._shown is None else self._known.get(self._shown)


def lead_text(lead: float) -> str:
    """Return a lead with its sign: ``+3``, ``0`` or ``−2``."""
    whole = round(lead)
    return f"+{whole}" if whole > 0 else f"−{-whole}" if whole < 0 else "0"


def _as_good(value: Estimate, top: Estimate, mover: int) -> bool:
    if value.exact and top.exact:
        return value.mean == top.mean
    return top.of(mover) - value.of(mover) < _SAME
