"""Make the scripts from which the page has its texts in other languages.

The texts of a language are in the file `language/LANGUAGE.json` of the page, which the window reads
too. Modules translate while they are loaded, and cannot wait for such a file. So browsers get the
same texts as a script, which `app/early.js` loads before all modules.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

_CATALOGUE: Final = re.compile(r"(language/(\w+))\.json")


def with_scripts(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files of the page, with a script in place of each file with texts."""
    made = {}
    for name, body in files.items():
        if found := _CATALOGUE.fullmatch(name):
            start = f'globalThis.doublecrossTexts = {{"language": "{found[2]}", "texts": '
            made[f"{found[1]}.js"] = start.encode() + body.rstrip() + b"};\n"
        else:
            made[name] = body
    return made
