"""Sentences in English that clients can say in other languages."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, Self

_NAMES: Final = re.compile(r"\{(\w+)\}")


@lru_cache(1024)
def _parts(template: str) -> list[str]:
    """Return the parts of a template between its braces, and those in them, in turn."""
    return _NAMES.split(template)


class Sentence(str):
    """A sentence or a word in English that keeps the template from which it was made.

    `one` is the template, and `values` say what its names in braces stand for. Clients translate
    the template, and those values that are of this class; other values are names and numbers.
    `many` is the template if the value called `count` is not 1, or None: the same. `rule` names the
    rule of `doublecross.analysis` that says it; others have none.
    """

    __slots__ = ("many", "one", "rule", "values")
    one: str
    values: Mapping[str, Any]
    many: str | None
    rule: str

    def __new__(cls, one: str, /, *values: object) -> Self:
        """Fill the names of a template, each once, in their order; a sentence stays as it is."""
        if isinstance(one, cls) and not values:
            return one
        names = dict.fromkeys(_parts(one)[1::2]) if values else ()
        return cls.of(one, dict(zip(names, values, strict=True)))

    @classmethod
    def of(
        cls, one: str, values: Mapping[str, Any], many: str | None = None, rule: str = ""
    ) -> Self:
        """Return the sentence of a template whose values have names; unknown names stay."""
        text = one if many is None or values.get("count") == 1 else many
        if values:
            parts = _parts(text).copy()
            parts[1::2] = [str(values.get(name, f"{{{name}}}")) for name in parts[1::2]]
            text = "".join(parts)
        self = super().__new__(cls, text)
        self.one, self.values, self.many, self.rule = one, values, many, rule
        return self

    @classmethod
    def read(cls, text: str, fields: Mapping[str, Any] | None) -> Self:
        """Return the sentence of a message, which has its text and perhaps its `fields`."""
        if fields is None:
            return cls(text)
        values = {
            name: cls.read("", value) if isinstance(value, Mapping) else value
            for name, value in fields["values"].items()
        }
        return cls.of(fields["one"], values, fields.get("many"), fields.get("rule", ""))

    @property
    def fields(self) -> dict[str, Any]:
        """The template and its values, for a message or a file."""
        values = {name: _plain(value) for name, value in self.values.items()}
        return {"one": self.one, "many": self.many, "values": values}

    @property
    def phrase(self) -> dict[str, Any] | None:
        """What a message has beside the text; None without values, as the text is the template."""
        return self.fields if self.values else None


def _plain(value: object) -> object:
    if isinstance(value, Sentence):
        return value.fields
    return value if isinstance(value, int) else str(value)


def counted(one: str, many: str, count: int) -> Sentence:
    """Return the text for one thing or for many, with their number in place of ``{count}``."""
    return Sentence.of(one, {"count": count}, many)
