"""Make the document of the browser page: import map, preloads and content security policy.

`index.html` is a template. `{{web}}` becomes the address of the folder, `{{page}}` its hash, and
`{{head}}` the import map and the list of modules that the browser should load at once. Nothing else
is replaced, so the template stays plain HTML.
"""

from __future__ import annotations

import base64
import hashlib
import json
import posixpath
import re
from collections.abc import Iterable, Mapping
from typing import Final

MAIN: Final = "main.js"
LIBRARIES: Final[Mapping[str, str]] = {
    "preact": "vendor/preact.js",
    "preact/hooks": "vendor/preact-hooks.js",
    "@preact/signals": "vendor/signals.js",
    "@preact/signals-core": "vendor/signals-core.js",
    "htm": "vendor/htm.js",
    "uplot": "vendor/uplot.js",
    "uqr": "vendor/uqr.js",
}
"""The names under which modules import the libraries."""
ROUTES: Final[Mapping[str, str]] = {
    "/": "pages/lobby.js",
    "/room/:id": "pages/room.js",
    "/game/:id": "pages/game.js",
    "/games": "pages/games.js",
    "/records": "pages/records.js",
    "/player/:name": "pages/player.js",
    "/ratings": "pages/ratings.js",
    "/tournament/:id": "pages/tournament.js",
    "/tournaments": "pages/tournaments.js",
    "/rules": "pages/rules.js",
    "/watch": "pages/wall.js",
}
"""The addresses of the page, and the module that the browser loads at once for each of them."""
_SHAPES: Final = {
    (first, bool(parameter)): path
    for path in ROUTES
    for first, _, parameter in [path[1:].partition("/")]
}

# An import or export statement with a source; comments and strings that look like one do no harm,
# because only files that exist are listed.
_IMPORT: Final = re.compile(
    r"""^\s*(?:import|export)\b(?:[^"';]*?\bfrom)?\s*["']([^"'\n]+)["']""", re.MULTILINE
)


class DocumentMaker:
    """Make documents for the files of one page, which are served below the address `web`."""

    def __init__(self, files: Mapping[str, bytes], web: str) -> None:
        self._files = files
        self._web = web
        imports = {name: f"{web}/{path}" for name, path in LIBRARIES.items() if path in files}
        self._map = json.dumps({"imports": imports}, separators=(",", ":")).replace("<", "\\u003c")

    @property
    def policy(self) -> str:
        """The content security policy: only our own files, and this one import map."""
        digest = base64.b64encode(hashlib.sha256(self._map.encode()).digest()).decode()
        return (
            f"default-src 'none'; script-src 'self' 'sha256-{digest}'; style-src 'self';"
            " img-src 'self' data: blob:; connect-src 'self'; manifest-src 'self';"
            " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        )

    def document(self, template: str, page: str, route: str) -> bytes:
        """Return the document of a route, such as ``/room/:id``."""
        wanted = needed([MAIN, ROUTES[route]], self._files)
        head = [f'<script type="importmap">{self._map}</script>']
        head += [f'<link rel="modulepreload" href="{self._web}/{name}">' for name in wanted]
        text = template.replace("{{head}}", "\n".join(head))
        return text.replace("{{web}}", self._web).replace("{{page}}", page).encode()


def needed(entries: Iterable[str], files: Mapping[str, bytes]) -> list[str]:
    """Return `entries` and all modules that they import, directly or not, but no dynamic ones."""
    found: dict[str, None] = {}
    waiting = [entry for entry in entries if entry in files]
    while waiting:
        name = waiting.pop(0)
        if name in found:
            continue
        found[name] = None
        for source in _IMPORT.findall(files[name].decode(errors="replace")):
            path = LIBRARIES.get(source) or _resolved(name, source)
            if path in files and path not in found:
                waiting.append(path)
    return list(found)


def _resolved(name: str, source: str) -> str:
    """Return the path of a module that `name` imports by a relative path, or an empty string."""
    if not source.startswith("."):
        return ""
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), source))


def route_of(path: str) -> str | None:
    """Return the route of a path, or None when the page has nothing there."""
    first, _, parameter = path[1:].rstrip("/").partition("/")
    return None if "/" in parameter else _SHAPES.get((first, bool(parameter)))
