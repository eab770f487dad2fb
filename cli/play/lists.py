"""List the games and the bots: `doublecross games` and `doublecross bots`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from doublecross.cli.shared.console import out, say, warn
from doublecross.cli.shared.tables import rows_table

if TYPE_CHECKING:
    from doublecross.bots.api import Option


def games() -> None:
    """List the games and their sizes.

    Example: doublecross games
    """
    from doublecross.games.registry import GAMES

    rows = []
    for key, kind in GAMES.items():
        sizes = ", ".join(f"{p.label.lower()} {p.low}-{p.high}" for p in kind.parameters)
        rows.append((key, kind.title, kind.default_size(), sizes))
    out().print(rows_table(("Game", "Name", "Usual size", "Size from left to right"), rows))


def bots() -> None:
    """List the bots and their options.

    Write options after the name: doublecross bot greedy:seed=3

    Example: doublecross bots
    """
    from rich.text import Text

    from doublecross.bots.api import BotError
    from doublecross.bots.registry import bot_class, bot_names, shadowed

    names = ("Bot", "Version", "What it is, and its options")
    table = rows_table(names, (), whole=names[:2])
    for name in bot_names():
        try:
            bot = bot_class(name)
        except BotError as error:
            table.add_row(name, "-", Text(str(error), "red"))
            continue
        table.add_row(name, bot.version, bot.summary)
        for option in bot.options:
            table.add_row("", "", Text(_option(option), "dim"))
    out().print(table)
    say()
    say("Every bot takes seed=NUMBER, which makes its random choices repeatable.", "dim")
    for sentence in shadowed():
        warn(sentence)


def _option(option: Option) -> str:
    choices = f" ({', '.join(option.choices)})" if option.choices else ""
    return f"{option.name}={option.default}  {option.doc}{choices}"
