"""Make files of balanced openings: `doublecross openings make`."""

from __future__ import annotations

import contextlib
import secrets
import sys
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Annotated, Literal, TextIO

import typer

from doublecross.cli.shared.console import FAILED, Problem, warn
from doublecross.cli.shared.family import add, family
from doublecross.cli.shared.files import STANDARD_OUTPUT, check_file
from doublecross.cli.shared.options import Dask, GameName, Size
from doublecross.cli.shared.parsing import DEFAULT_GAME, game_of, need_engines

Balance = Literal["playouts", "exact", "none"]

app = family("openings", no_args_is_help=True)


@app.callback()
def _openings() -> None:
    pass


def make(
    number: Annotated[int, typer.Argument(metavar="N", min=1, help="How many openings.")],
    game: GameName = DEFAULT_GAME,
    size: Size = None,
    length: Annotated[
        int | None,
        typer.Option(help="Moves of each opening.", show_default="the game's choice"),
    ] = None,
    balance: Annotated[
        Balance,
        typer.Option(
            help="Judge openings by games of the bot rules against itself, by their exact values,"
            " or not at all."
        ),
    ] = "playouts",
    playouts: Annotated[int, typer.Option(min=2, help="Games for each opening.")] = 100,
    band: Annotated[
        float,
        typer.Option(
            min=0, max=50, help="How far the first mover's share may be from 50 %, in percent."
        ),
    ] = 10.0,
    within: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="How far the exact value may be from a draw.",
            show_default="1 box, 0 without boxes",
        ),
    ] = None,
    nodes: Annotated[
        int, typer.Option(min=1, help="The most positions searched for an exact value.")
    ] = 10_000_000,
    seed: Annotated[int | None, typer.Option(min=0, help="Seed of the openings.")] = None,
    dask: Dask = None,
    output: Annotated[
        Path,
        typer.Option("--output", "-o", help="The file to write.", show_default="standard output"),
    ] = STANDARD_OUTPUT,
) -> None:
    """Make balanced openings, no two equal up to the symmetry of the board.

    Each line has the moves of one opening and the figure for it as a comment. Lines appear as they
    are found, and Ctrl-C keeps them. The files are for --openings of arena, sprt, match and ladder.

    Example: doublecross openings make 50 --size 4x4 --length 8 --balance exact -o balanced.txt
    """
    from doublecross.bots.dask_cluster import ClusterError, cluster_map
    from doublecross.bots.judging.balance import (
        NO_BALANCE,
        TooFewError,
        exact_balance,
        find_balanced,
        playout_balance,
    )
    from doublecross.bots.ugi import write_moves
    from doublecross.games.api import GameError

    board = game_of(game, size)
    chosen = secrets.randbelow(1_000_000) if seed is None else seed
    check_file(output)
    if balance == "exact":
        need_engines()
        terms = exact_balance(board, nodes, int(bool(board.unit)) if within is None else within)
    elif balance == "playouts":
        terms = playout_balance(board, playouts, band, chosen)
    else:
        terms = NO_BALANCE
    mapping = contextlib.nullcontext(map) if dask is None else cluster_map(dask)
    try:
        with mapping as mapped, _lines_to(output) as write:
            write(f"# {board.full_title}, seed {chosen}, balance: {balance}")
            found = find_balanced(board, chosen, length, terms, mapped)
            for opening, figure in islice(found, number):
                write(f"{write_moves(board, opening)}{figure and f'  # {figure}'}")
    except (TooFewError, ClusterError) as error:
        raise Problem(str(error), FAILED) from None
    except GameError as error:
        raise Problem(str(error)) from None
    if output != STANDARD_OUTPUT:
        warn(f"Wrote the openings to {output}.", "dim")


@contextlib.contextmanager
def _lines_to(output: Path) -> Iterator[Callable[[str], None]]:
    """Give a function that writes one line to a file, where it stays after any kind of end."""
    with contextlib.ExitStack() as stack:
        file: TextIO = sys.stdout
        if output != STANDARD_OUTPUT:
            file = stack.enter_context(output.open("w", encoding="utf-8"))
        yield lambda line: print(line, file=file, flush=True)


add(app, make)
