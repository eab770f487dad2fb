"""Generate the JSON Schema of the protocol from the messages.

The schema of a request is as strict as the server. The schema of a server message is lenient, as
clients have to be: it allows additional fields.
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
"""The name suffix of lenient copies of shared parts, for use in server messages."""

Schema = dict[str, Any]


def members(union: object) -> tuple[type[WireModel], ...]:
    """Return the message classes of an annotated union, in order."""
    found: tuple[type[WireModel], ...] = get_args(get_args(union)[0])
    return found


def message_type(model: type[WireModel]) -> str:
    """Return the `type` that a message has on the wire."""
    kind: str = get_args(model.model_fields["type"].annotation)[0]
    return kind


def definitions(union: object) -> dict[str, Schema]:
    """Return the schemas of a union's messages and of their parts, by class name."""
    models = [(model, "validation") for model in members(union)]
    _, found = models_json_schema(models, ref_template="#/$defs/{model}")  # type: ignore[arg-type]
    schemas: dict[str, Schema] = found["$defs"]
    for schema in schemas.values():
        properties = schema.get("properties", {})
        for name, part in properties.items():
            part.pop("title", None)
            if part.get("type") == "object" and name not in schema.get("required", ()):
                part.setdefault("default", {})  # pydantic omits defaults from factories
            if "const" in part:  # Only Python has a default: on the wire the field is required.
                part.pop("default", None)
                schema["required"] = [name, *schema.get("required", [])]
    return schemas


def json_schema() -> Schema:
    """Return a JSON Schema (draft 2020-12) with a definition for every message and part."""
    requests = definitions(ClientMessage)
    answers = definitions(ServerMessage)
    shared = sorted(requests.keys() & answers.keys())
    answers = {
        name + READ * (name in shared): _open(_renamed(schema, shared))
        for name, schema in answers.items()
    }
    unions = {
        "ClientMessage": _union(ClientMessage, "Any message of a client."),
        "ServerMessage": _union(ServerMessage, "Any message of the server."),
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
    """Return the schema with references to shared parts replaced by their lenient copies."""
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
