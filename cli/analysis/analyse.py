"""`doublecross analyse`: the exact value of a position of Dots and Boxes, and of every move."""

from __future__ import annotations

import importlib.util
import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cli.shared.asking import DEFAULT_GAME, game_of
from cli.shared.console import INTERRUPTED, Problem

if TYPE_CHECKING:
    from bots.search.exact.solver import Solver
    from games.api import Game, State
    from games.dots_and_boxes.board import Board
    from games.dots_and_boxes.rules import DotsAndBoxesState
    from games.record import Record

_MOST_MB: Final = 1 << 16
_WRITTEN: Final = "write them like 0,7,12 or b3,c2"


@dataclass(frozen=True, slots=True)
class Position:
    """A position to analyse, and, where it comes from a record, which game of which file, so many
    moves on; `games` is how many the file holds."""

    state: DotsAndBoxesState
    record: Record | None = None
    number: int = 1
    games: int = 1


@dataclass(frozen=True, slots=True)
class Limits:
    """What a search may take: seconds, and nodes if that is limited."""

    seconds: float
    nodes: int | None = None


def analyse(
    size: Annotated[
        str | None,
        typer.Argument(metavar="SIZE", help="Board size, such as 4x4.", show_default=False),
    ] = None,
    edges: Annotated[
        str | None,
        typer.Option(
            "--edges",
            "-e",
            help="The edges drawn, numbers or names such as b3, with commas between them.",
            show_default="none",
        ),
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option("--record", "-r", help="Take the position from a file of records."),
    ] = None,
    game: Annotated[
        int | None,
        typer.Option(min=1, help="Which game of the file, from 1.", show_default="1"),
    ] = None,
    ply: Annotated[
        int | None,
        typer.Option(min=0, help="After so many moves of it.", show_default="all of them"),
    ] = None,
    time: Annotated[float, typer.Option("--time", "-t", help="Seconds at most.")] = 60.0,
    nodes: Annotated[
        int | None, typer.Option(min=1, help="Nodes at most.", show_default="no limit")
    ] = None,
    memory: Annotated[
        int,
        typer.Option(min=1, max=_MOST_MB, metavar="MB", help="Memory for the table of positions."),
    ] = 128,
    best_only: Annotated[
        bool, typer.Option("--best-only", help="Find the best edges, not the value of each.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead.")] = False,
) -> None:
    """Solve a position of Dots and Boxes: its value, the best edges, the value of each edge.

    Values are net scores: the boxes that the player to move gets from here on, less those of the
    other, when both play best. Boards may have 64 dots at most, such as 7x7; on large ones many
    edges must be drawn before a minute is enough.

    What is not solved in time is given as bounds, and so is what is known when Ctrl-C stops it.

    Example: doublecross analyse 4x4 --edges b3,c2,c4
    """
    if not (math.isfinite(time) and time > 0):
        raise Problem("--time is a number of seconds above zero.")
    limits = Limits(time, nodes)
    position = _position(size, edges, record, game, ply)
    state = position.state
    _check_size(state.game)
    need_engines()
    from bots.search.exact import analysis
    from cli.analysis.show import print_json, print_page, searching
    from cli.analysis.solving import Interrupt

    solver = _solver(state.board, memory)
    with Interrupt() as interrupt, searching(state.game.size, limits, interrupt) as search:
        found = analysis.analyse(
            solver, state.edges, search.watch, every_move=not best_only, tell=search.tell
        )
    (print_json if as_json else print_page)(position, found, search.effort(found))
    if interrupt.asked:
        raise typer.Exit(INTERRUPTED)


def need_engines() -> None:
    """Refuse to go on where the packages of the search kernels are not installed."""
    from bots.registry import ENGINES

    missing = [name for name in ENGINES if importlib.util.find_spec(name) is None]
    if missing:
        raise Problem(
            f"Analysing needs packages that are not installed ({', '.join(missing)}):"
            " pip install 'doublecross[engines]'"
        )


def _position(
    size: str | None, edges: str | None, file: Path | None, game: int | None, ply: int | None
) -> Position:
    """The position that the options describe; not a finished one."""
    if file is None:
        if size is None:
            raise Problem("Say which board, such as 4x4, or --record and a file.")
        if game is not None or ply is not None:
            raise Problem("--game and --ply choose from a file; say --record too.")
        return Position(_drawn(game_of(DEFAULT_GAME, size), edges or ""))
    if size is not None or edges is not None:
        raise Problem("The position comes from --record or from a size and --edges, not both.")
    return _recorded(file, 1 if game is None else game, ply)


def _drawn(game: Game, text: str) -> DotsAndBoxesState:
    """The position of `game` with the edges written as `text`."""
    from games.api import GameError

    words = re.split(r"\s*[,\s]\s*", text.strip()) if text.strip() else []
    if not all(words):
        raise Problem(f"{text!r} are no edges; {_WRITTEN}.")
    found: dict[int, str] = {}
    for word in words:
        try:
            edge = game.parse_action(word)
        except GameError as error:
            raise Problem(f"--edges: {error}") from None
        if edge in found:
            raise Problem(f"--edges has {game.action_name(edge)} ({edge}) twice.")
        found[edge] = word
    if len(found) == game.num_actions:
        raise Problem("--edges has every edge of the board; nothing is left to analyse.")
    return _dots_and_boxes(game.initial_state(sorted(found)))


def _recorded(file: Path, number: int, ply: int | None) -> Position:
    """The position after `ply` moves (None: all) of a game in `file`."""
    from cli.watch.replay import read_records
    from games.dots_and_boxes.rules import DotsAndBoxes

    records = read_records(file)
    if number > len(records):
        games = "1 game" if len(records) == 1 else f"{len(records)} games"
        raise Problem(f"{file} holds {games}; there is no game {number}.")
    record = records[number - 1]
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
    return Position(_dots_and_boxes(state), record, number, len(records))


def _dots_and_boxes(state: State) -> DotsAndBoxesState:
    from games.dots_and_boxes.rules import DotsAndBoxesState

    assert isinstance(state, DotsAndBoxesState)
    return state


def _check_size(game: Game) -> None:
    """Refuse a board that does not fit the solver, before anything is compiled or missing."""
    rows, cols = game.params["rows"], game.params["cols"]
    dots = (rows + 1) * (cols + 1)
    if dots > 64:
        raise Problem(f"{game.size} has {dots} dots; boards of 64 dots at most can be analysed.")


def _solver(board: Board, memory_mb: int) -> Solver:
    """A solver for `board`, its kernels compiled."""
    from bots.search.exact.solver import Solver, prepare

    prepare()
    try:
        return Solver(board, memory_mb)
    except MemoryError:
        raise Problem(
            f"There are not {memory_mb} MB of memory for the table; ask for less with --memory."
        ) from None
