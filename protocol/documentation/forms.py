"""Generate the forms of the server's messages, by which the browser page checks what it receives.

A form is the JSON Schema of a message with only the keywords that the page needs. Patterns and
lengths of texts are left out: the page shows any text, and JavaScript counts characters otherwise.
"""

from __future__ import annotations

import json
from typing import Any, Final

from doublecross.protocol.common import MAX_INT
from doublecross.protocol.documentation.schema import Schema, definitions, members, message_type
from doublecross.protocol.documentation.typescript import NOTICE
from doublecross.protocol.server_messages import Event, ServerMessage

_KEPT: Final = ("type", "const", "enum", "minimum", "maximum", "minItems", "maxItems")
_EVENT: Final = {"event": True}


def message_forms() -> str:
    """Return the JavaScript module with the forms of all server messages and their parts."""
    schemas = definitions(ServerMessage)
    lines = [
        NOTICE.format("python -m doublecross.protocol.documentation"),
        "",
        "/** The form of each message and part by its name; see core/forms.js. */",
        'export const FORMS = /** @type {Record<string, import("../core/forms.js").Fields>} */ ({',
        *(f"  {name}: {_text(_fields(schema))}," for name, schema in sorted(schemas.items())),
        "});",
        "",
        "/** The name of the form for each type of message. */",
        _map("MESSAGES", ServerMessage),
        "",
        "/** The name of the form for each type of event of a room. */",
        _map("EVENTS", Event),
    ]
    return "\n".join(lines) + "\n"


def _map(name: str, union: object) -> str:
    pairs = "".join(f'  ["{message_type(m)}", "{m.__name__}"],\n' for m in members(union))
    return f"export const {name} = new Map([\n{pairs}]);"


def _fields(schema: Schema) -> dict[str, Any]:
    """Return the form of each field; a field with a default may be missing."""
    required = schema.get("required", ())
    fields = {}
    for name, part in schema["properties"].items():
        fields[name] = _form(part)
        # The type of a message inside another one may be missing, because it is always the same.
        if name not in required or "const" in part:
            fields[name]["default"] = part.get("default", part.get("const"))
    return fields


def _form(schema: Schema) -> dict[str, Any]:
    """Return the form of a value.

    Raises:
        ValueError: the schema has a form that no model has used so far.
    """
    if "$ref" in schema:
        return {"ref": schema["$ref"].rpartition("/")[2]}
    if "oneOf" in schema:
        if [part["$ref"].rpartition("/")[2] for part in schema["oneOf"]] != [
            model.__name__ for model in members(Event)
        ]:
            raise ValueError("Only the union of the events is known.")
        return _EVENT
    if "anyOf" in schema:
        *others, last = schema["anyOf"]
        if last != {"type": "null"}:
            return {"any": [_form(part) for part in schema["anyOf"]]}
        (other,) = others
        return _form(other) | {"null": True}
    form: dict[str, Any] = {key: schema[key] for key in _KEPT if key in schema}
    if form.get("maximum") == MAX_INT:
        del form["maximum"]  # JavaScript's own limit
    if "const" in form or "enum" in form:
        del form["type"]
    if "prefixItems" in schema:
        form["each"] = [_form(part) for part in schema["prefixItems"]]
    elif "items" in schema:
        form["items"] = _form(schema["items"])
    elif "additionalProperties" in schema:
        form["values"] = _form(schema["additionalProperties"])
    return form


def _text(value: object) -> str:
    return json.dumps(value, separators=(", ", ": "), ensure_ascii=False)
