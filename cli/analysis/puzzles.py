"""`doublecross puzzles`: make the file of puzzles, and check one with the exact solver."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Annotated, Final

import typer

from doublecross.cli.shared.console import Problem
from doublecross.cli.shared.family import family
from doublecross.cli.shared.parsing import need_engines
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes

if TYPE_CHECKING:
    from doublecross.analysis.puzzles.puzzle import Puzzle
    from doublecross.bots.teaching.exact_judge import ExactJudge

SIZES: Final = ("3x3", "3x4", "4x4", "4x5", "5x5")

app = family("puzzles", no_args_is_help=True)


@app.command()
def make(
    output: Annotated[Path, typer.Option("--output", "-o", help="The file to write.")],
    seed: Annotated[int, typer.Option(help="Equal seeds make equal files.")] = 1,
    games: Annotated[int, typer.Option(min=1, help="Games of bots on each size.")] = 120,
    count: Annotated[int, typer.Option(min=1, help="The most puzzles of the file.")] = 360,
) -> None:
    """Make a file of puzzles from games of bots.

    The solver grades every position of the games. Only positions count in which the natural move
    fails, and a sentence can say why. The file has no two puzzles that are alike.

    Example: doublecross puzzles make --output puzzles.jsonl
    """
    need_engines()
    from doublecross.analysis.puzzles.book import write_book
    from doublecross.bots.teaching.candidates import candidates
    from doublecross.bots.teaching.choosing import spread
    from doublecross.bots.teaching.exact_judge import ExactJudge

    found: dict[str, Puzzle] = {}
    for size in SIZES:
        board = _board(size)
        judge = ExactJudge(board.board)
        rng = Random(f"{seed} {size}")
        before = len(found)
        for _ in range(games):
            for puzzle in candidates(board, judge, rng):
                found.setdefault(puzzle.id, puzzle)
        typer.echo(f"{size}: {len(found) - before} puzzles in {games} games", err=True)
    command = f"doublecross puzzles make --seed {seed} --games {games} --count {count}"
    chosen = spread(list(found.values()), count)
    try:
        output.write_text(write_book(chosen, command), encoding="utf-8")
    except OSError as error:
        raise Problem(f"{output} cannot be written ({error.strerror}).") from None
    typer.echo(f"{output}: {len(chosen)} puzzles")


@app.command()
def check(
    file: Annotated[Path, typer.Argument(help="The file of puzzles.", show_default=False)],
) -> None:
    """Check each puzzle of a file with the exact solver.

    Example: doublecross puzzles check puzzles.jsonl
    """
    need_engines()
    from doublecross.analysis.puzzles.book import read_book
    from doublecross.analysis.puzzles.puzzle import PuzzleError
    from doublecross.bots.teaching.choosing import fault
    from doublecross.bots.teaching.exact_judge import ExactJudge

    try:
        book = read_book(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise Problem(f"{file} cannot be read ({error.strerror}).") from None
    except (PuzzleError, UnicodeDecodeError) as error:
        raise Problem(f"{file} has no puzzles that can be read. {error}") from None
    judges: dict[str, ExactJudge] = {}
    for puzzle in book.puzzles:
        if puzzle.size not in judges:
            judges[puzzle.size] = ExactJudge(puzzle.game.board)
        if (wrong := fault(puzzle, judges[puzzle.size])) is not None:
            raise Problem(wrong)
    typer.echo(f"All {len(book.puzzles)} puzzles are right.")


def _board(size: str) -> DotsAndBoxes:
    return DotsAndBoxes(DotsAndBoxes.parse_size(size))
