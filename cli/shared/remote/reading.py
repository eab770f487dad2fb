"""Read what a server shows everybody over HTTP."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import Callable, Iterator
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Final
from urllib.parse import quote, urlsplit

from doublecross.cli.shared.console import BAD_INPUT, FAILED, Problem

_TIMEOUT_S: Final = 30.0
_TOO_MANY: Final = 429
"""The status with which a server asks to wait; it limits how many pages one address reads."""
_MOST_WAIT_S: Final = 60.0


def fetch_records(http: str, game_ids: list[str]) -> list[str]:
    """Return the records of these games from the HTTP address of a server."""
    with reading(http) as get:
        return [get(f"/api/games/{quote(game_id)}?format=text") for game_id in game_ids]


def fetch(http: str, path: str) -> str:
    """Return the answer of a server to a GET request for `path` at its HTTP address."""
    with reading(http) as get:
        return get(path)


def is_http(server: str) -> bool:
    """Return whether this is the HTTP address of a server, not its address for players."""
    return server.startswith(("http://", "https://"))


def http_of(server: str, *, patience_s: float = 0.0) -> str:
    """Return the HTTP address of a server, given that or its address for players.

    Of several addresses between commas it is the first at which the server answers. `patience_s` is
    how long to wait for an answer at addresses for players.
    """
    if not is_http(server):
        return asyncio.run(_web(server, patience_s))
    *others, last = filter(None, map(str.strip, server.split(",")))
    for http in others:
        with contextlib.suppress(Problem):
            fetch(http, "/api/games?limit=1")
            return http
    return last


async def _web(server: str, patience_s: float) -> str:
    """Ask the server for its HTTP address."""
    from doublecross.cli.shared.remote.connection import connected_client

    async with connected_client(server, patience_s=patience_s) as client:
        welcome = client.session.welcome
        if welcome is None or welcome.http is None:
            raise Problem(
                f"The server {client.url} does not announce its HTTP address;"
                " give that with --server."
            )
        return welcome.http


@contextlib.contextmanager
def reading(http: str) -> Iterator[Callable[[str], str]]:
    """Give a function that requests paths from an HTTP address over one connection."""
    parts = urlsplit(http)
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    try:
        port = parts.port
    except ValueError:
        port = None
    if not parts.hostname or (port is None and ":" in parts.netloc.rpartition("]")[2]):
        raise Problem(f"{http!r} is not an HTTP address; write it like http://127.0.0.1:8765.")
    connection = kind(parts.hostname, port, timeout=_TIMEOUT_S)

    def get(path: str) -> str:
        try:
            while True:
                connection.request("GET", parts.path.rstrip("/") + path)
                answer = connection.getresponse()
                body = answer.read().decode()
                if answer.status != _TOO_MANY:
                    break
                time.sleep(min(_MOST_WAIT_S, float(answer.headers.get("Retry-After", "1"))))
        except (OSError, HTTPException, UnicodeDecodeError) as error:
            from doublecross.client.certificates import why_insecure

            if (insecure := why_insecure(error, http)) is not None:
                raise Problem(insecure) from None
            why = getattr(error, "strerror", None) or str(error) or type(error).__name__
            raise Problem(f"The server at {http} cannot be reached: {why}.") from None
        if answer.status != 200:
            code = BAD_INPUT if answer.status == 404 else FAILED
            with contextlib.suppress(ValueError, KeyError, TypeError):
                raise Problem(f"The server at {http} answers: {json.loads(body)['error']}", code)
            raise Problem(f"There is no Doublecross server at {http}: status {answer.status}.")
        return body

    try:
        yield get
    finally:
        connection.close()
