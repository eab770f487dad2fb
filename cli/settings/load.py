"""Load the settings of a server from flags, variables, a file and the defaults.

A flag beats a variable, and a variable beats the file. All problems are found at once, each with
its place.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from pydantic import ValidationError
from pydantic_settings import SettingsConfigDict

from doublecross.cli.settings.file import SettingsFile, WrongFileError, read_file
from doublecross.cli.settings.model import FLAGS, ServeSettings, Variables
from doublecross.cli.settings.sentences import (
    DEFAULT,
    Origin,
    nearest,
    unknown_key,
    wrong_value,
)

PREFIX: Final = "DOUBLECROSS_"
FILE_VARIABLE: Final = "DOUBLECROSS_SETTINGS"
FILE_FLAG: Final = "--settings"
OTHERS: Final = ("SETTINGS", "CACHE", "ORGANISER", "TOKEN")
"""The ends of variables that are no settings of the server: other commands read them."""
OF_TESTS: Final = ("NEED_", "PACKED", "SHOTS", "SUBJECT", "TEST_DATABASE")
"""The beginnings of such ends in variables that only the tests of the project read."""


class WrongSettingsError(Exception):
    """Settings are wrong; `sentences` has one sentence for each problem."""

    def __init__(self, sentences: tuple[str, ...]) -> None:
        super().__init__(" ".join(sentences))
        self.sentences = sentences


@dataclass(frozen=True, slots=True)
class Loaded:
    """The settings of a server, where each comes from, and the name of the file, if any."""

    settings: ServeSettings
    origins: Mapping[str, Origin]
    file: str | None


def load(flags: Mapping[str, object], named: str | None = None) -> Loaded:
    """Return the settings from `flags`, the environment, a file and the defaults.

    `flags` has the values by setting; None: the flag is not there. `named` is the file that a flag
    names; otherwise the variable `FILE_VARIABLE` names it. An empty name means no file.

    Raises:
        WrongSettingsError: something is wrong.
    """
    given: dict[str, Any] = {name: value for name, value in flags.items() if value is not None}
    named_by = FILE_VARIABLE if named is None else FILE_FLAG
    name = os.environ.get(FILE_VARIABLE, "") if named is None else named
    file: SettingsFile | None = None
    sentences: list[str] = []
    if name:
        try:
            file = read_file(name, named_by)
        except WrongFileError as error:
            sentences.append(str(error))
    if file is not None:
        sentences += [
            unknown_key(file.place(key), key, value)
            for key, value in file.values.items()
            if key not in ServeSettings.model_fields
        ]
    kind = _reading(file)
    origins = _origins(given, file)
    try:
        settings = kind(**given)
    except ValidationError as error:
        wrong = sorted(error.errors(), key=lambda each: _order(str(each["loc"][0])))
        sentences += [wrong_value(each, origins[str(each["loc"][0])]) for each in wrong]
    if sentences:
        raise WrongSettingsError(tuple(sentences))
    return Loaded(settings, origins, name or None)


def unknown_variables() -> list[str]:
    """Return a sentence for each variable that looks like a setting of the server, but is none."""
    found = []
    for variable in sorted(os.environ):
        name = variable.upper().removeprefix(PREFIX)
        if not variable.upper().startswith(PREFIX) or name.lower() in ServeSettings.model_fields:
            continue
        if name in OTHERS or name.startswith(OF_TESTS):
            continue
        close = nearest(name)
        meant = "" if close is None else f" Is {PREFIX}{close.upper()} meant?"
        found.append(f"{variable} is no setting of the server and has no effect.{meant}")
    return found


def _reading(file: SettingsFile | None) -> type[ServeSettings]:
    """Return the class of settings that reads this file."""
    if file is None:
        return ServeSettings
    path = file.path

    class _FromFile(ServeSettings):
        model_config = SettingsConfigDict(toml_file=path)

    return _FromFile


def _origins(given: Mapping[str, Any], file: SettingsFile | None) -> dict[str, Origin]:
    variables = Variables(ServeSettings)()
    origins = {}
    for name in ServeSettings.model_fields:
        if name in given:
            origin = Origin(FLAGS[name])
        elif name in variables:
            origin = Origin(PREFIX + name.upper())
        elif file is not None and name in file.values:
            origin = Origin(file.place(name), in_file=True)
        else:
            origin = DEFAULT
        origins[name] = origin
    return origins


def _order(name: str) -> int:
    return list(ServeSettings.model_fields).index(name)
