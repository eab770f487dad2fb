"""Measure textbook searches depth by depth: `doublecross stats`."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Annotated, Final

import typer

from doublecross.cli.shared.console import Problem
from doublecross.cli.shared.options import bot_argument
from doublecross.cli.shared.parsing import DEFAULT_GAME, game_of, spec_of

if TYPE_CHECKING:
    from doublecross.bots.registry import BotSpec
    from doublecross.games.api import Game

_MOST_BOTS: Final = 16
_DEPTHS: Final = re.compile(r"\s*([0-9]{1,5})\s*(?:-\s*([0-9]{1,5})\s*)?", re.ASCII)


def stats(
    bots: Annotated[
        list[str],
        bot_argument(
            "Bots that search to a depth, such as minimax or alphabeta:table=true.", "BOT..."
        ),
    ],
    game: Annotated[str, typer.Option(help="The game to search.")] = DEFAULT_GAME,
    size: Annotated[
        str | None, typer.Option(help="Board size, such as 2x2.", show_default="the usual one")
    ] = None,
    depths: Annotated[
        str, typer.Option("--depths", "-d", help="Depths in plies, such as 2,5,7-9.")
    ] = "1-3",
    limit: Annotated[
        float, typer.Option("--limit", "-l", help="The most seconds for each search.")
    ] = 60.0,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one line of JSON for each search.")
    ] = False,
) -> None:
    """Measure textbook searches: value, size of the tree and time for each depth.

    Every search starts from the empty board with an empty table and tries moves in the order of
    their numbers, so the node counts are always the same. A depth beyond the end means the whole
    game.

    A search that reaches the limit is cut off, and the bot does not try greater depths.

    Example: doublecross stats minimax alphabeta --game tic-tac-toe --depths 2,5,7,9
    """
    from doublecross.cli.analysis.trees import JsonLines, TreeTable, measured

    board = game_of(game, size)
    specs = [_tree_spec(text, board) for text in bots]
    if len(specs) > _MOST_BOTS:
        raise Problem(f"These are {len(specs)} bots; at most {_MOST_BOTS} can be measured at once.")
    if not (math.isfinite(limit) and limit > 0):
        raise Problem("--limit must be a number of seconds above zero.")
    asked = depths_of(depths)
    whole = board.initial_state().plies_left()
    wanted = sorted({min(depth, whole) for depth in asked})
    page: JsonLines | TreeTable = JsonLines(board) if as_json else TreeTable(board, specs, limit)
    page.begin(whole, beyond=asked[-1] > whole)
    cut: set[int] = set()
    for depth in wanted:
        for number, spec in enumerate(specs):
            if number in cut:
                page.skipped(number, spec, depth)
                continue
            result = measured(spec, board, depth, limit)
            if not result.complete:
                cut.add(number)
            page.row(number, spec, result)
    page.end(bool(cut))


def depths_of(text: str) -> list[int]:
    """Return the depths in `text`, ascending, without duplicates; ``7-9`` is 7, 8 and 9."""
    found: set[int] = set()
    for part in text.split(","):
        match = _DEPTHS.fullmatch(part)
        if match is None:
            raise Problem(f"{text!r} is not a list of depths; write them like 2,5,7-9.")
        first = int(match[1])
        last = int(match[2] or first)
        if first < 1:
            raise Problem("A depth is at least 1 ply; one beyond the end means the whole game.")
        if last < first:
            raise Problem(
                f"The depths {part.strip()} are in the wrong order: write the smaller one first."
            )
        found.update(range(first, last + 1))
    return sorted(found)


def _tree_spec(text: str, game: Game) -> BotSpec:
    """Return the bot that `text` describes, which must search `game` to a depth."""
    from doublecross.bots.registry import bot_class
    from doublecross.bots.textbook import TextbookBot

    spec = spec_of(text, game)
    if not issubclass(bot_class(spec.name), TextbookBot):
        raise Problem(
            f"The bot {spec.name} does not search to a fixed depth; minimax and alphabeta do."
        )
    if "depth" in spec.options:
        raise Problem(f"Choose the depth of {spec.name} with --depths, not as its option.")
    if "seed" in spec.options:
        raise Problem(f"These searches use no random numbers; remove the seed of {spec.name}.")
    return spec
