"""Say in one sentence what is wrong with a setting, and which values are right."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import UnionType
from typing import Any, Final, Literal, get_args, get_origin

from pydantic.fields import FieldInfo

from doublecross.cli.settings.model import SEPARATORS, ServeSettings, WrongKindError

_KINDS: Final[Mapping[type, str]] = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text",
    Path: "a path",
}
_OUTSIDE: Final = ("greater_than", "greater_than_equal", "less_than", "less_than_equal")
"""The errors of numbers that are too small or too large."""
_SECRET: Final = ("database", "nats")
"""The settings whose wrong values are not repeated, because they may contain a password."""


@dataclass(frozen=True, slots=True)
class Origin:
    """The place from which the value of a setting comes.

    `text` is ``default``, a flag, a variable, or a place such as ``serve.toml line 7``.
    """

    text: str
    in_file: bool = False

    def subject(self, name: str) -> str:
        """Return how a sentence about the setting `name` begins."""
        if self.in_file:
            return f"{self.text}: {name}"
        return name if self == DEFAULT else self.text

    def before(self, sentence: str) -> str:
        """Return a whole sentence about something that the setting names, with its place."""
        return sentence if self == DEFAULT else f"{self.text}: {sentence}"


DEFAULT: Final = Origin("default")


def wrong_value(error: Mapping[str, Any], origin: Origin) -> str:
    """Return the sentence about a value that pydantic refuses with this error."""
    name = str(error["loc"][0])
    subject = origin.subject(name)
    if error["type"] == "value_error" and not isinstance(error["ctx"]["error"], WrongKindError):
        return f"{subject} is wrong: {error['ctx']['error']}."
    right = allowed(name, outside=error["type"] in _OUTSIDE)
    found = "" if name in _SECRET else f", not {_shown(error['input'])}"
    return f"{subject} must be {right}{found}."


def allowed(name: str, *, outside: bool = False) -> str:
    """Return which values a setting can have; only the range for a number that is `outside` it."""
    field = ServeSettings.model_fields[name]
    choices = _choices(field)
    if choices:
        return f"{', '.join(choices[:-1])} or {choices[-1]}"
    kind = _kind(field)
    words = _KINDS[kind]
    if name in SEPARATORS:
        words += " or a list of texts"
    limits = _range(field, whole=kind is int)
    if not limits or outside:
        return limits or words
    return f"{words} of {limits}" if limits.startswith("at least") else f"{words} {limits}"


def unknown_key(place: str, key: str, value: Any) -> str:
    """Return the sentence about a key that is no setting."""
    if isinstance(value, dict) or (isinstance(value, list) and value and type(value[0]) is dict):
        return f"{place}: {key} is a table; write settings without tables, such as port = 8765."
    close = nearest(key)
    if close is None:
        return f"{place}: {key} is no setting; doublecross serve --show-settings lists all."
    return f"{place}: {key} is no setting; the nearest one is {close}."


def nearest(text: str) -> str | None:
    """Return the setting whose name is most like a text, if any is."""
    name = text.lower().replace("-", "_").removeprefix("doublecross_").strip("_")
    found = difflib.get_close_matches(name, ServeSettings.model_fields, n=1)
    return found[0] if found else None


def _choices(field: FieldInfo) -> tuple[str, ...]:
    """Return the texts of which the setting must be one; empty if it is of another kind."""
    parts = (field.annotation, *get_args(field.annotation))
    return next((get_args(part) for part in parts if get_origin(part) is Literal), ())


def _kind(field: FieldInfo) -> type:
    kind: Any = field.annotation
    if isinstance(kind, UnionType):
        kind = next(part for part in get_args(kind) if part is not type(None))
    assert isinstance(kind, type)
    return kind


def _range(field: FieldInfo, *, whole: bool) -> str:
    def limit(key: str) -> Any:
        found = (getattr(each, key, None) for each in field.metadata)
        return next((value for value in found if value is not None), None)

    least, most, above = limit("ge"), limit("le"), limit("gt")
    if above is not None and whole:
        least, above = above + 1, None
    if above is not None:
        return f"above {above:g}"
    if least is None:
        return ""
    return f"at least {least:g}" if most is None else f"from {least:g} to {most:g}"


def _shown(value: Any) -> str:
    """Return a wrong value as the host wrote it: numbers bare, texts between quotes."""
    if isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, str):
        return str(value)
    try:
        float(value)
    except ValueError:
        return repr(value) if value else "empty"
    return value.strip()
