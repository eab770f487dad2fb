"""Read how to start an engine: from the name of a bot, or from the file `engines.toml`."""

from __future__ import annotations

import difflib
import os
import shlex
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from doublecross.bots.api import BotError
from doublecross.bots.bounds import Bounds
from doublecross.processes.program import Command

DIALECTS: Final = ("ugi", "gtp", "lines")
"""The languages of engines, which stand before the command, as in ``ugi:./mybot``."""
FILE: Final = "engines.toml"
"""The file that names engines. It lies in the current folder."""
FILE_VARIABLE: Final = "DOUBLECROSS_ENGINES"
"""The environment variable with the path of another file."""
LOG_VARIABLE: Final = "DOUBLECROSS_ENGINE_LOG"
"""The environment variable with the folder for the dialogues with engines."""
RESTARTS: Final = ("crash", "game")
_KINDS: Final[Mapping[str, type | tuple[type, ...]]] = {
    "command": str,
    "bot": str,
    "folder": str,
    "name": str,
    "options": dict,
    "clock": str,
    "time": (int, float),
    "nodes": int,
    "depth": int,
    "memory": int,
    "restart": str,
}
"""The keys of an engine in the file, and the types of their values."""
_WORDS: Final = {str: "text", dict: "a table", int: "a whole number", (int, float): "a number"}
_FAREWELLS: Final = {"ugi": "quit\n", "gtp": "quit\n", "lines": ""}


@dataclass(frozen=True, slots=True)
class Engine:
    """An engine: its language, how to start it, and what it may use.

    `options` are sent to it. `bounds` bound each move, beside the limits of the game, and `clock`
    is its clock where each bot may have its own. Instead of a program it may be another `bot`,
    under another name. With the restart policy ``game`` it is started anew for each game, with
    ``crash`` only after it has ended.
    """

    dialect: str
    words: tuple[str, ...]
    folder: str = ""
    name: str = ""
    options: tuple[tuple[str, str], ...] = ()
    bounds: Bounds = field(default_factory=Bounds)
    clock: str = ""
    bot: str = ""
    memory_mb: int | None = None
    restart: str = "crash"
    title: str = field(default="", compare=False)
    """How messages call it."""

    @property
    def command(self) -> Command:
        """How to start it. A Python program writes its output at once, as with ``python -u``."""
        return Command(
            self.words,
            self.folder,
            {"PYTHONUNBUFFERED": "1"},
            self.memory_mb,
            _FAREWELLS[self.dialect],
        )


def read_command(text: str) -> Engine:
    """Return the engine that a text such as ``ugi:./mybot --net small`` describes.

    Raises:
        BotError: the command is empty, or a quotation mark is missing.
    """
    dialect, _, command = text.partition(":")
    try:
        words = tuple(shlex.split(command))
    except ValueError as error:
        raise BotError(f"The command {command!r} cannot be read: {error}.", lasting=True) from None
    if not words:
        raise BotError(f"A program must follow {dialect}:, such as {dialect}:./mybot.")
    return Engine(dialect, words, title=command.strip())


def engines_file() -> Path:
    """Return the path of the file that names engines; the file need not exist."""
    return Path(os.environ.get(FILE_VARIABLE) or FILE)


def named_engines() -> dict[str, Engine]:
    """Return the engines of `engines_file` by name; none without that file.

    Raises:
        BotError: the file cannot be read, or something in it is wrong.
    """
    path = engines_file()
    try:
        changed = path.stat().st_mtime_ns
    except FileNotFoundError:
        if os.environ.get(FILE_VARIABLE):
            raise BotError(f"The file {path}, which {FILE_VARIABLE} names, is missing.") from None
        return {}
    except OSError as error:
        raise BotError(f"{path} cannot be read: {error.strerror}.") from None
    return _read_file(path.absolute(), changed)


@lru_cache(maxsize=4)
def _read_file(path: Path, changed: int) -> dict[str, Engine]:
    """Return the engines of a file, which is read again when it has `changed`."""
    try:
        tables = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise BotError(f"{path} cannot be read: {error}.", lasting=True) from None
    return {name: _engine(path, name, table) for name, table in tables.items()}


def _engine(path: Path, name: str, table: object) -> Engine:
    """Return the engine `name`, which `table` of the file describes."""
    if not isinstance(table, dict):
        raise BotError(f"{path}: {name} must be a table, [{name}], with a command in it.")
    for key, value in table.items():
        if key not in _KINDS:
            near = difflib.get_close_matches(key, _KINDS, 1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(_KINDS)}."
            raise BotError(f"{path}: {name} has an unknown key {key}; {hint}")
        kind = _KINDS[key]
        if not isinstance(value, kind) or (isinstance(value, bool)):
            raise BotError(f"{path}: {key} of {name} must be {_WORDS[kind]}, not {value!r}.")
        if isinstance(value, int | float) and value <= 0:
            raise BotError(f"{path}: {key} of {name} must be above zero, not {value}.")
    return _read(path, name, table)


def _read(path: Path, name: str, table: Mapping[str, Any]) -> Engine:
    """Return an engine from a table whose keys and types are right."""
    command, bot = table.get("command", ""), table.get("bot", "")
    if bool(command) == bool(bot):
        raise BotError(
            f'{path}: {name} needs either a command, such as command = "./mybot", or a bot.'
        )
    if command.partition(":")[0] not in DIALECTS:
        command = f"ugi:{command}"
    restart = table.get("restart", "crash")
    if restart not in RESTARTS:
        raise BotError(f"{path}: restart of {name} must be {' or '.join(RESTARTS)}.")
    engine = read_command(command) if not bot else Engine("", (bot,))
    folder = table.get("folder", "")
    return Engine(
        engine.dialect,
        engine.words,
        folder=str(path.resolve().parent / folder),
        name=table.get("name", name),
        options=tuple((key, _text(value)) for key, value in table.get("options", {}).items()),
        bounds=Bounds(table.get("time"), table.get("nodes"), table.get("depth")),
        clock=table.get("clock", ""),
        bot=table.get("bot", ""),
        memory_mb=table.get("memory"),
        restart=restart,
        title=name,
    )


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
