"""A board on which one person draws for both players, and a sentence about each edge."""

from __future__ import annotations

from typing import Final

from doublecross.analysis.course.moves import edges_of
from doublecross.client.language import plural, tr
from doublecross.client.tk.models.board.model import BoardChanges, BoardModel
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes, DotsAndBoxesState
from doublecross.games.dots_and_boxes.structure import boxes_given, safe_edges

_SIZE: Final = "3x3"


class TrialModel:
    """The board in `board`, and a `message` about what the last edge did."""

    def __init__(self) -> None:
        self.board: BoardModel
        self.message = ""
        self.begin()

    def begin(self) -> None:
        """Begin with an empty board."""
        self.board = BoardModel(DotsAndBoxes(DotsAndBoxes.parse_size(_SIZE)))
        self.message = tr(
            "A begins. Draw any edge: click it, or choose it with the arrows and Enter."
        )

    def play(self, action: int | None) -> BoardChanges:
        """Draw an edge if it is free (None: draw nothing); return what changed."""
        state = self.board.state.clone()
        if action is None or not state.is_legal(action):
            return self.board.show((), self.board.moves)
        self.message = self._about(action)
        return self.board.show((), (*self.board.moves, action))

    def _about(self, action: int) -> str:
        """Return a sentence about drawing `action` now."""
        state = self.board.state.clone()
        assert isinstance(state, DotsAndBoxesState)
        names = state.game.seat_names
        who, other = names[state.current_player()], names[1 - state.current_player()]
        declines = action in edges_of("declines", state)
        given = boxes_given(state, action)
        before = state.scores()[state.current_player()]
        seat = state.current_player()
        state.apply(action)
        if state.is_terminal():
            mine, theirs = state.scores()
            return tr(
                "All edges are drawn. A has {mine} boxes, B has {theirs}.", mine=mine, theirs=theirs
            )
        won = state.scores()[seat] - before
        if won:
            text = (
                tr("{name} took a box, and draws again.")
                if won == 1
                else tr("{name} took two boxes by one stroke: a double-cross, and draws again.")
            )
            return text.format(name=who)
        if declines:
            return tr(
                "A double-dealing move: {name} can take {count} boxes, and must draw again.",
                name=other,
                count=given,
            )
        if given:
            return plural(
                "Now {name} can take 1 box in one turn.",
                "Now {name} can take {n} boxes in one turn.",
                given,
                name=other,
            )
        edges = len(safe_edges(state))
        return plural(
            "A safe edge. 1 is still safe. {name} is to draw.",
            "A safe edge. {n} are still safe. {name} is to draw.",
            edges,
            name=other,
        )
