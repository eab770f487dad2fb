"""Read the browser page once, and make the answers with its files and documents.

The page is a folder of static files: `client/web` of a checkout, or what `setup.py` makes of it for
a package, with scripts and styles as brotli compresses them beside them. Each file has an address
that contains the hash of all of them, `/web/HASH/...`, so browsers keep it for ever, and a changed
page has new addresses. Every address that people see (`/`, `/room/ID`, ...) answers with a document
made from the folder's `index.html`. Everything is compressed once, when it is first wanted, and
kept in memory.
"""

from __future__ import annotations

import gzip
import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Final

from doublecross.server.shell.addresses.heads import accepts
from doublecross.server.shell.page.document import ROUTES, DocumentMaker, Linked
from doublecross.server.shell.page.languages import with_scripts
from doublecross.server.shell.page.reply import Header, Reply

INDEX: Final = "index.html"
PREFIX: Final = "/web/"
FOR_EVER: Final = "max-age=31536000, immutable"
ASK_AGAIN: Final = "no-cache"
WORKER: Final = "push-worker.js"
"""The script that shows pushes. Browsers keep it for longer than a page, so its address stays."""
MOST_BYTES: Final = 16 * 1024 * 1024
"""The most bytes of a page. A larger folder is probably another one."""
SMALL: Final = 256
"""Files of fewer bytes are not compressed."""
BROTLI: Final = ".br"
"""The end of the name of a file that another one becomes by brotli. `setup.py` makes it."""

TYPES: Final[Mapping[str, str]] = {
    ".css": "text/css",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript",
    ".json": "application/json",
    ".mp3": "audio/mpeg",
    ".ogg": "audio/ogg",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".webp": "image/webp",
    ".woff2": "font/woff2",
}
"""The media types of the files that are served, by the ends of their names; others are not.

Scripts and styles have the character set of the document that loads them, which is UTF-8.
"""
_PACKED: Final = (".css", ".html", ".js", ".json", ".svg", ".txt", ".webmanifest")


class PageError(Exception):
    """The folder is no browser page. The message is one sentence for the host."""


class PageFile:
    """The answers with one file of the page: as it is, compressed where that helps, by brotli."""

    def __init__(
        self,
        name: str,
        body: bytes,
        more: Iterable[Header],
        policy: str | None = None,
        *,
        status: int = 200,
        vary: str = "accept-encoding",
        brotli: bytes | None = None,
    ) -> None:
        """Make the answers with these bytes as the file `name`, with `more` headers.

        `brotli` has the same, compressed.
        """
        suffix = Path(name).suffix
        headers = list(more)
        self._packs = suffix in _PACKED and len(body) >= SMALL
        if self._packs:
            headers.append(("vary", vary))
        self._made = partial(Reply.made, status, TYPES[suffix])
        self._headers, self._policy = headers, policy
        self.plain = self._made(body, headers, policy)
        self._small = None if brotli is None else self._coded(brotli, "br")

    @cached_property
    def packed(self) -> Reply:
        """The answer for a reader who accepts gzip."""
        body = self.plain.body
        # Without the time, so that the same page has the same bytes after each start.
        # Level 9 takes half as long again for a thousandth of the bytes.
        small = gzip.compress(body, 6, mtime=0) if self._packs else body
        # Some files grow when they are compressed.
        return self._coded(small, "gzip") if len(small) < len(body) else self.plain

    def _coded(self, small: bytes, coding: str) -> Reply:
        return self._made(small, [*self._headers, ("content-encoding", coding)], self._policy)

    def best(self, accepted: str) -> Reply:
        """Return the smallest answer for a reader who accepts these codings."""
        if self._small is not None and accepts(accepted, "br"):
            return self._small
        return self.packed if accepts(accepted, "gzip") else self.plain


@dataclass(frozen=True, slots=True)
class PageDocument:
    """The answers with a document of the page, also the one for a reader that has it already."""

    file: PageFile
    unchanged: Reply
    tag: str

    @classmethod
    def made(cls, body: bytes, policy: str) -> PageDocument:
        """Return the answers with this text as a document."""
        # One tag for both forms is right for a weak comparison (RFC 9110, 8.8.3).
        tag = f'W/"{hashlib.sha256(body).hexdigest()[:16]}"'
        more = (("cache-control", ASK_AGAIN), ("etag", tag))
        file = PageFile(INDEX, body, more, policy)
        unchanged = Reply.unchanged([*more, ("vary", "accept-encoding")], policy)
        return cls(file, unchanged, tag)

    def is_known(self, tags: str) -> bool:
        """Return whether a reader with these contents (If-None-Match) has this document."""
        known = [tag.strip().removeprefix("W/") for tag in tags.split(",")]
        return "*" in known or self.tag.removeprefix("W/") in known


