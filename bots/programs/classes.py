"""Return the class of the bot that plays through an engine."""

from __future__ import annotations

from functools import cache

from doublecross.bots.api import Bot
from doublecross.bots.programs.engine import Engine, named_engines, read_command


def command_class(name: str) -> type[Bot]:
    """Return the class of a bot such as ``ugi:./mybot``.

    Raises:
        BotError: the command cannot be read.
    """
    return _class(read_command(name))


def engine_class(name: str) -> type[Bot]:
    """Return the class of an engine that the file ``engines.toml`` names.

    Raises:
        BotError: something in the file is wrong.
        KeyError: there is no such engine.
    """
    return _class(named_engines()[name])


@cache
def _class(engine: Engine) -> type[Bot]:
    """Return the class for an engine, always the same one: it knows what the engine said."""
    # Processes that play no programs need none of these.
    from doublecross.bots.programs.gtp_bot import GtpBot
    from doublecross.bots.programs.lines_bot import LinesBot
    from doublecross.bots.programs.ugi_bot import UgiBot

    kind = {"ugi": UgiBot, "gtp": GtpBot, "lines": LinesBot}[engine.dialect]
    about = {
        "engine": engine,
        "name": engine.name or engine.title,
        "summary": f"the program {' '.join(engine.words)}",
    }
    return type(kind.__name__, (kind,), about)
