"""Make the document of the browser page: styles, scripts and content security policy.

`index.html` is a template. `{{web}}` becomes the address of the folder, `{{page}}` its hash, and
`{{head}}` an import map, if the page has libraries, and the list of the modules that the browser
should load at once. `{{players}}` becomes the addresses of what players need in addition.
`{{about}}` becomes the title and the description, and for some addresses also what messengers show
of a link. Nothing else is replaced, so the template stays plain HTML.

The address of the folder is relative to that of the document, because a proxy may serve everything
below a path that the server does not know. It begins with as many steps up as the document's path
has slashes after the first one.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

MAIN: Final = "main.js"
TITLE: Final = "Doublecross"
ABOUT: Final = "Play Dots and Boxes and other board games against people and bots."
"""What documents say that lead to nothing in particular."""
LIBRARIES: Final = "libraries.json"
"""The file with the names under which modules import the libraries. A bundled page has none."""
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
    "/watch/tv": "pages/tv.js",
    "/me": "pages/me.js",
    "/account": "pages/account.js",
    "/classes": "pages/classes.js",
    "/bot/:name": "pages/bot.js",
    "/join/:code": "pages/join.js",
    "/admin": "pages/admin.js",
    "/analysis": "pages/analysis.js",
    "/analysis/:position": "pages/analysis.js",
    "/learn": "pages/learn.js",
    "/learn/:name": "pages/lesson.js",
    "/puzzles": "pages/puzzles.js",
    "/puzzle/:id": "pages/puzzle.js",
    "/storm": "pages/storm.js",
    "/seek/:id": "pages/seek.js",
}
"""The addresses of the page, and the module that the browser loads at once for each of them."""
PLAYERS: Final[Mapping[str, tuple[Sequence[str], Sequence[str], Sequence[str]]]] = {
    "/": (("pages/lobby/view.js",), ("style/lobby.css",), ("api/catalogue",)),
    # Others are asked for a name first.
    "/room/:id": ((), (), ("api/catalogue",)),
}
"""The modules, styles and answers that an address needs in addition for those whom the browser
knows as players. `app/early.js` loads them."""
PREVIEWED: Final[Mapping[str, str]] = {
    path: path.split("/")[1]
    for path in ROUTES
    if path.startswith(("/room/", "/seek/", "/game/", "/puzzle/", "/tournament/", "/player/"))
    or path == "/analysis/:position"
}
"""The kinds of things whose addresses say in the document what they lead to."""
_SHAPES: Final = {
    (first, bool(parameter)): path
    for path in ROUTES
    for first, _, parameter in [path[1:].partition("/")]
}
_IMPORT: Final = re.compile(r'^\s*(?://|/?\*).*|\b(?:from|import)\s*"([^"\n]+)"', re.MULTILINE)
"""A line of a comment, or what a statement imports. An import too many costs only a request."""


class Linked(NamedTuple):
    """What a document says about its address: a title, a text, and where it and its picture are.

    `root` is the absolute address of the start page without its last slash, or empty if unknown.
    `path` and `picture` follow it. Without a picture, messengers show the sign of the program.
    `board` is the query of the board that the page will draw, or empty.
    """

    title: str = TITLE
    text: str = ABOUT
    root: str = ""
    path: str = ""
    picture: str = ""
    board: str = ""


class DocumentMaker:
    """Make the documents of a page whose files are served below ``/`` and the address `web`.

    `servers` has the URLs of websockets that the page may open at other nodes of a cluster.

    Raises:
        ValueError: the list of libraries is no JSON.
    """

    def __init__(
        self, template: str, files: Mapping[str, bytes], web: str, servers: Sequence[str] = ()
    ) -> None:
        self._template = template
        self._web = web
        self._connect = " ".join(["'self'", *servers])
        libraries: dict[str, str] = json.loads(files.get(LIBRARIES, b"{}"))
        self._libraries = libraries
        self._files = files
        self._imports: dict[str, list[str]] = {}

    def imports(self, path: str) -> list[str]:
        """Return the paths that a module imports at once, also of files that are not there."""
        if path not in self._imports:
            self._imports[path] = [
                self._libraries.get(name)
                or posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
                for name in _imports(self._files[path].decode(errors="replace"))
            ]
        return self._imports[path]

    def policy(self, up: int = 0) -> str:
        """Return the content security policy: only our own files, servers, and import map."""
        made = self._map(up)
        digest = base64.b64encode(hashlib.sha256(made.encode()).digest()).decode()
        scripts = f"'self' 'sha256-{digest}'" if made else "'self'"
        return (
            f"default-src 'none'; script-src {scripts}; style-src 'self';"
            f" img-src 'self' data: blob:; connect-src {self._connect}; manifest-src 'self';"
            " base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        )

    def document(self, page: str, route: str, up: int = 0, linked: Linked | None = None) -> bytes:
        """Return the document of a route, such as ``/room/:id``, `up` steps below the start.

        With `linked` it says more about its address.
        """
        made, web, start = self._map(up), self._address(up), _start(up)
        head = [f'<script type="importmap">{made}</script>'] if made else []
        head += [
            f'<link rel="modulepreload" href="{web}/{path}">'
            for path in self.loaded(MAIN, ROUTES[route])
        ]
        if linked is not None and linked.board:
            board = html.escape(f"{start}api/geometry?{linked.board}")
            head.append(f'<link rel="preload" as="fetch" crossorigin href="{board}">')
        text = self._template.replace("{{head}}", "\n".join(head))
        text = text.replace("{{web}}", web).replace("{{page}}", page)
        text = text.replace("{{players}}", " ".join(self._players(route, web, start)))
        # Last, because names may contain anything.
        return text.replace("{{about}}", self._about(linked)).encode()

    def _players(self, route: str, web: str, start: str) -> Iterator[str]:
        """Yield the addresses of what a route loads in addition for players.

        A page with an import map loads nothing so early: browsers ignore a map after a module.
        """
        if self._libraries:
            return
        scripts, styles, asked = PLAYERS.get(route, ((), (), ()))
        known = {*self.loaded(MAIN, ROUTES[route])}
        yield from (f"{web}/{path}" for path in self.loaded(*scripts) if path not in known)
        yield from (f"{web}/{path}" for path in styles)
        yield from (start + path for path in asked)

    def _about(self, linked: Linked | None) -> str:
        title, text, root, path, picture, _ = linked or Linked()
        named = {"description": text}
        properties = {}
        if linked is not None:
            # Messengers need absolute addresses.
            picture = picture or f"/{self._web}/icons/icon-512.png"
            properties = {
                "og:site_name": "Doublecross",
                "og:type": "website",
                "og:title": title,
                "og:description": text,
                "og:url": root and f"{root}{path}",
                "og:image": root and f"{root}{picture}",
            }
            named["twitter:card"] = "summary_large_image" if linked.picture else "summary"
        whole = title if title == TITLE else f"{title} – Doublecross"
        lines = [f"<title>{html.escape(whole)}</title>"]
        for kind, values in (("name", named), ("property", properties)):
            lines += [
                f'<meta {kind}="{name}" content="{html.escape(value)}">'
                for name, value in values.items()
                if value
            ]
        return "\n".join(lines)

    def _address(self, up: int) -> str:
        return _start(up) + self._web

    def _map(self, up: int) -> str:
        """Return the import map, empty for a page without libraries."""
        web = self._address(up)
        imports = {name: f"{web}/{path}" for name, path in self._libraries.items()}
        text = json.dumps({"imports": imports}, separators=(",", ":"))
        # `</script>` in a name would end the element.
        return text.replace("<", "\\u003c") if imports else ""

    def loaded(self, *paths: str) -> list[str]:
        """Return the paths of the modules that load when those at `paths` do."""
        found = dict.fromkeys(path for path in paths if self._is_module(path))
        waiting = list(found)
        # The list grows meanwhile.
        for path in waiting:
            new = [
                other
                for other in dict.fromkeys(self.imports(path))
                if other not in found and self._is_module(other)
            ]
            found.update(dict.fromkeys(new))
            waiting += new
        return waiting

    def _is_module(self, path: str) -> bool:
        return path.endswith(".js") and path in self._files


def _start(up: int) -> str:
    return ("../" * up) or "./"


def _imports(script: str) -> Iterator[str]:
    # To search only the lines with such a word takes a tenth of the time.
    lines = [line for line in script.split("\n") if "from" in line or "import" in line]
    return filter(None, _IMPORT.findall("\n".join(lines)))


def route_of(path: str) -> str | None:
    """Return the route of a path, or None when the page has no such route."""
    first, _, parameter = path[1:].rstrip("/").partition("/")
    return None if "/" in parameter else _SHAPES.get((first, bool(parameter)))
