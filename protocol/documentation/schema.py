"""Generate the JSON Schema of the protocol from the messages.

The schema of a request is as strict as the server. The schema of a server message is lenient, as
clients have to be: it allows additional fields.
"""

from __future__ import annotations

import copy
import json
import re
from typing import Any, Final, get_args

from pydantic.json_schema import models_json_schema

from doublecross.protocol.client_messages import ClientMessage
from doublecross.protocol.common import WireModel
from doublecross.protocol.server_messages import Event, ServerMessage
from doublecross.protocol.version import PROTOCOL_VERSION

READ: Final = "Read"
"""The name suffix of lenient copies of shared parts, for use in server messages."""

_WORD: Final = r"\w"

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
    defs: Schema = {**unions, **requests, **answers}
    _make_portable(defs)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Doublecross protocol, version {PROTOCOL_VERSION}",
        "description": "The messages of the websocket; docs/protocol.md explains them.",
        "anyOf": [{"$ref": "#/$defs/ClientMessage"}, {"$ref": "#/$defs/ServerMessage"}],
        "$defs": defs,
    }


def _make_portable(part: Any) -> None:
    """Change a schema in place so that validators in every language read it alike."""
    if isinstance(part, list):
        for each in part:
            _make_portable(each)
    elif isinstance(part, dict):
        # OpenAPI knows this keyword and JSON Schema does not, so strict validators refuse it.
        part.pop("discriminator", None)
        if isinstance(part.get("pattern"), str):
            part["pattern"] = portable_pattern(part["pattern"])
        for each in part.values():
            _make_portable(each)


def portable_pattern(pattern: str) -> str:
    r"""Return a regular expression of pydantic's in a form that means the same everywhere.

    ``\w`` means letters of all languages to pydantic, but only those of ASCII in ECMA regular
    expressions, which JSON Schema uses. Unicode properties such as ``\p{L}`` need a flag there, and
    Python's `re` refuses them. So ``\w`` becomes the ASCII letters, and beside it every character
    beyond ASCII is allowed. The server is stricter for those.

    Raises:
        ValueError: the pattern has another class whose meaning differs, such as ``\d``.
    """
    found = re.sub(r"\[(?:\\.|[^]\\])*\]|\\w", _with_other_letters, pattern)
    if re.search(r"\\[wWdDsSbBp]", found):
        raise ValueError(f"The pattern {pattern!r} means something else in other languages.")
    return found


def _with_other_letters(found: re.Match[str]) -> str:
    allowed = found[0] if found[0].startswith("[") else f"[{found[0]}]"
    if _WORD not in allowed or allowed.startswith("[^"):
        return found[0]
    return f"(?:{allowed.replace(_WORD, '0-9A-Za-z_')}|[^\\x00-\\x7f])"


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