class BrowserPage:
    """The browser page in memory."""

    def __init__(self, sources: Mapping[str, bytes], *, servers: Sequence[str] = ()) -> None:
        """Make the page from its files: bytes by their paths in the folder, with slashes.

        `servers` has the websocket URLs of the nodes of a cluster, all of which the page may open.

        Raises:
            PageError: there is no `index.html`, or the list of libraries is no JSON.
        """
        if INDEX not in sources:
            raise PageError(f"The folder of the browser page has no {INDEX}.")
        coded = {name: body for name, body in sources.items() if name.endswith(BROTLI)}
        given = {name: sources[name] for name in sources.keys() - coded.keys() - {INDEX}}
        files = with_scripts(given)
        digest = hashlib.sha256(sources[INDEX])
        for name, body in sorted(files.items()):
            # The lengths keep the end of one file from counting as the beginning of the next.
            digest.update(f"{name}\0{len(body)}\0".encode() + body)
        self.hash = digest.hexdigest()[:16]
        """The hash of everything that browsers load."""
        base = PREFIX + self.hash
        self._made: dict[tuple[str, int], PageDocument] = {}
        self._missing: dict[int, PageFile] = {}
        self.files: dict[str, PageFile] = {
            f"{base}/{name}": PageFile(
                name, body, [("cache-control", FOR_EVER)], brotli=coded.get(name + BROTLI)
            )
            for name, body in files.items()
        }
        """The files by their addresses."""
        self.worker: PageFile | None = None
        """The answers with the script that shows pushes, at its address that stays."""
        if WORKER in files:
            again = [("cache-control", ASK_AGAIN)]
            self.worker = PageFile(WORKER, files[WORKER], again)
        try:
            self._maker = DocumentMaker(sources[INDEX].decode(), files, base[1:], servers)
        except ValueError as error:
            raise PageError(f"The browser page cannot be read: {error}.") from None

    def prepare(self) -> None:
        """Make and compress now what would otherwise wait for the first reader who wants it."""
        made = [self.document(route, route).file for route in ROUTES]
        for file in (*made, *self.files.values()):
            _ = file.packed

    def document(self, route: str, path: str) -> PageDocument:
        """Return the document of a route for a reader who asked for `path`."""
        key = route, path.count("/") - 1
        if key not in self._made:
            body = self._maker.document(self.hash, *key)
            self._made[key] = PageDocument.made(body, self._maker.policy(key[1]))
        return self._made[key]

    def linked(self, route: str, path: str, linked: Linked) -> PageDocument:
        """Return the document of a route that says more about its address."""
        up = path.count("/") - 1
        body = self._maker.document(self.hash, route, up, linked)
        return PageDocument.made(body, self._maker.policy(up))

    def nothing(self, path: str) -> PageFile:
        """Return the document for an address `path` that the page does not have."""
        up = path.count("/") - 1
        if up not in self._missing:
            self._missing[up] = PageFile(
                INDEX,
                self._maker.document(self.hash, "/", up),
                [("cache-control", ASK_AGAIN)],
                self._maker.policy(up),
                status=404,
                vary="accept, accept-encoding",
            )
        return self._missing[up]

    @classmethod
    def read(cls, folder: Path, *, servers: Sequence[str] = ()) -> BrowserPage:
        """Read the page from a folder; see `BrowserPage`.

        Raises:
            PageError: it cannot be read, or is no browser page.
        """
        return cls(read_folder(folder), servers=servers)


def read_folder(folder: Path) -> dict[str, bytes]:
    """Return the served files of a folder, by their paths in it.

    Links are not followed out of the folder, and hidden files are left out.

    Raises:
        PageError: it cannot be read.
    """
    found: dict[str, bytes] = {}
    size = 0
    try:
        root = folder.resolve(strict=True)
        for at, _, names in os.walk(root):
            for path in (Path(at, name) for name in names):
                name = path.relative_to(root).as_posix()
                if path.suffix not in {*TYPES, BROTLI} or "/." in f"/{name}" or not path.is_file():
                    continue
                # `walk` follows no links to folders.
                if path.is_symlink() and not path.resolve().is_relative_to(root):
                    continue
                found[name] = path.read_bytes()
                size += len(found[name])
                if size > MOST_BYTES:
                    raise PageError(f"The folder {folder} is too large for a browser page.")
    except OSError as error:
        raise PageError(f"The browser page in {folder} cannot be read: {error.strerror}.") from None
    return found
