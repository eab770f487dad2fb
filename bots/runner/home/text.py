"""Write a file with the settings of a bot, in which comments explain every key."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any


def example() -> str:
    """Return an example with every key and a comment about it."""
    return files(__package__).joinpath("example.toml").read_text("utf-8")


def home_text(values: Mapping[str, Any]) -> str:
    """Return the example with these values, without all that is not given.

    The first engine has those of ``values["engine"][0]``.
    """
    lines: list[str] = []
    table: Mapping[str, Any] = values
    left = dict(values, accept=values.get("accept", {}))
    for line in example().splitlines():
        if line.startswith("["):
            found = left.pop(line.split("]")[0].strip("["), None)
            table = found[0] if isinstance(found, list) else found or {}
            mark = "" if found is not None else "#"
        elif (key := line.partition(" = ")[0]) in table:
            comment = line.rpartition("  #")[1:] if "  #" in line else ("", "")
            line = f"{key} = {json.dumps(table[key], ensure_ascii=False)}{''.join(comment)}"
            mark = ""
        else:
            mark = "#" if " = " in line and not line.startswith("#") else ""
        lines.append(mark + line)
    return "\n".join(lines) + "\n"
