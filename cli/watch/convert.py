"""Convert records to formats of other programs, and back: `doublecross convert`."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Annotated, Literal, TextIO

import typer

from doublecross.cli.shared.console import FAILED, Problem, warn
from doublecross.cli.shared.files import STANDARD_OUTPUT, check_file
from doublecross.cli.shared.options import GameName, Size
from doublecross.cli.shared.parsing import DEFAULT_GAME, game_of

FormatName = Literal["records", "csv", "jsonl", "openspiel", "littlegolem"]


def convert(
    source: Annotated[
        Path,
        typer.Argument(
            metavar="IN", help="The file to read; - is standard input.", show_default=False
        ),
    ],
    target: Annotated[
        Path,
        typer.Argument(
            metavar="OUT", help="The file to write; - is standard output.", show_default=False
        ),
    ],
    read_as: Annotated[
        FormatName | None,
        typer.Option("--from", help="The format of IN.", show_default="as it begins"),
    ] = None,
    write_as: Annotated[
        FormatName | None,
        typer.Option("--to", help="The format of OUT.", show_default="by the ending of its name"),
    ] = None,
    game: GameName = DEFAULT_GAME,
    size: Size = None,
) -> None:
    """Convert records: CSV, JSON Lines, OpenSpiel's text and littlegolem.net's lists of moves.

    The endings are .txt for records, .csv, .jsonl, .openspiel and .littlegolem. A record that is
    wrong, or that the format cannot have, is named, and the others go on; then the exit code is 1.
    --game and --size are for lists of moves without the name of a game.

    Example: doublecross convert games.txt games.csv
    """
    from doublecross.games.api import GameError
    from doublecross.games.record_formats import FORMATS
    from doublecross.games.record_formats import convert as each

    board = None if size is None else game_of(game, size)
    to = FORMATS[write_as or _format_of(target)]
    if target != STANDARD_OUTPUT and target.exists() and target.resolve() == source.resolve():
        raise Problem(f"{target} is the file that is read; write to another one.")
    check_file(target)
    count = wrong = 0
    try:
        with _opened(source) as file:
            name, lines = _begun(file)
            if read_as is None and name is None:
                raise Problem(f"The format of {source} is unknown; name it with --from.")
            with _written(target) as write:
                write(to.head)
                for text, why in each(lines, FORMATS[read_as or name or ""], to, board):
                    if why:
                        wrong += 1
                        warn(why, "yellow")
                    else:
                        write(f"{to.between if count else ''}{text}")
                        count += 1
    except (GameError, UnicodeDecodeError) as error:
        why = str(error) if isinstance(error, GameError) else "It is not UTF-8 text."
        raise Problem(f"{source} cannot be read. {why}") from None
    if target != STANDARD_OUTPUT:
        warn(f"Wrote {'1 game' if count == 1 else f'{count} games'} to {target}.")
    if wrong:
        raise typer.Exit(FAILED)


def _format_of(target: Path) -> str:
    """Return the format that the ending of a name stands for."""
    from doublecross.games.record_formats import FORMATS

    for name, form in FORMATS.items():
        if target.suffix.lower() == form.suffix:
            return name
    endings = ", ".join(form.suffix for form in FORMATS.values())
    raise Problem(f"Name the format of {target} with --to, or give it an ending: {endings}.")


def _begun(file: TextIO) -> tuple[str | None, Iterator[str]]:
    """Return the format of the first line that is not empty, and all lines."""
    from doublecross.games.record_formats import guessed_format

    before = []
    for line in file:
        before.append(line)
        if line.strip():
            break
    return guessed_format(before[-1] if before else ""), chain(before, file)


@contextlib.contextmanager
def _opened(source: Path) -> Iterator[TextIO]:
    """Open a file; a line feed alone ends a line."""
    try:
        file = source.open("rb") if source != STANDARD_OUTPUT else sys.stdin.buffer
    except OSError as error:
        raise Problem(f"{source} cannot be read: {error.strerror}.") from None
    text = io.TextIOWrapper(file, "utf-8-sig", newline="\n")
    try:
        yield text
    finally:
        if source == STANDARD_OUTPUT:
            text.detach()
        else:
            text.close()


@contextlib.contextmanager
def _written(target: Path) -> Iterator[Callable[[str], object]]:
    """Give the function that writes to a file."""
    if target == STANDARD_OUTPUT:
        yield sys.stdout.write
        return
    with target.open("w", encoding="utf-8", newline="\n") as file:
        yield file.write
