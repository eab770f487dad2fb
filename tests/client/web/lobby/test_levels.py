"""Compare the levels of the page with those of the bots."""

from __future__ import annotations

import json
import re
from pathlib import Path

from doublecross import client
from doublecross.bots.registry import level_names


def test_the_page_knows_the_levels_of_the_bots() -> None:
    text = (Path(client.__file__).parent / "web" / "models" / "lobby" / "levels.js").read_text()
    found = re.search(r"LEVELS = /\*\*.*?\*/ \((\[.*?\])\)", text)
    assert found is not None
    assert json.loads(found[1]) == list(level_names())
