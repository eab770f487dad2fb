"""Collect the facts about a move for `doublecross.analysis.sentences.rules`: `Facts`."""

from __future__ import annotations

from dataclasses import dataclass

from doublecross.analysis.judgement import Judgement
from doublecross.games.api import State
from doublecross.games.dots_and_boxes.rules import DotsAndBoxesState
from doublecross.games.dots_and_boxes.structure import (
    Chain,
    Loop,
    Structure,
    analyse,
    boxes_given,
    capturing_edges,
    double_dealing_edges,
    greedy_captures,
    safe_edges,
)


@dataclass(frozen=True, slots=True)
class Board:
    """The parts of a position of Dots and Boxes before a move, and what the move does to them.

    `gives` is the number of boxes that the opponent can take after the move, `ready` those that the
    player could take before it.
    """

    state: DotsAndBoxesState
    parts: Structure
    safe: tuple[int, ...]
    capturing: tuple[int, ...]
    declining: tuple[int, ...]
    ready: int
    gives: int

    @classmethod
    def of(cls, state: DotsAndBoxesState, action: int) -> Board:
        """Return the facts about drawing `action` in `state`."""
        return cls(
            state,
            analyse(state),
            safe_edges(state),
            capturing_edges(state),
            double_dealing_edges(state),
            greedy_captures(state.board, state.edges),
            boxes_given(state, action),
        )

    def region(self, edge: int) -> Chain | Loop | None:
        """Return the chain or loop that drawing `edge` opens, if any."""
        regions: tuple[Chain | Loop, ...] = (*self.parts.chains, *self.parts.loops)
        return next((region for region in regions if edge in region.edges), None)


@dataclass(frozen=True, slots=True)
class Facts:
    """A move with its judgement; `board` is None in other games than Dots and Boxes.

    `scores` are those before the move.
    """

    state: State
    action: int
    seat: int
    judgement: Judgement
    board: Board | None

    @classmethod
    def of(cls, state: State, action: int, judgement: Judgement) -> Facts:
        """Return the facts about `action` in `state`, which the next move will change."""
        board = Board.of(state, action) if isinstance(state, DotsAndBoxesState) else None
        return cls(state, action, state.current_player(), judgement, board)

    def name(self, action: int) -> str:
        """Return the name of an action."""
        return self.state.game.action_name(action)
