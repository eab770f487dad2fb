"""Read the position for `doublecross analyse` from a list of edges or from a record."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from doublecross.cli.shared.console import Problem
from doublecross.cli.shared.parsing import DEFAULT_GAME, game_of

if TYPE_CHECKING:
    from doublecross.games.api import Game, State
    from doublecross.games.dots_and_boxes.rules import DotsAndBoxesState
    from doublecross.games.record import Record

_EDGES_FORMAT: Final = "write them like 0,7,12 or b3,c2"


@dataclass(frozen=True, slots=True)
class AnalysedPosition:
    """A position to analyse, and where it comes from.

    Without a `record` it was given as a list of edges. Otherwise `number` says which game of the
    file it is, from 1, and `games` how many games the file holds.
    """

    state: DotsAndBoxesState
    record: Record | None = None
    number: int = 1
    games: int = 1


def read_position(
    size: str | None, edges: str | None, file: Path | None, game: int | None, ply: int | None
) -> AnalysedPosition:
    """Return the position that the options describe.

    Raises:
        Problem: the options contradict each other, or the game is over in this position.
    """
    if file is None:
        if size is None:
            raise Problem("Name a board size, such as 4x4, or a file with --record.")
        if game is not None or ply is not None:
            raise Problem("--game and --ply choose from a file: name it with --record.")
        return AnalysedPosition(_position_of_edges(game_of(DEFAULT_GAME, size), edges or ""))
    if size is not None or edges is not None:
        raise Problem("Give either --record, or a size with --edges, not both.")
    return _recorded_position(file, 1 if game is None else game, ply)


def _position_of_edges(game: Game, text: str) -> DotsAndBoxesState:
    """Return the position of `game` in which the edges written as `text` are drawn."""
    from doublecross.games.api import GameError

    words = re.split(r"\s*[,\s]\s*", text.strip()) if text.strip() else []
    if not all(words):
        raise Problem(f"{text!r} is not a list of edges; {_EDGES_FORMAT}.")
    found: set[int] = set()
    for word in words:
        try:
            edge = game.parse_action(word)
        except GameError as error:
            raise Problem(f"--edges: {error}") from None
        if edge in found:
            raise Problem(f"--edges names {game.action_name(edge)} ({edge}) twice.")
        found.add(edge)
    if len(found) == game.num_actions:
        raise Problem("--edges names every edge of the board; no edge is left to analyse.")
    return _dots_and_boxes(game.initial_state(sorted(found)))


def _recorded_position(file: Path, number: int, ply: int | None) -> AnalysedPosition:
    """Return the position after `ply` moves (None: all) of one game in `file`."""
    from doublecross.cli.shared.records import read_records
    from doublecross.games.dots_and_boxes.rules import DotsAndBoxes

    records = read_records(file)
    record = records.record(number)
    if not isinstance(record.game, DotsAndBoxes):
        raise Problem(
            f"Game {number} of {file} is {record.game.title}; only {DotsAndBoxes.title} can be"
            " analysed."
        )
    moves = len(record.moves)
    if ply is not None and ply > moves:
        raise Problem(f"Game {number} has {moves} moves; there is no position {ply}.")
    played = record.moves[: moves if ply is None else ply]
    state = record.game.replay(record.opening, (move.action for move in played))
    if state.is_terminal():
        raise Problem(
            f"Game {number} is over after {moves} moves; choose an earlier position with --ply."
        )
    return AnalysedPosition(_dots_and_boxes(state), record, number, len(records))


def _dots_and_boxes(state: State) -> DotsAndBoxesState:
    from doublecross.games.dots_and_boxes.rules import DotsAndBoxesState

    assert isinstance(state, DotsAndBoxesState)
    return state
