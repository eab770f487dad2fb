"""Return the class of the bot that plays through an engine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache

from doublecross.bots.api import Bot
from doublecross.bots.bounds import bounded
from doublecross.bots.programs.engine import Engine, read_command


def command_class(name: str) -> type[Bot]:
    """Return the class of a bot such as ``ugi:./mybot``.

    Raises:
        BotError: the command cannot be read.
    """
    return _class(read_command(name))


def engine_class(engine: Engine, bot_class: Callable[[str], type[Bot]]) -> type[Bot]:
    """Return the class of an engine that the file ``engines.toml`` names.

    `bot_class` finds the bot for which the engine is another name.

    Raises:
        BotError: there is no such bot, or it cannot be loaded.
    """
    return _class(engine) if not engine.bot else _renamed(engine, bot_class(engine.bot))


@cache
def _class(engine: Engine) -> type[Bot]:
    """Return the class for an engine, always the same one: it knows what the engine said."""
    # Processes that play no programs need none of these.
    from doublecross.bots.programs.gtp_bot import GtpBot
    from doublecross.bots.programs.lines_bot import LinesBot
    from doublecross.bots.programs.ugi_bot import UgiBot

    kinds: dict[str, type[Bot]] = {"ugi": UgiBot, "gtp": GtpBot, "lines": LinesBot}
    about = {
        "engine": engine,
        "clock": engine.clock,
        "name": engine.name or engine.title,
        "summary": f"the program {' '.join(engine.words)}",
    }
    return bounded(kinds[engine.dialect], engine.bounds, about)


@cache
def _renamed(engine: Engine, kind: type[Bot]) -> type[Bot]:
    """Return a bot of ours with the name, the options and the bounds of an engine."""
    settings = kind.check_options(dict(engine.options))
    options = tuple(replace(option, default=settings[option.name]) for option in kind.options)
    about = {"name": engine.name, "options": options, "clock": engine.clock}
    return bounded(kind, engine.bounds, about)
