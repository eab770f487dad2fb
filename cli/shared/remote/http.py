"""Send requests with a bearer token to the HTTP interface of a server.

The token stands in the header `Authorization` only. It is never part of an address, a message to
the user or a log. Redirects are not followed, because they could carry it to another server.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

from doublecross.cli.shared.console import BAD_INPUT, FAILED, Problem

TIMEOUT_S: Final = 30.0
LONG_S: Final = 330.0
"""Seconds to wait for answers about all games of a player; the server takes up to 300."""
_MOST_BYTES: Final = 256 * 1024 * 1024
"""The largest answer that is read: the data of a player can have thousands of games."""


class UnreachableError(Problem):
    """The server did not answer.

    `sent` says whether it may have carried the request out all the same.
    """

    sent = False


class RefusedError(Problem):
    """The server refused a request.

    `status` is the status of HTTP, and `reason` the stable code of the refusal, or empty.
    """

    def __init__(self, sentence: str, status: int, reason: str) -> None:
        super().__init__(sentence, FAILED if status >= 500 else BAD_INPUT)
        self.status = status
        self.reason = reason


@dataclass(frozen=True, slots=True)
class HttpServer:
    """A server at an HTTP address, for the bearer of `token`.

    `address` can have several, between commas. A request goes to the next of them when the one
    before does not answer and has certainly not carried it out, or when it only reads. `timeout_s`
    is how long the server may send nothing, in seconds.
    """

    address: str
    token: str | None = field(default=None, repr=False)
    timeout_s: float = TIMEOUT_S

    def get(self, path: str, **query: object) -> Any:
        """Return the answer to a GET request, from JSON. Values that are None are left out.

        Raises:
            Problem: there is no answer, or the server refused.
        """
        given = {name: value for name, value in query.items() if value is not None}
        return self._ask("GET", f"{path}?{urlencode(given)}" if given else path, None)

    def post(self, path: str, **body: object) -> Any:
        """Return the answer to a POST request, from JSON.

        Raises:
            Problem: there is no answer, or the server refused.
        """
        return self._ask("POST", path, json.dumps(body).encode())

    def _ask(self, method: str, path: str, body: bytes | None) -> Any:
        *others, last = self.address.split(",")
        for address in others:
            try:
                return self._ask_at(address, method, path, body)
            except UnreachableError as error:
                if error.sent and method != "GET":
                    raise
        return self._ask_at(last, method, path, body)

    def _ask_at(self, address: str, method: str, path: str, body: bytes | None) -> Any:
        headers = {"Accept": "application/json", "Connection": "close"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        if self.token is not None:
            headers["Authorization"] = f"Bearer {self.token}"
        parts = urlsplit(address)
        kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        connection = kind(parts.hostname or "", parts.port, timeout=self.timeout_s)
        sent = False
        try:
            connection.connect()
            sent = True
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            data = answer.read(_MOST_BYTES + 1)
        except (OSError, HTTPException) as error:
            from doublecross.client.certificates import why_insecure

            why = getattr(error, "strerror", None) or str(error) or type(error).__name__
            sentence = f"The server at {address} cannot be reached: {why}."
            unreachable = UnreachableError(why_insecure(error, address) or sentence, FAILED)
            unreachable.sent = sent
            raise unreachable from None
        finally:
            connection.close()
        if len(data) > _MOST_BYTES:
            raise Problem(f"The answer of the server at {address} is too large.", FAILED)
        return self._read(address, answer.status, data)

    def _read(self, address: str, status: int, data: bytes) -> Any:
        """Return what an answer says, from JSON."""
        try:
            found = json.loads(data)
        except ValueError:
            found = None
        if status == 200 and found is not None:
            return found
        if isinstance(found, dict) and isinstance(found.get("error"), str):
            reason = found.get("code")
            raise RefusedError(found["error"], status, reason if isinstance(reason, str) else "")
        if status == 404:
            raise Problem(
                f"The server at {address} does not know this request; its version is another,"
                " or that is not its HTTP address."
            )
        raise Problem(f"There is no Doublecross server with HTTP at {address}: status {status}.")


def http_address(server: str) -> str:
    """Return the HTTP address of a server, given that or its address for players.

    Several addresses between commas stay several. Both have one port, unless the server was started
    with ``--http-port``.

    Raises:
        Problem: `server` is no address.
    """
    from doublecross.client.core.address import http_url, server_urls

    try:
        return ",".join(map(http_url, server_urls(server).split(",")))
    except ValueError as error:
        raise Problem(str(error)) from None


def is_open_road(address: str) -> bool:
    """Return whether others could read what is sent to this HTTP address, or to one of several."""
    from doublecross.client.core.address import is_loopback

    return any(
        not each.startswith("https://") and not is_loopback(each) for each in address.split(",")
    )
