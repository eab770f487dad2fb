"""The protocol as JSON Schema, and the command that writes what is generated from the messages.

``python -m protocol.schema`` writes `docs/protocol.schema.json` and `docs/protocol.md`;
``python -m protocol.schema --check`` only compares, and fails when one of them is stale.

Requests are described as strictly as the server takes them. What the server says is described
as clients are to read it: fields that are not named are allowed.
"""

from __future__ import annotations

import argparse
import copy
import json
import sys
from pathlib import Path
from typing import Any, Final, get_args

from pydantic.json_schema import models_json_schema

from protocol.client_messages import ClientMessage
from protocol.common import WireModel
from protocol.server_messages import Event, ServerMessage
from protocol.version import PROTOCOL_VERSION

DOCS: Final = Path(__file__).resolve().parent.parent / "docs"
SCHEMA_FILE: Final = "protocol.schema.json"
PAGE_FILE: Final = "protocol.md"

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
        "description": "Generated from the messages by python -m protocol.schema; see protocol.md.",
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


def generated() -> dict[Path, str]:
    """What the generated files have to hold."""
    from protocol.reference import page

    template = (DOCS / "templates" / PAGE_FILE).read_text(encoding="utf-8")
    example = (DOCS / "example-session.jsonl").read_text(encoding="utf-8")
    return {
        DOCS / SCHEMA_FILE: json.dumps(json_schema(), indent=1, ensure_ascii=False) + "\n",
        DOCS / PAGE_FILE: page(template, example),
    }


def stale() -> list[Path]:
    """The generated files that do not hold what they have to."""
    return [
        path
        for path, text in generated().items()
        if not path.is_file() or path.read_text(encoding="utf-8") != text
    ]


def main(arguments: list[str] | None = None) -> int:
    """Write the generated files, or compare them; returns the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m protocol.schema",
        description="Write docs/protocol.md and docs/protocol.schema.json from the messages.",
    )
    parser.add_argument("--check", action="store_true", help="compare only; 1 when one is stale")
    checking = parser.parse_args(arguments).check
    for path in stale():
        if checking:
            sys.stdout.write(f"{path} is stale: run python -m protocol.schema\n")
        else:
            path.write_text(generated()[path], encoding="utf-8")
            sys.stdout.write(f"wrote {path}\n")
    return 1 if checking and stale() else 0


if __name__ == "__main__":
    sys.exit(main())
