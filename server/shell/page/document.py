"""Make the document of the browser page: styles, scripts and content security policy.

`index.html` is a template. `{{web}}` becomes the address of the folder, `{{page}}` its hash,
`{{main}}` the address of the first script, and `{{head}}` an import map, or the list of packs that
the browser should load at once. Nothing else is replaced, so the template stays plain HTML.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from doublecross.server.shell.page.packs import FOLDER, Pack, loaded

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
    "/me": "pages/me.js",
    "/account": "pages/account.js",
    "/admin": "pages/admin.js",
    "/learn": "pages/learn.js",
    "/learn/:name": "pages/lesson.js",
    "/puzzles": "pages/puzzles.js",
    "/puzzle/:id": "pages/puzzle.js",
}
"""The addresses of the page, and the module that the browser loads at once for each of them."""
_SHAPES: Final = {
    (first, bool(parameter)): path
    for path in ROUTES
    for first, _, parameter in [path[1:].partition("/")]
}


class DocumentMaker:
    """Make the documents of a page whose files are served below the address `web`.

    Without packs the browser loads each module, and an import map says where the libraries are.
    `servers` has the URLs of websockets that the page may open at other nodes of a cluster.
    """

    def __init__(
        self,
        template: str,
        files: Iterable[str],
        packs: Mapping[str, Pack],
        web: str,
        servers: Sequence[str] = (),
    ) -> None:
        self._template = template
        self._packs = packs
        self._web = web
        self._connect = " ".join(["'self'", *servers])
        self._map = ""
        if not packs:
            named = {*files}
            imports = {name: f"{web}/{path}" for name, path in LIBRARIES.items() if path in named}
            text = json.dumps({"imports": imports}, separators=(",", ":"))
            # `</script>` in a name would end the element.
            self._map = text.replace("<", "\\u003c")

    @property
    def policy(self) -> str:
        """The content security policy: only our own files, servers, and import map."""
        digest = base64.b64encode(hashlib.sha256(self._map.encode()).digest()).decode()
        scripts = f"'self' 'sha256-{digest}'" if self._map else "'self'"
        return (
            f"default-src 'none'; script-src {scripts}; style-src 'self';"
            f" img-src 'self' data: blob:; connect-src {self._connect}; manifest-src 'self';"
            " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        )

    def document(self, page: str, route: str) -> bytes:
        """Return the document of a route, such as ``/room/:id``."""
        main = MAIN
        head = [f'<script type="importmap">{self._map}</script>']
        if self._packs:
            wanted = [f"{FOLDER}/{name}" for name in loaded(self._packs, [MAIN, ROUTES[route]])]
            head = [f'<link rel="modulepreload" href="{self._web}/{name}">' for name in wanted]
            main = wanted[0]
        text = self._template.replace("{{head}}", "\n".join(head))
        text = text.replace("{{main}}", f"{self._web}/{main}")
        return text.replace("{{web}}", self._web).replace("{{page}}", page).encode()


def route_of(path: str) -> str | None:
    """Return the route of a path, or None when the page has no such route."""
    first, _, parameter = path[1:].rstrip("/").partition("/")
    return None if "/" in parameter else _SHAPES.get((first, bool(parameter)))
