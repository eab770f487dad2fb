"""One puzzle of Dots and Boxes: a position, and what each move in it costs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from string import ascii_lowercase, digits
from typing import Any, Final

from doublecross.analysis.judgement import Estimate
from doublecross.analysis.puzzles.canonical import canonical_form
from doublecross.analysis.puzzles.kinds import KINDS
from doublecross.analysis.values import ActionValue, PositionValues
from doublecross.games.api import GameError, State
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes, DotsAndBoxesState
from doublecross.games.registry import make_game

GAME: Final = DotsAndBoxes.key
DIFFICULTIES: Final = range(1, 6)
_DIGITS: Final = digits + ascii_lowercase
_FIELDS: Final = ("id", "kind", "difficulty", "turns", "size", "moves", "net", "costs")


class PuzzleError(ValueError):
    """A puzzle cannot be read; the text is a sentence for people."""


@dataclass(frozen=True)
class Puzzle:
    """A position in which one player finds the moves that keep the value.

    `moves` are the names of the moves from the empty board to the position, with spaces between
    them. `net` is the final net score of the player to move if both play best. `costs` has one
    digit in base 36 for each free edge, in the order of their numbers: how many boxes the move
    loses. `turns` is how many turns the player has to find.
    """

    id: str
    kind: str
    difficulty: int
    turns: int
    size: str
    moves: str
    net: int
    costs: str

    @property
    def game(self) -> DotsAndBoxes:
        """The game on the board of the puzzle."""
        return _game(self.size)

    @cached_property
    def actions(self) -> tuple[int, ...]:
        """The moves to the position, as actions."""
        return tuple(self.game.parse_action(name) for name in self.moves.split())

    def state(self) -> DotsAndBoxesState:
        """Return a new state in the position of the puzzle."""
        state = self.game.replay((), self.actions)
        assert isinstance(state, DotsAndBoxesState)
        return state

    @cached_property
    def cost_of(self) -> dict[int, int]:
        """How many boxes each legal move loses."""
        return {
            edge: _DIGITS.index(digit)
            for edge, digit in zip(self.state().legal_actions(), self.costs, strict=True)
        }

    @property
    def keeping(self) -> tuple[int, ...]:
        """The moves that keep the value, ascending."""
        return tuple(edge for edge, cost in self.cost_of.items() if not cost)

    def first_values(self) -> PositionValues:
        """Return the values of the moves in the position, without any engine."""
        sign = 1 if self.state().current_player() == 0 else -1
        ranked = sorted(self.cost_of.items(), key=lambda item: (item[1], item[0]))
        actions = tuple(
            ActionValue(edge, Estimate(float(sign * (self.net - 2 * cost))))
            for edge, cost in ranked
        )
        return PositionValues(actions[0].value, actions, (actions[0].action,))


def make_puzzle(
    state: DotsAndBoxesState, values: PositionValues, kind: str, difficulty: int, turns: int
) -> Puzzle:
    """Return the puzzle of a position, from its exact values."""
    game, seat = state.game, state.current_player()
    lost = values.losses(seat)
    return Puzzle(
        canonical_form(state.board, state.edges).name(),
        kind,
        difficulty,
        turns,
        game.size,
        " ".join(map(game.action_name, state.history())),
        round(values.value.of(seat)),
        "".join(_DIGITS[lost[edge]] for edge in state.legal_actions()),
    )


def puzzle_to_json(puzzle: Puzzle) -> dict[str, Any]:
    """Return a puzzle as JSON values, as in the file."""
    return {name: getattr(puzzle, name) for name in _FIELDS}


def puzzle_from_json(value: object) -> Puzzle:
    """Read a puzzle, and check all that can be checked without an engine.

    Raises:
        PuzzleError: a field is missing or wrong, or the moves are not legal.
    """
    if not isinstance(value, dict) or set(value) != set(_FIELDS):
        raise PuzzleError(f"A puzzle is an object with the fields {', '.join(_FIELDS)}.")
    for name in _FIELDS:
        wanted = int if name in ("difficulty", "turns", "net") else str
        if type(value[name]) is not wanted:
            raise PuzzleError(f"{name} of a puzzle is not {value[name]!r}.")
    puzzle = Puzzle(**value)
    if puzzle.kind not in KINDS:
        raise PuzzleError(f"There is no kind {puzzle.kind!r}; there are {', '.join(KINDS)}.")
    if puzzle.difficulty not in DIFFICULTIES or puzzle.turns < 1:
        raise PuzzleError(f"Puzzle {puzzle.id} has a difficulty from 1 to 5, and 1 turn or more.")
    try:
        state: State = puzzle.state()
    except GameError as error:
        raise PuzzleError(f"The moves of puzzle {puzzle.id} are wrong. {error}") from None
    free = state.legal_actions()
    if len(puzzle.costs) != len(free) or set(puzzle.costs) - set(_DIGITS):
        raise PuzzleError(f"costs of puzzle {puzzle.id} needs {len(free)} digits.")
    if "0" not in puzzle.costs:
        raise PuzzleError(f"No move of puzzle {puzzle.id} keeps the value.")
    return puzzle


def _game(size: str) -> DotsAndBoxes:
    rows, x, cols = size.partition("x")
    if not (x and rows.isdecimal() and cols.isdecimal()):
        raise PuzzleError(f"The size of a puzzle is like 4x5, not {size!r}.")
    try:
        game = make_game(GAME, {"rows": int(rows), "cols": int(cols)})
    except GameError as error:
        raise PuzzleError(f"The size of a puzzle is wrong. {error}") from None
    assert isinstance(game, DotsAndBoxes)
    return game
