"""Leave the comments out of the page's code, which browsers do not need.

They are a third of what a first visit would load. Only comments that have lines of their own are
left out, and each line stays as an empty one, so that errors in the browser name the lines of the
files. A test compares the code before and after, token by token.
"""

from __future__ import annotations

import re
from typing import Final

LIBRARIES: Final = "vendor/"
"""The folder of other people's code, which stays as it is."""

_BLOCK: Final = re.compile(rb"^[ \t]*/\*(?:[^*]|\*(?!/))*\*/[ \t]*$", re.MULTILINE)
_LINE: Final = re.compile(rb"^[ \t]*//.*$", re.MULTILINE)


def without_comments(name: str, source: bytes) -> bytes:
    """Return the file `name` without the comments that have lines of their own."""
    if name.startswith(LIBRARIES) or not name.endswith((".js", ".css")):
        return source
    code = _BLOCK.sub(lambda found: b"\n" * found[0].count(b"\n"), source)
    return _LINE.sub(b"", code) if name.endswith(".js") else code
