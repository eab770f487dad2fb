"""Read a file of settings: which line has which setting, and what is wrong with it as a file.

`tomllib` says in which line a file is wrong, but not in which line a value stands. A statement of
TOML ends at the end of a line, so the first lines that can be read by themselves are the next
statement.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

_PLACE: Final = re.compile(r"(.*) \(at (?:line (\d+), column (\d+)|(end of document))\)", re.DOTALL)
"""The end of tomllib's messages."""
MOST_BYTES: Final = 1_000_000


class WrongFileError(Exception):
    """A file of settings cannot be used. The message is one sentence for the host."""


@dataclass(frozen=True, slots=True)
class SettingsFile:
    """A file of settings: its name as the host wrote it, its path, values, and their lines."""

    name: str
    path: Path
    values: Mapping[str, Any]
    lines: Mapping[str, int]

    def place(self, key: str) -> str:
        """Return where a setting stands, such as ``serve.toml line 7``."""
        return f"{self.name} line {self.lines[key]}"


def read_file(name: str, named_by: str) -> SettingsFile:
    """Return the file of settings `name`, which the flag or variable `named_by` names.

    Raises:
        WrongFileError: there is no such file, or it is not TOML.
    """
    path = Path(name).expanduser()
    if path.is_dir():
        raise WrongFileError(f"{named_by}: {name} is a folder; name a file of settings.")
    if not path.exists():
        raise WrongFileError(f"{named_by}: there is no file {name}.")
    # A device could go on for ever.
    if not path.is_file():
        raise WrongFileError(f"{named_by}: {name} is no ordinary file; name a file of settings.")
    try:
        if path.stat().st_size > MOST_BYTES:
            raise WrongFileError(f"{named_by}: {name} is too large for a file of settings.")
        text = path.read_bytes().decode()
    except OSError as error:
        raise WrongFileError(f"{named_by}: {name} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise WrongFileError(f"{name} line {line}: this is no text in UTF-8.") from None
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise WrongFileError(_not_toml(name, text, str(error))) from None
    return SettingsFile(name, path, values, lines_of(text))


def lines_of(text: str) -> dict[str, int]:
    """Return the line in which each key at the top level of a TOML document first appears."""
    found: dict[str, int] = {}
    start, lines = 0, text.replace("\r\n", "\n").split("\n")
    inside = False
    for end in range(1, len(lines) + 1):
        try:
            statement = tomllib.loads("\n".join(lines[start:end]))
        except tomllib.TOMLDecodeError:
            continue  # it goes on in the next line
        header = lines[start].lstrip().startswith("[")
        for key in statement if header or not inside else ():
            found.setdefault(key, start + 1)
        inside = inside or header
        start = end
    return found


def _not_toml(name: str, text: str, message: str) -> str:
    found = _PLACE.fullmatch(message)
    if found is None:
        return f"{name} is not TOML: {message}."
    what, line, column, _ = found.groups()
    if line is None:
        line, column = str(text.count("\n") + 1), str(len(text) - text.rfind("\n"))
    return f"{name} line {line}, column {column}: this is not TOML: {what}."
