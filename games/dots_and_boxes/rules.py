"""The rules of Dots and Boxes: the game and its positions as bitboards.

Theory of operation
-------------------
A position is the set of drawn edges, the set of boxes of each seat and the seat to move, all
Python ints, with the list of edges played. One stroke touches at most two boxes, so `apply` and
`undo` cost the same few operations on every board. `undo` needs no stack beside the history: the
last stroke captured exactly those of its boxes that are complete now, and the seat that captured
them is still the seat to move.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Self

from doublecross.games.api import (
    BadOpening,
    Feature,
    Game,
    Geometry,
    IllegalAction,
    Openings,
    Parameter,
    State,
)
from doublecross.games.dots_and_boxes import notation
from doublecross.games.dots_and_boxes.board import Board, board
from doublecross.games.dots_and_boxes.features import features_of
from doublecross.games.dots_and_boxes.openings import default_length, find_openings


class DotsAndBoxes(Game):
    """Dots and Boxes on rows x columns boxes; a capture keeps the turn, and most boxes win.

    Source: E. Berlekamp, The Dots and Boxes Game, 2000, chapter 1.
    """

    key = "dots-and-boxes"
    title = "Dots and Boxes"
    parameters = (
        Parameter("rows", "Rows of boxes", 1, 10, 5),
        Parameter("cols", "Columns of boxes", 1, 10, 5),
    )
    seat_names = (notation.OWNER_MARKS[0], notation.OWNER_MARKS[1])
    unit = "boxes"

    def __init__(self, params: Mapping[str, int] | None = None) -> None:
        super().__init__(params)
        self.board: Board = board(self.params["rows"], self.params["cols"])

    @property
    def num_actions(self) -> int:
        """The number of edges: (R+1)*C horizontal and R*(C+1) vertical ones."""
        return self.board.num_edges

    @property
    def max_game_length(self) -> int:
        """The number of edges: each is drawn once."""
        return self.board.num_edges

    @property
    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        """The images of all edges under each symmetry."""
        return self.board.symmetries

    def geometry(self) -> Geometry:
        """Return the dots, edges and boxes; each edge is the segment of its action."""
        return self.board.geometry

    def initial_state(self, opening: Sequence[int] = ()) -> DotsAndBoxesState:
        """Return a new state with the edges of `opening` drawn; seat 0 moves first.

        Boxes that the opening completes have no owner.

        Raises:
            BadOpening: `opening` has an unknown or repeated edge, or draws every edge.
        """
        return DotsAndBoxesState(self, tuple(opening))

    def openings(self, rng: Random, n: int, length: int | None = None) -> Openings:
        """Return `n` sets of `length` edges that give no box its third edge; see `find_openings`.

        Raises:
            BadParameter: `n` or `length` is below zero, `length` exceeds the board, or openings of
                that length are too rare to find.
        """
        if length is None:
            length = default_length(self.board)
        return find_openings(self.board, rng, n, length)

    def action_name(self, action: int) -> str:
        """Return the lattice name of an edge, such as ``g6``; see `notation`.

        Raises:
            IllegalAction: no such edge on this board.
        """
        return notation.edge_name(self.board, action)

    @cached_property
    def action_names(self) -> tuple[str, ...]:
        """The lattice names of all edges, which all games of one size share."""
        return notation.edge_names(self.board)

    def parse_action(self, text: str) -> int:
        """Return the edge that a lattice name or a plain number stands for.

        Raises:
            IllegalAction: no such edge on this board.
        """
        return notation.parse_edge(self.board, text)


class DotsAndBoxesState(State):
    """One position of Dots and Boxes, with its history."""

    __slots__ = ("_board", "_boxes", "_edges", "_strokes", "_turn")

    def __init__(self, game: DotsAndBoxes, opening: tuple[int, ...] = ()) -> None:
        super().__init__(game, opening)
        self._board = game.board
        self._strokes = game.board.strokes
        self._boxes = [0, 0]
        self._turn = 0
        edges = 0
        for edge in opening:
            if type(edge) is not int or edge not in self._board.strokes:
                raise BadOpening(f"The opening has {edge!r}, which is not an edge of {game.size}.")
            bit = 1 << edge
            if edges & bit:
                raise BadOpening(f"The opening draws edge {game.action_name(edge)} twice.")
            edges |= bit
        if edges == self._board.full:
            raise BadOpening("The opening draws every edge and leaves nothing to play.")
        self._edges = edges

    @property
    def board(self) -> Board:
        """The tables of the board."""
        return self._board

    @property
    def edges(self) -> int:
        """The set of drawn edges, those of the opening included: bit i for edge i."""
        return self._edges

    def current_player(self) -> int:
        """Return the seat to move, or -1 when every edge is drawn."""
        return -1 if self._edges == self._board.full else self._turn

    def legal_actions(self) -> list[int]:
        """Return the edges that are not drawn, ascending."""
        return self._board.members(self._board.full ^ self._edges)

    def is_legal(self, action: int) -> bool:
        """Return whether `action` is an edge that is not drawn."""
        return (
            type(action) is int
            and 0 <= action < self._board.num_edges
            and not self._edges >> action & 1
        )

    def apply(self, action: int) -> None:
        """Draw the edge `action`; completed boxes go to the mover, who then moves again.

        Raises:
            IllegalAction: there is no such edge, or it is drawn already.
        """
        try:
            bit, edges_a, box_a, edges_b, box_b = self._strokes[action]
        except (KeyError, TypeError):
            raise self._no_edge(action) from None
        if type(action) is not int:  # The dict finds True and 1.0 as 1.
            raise self._no_edge(action)
        edges = self._edges
        if edges & bit:
            raise IllegalAction(f"Edge {self._game.action_name(action)} is drawn already.")
        self._edges = edges = edges | bit
        self._history.append(action)
        if edges & edges_a == edges_a:
            if edges & edges_b == edges_b:
                box_a |= box_b
            self._boxes[self._turn] |= box_a
        elif edges & edges_b == edges_b:
            self._boxes[self._turn] |= box_b
        else:
            self._turn ^= 1

    def _no_edge(self, action: object) -> IllegalAction:
        return IllegalAction(f"{action!r} is not an edge of a board of {self._game.size} boxes.")

    def _take_back(self, action: int) -> None:
        """Remove the edge `action`, with the boxes that it completed."""
        bit, edges_a, box_a, edges_b, box_b = self._strokes[action]
        edges = self._edges
        if edges & edges_a == edges_a:
            if edges & edges_b == edges_b:
                box_a |= box_b
            self._boxes[self._turn] ^= box_a
        elif edges & edges_b == edges_b:
            self._boxes[self._turn] ^= box_b
        else:
            self._turn ^= 1
        self._edges = edges ^ bit

    def is_terminal(self) -> bool:
        """Return whether every edge is drawn."""
        return self._edges == self._board.full

    def scores(self) -> tuple[int, int]:
        """Return the boxes captured by each seat; those that the opening completed do not count."""
        return self._boxes[0].bit_count(), self._boxes[1].bit_count()

    def returns(self) -> tuple[float, float]:
        """Return (1, -1), (-1, 1), or (0, 0) for equal boxes or an unfinished game."""
        first, second = self.scores()
        if first == second or not self.is_terminal():
            return 0.0, 0.0
        return (1.0, -1.0) if first > second else (-1.0, 1.0)

    def owners(self) -> tuple[int, ...]:
        """Return the seat that captured each box, or -1 for none."""
        first, second = self._boxes
        return tuple(
            0 if first >> box & 1 else 1 if second >> box & 1 else -1
            for box in range(self._board.num_boxes)
        )

    def features(self) -> tuple[Feature, ...]:
        """Return chains, loops and capturable boxes.

        See `doublecross.games.dots_and_boxes.features`.
        """
        return features_of(self)

    def clone(self) -> Self:
        """Return an independent copy, history included."""
        copy = super().clone()
        copy._board = self._board
        copy._strokes = self._strokes
        copy._boxes = self._boxes.copy()
        copy._turn = self._turn
        copy._edges = self._edges
        return copy

    def key(self) -> tuple[int, ...]:
        """Return (edges, seat to move, boxes of seat 0, boxes of seat 1).

        Who owns which box does not influence the rest of the game, so the key leaves it out.
        """
        return (self._edges, self.current_player(), *self.scores())

    def to_ascii(self, mark_last: bool = False) -> str:
        """Return the board with its rim, the last edge as ``#`` if `mark_last`; see `notation`."""
        last = self._history[-1] if mark_last and self._history else None
        return notation.draw(self._board, self._edges, self.owners(), last=last)
