"""Generate TypeScript declarations from pydantic models, for the browser page.

Theory of operation
-------------------
An interface stands for each model, with the same name and fields. Readers of server messages and
writers of requests need different types for the parts that both have, such as `MatchSettings`:
the server fills in every default, but a request may leave them out. So `MatchSettings` is the type
of the reader, and `MatchSettingsInput` that of the writer. A field whose default is null may always
be missing. TypeScript lets objects have more fields than their interface, so a reader is lenient.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from doublecross.protocol.client_messages import ClientMessage
from doublecross.protocol.documentation.schema import Schema, definitions, members
from doublecross.protocol.errors import ErrorCode
from doublecross.protocol.server_messages import Event, ServerMessage

INPUT: Final = "Input"
"""The name suffix of parts in requests, whose fields with defaults may be missing."""

_WIDTH: Final = 96

Named = Callable[[str], str]
"""Returns the name of the type for the name of a model."""


def wire_types() -> str:
    """Return the declarations of all messages, their parts and their unions."""
    requests, answers = definitions(ClientMessage), definitions(ServerMessage)
    asked = {model.__name__ for model in members(ClientMessage)}
    told = {model.__name__ for model in members(ServerMessage)}
    inputs = _inputs(requests, asked)

    def written(name: str) -> str:
        return name + INPUT * (name in inputs)

    codes = " | ".join(json.dumps(code.value) for code in ErrorCode)
    parts = [
        _union("ClientMessage", "Any request of a client.", members(ClientMessage)),
        _union("ServerMessage", "Any message of the server.", members(ServerMessage)),
        _union("Event", "Any numbered event of a room.", members(Event)),
        'type WithoutId<Message> = Message extends unknown ? Omit<Message, "id"> : never;\n\n'
        + _comment("A request that has no id yet.", "")
        + "export type NewRequest = WithoutId<ClientMessage>;",
        _comment("The reasons why the server refuses a request; newer servers may have more.", "")
        + f"export type ErrorCode = {codes};",
    ]
    for name, schema in answers.items():
        parts.append(interface(name, schema, complete=name not in told))
    for name, schema in requests.items():
        if name in asked or name in inputs:
            parts.append(interface(written(name), schema, named=written))
        elif name not in answers:
            parts.append(interface(name, schema))
    return "\n\n".join(parts) + "\n"


def interface(
    name: str, schema: Schema, *, complete: bool = False, named: Named = lambda name: name
) -> str:
    """Return the declaration of a model from its JSON Schema.

    `complete` says that fields with a default other than null are always present. `named` returns
    the names of the types that the fields refer to.
    """
    required = schema.get("required", ())
    lines = []
    for field, part in schema.get("properties", {}).items():
        is_there = field in required or (complete and part.get("default") is not None)
        lines.append(
            _comment(_about(part), "  ")
            + f"  {field}{'' if is_there else '?'}: {type_of(part, named)};\n"
        )
    if schema.get("additionalProperties") is True:
        lines.append("  [more: string]: unknown;\n")
    about = _comment(schema.get("description", ""), "")
    return f"{about}export interface {name} {{\n{''.join(lines)}}}"


def type_of(schema: Schema, named: Named = lambda name: name) -> str:
    """Return the TypeScript type of a field.

    Raises:
        ValueError: the schema has a form that no model has used so far.
    """
    if "$ref" in schema:
        return named(schema["$ref"].rpartition("/")[2])
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(type_of(part, named) for part in schema["anyOf"]))
    if "oneOf" in schema:
        kinds = [type_of(part, named) for part in schema["oneOf"]]
        is_event = kinds == [model.__name__ for model in members(Event)]
        return "Event" if is_event else " | ".join(kinds)
    kind = schema.get("type")
    if kind == "array":
        return _array(schema, named)
    if kind == "object":
        values = schema["additionalProperties"]
        return f"Record<string, {'unknown' if values is True else type_of(values, named)}>"
    plain = {
        "string": "string",
        "integer": "number",
        "number": "number",
        "boolean": "boolean",
        "null": "null",
    }
    if kind not in plain:
        raise ValueError(f"No TypeScript type is known for {json.dumps(schema)}.")
    return plain[kind]


def _array(schema: Schema, named: Named) -> str:
    if "prefixItems" in schema:
        return f"[{', '.join(type_of(item, named) for item in schema['prefixItems'])}]"
    item = type_of(schema["items"], named)
    length = schema.get("minItems")
    if length is not None and length == schema.get("maxItems"):
        return f"[{', '.join([item] * length)}]"
    return f"({item})[]" if " | " in item else f"{item}[]"


def _inputs(requests: Mapping[str, Schema], messages: Iterable[str]) -> set[str]:
    """Return the parts of requests with fields that may be missing, or that have such parts."""
    parts = {name: schema for name, schema in requests.items() if name not in messages}
    found = {
        name
        for name, schema in parts.items()
        if len(schema.get("required", ())) < len(schema.get("properties", {}))
    }
    while more := {
        name
        for name, schema in parts.items()
        if name not in found and any(f'"#/$defs/{part}"' in json.dumps(schema) for part in found)
    }:
        found |= more
    return found


def _about(schema: Schema) -> str:
    """Return the description of a field, or that of its type."""
    found = schema.get("description") or next(
        (text for part in schema.get("anyOf", ()) if (text := _about(part))), ""
    )
    return str(found)


def _union(name: str, about: str, models: Iterable[type]) -> str:
    kinds = "".join(f"\n  | {model.__name__}" for model in models)
    return f"{_comment(about, '')}export type {name} ={kinds};"


def _comment(text: str, indent: str) -> str:
    """Return a text as a comment for editors, in lines that are not too long; "" for no text."""
    if not text:
        return ""
    text = " ".join(text.split()).replace("*/", "* /")
    if len(indent) + len(text) <= _WIDTH - 7:
        return f"{indent}/** {text} */\n"
    lines, line = [], ""
    for word in text.split():
        if len(indent) + 4 + len(line) + len(word) > _WIDTH:
            lines.append(line)
            line = ""
        line = f"{line} {word}".strip()
    lines.append(line)
    return "".join(
        (f"{indent}/**\n", *(f"{indent} * {line}\n" for line in lines), f"{indent} */\n")
    )
