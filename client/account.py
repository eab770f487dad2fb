"""Log in with a password, and manage the account of a player, over the server's HTTP interface.

The server answers HTTP requests at the address of its websocket. Passwords and tokens go to exactly
that address: redirects are refused, because they could lead elsewhere. Nothing of them is logged.
"""

from __future__ import annotations

import asyncio
import functools
import json
import logging
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from http.client import HTTPException, RemoteDisconnected
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ValidationError

from doublecross.client.core.accounts import AccountInfo, IssuedToken, OwnBot, TokenInfo, TokenList
from doublecross.client.core.address import http_url, is_loopback, shown_address
from doublecross.client.core.errors import ClientError, RequestRefused, Unreachable
from doublecross.client.core.sentences import refusal_in
from doublecross.games.api.sentence import Sentence
from doublecross.protocol.text import one_line

log = logging.getLogger(__name__)

PATIENCE_S: Final = 20.0
"""Seconds to wait for an answer; the server needs a moment for each password."""
_MOST_BYTES: Final = 1024 * 1024
"""The largest answer that is read."""
_BUSY: Final = (429, 503)
"""The HTTP statuses of a server that has too much to do."""

_Model = TypeVar("_Model", bound=BaseModel)


async def log_in(url: str, name: str, password: str, label: str) -> IssuedToken:
    """Begin a session on the server at the websocket URLs `url`; `label` says what it is for.

    Of several URLs between commas, the first that answers gets the password.

    When the caller is cancelled meanwhile, a session that begins all the same is ended.

    Raises:
        RequestRefused: the name or the password is wrong, or too many were tried.
        Unreachable: no server answers.
    """
    question = {"name": name, "password": password, "label": label}
    asking = asyncio.ensure_future(_log_in_at(url.split(","), question))
    try:
        return await asyncio.shield(asking)
    except asyncio.CancelledError:
        asking.add_done_callback(functools.partial(_end_unused, url))
        raise


async def _log_in_at(urls: Sequence[str], question: dict[str, Any]) -> IssuedToken:
    """Log in at the first of the addresses that answers.

    A login whose answer is lost on its way leaves a session that nobody uses.
    """
    *others, last = urls
    for url in others:
        try:
            return await _ask(url, "/api/login", IssuedToken, None, question)
        except Unreachable as error:
            log.info("%s", error)
    return await _ask(last, "/api/login", IssuedToken, None, question)


_ending: Final[set[asyncio.Task[None]]] = set()
"""Sessions that are being ended; the loop keeps only weak references to tasks."""


def _end_unused(url: str, asking: asyncio.Future[IssuedToken]) -> None:
    """End the session that nobody waits for any more."""
    if asking.cancelled() or asking.exception() is not None:
        return
    secret = asking.result().secret

    async def end() -> None:
        for each in url.split(","):
            try:
                await AccountCalls(each, lambda: secret).log_out()
            except ClientError as error:
                log.warning("A login that was given up could not be ended (%s).", error)
            else:
                break

    task = asyncio.get_running_loop().create_task(end())
    _ending.add(task)
    task.add_done_callback(_ending.discard)


