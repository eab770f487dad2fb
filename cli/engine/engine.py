"""Let a bot speak UGI to other programs, and gather the commands about engines: `engine`."""

from __future__ import annotations

import os
import sys
import threading
from typing import Annotated, Any, Final

import typer

from doublecross.cli.engine.ask import ask
from doublecross.cli.engine.check import check
from doublecross.cli.shared.console import Problem
from doublecross.cli.shared.family import Family, add, family
from doublecross.cli.shared.options import bot_argument
from doublecross.cli.shared.parsing import spec_of

_BOT: Final = "play"
"""The hidden command that a name of a bot stands for."""


class _Commands(Family):
    """Takes a word that is no command as the name of a bot."""

    def resolve_command(self, context: Any, words: list[str]) -> Any:
        """Put the hidden command before the name of a bot."""
        if words and self.get_command(context, words[0]) is None and not words[0].startswith("-"):
            words = [_BOT, *words]
        return super().resolve_command(context, words)


app = family("engine", cls=_Commands, no_args_is_help=True)


def play(
    bot: Annotated[str, bot_argument("The bot, such as champion.")],
    seed: Annotated[int | None, typer.Option(help="Seed of the bot's random choices.")] = None,
) -> None:
    """Let a bot speak UGI on standard input and output, so that another program can use it.

    docs/engine-protocol.md describes the protocol. It ends with the line quit.

    Example: doublecross engine champion
    """
    from random import Random

    from doublecross.bots.ugi_loop import UgiLoop

    spec = spec_of(bot)
    # What a bot prints must not come between the answers.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
    os.dup2(2, 1)
    lock = threading.Lock()

    def write(line: str) -> None:
        with lock:
            answers.write(f"{line}\n")

    try:
        UgiLoop(spec, write, Random(seed)).run(sys.stdin)
    except BrokenPipeError:
        raise Problem("Nobody reads the answers any more.") from None


add(app, check)
add(app, ask)
app.command(name=_BOT, hidden=True, help="Let a bot speak UGI.")(play)
