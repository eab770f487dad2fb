"""A sentence with its parts, so that clients can say it in other languages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Phrase:
    """A sentence: a template in English, and what its names in braces stand for.

    `rule` names the rule that said it. `many` is the template for other numbers than one; it
    depends on the value called `count`.
    """

    rule: str
    one: str
    values: Mapping[str, str | int] = field(default_factory=dict)
    many: str | None = None

    def __str__(self) -> str:
        """Return the sentence in English."""
        template = self.one if self.many is None or self.values["count"] == 1 else self.many
        return template.format_map(self.values)


Sentence = Phrase | str
"""A sentence of a rule, or one that an author wrote."""