class AccountCalls:
    """The requests about the account of one player.

    `url` is the server's websocket URL, and `token` returns the player's token. All coroutines
    raise:

        RequestRefused: the server refused, or this client cannot interpret the answer.
        Unreachable: no server answers.
    """

    def __init__(self, url: str, token: Callable[[], str | None]) -> None:
        self._url = url
        self._token = token

    async def show(self) -> AccountInfo:
        """Return the account."""
        return await self._ask("/api/account", AccountInfo)

    async def set_password(self, password: str, current: str | None = None) -> AccountInfo:
        """Set the password, which makes a guest an account; `current` is the present one."""
        question = {"password": password, "current": current}
        return await self._ask("/api/account/password", AccountInfo, question)

    async def tokens(self) -> tuple[TokenInfo, ...]:
        """Return the sessions and API tokens of this person and of the person's bots."""
        return (await self._ask("/api/account/tokens", TokenList)).tokens

    async def new_token(
        self, label: str, scopes: Sequence[str], days: int, player: str | None = None
    ) -> IssuedToken:
        """Make an API token, for this person or for a bot `player` that this person runs."""
        question = {"label": label, "scopes": list(scopes), "days": days, "player": player}
        return await self._ask("/api/account/tokens/new", IssuedToken, question)

    async def end_token(self, token_id: str) -> None:
        """End a token and the connections that use it."""
        await self._ask("/api/account/tokens/revoke", _Done, {"token_id": token_id})

    async def log_out(self) -> None:
        """End the token in use, and with it this connection."""
        await self._ask("/api/account/tokens/revoke", _Done, {})

    async def new_bot(self, name: str) -> OwnBot:
        """Make the account of a bot that this person runs, with a first token."""
        return await self._ask("/api/account/bots/new", OwnBot, {"name": name})

    async def adopt_bot(self, token: str) -> OwnBot:
        """Make the bot that plays as a guest with `token` one of this person's bots."""
        return await self._ask("/api/account/bots/new", OwnBot, {"token": token})

    async def _ask(
        self, path: str, answer: type[_Model], question: dict[str, Any] | None = None
    ) -> _Model:
        return await _ask(self._url, path, answer, self._token(), question)


class _Done(BaseModel):
    """The server carried the request out."""


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any, **__: Any) -> None:
        """Follow no redirect; the answer then counts as an error."""


async def _ask(
    url: str,
    path: str,
    answer: type[_Model],
    token: str | None,
    question: dict[str, Any] | None,
) -> _Model:
    """Send a request, a POST if there is a `question`, and return its answer."""
    headers = {"Accept": "application/json"}
    if token is not None:
        headers["Authorization"] = f"Bearer {token}"
    data = None
    if question is not None:
        headers["Content-Type"] = "application/json"
        data = json.dumps(question).encode()
    request = urllib.request.Request(http_url(url) + path, data=data, headers=headers)
    text = await asyncio.to_thread(_send, url, request)
    try:
        return answer.model_validate_json(text)
    except ValidationError:
        raise RequestRefused("unreadable_answer", _UNREADABLE) from None


def _send(url: str, request: urllib.request.Request) -> bytes:
    """Return the body of a good answer, within `PATIENCE_S` seconds."""
    handlers: list[urllib.request.BaseHandler] = [_NoRedirects()]
    if is_loopback(url):
        handlers.append(urllib.request.ProxyHandler({}))
    where = shown_address(url)
    try:
        with urllib.request.build_opener(*handlers).open(request, timeout=PATIENCE_S) as answer:
            data: bytes = answer.read(_MOST_BYTES)
            return data
    except urllib.error.HTTPError as error:
        with error:
            raise _refusal(where, error.code, _body(error)) from None
    except RemoteDisconnected:
        # A port for websockets only: the host has given HTTP another one.
        raise Unreachable(
            "{where} answers no questions about accounts; ask its host.", where
        ) from None
    except TimeoutError:
        raise Unreachable(
            "{where} does not answer (waited {seconds} s).", where, f"{PATIENCE_S:g}"
        ) from None
    except (OSError, HTTPException, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        raise Unreachable("{where} cannot be reached: {reason}.", where, reason) from None


def _body(error: urllib.error.HTTPError) -> str:
    try:
        return error.read(_MOST_BYTES).decode(errors="replace")
    except (OSError, HTTPException):
        return ""


def _refusal(where: str, status: int, body: str) -> RequestRefused | Unreachable:
    """Return the error for an answer with an error status."""
    try:
        sentence, code = refusal_in(body)
    except ValueError:
        if status in _BUSY:
            return Unreachable(
                one_line(body)[:200] or Sentence("{where} is busy; try again later.", where)
            )
        return Unreachable(
            "What answers at {where} is not a game server (HTTP {status}).", where, status
        )
    if status == 404 and not code:
        return RequestRefused(f"http_{status}", "The server at {where} has no accounts.", where)
    return RequestRefused(code or f"http_{status}", sentence)


_UNREADABLE: Final = Sentence("The server's answer cannot be read; use a client of its version.")
