"""The protocol as JSON Schema, made from the messages.

Requests are described as strictly as the server takes them. What the server says is described
as clients are to read it: fields that are not named are allowed.
"""

from __future__ import annotations

import copy
import json
from typing import Any, Final, get_args

from pydantic.json_schema import models_json_schema

from protocol.client_messages import ClientMessage
from protocol.common import WireModel
from protocol.server_messages import Event, ServerMessage
from protocol.version import PROTOCOL_VERSION

READ: Final = "Read"
"""Suffix of the shared parts as they stand in what the server says: more fields are allowed."""

Schema = dict[str, Any]


def members(union: object) -> tuple[type[WireModel], ...]:
    """The message classes of an annotated union, in order."""
    found: tuple[type[WireModel], ...] = get_args(get_args(union)[0])
    return found


def message_type(model: type[WireModel]) -> str:
    """The `type` that a message has on the wire."""
    kind: str = get_args(model.model_fields["type"].annotation)[0]
    return kind


def definitions(union: object) -> dict[str, Schema]:
    """The schemas of the messages of a union and of their parts, by class name."""
    models = [(model, "validation") for model in members(union)]
    _, found = models_json_schema(models, ref_template="#/$defs/{model}")  # type: ignore[arg-type]
    schemas: dict[str, Schema] = found["$defs"]
    for schema in schemas.values():
        properties = schema.get("properties", {})
        for name, part in properties.items():
            part.pop("title", None)
            if part.get("type") == "object" and name not in schema.get("required", ()):
                part.setdefault("default", {})  # pydantic leaves out what a factory makes
            if "const" in part:  # a default for Python; the wire needs it
                part.pop("default", None)
                schema["required"] = [name, *schema.get("required", [])]
    return schemas


def json_schema() -> Schema:
    """One JSON Schema (draft 2020-12) with a definition for every message and part."""
    requests = definitions(ClientMessage)
    answers = definitions(ServerMessage)
    shared = sorted(requests.keys() & answers.keys())
    answers = {
        name + READ * (name in shared): _open(_renamed(schema, shared))
        for name, schema in answers.items()
    }
    unions = {
        "ClientMessage": _union(ClientMessage, "Anything that a client says."),
        "ServerMessage": _union(ServerMessage, "Anything that the server says."),
        "RoomEvent": _union(Event, "Any numbered event of a room."),
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Doublecross protocol, version {PROTOCOL_VERSION}",
        "description": (
            "Generated from the messages by python -m protocol.documentation; see protocol.md."
        ),
        "anyOf": [{"$ref": "#/$defs/ClientMessage"}, {"$ref": "#/$defs/ServerMessage"}],
        "$defs": {**unions, **requests, **answers},
    }


def _union(union: object, description: str) -> Schema:
    names = [model.__name__ for model in members(union)]
    return {"description": description, "oneOf": [{"$ref": f"#/$defs/{n}"} for n in names]}


def _renamed(schema: Schema, shared: list[str]) -> Schema:
    """The schema with its references to shared parts led to their open form."""
    text = json.dumps(schema)
    for name in shared:
        text = text.replace(f'"#/$defs/{name}"', f'"#/$defs/{name}{READ}"')
    renamed: Schema = json.loads(text)
    return renamed


def _open(schema: Schema) -> Schema:
    opened = copy.deepcopy(schema)
    if opened.get("additionalProperties") is False:
        del opened["additionalProperties"]
    return opened
