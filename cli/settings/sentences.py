"""Say in one sentence what is wrong with a setting, and which values are right."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from doublecross.server.shell.settings import ServerSettings, about

_KINDS: Final[Mapping[str, str]] = {
    "boolean": "true or false",
    "integer": "a whole number",
    "number": "a number",
    "string": "a text",
    "path": "a path",
}
"""The kinds of values, by their type or format in a JSON Schema."""
_OUTSIDE: Final = ("greater_than", "greater_than_equal", "less_than", "less_than_equal")
"""The errors of numbers that are too small or too large."""


@cache
def _schemas() -> Mapping[str, Mapping[str, Any]]:
    """Return the JSON Schema of each setting that is set."""
    properties = ServerSettings.model_json_schema()["properties"]
    return {name: schema.get("anyOf", [schema])[0] for name, schema in properties.items()}


def kind_of(name: str) -> str:
    """Return the type of a setting in its JSON Schema, or its format if it has one."""
    schema = _schemas()[name]
    return str(schema.get("format", schema["type"]))


def wrong_value(error: Mapping[str, Any], subject: str) -> str:
    """Return the sentence about a value that pydantic refuses with this error."""
    name = str(error["loc"][0])
    if error["type"] == "value_error":
        return f"{subject} is wrong: {error['ctx']['error']}."
    right = limits(name) if error["type"] in _OUTSIDE else _allowed(name)
    # A wrong value is not repeated if it may have a password.
    found = (
        ""
        if about(ServerSettings.model_fields[name]).secrets
        else f", not {_shown(error['input'])}"
    )
    return f"{subject} must be {right}{found}."


def limits(name: str) -> str:
    """Return the limits of a number, such as ``from 0 to 65535``; empty if there are none."""
    schema = _schemas()[name]
    if "exclusiveMinimum" in schema:
        return f"above {schema['exclusiveMinimum']:g}"
    if "maximum" in schema:
        return f"from {schema['minimum']:g} to {schema['maximum']:g}"
    return f"at least {schema['minimum']:g}" if "minimum" in schema else ""


def _allowed(name: str) -> str:
    """Return which values a setting can have."""
    schema, found = _schemas()[name], limits(name)
    if "enum" in schema:
        return f"{', '.join(schema['enum'][:-1])} or {schema['enum'][-1]}"
    said = about(ServerSettings.model_fields[name])
    kind = said.like or _KINDS[kind_of(name)]
    if said.separator and not said.like:
        kind += " or a list of texts"
    return f"{kind} {'of ' if found.startswith('at least') else ''}{found}".rstrip()


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
    return next(iter(difflib.get_close_matches(name, ServerSettings.model_fields, n=1)), None)


def _shown(value: Any) -> str:
    """Return a wrong value as the host wrote it, but numbers from texts without quotes."""
    is_number = isinstance(value, str) and re.fullmatch(r"[-+.\d]+", value)
    return value if is_number else literal(value)


def literal(value: Any) -> str:
    """Return the value of a setting as TOML."""
    if isinstance(value, float) and value.is_integer() and value < 1e15:
        value = int(value)
    # The escapes of JSON are those of TOML, which also wants one for this character.
    return json.dumps(value, ensure_ascii=False, default=str).replace("\x7f", "\\u007f")
