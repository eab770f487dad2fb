"""Make bots that are the program tests/fakes/engine.py, and other programs."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from random import Random

from doublecross.bots.api import Bot
from doublecross.bots.registry import make_bot, parse_spec

ENGINE = Path(__file__).parents[2] / "fakes" / "engine.py"


def script(file: Path | str, *arguments: str) -> str:
    """Return a command that runs a script without a slow start of Python."""
    return shlex.join((sys.executable, "-S", "-E", str(file), *arguments))


def engine(*wrong: str) -> str:
    """Return the command of the engine that does these things wrong."""
    return script(ENGINE, *wrong)


def bot_of(text: str) -> Bot:
    """Return a bot for one game."""
    spec = parse_spec(text)
    return make_bot(spec.name, Random(1), spec.options)
