"""Read a file of settings, and find the line in which each setting stands."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

MOST_BYTES: Final = 1_000_000


class WrongSettingsError(Exception):
    """Settings are wrong. Each argument is a sentence for the host about one problem."""


@dataclass(frozen=True, slots=True)
class SettingsFile:
    """A file of settings: its name as the host wrote it, its values, and their lines."""

    name: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)
    lines: Mapping[str, int] = field(default_factory=dict)

    def place(self, key: str) -> str:
        """Return where a setting stands, such as ``serve.toml line 7``."""
        return f"{self.name} line {self.lines[key]}"


def read_file(name: str, named_by: str) -> SettingsFile:
    """Return the file of settings `name`, which the flag or variable `named_by` names.

    Raises:
        WrongSettingsError: there is no such file, or it is not TOML.
    """
    path = Path(name).expanduser()
    if not path.exists():
        raise WrongSettingsError(f"{named_by}: there is no file {name}.")
    # A device could go on for ever.
    if not path.is_file() or path.stat().st_size > MOST_BYTES:
        kind = "a folder" if path.is_dir() else "too large" if path.is_file() else "a device"
        raise WrongSettingsError(f"{named_by}: {name} is {kind}; name a file of settings.")
    try:
        text = path.read_bytes().decode()
        return SettingsFile(name, tomllib.loads(text), lines_of(text))
    except OSError as error:
        raise WrongSettingsError(f"{named_by}: {name} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise WrongSettingsError(f"{name} line {line}: this is no text in UTF-8.") from None
    except tomllib.TOMLDecodeError as error:
        raise WrongSettingsError(f"{name} is not TOML: {error}.") from None


def lines_of(text: str) -> dict[str, int]:
    """Return the line in which each key at the top level of a TOML document first appears.

    `tomllib` does not say in which line a value stands. But a statement of TOML ends at the end of
    a line, so the first lines that can be read by themselves are the next statement. The result
    also has keys in tables.
    """
    found: dict[str, int] = {}
    start, lines = 0, text.replace("\r\n", "\n").split("\n")
    for end in range(1, len(lines) + 1):
        try:
            statement = tomllib.loads("\n".join(lines[start:end]))
        except tomllib.TOMLDecodeError:
            continue  # it goes on in the next line
        for key in statement:
            found.setdefault(key, start + 1)
        start = end
    return found
