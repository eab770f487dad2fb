"""Kinds of moves and numbers of a position that lessons name: each follows from the board alone.

Theory of operation
-------------------
A kind of move, such as ``takes``, is a question about an edge of a position. Lessons use the kinds
twice: to choose the sentence for a wrong move, and to say which edges a learner has to find. A
number, such as ``safe edges``, is what a learner has to count.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from doublecross.games.dots_and_boxes.rules import DotsAndBoxesState
from doublecross.games.dots_and_boxes.structure import (
    Chain,
    Loop,
    Structure,
    analyse,
    capturing_edges,
    double_cross_edges,
    double_dealing_edges,
    greedy_captures,
    handouts,
    safe_edges,
)


@dataclass(frozen=True, slots=True)
class _Parts:
    """The facts about a position that the questions need."""

    structure: Structure
    takes: frozenset[int]
    declines: frozenset[int]
    double: frozenset[int]
    safe: frozenset[int]
    given: Mapping[int, int]

    @classmethod
    def of(cls, state: DotsAndBoxesState) -> _Parts:
        return cls(
            analyse(state),
            frozenset(capturing_edges(state)),
            frozenset(double_dealing_edges(state)),
            frozenset(double_cross_edges(state)),
            frozenset(safe_edges(state)),
            handouts(state),
        )

    @property
    def quiet(self) -> bool:
        """Return whether no box can be taken."""
        return not self.takes

    def regions(self, edge: int) -> list[Chain | Loop]:
        """Return the chains and loops that drawing `edge` opens."""
        found: tuple[Chain | Loop, ...] = (*self.structure.chains, *self.structure.loops)
        return [region for region in found if edge in region.edges]

    def opens(self, edge: int, fits: Callable[[Chain | Loop], bool]) -> bool:
        return self.quiet and any(fits(region) for region in self.regions(edge))

    def larger(self, edge: int) -> bool:
        """Return whether the edge gives more boxes away than another edge that gives some."""
        if not self.quiet or edge in self.safe:
            return False
        return self.given[edge] > min(n for each, n in self.given.items() if each not in self.safe)


def _long(region: Chain | Loop) -> bool:
    return isinstance(region, Chain) and region.is_long


def _short(region: Chain | Loop) -> bool:
    return isinstance(region, Chain) and not region.is_long


def _hard(region: Chain | Loop, edge: int) -> bool:
    return isinstance(region, Chain) and edge == region.hard_hearted


def _half(region: Chain | Loop, edge: int) -> bool:
    return isinstance(region, Chain) and edge in region.half_hearted


_Question = Callable[[_Parts, int], bool]

_QUESTIONS: Final[Mapping[str, tuple[_Question, str]]] = MappingProxyType(
    {
        "takes": (lambda p, e: e in p.takes, "It completes no box."),
        "declines": (lambda p, e: e in p.declines, "It declines no boxes."),
        "leaves": (
            lambda p, e: bool(p.takes) and e not in p.takes and e not in p.declines,
            "It leaves no box that could be taken.",
        ),
        "double-cross": (lambda p, e: e in p.double, "It does not complete two boxes at once."),
        "safe": (
            lambda p, e: e in p.safe,
            "It gives a box its third edge or its fourth, so it is not safe.",
        ),
        "gives": (lambda p, e: p.quiet and e not in p.safe, "It gives no box away."),
        "opens-chain": (
            lambda p, e: p.opens(e, lambda r: isinstance(r, Chain)),
            "It opens no chain.",
        ),
        "opens-long": (lambda p, e: p.opens(e, _long), "It opens no long chain."),
        "opens-short": (lambda p, e: p.opens(e, _short), "It opens no short chain."),
        "opens-loop": (lambda p, e: p.opens(e, lambda r: isinstance(r, Loop)), "It opens no loop."),
        "opens-larger": (_Parts.larger, "No other edge gives fewer boxes away."),
        "hard-hearted": (
            lambda p, e: p.opens(e, lambda r: _hard(r, e)),
            "It is not the middle edge of a chain of 2.",
        ),
        "half-hearted": (
            lambda p, e: p.opens(e, lambda r: _half(r, e)),
            "It is not an end edge of a chain of 2.",
        ),
    }
)
"""The kinds of moves: the question, and why an edge does not belong to them."""

KINDS: Final = tuple(_QUESTIONS)
"""The names of the kinds of moves."""

_NUMBERS: Final[Mapping[str, Callable[[DotsAndBoxesState], int]]] = MappingProxyType(
    {
        "safe edges": lambda state: len(safe_edges(state)),
        "boxes to take": lambda state: greedy_captures(state.board, state.edges),
        "chains": lambda state: len(analyse(state).chains),
        "short chains": lambda state: len(analyse(state).chains) - len(_longs(state)),
        "long chains": lambda state: len(_longs(state)),
        "longest chain": lambda state: max(map(len, analyse(state).chains), default=0),
        "loops": lambda state: len(analyse(state).loops),
        "junctions": lambda state: len(analyse(state).junctions),
        "dots": lambda state: (state.board.rows + 1) * (state.board.cols + 1),
    }
)
NUMBERS: Final = tuple(_NUMBERS)
"""The names of what an exercise can ask to count in a position."""
BOXES: Final = "your boxes"
"""The name of the boxes that a learner has in the end if both play best; it takes a judge."""


def _longs(state: DotsAndBoxesState) -> tuple[Chain, ...]:
    return analyse(state).long_chains


def edges_of(kind: str, state: DotsAndBoxesState) -> tuple[int, ...]:
    """Return the free edges of a position that are moves of this kind, ascending."""
    parts = _Parts.of(state)
    ask, _ = _QUESTIONS[kind]
    return tuple(edge for edge in state.legal_actions() if ask(parts, edge))


def reasons() -> tuple[str, ...]:
    """Return all that `why_not` can say."""
    return tuple(why for _, why in _QUESTIONS.values())


def why_not(kind: str) -> str:
    """Return a sentence that says why an edge is no move of this kind."""
    return _QUESTIONS[kind][1]


def count(what: str, state: DotsAndBoxesState) -> int:
    """Return one of the `NUMBERS` of a position."""
    return _NUMBERS[what](state)
