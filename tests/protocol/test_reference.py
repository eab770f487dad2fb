"""The tables of the reference page, from a schema that has every kind of field."""

from __future__ import annotations

from typing import Any

from doublecross.protocol.common import MAX_INT
from doublecross.protocol.documentation.reference import _example, _section, attribute_docs
from doublecross.protocol.documentation.schema import json_schema

SCHEMA: dict[str, Any] = {
    "description": "A thing.",
    "required": ["type", "id", "mixed"],
    "properties": {
        "text": {"type": "string", "default": "", "description": "this | that"},
        "id": {"type": "integer", "minimum": 0, "maximum": MAX_INT, "description": "a number"},
        "type": {"type": "string", "const": "thing"},
        "mixed": {
            "type": "array",
            "prefixItems": [{"type": "string", "maxLength": 5}, {"type": "boolean"}],
            "description": "two",
        },
        "alike": {
            "type": "array",
            "prefixItems": [{"type": "string", "minLength": 1, "maxLength": 5}] * 2,
        },
        "few": {"anyOf": [{"type": "integer", "minimum": 1, "maximum": 9}, {"type": "null"}]},
        "key": {"type": "string", "pattern": r"^[\x21-\x7e]+$", "minLength": 1, "maxLength": 64},
        "long": {"type": "string", "pattern": r"^[\x21-\x7e]+$", "minLength": 2, "maxLength": 64},
    },
}

TABLE = """\
| field | type | default | meaning |
| --- | --- | --- | --- |
| `type` | `"thing"` |  | the type of the message |
| `id` | integer from 0 |  | a number |
| `text` | string | `""` | this \\| that |
| `mixed` | list of string, at most 5 characters, boolean |  | two |
| `alike` | list of 2: string of 1 to 5 characters | `null` |  |
| `few` | integer 1 to 9 or null | `null` |  |
| `key` | [key](#strings) | `null` |  |
| `long` | [key](#strings) of at least 2 characters | `null` |  |"""


def test_the_table_of_a_message() -> None:
    section = _section("`thing`", "Thing", SCHEMA)
    assert section == f'<a id="thing"></a>\n\n### `thing`\n\nA thing.\n\n{TABLE}'


def test_only_texts_below_attributes_are_their_documentation() -> None:
    found = attribute_docs(Documented)
    assert found == {"first": "The first.", "third": "The third, of two lines."}


class Documented:
    """Not the documentation of an attribute."""

    first = 1
    """The first."""
    second = 2
    len("a call, no text")
    third: int = 3
    """The third,
    of two lines."""


def test_the_example_keeps_all_letters() -> None:
    steps = ['{"note": "First."}', '{"who": "ann", "says": {"name": "Zoë"}}']
    steps.append('{"who": "ann", "hears": 1}')
    assert _example("\n".join(steps)) == 'First.\n\n    ann -> {"name":"Zoë"}\n    ann <- 1'


def test_the_schema_says_where_it_comes_from() -> None:
    schema = json_schema()
    assert schema["description"].startswith("Generated from the messages")
    assert schema["title"] == "Doublecross protocol, version 1"
