"""Hypothesis strategies for messages, made from the messages' own schemas."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from hypothesis import strategies as st

from doublecross.protocol.client_messages import ClientMessage
from doublecross.protocol.codec import ANSWERS, REQUESTS
from doublecross.protocol.common import MAX_INT, WireModel
from doublecross.protocol.documentation.schema import Schema, definitions, members
from doublecross.protocol.server_messages import ServerMessage

SERVER_SCHEMAS = definitions(ServerMessage)
_SCHEMAS = definitions(ClientMessage) | SERVER_SCHEMAS

_VISIBLE = "".join(chr(code) for code in range(0x21, 0x7F))
_IDS = "abcXYZ019_-"
_ALPHABETS: dict[str, st.SearchStrategy[str]] = {
    "^[A-Za-z0-9_-]+$": st.sampled_from(_IDS),
    r"^[\x21-\x7e]+$": st.sampled_from(_VISIBLE),
    r"^[^\x00-\x1f\x7f]*$": st.sampled_from('a Z\u00e9\u5b57\U0001f600\u2028\u0085"\\/<&'),
}
_NAMES = st.builds(
    lambda first, middle, last: re.sub(" +", " ", first + middle + last),
    st.sampled_from("aZ9_\u00e9\u5b57"),
    st.text(st.sampled_from("aZ9_\u00e9\u5b57 .'+-"), max_size=30),
    st.sampled_from("aZ9_\u00e9\u5b57+"),
)


def wire_value(schema: Schema) -> st.SearchStrategy[Any]:
    """Generate wire values that fit the schema, with arrays as tuples."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        # Deferred, because the values of a phrase can be phrases.
        made = st.deferred(lambda: _named(name))
        if name == "TimeControl":
            made = made.filter(lambda t: t.get("base_ms") is not None or not t.get("increment_ms"))
        return made
    if "const" in schema:
        return st.just(schema["const"])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    for union in ("anyOf", "oneOf"):
        if union in schema:
            return st.one_of([wire_value(part) for part in schema[union]])
    kind = schema["type"]
    if kind == "null":
        return st.none()
    if kind == "boolean":
        return st.booleans()
    if kind == "integer":
        low, high = schema.get("minimum", -MAX_INT), schema.get("maximum", MAX_INT)
        return st.integers(low, high) | st.sampled_from((low, high))
    if kind == "number":
        low, high = schema.get("minimum"), schema.get("maximum")
        return st.floats(low, high, allow_nan=False, allow_infinity=False)
    if kind == "string":
        return _string(schema)
    if kind == "array":
        if "prefixItems" in schema:
            return st.tuples(*(wire_value(item) for item in schema["prefixItems"]))
        most = min(schema.get("maxItems", 3), 3)
        return st.lists(wire_value(schema["items"]), max_size=most).map(tuple)
    if "additionalProperties" in schema and schema["additionalProperties"] is not False:
        return st.dictionaries(
            st.text("rowscl", min_size=1, max_size=20),
            wire_value(schema["additionalProperties"]),
            max_size=3,
        )
    return wire_object(schema)


def _string(schema: Schema) -> st.SearchStrategy[str]:
    low, high = schema.get("minLength", 0), schema.get("maxLength", 200)
    pattern = schema.get("pattern")
    if pattern is None:
        characters = st.characters(codec="utf-8")
        return st.text(characters, min_size=low, max_size=min(high, 50))
    if pattern in _ALPHABETS:
        return st.text(_ALPHABETS[pattern], min_size=low, max_size=min(high, low + 12))
    return _NAMES


def wire_object(schema: Schema) -> st.SearchStrategy[dict[str, Any]]:
    """Generate maps with all required fields and some optional ones."""
    required: dict[str, st.SearchStrategy[Any]] = {}
    optional: dict[str, st.SearchStrategy[Any]] = {}
    for name, part in schema["properties"].items():
        place = required if name in schema.get("required", ()) else optional
        place[name] = wire_value(part)
    return st.fixed_dictionaries(required, optional=optional)


@cache
def _named(name: str) -> st.SearchStrategy[dict[str, Any]]:
    """Generate objects of one class; to make a strategy takes longer than to draw from it."""
    return wire_object(_SCHEMAS[name])


def wire_requests(model: type[WireModel] | None = None) -> st.SearchStrategy[dict[str, Any]]:
    """Generate requests as maps, of one class or of all."""
    models = members(ClientMessage) if model is None else (model,)
    return st.sampled_from(models).flatmap(lambda m: _named(m.__name__))


def wire_answers(model: type[WireModel] | None = None) -> st.SearchStrategy[dict[str, Any]]:
    """Generate server messages as maps, of one class or of all."""
    models = members(ServerMessage) if model is None else (model,)
    return st.sampled_from(models).flatmap(lambda m: _named(m.__name__))


def requests(model: type[WireModel] | None = None) -> st.SearchStrategy[WireModel]:
    """Generate requests as models."""
    return wire_requests(model).map(REQUESTS.validate_python)


def answers(model: type[WireModel] | None = None) -> st.SearchStrategy[WireModel]:
    """Generate server messages as models."""
    return wire_answers(model).map(ANSWERS.validate_python)
