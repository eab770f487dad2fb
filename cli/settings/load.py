"""Load the settings of a server from flags, variables, a file and the defaults.

A flag beats a variable, and a variable beats the file. All problems are found at once, each with
its place.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError
from pydantic_settings import EnvSettingsSource

from doublecross import client
from doublecross.cli.settings.file import WrongSettingsError, read_file
from doublecross.cli.settings.sentences import nearest, unknown_key, wrong_value
from doublecross.server.shell.settings import PREFIX, ServerSettings, about

FILE_VARIABLE: Final = "DOUBLECROSS_SETTINGS"
FILE_FLAG: Final = "--settings"
OTHERS: Final = ("SETTINGS", "CACHE", "ORGANISER", "TOKEN", "ENGINES", "ENGINE_LOG")
"""The ends of variables that are no settings of the server: other commands read them."""
OF_TESTS: Final = ("NEED_", "SHOTS", "SUBJECT", "TEST_DATABASE")
"""The beginnings of such ends in variables that only the tests of the project read."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """The settings of a server, where each comes from, and the name of the file, if any.

    A place is ``default``, a flag, a variable, or a line such as ``serve.toml line 7``.
    """

    settings: ServerSettings
    places: Mapping[str, str]
    file: str | None

    def about(self, setting: str, sentence: str) -> str:
        """Return a whole sentence about something that a setting names, with its place."""
        place = self.places[setting]
        return sentence if place == "default" else f"{place}: {sentence}"


def own_page() -> Path:
    """Return the folder of the browser page that comes with the program."""
    return Path(client.__file__).parent / "web"


def load(flags: Mapping[str, object], named: str | None = None) -> Loaded:
    """Return the settings from `flags`, the environment, a file and the defaults.

    `flags` has the values by setting; None: the flag is not there. `named` is the file that a flag
    names; otherwise the variable `FILE_VARIABLE` names it. An empty name means no file.

    Raises:
        WrongSettingsError: something is wrong.
    """
    named_by = FILE_VARIABLE if named is None else FILE_FLAG
    name = os.environ.get(FILE_VARIABLE, "") if named is None else named
    in_file: dict[str, tuple[Any, str]] = {}
    sentences: list[str] = []
    try:
        in_file = read_file(name, named_by) if name else {}
    except WrongSettingsError as error:
        sentences += error.args
    fields = ServerSettings.model_fields
    values: dict[str, Any] = {"page": own_page()}
    places, subjects = dict.fromkeys(fields, "default"), {name: name for name in fields}
    for key, (value, place) in in_file.items():
        if key in fields:
            values[key], places[key], subjects[key] = value, place, f"{place}: {key}"
        else:
            sentences.append(unknown_key(place, key, value))
    given: list[tuple[str, object, str]] = [
        (setting, text, PREFIX + setting.upper())
        for setting, text in EnvSettingsSource(ServerSettings, env_ignore_empty=False)().items()
        # Programs often pass a variable on that is empty when nobody has set it.
        if text or fields[setting].annotation is str
    ]
    given += [
        (setting, value, about(fields[setting]).option.split("/")[0])
        for setting, value in flags.items()
        if value is not None
    ]
    for setting, value, place in given:
        values[setting], places[setting], subjects[setting] = value, place, place
    try:
        settings = ServerSettings(**values)
    except ValidationError as error:
        sentences += [wrong_value(each, subjects[str(each["loc"][0])]) for each in error.errors()]
    if sentences:
        raise WrongSettingsError(*sentences)
    return Loaded(settings, places, name or None)


def unknown_variables() -> list[str]:
    """Return a sentence for each variable that looks like a setting of the server, but is none."""
    found = []
    for variable in sorted(os.environ):
        name = variable.upper().removeprefix(PREFIX)
        if not variable.upper().startswith(PREFIX) or name.lower() in ServerSettings.model_fields:
            continue
        if name in OTHERS or name.startswith(OF_TESTS):
            continue
        close = nearest(name)
        meant = "" if close is None else f" Is {PREFIX}{close.upper()} meant?"
        found.append(f"{variable} is no setting of the server and has no effect.{meant}")
    return found
