"""Find the openings of game pairs: drawn by the game, or from a file."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Annotated

import typer

from doublecross.cli.shared.console import Problem
from doublecross.cli.shared.records import read_text

if TYPE_CHECKING:
    from doublecross.bots.registry import BotSpec
    from doublecross.games.api import Game

Openings = tuple[tuple[int, ...], ...]

OpeningsFile = Annotated[
    Path | None,
    typer.Option(
        "--openings",
        help="Take the openings from this file: a line each, or records. - is standard input.",
        metavar="FILE",
    ),
]


def read_openings(file: Path | None, game: Game, length: int | None = None) -> Openings:
    """Return the openings in `file`, at least one; none without a file.

    With `length` an opening is the first so many moves.

    Raises:
        Problem: the file cannot be read, or a line of it makes no sense.
    """
    if file is None:
        return ()
    from doublecross.bots.opening_lines import read_openings
    from doublecross.games.api import GameError

    if length is not None and length < 0:
        raise Problem(f"--opening-length must be zero or more, not {length}.")
    try:
        openings = read_openings(game, read_text(file), length)
    except GameError as error:
        raise Problem(f"{file} is not a file of openings. {error}") from None
    if not openings:
        raise Problem(f"{file} has no openings.")
    return openings


def find_openings(
    game: Game, pairs: int, seed: int, length: int | None = None, listed: Openings = ()
) -> tuple[Openings, str]:
    """Return an opening for each of `pairs` game pairs, and a sentence if some are repeated.

    They are those in `listed`, or else drawn. `length` is the number of actions in a drawn opening
    (None: the game's default).
    """
    from doublecross.games.api import GameError

    if listed:
        found = listed
        verb = "is" if len(found) == 1 else "are"
        sentence = f"There {verb} only {_count(found)} in the file, fewer than the {pairs} wanted."
    else:
        try:
            openings = game.openings(Random(seed), pairs, length)
        except GameError as error:
            raise Problem(str(error)) from None
        found, sentence = openings.found or ((),), openings.sentence
    if len(found) >= pairs:
        return found[:pairs], ""
    repeated = (found * math.ceil(pairs / len(found)))[:pairs]
    return repeated, f"{sentence} Openings are repeated."


def check_openings(specs: Iterable[BotSpec], openings: Openings) -> None:
    """Refuse bots that play no openings, unless all of these are empty."""
    from doublecross.bots.registry import bot_class

    for spec in specs if any(openings) else ():
        if not bot_class(spec.name).plays_openings:
            raise Problem(
                f"{spec.name} plays no openings: compare it by arena with --opening-length 0."
            )


def choice_of(length: int | None, listed: Openings) -> str:
    """Describe in words which openings are played, so that other ones have other words."""
    if listed:
        return (
            f"{_count(listed)} of a file ({hashlib.sha256(repr(listed).encode()).hexdigest()[:8]})"
        )
    return "of the usual length" if length is None else f"of {length} actions"


def _count(openings: Openings) -> str:
    return "1 opening" if len(openings) == 1 else f"{len(openings)} openings"
