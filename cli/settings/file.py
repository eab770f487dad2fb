"""Read a file of settings, and find the line in which each setting stands."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Final

MOST_BYTES: Final = 1_000_000


class WrongSettingsError(Exception):
    """Settings are wrong. Each argument is a sentence for the host about one problem."""


def read_file(name: str, named_by: str) -> dict[str, tuple[Any, str]]:
    """Return the values in a file of settings, each with its place, such as ``serve.toml line 7``.

    The flag or variable `named_by` names the file `name`.

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
        values = tomllib.loads(text)
    except OSError as error:
        raise WrongSettingsError(f"{named_by}: {name} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise WrongSettingsError(f"{name} line {line}: this is no text in UTF-8.") from None
    except tomllib.TOMLDecodeError as error:
        raise WrongSettingsError(f"{name} is not TOML: {error}.") from None
    lines = lines_of(text)
    return {key: (value, f"{name} line {lines[key]}") for key, value in values.items()}


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
