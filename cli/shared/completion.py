"""Complete values of options and arguments in a shell."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import typer

from doublecross.cli.shared.parsing import DEFAULT_GAME


def one_of(values: Iterable[str]) -> Callable[[str], list[str]]:
    """Return a function that completes one of these values."""
    return lambda incomplete: [value for value in values if value.startswith(incomplete)]


def bots(incomplete: str) -> list[str]:
    """Return the bots whose names begin like `incomplete`, or like what is after its last comma."""
    from doublecross.bots.registry import bot_names

    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in bot_names() if name.startswith(last)]


def games(incomplete: str) -> list[str]:
    """Return the games whose names begin like `incomplete`."""
    from doublecross.games.registry import GAMES

    return one_of(GAMES)(incomplete)


def sizes(context: typer.Context, incomplete: str) -> list[str]:
    """Return the usual size and the square ones of the game that the command line names."""
    from doublecross.games.registry import game_class

    kind = game_class(context.params.get("game") or DEFAULT_GAME)
    lows, highs = zip(*((each.low, each.high) for each in kind.parameters[:2]), strict=True)
    squares = (f"{n}x{n}" for n in range(max(lows), min(highs) + 1))
    return one_of(dict.fromkeys((kind.default_size(), *squares)))(incomplete)
