"""Finds the session of the person: the tokens that the window and these commands keep."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from cli.shared.console import Problem
from cli.shared.http import HttpServer, RefusedError, http_address
from cli.shared.parsing import SERVER_HELP
from cli.shared.secret import given_token, token_in

if TYPE_CHECKING:
    from client.tokens import TokenFile

Server = Annotated[str, typer.Option("--server", "-s", help=SERVER_HELP)]
Name = Annotated[
    str | None,
    typer.Option(
        "--name",
        help="Your name there, if this computer keeps several.",
        show_default=False,
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
_UNAUTHORISED: Final = 401
_UNKNOWN: Final = "The server does not know this token, or somebody has ended it."


def session(server: str, name: str | None, token_file: Path | None) -> HttpServer:
    """Return the server with the token of the person.

    That of `token_file` comes first, then that kept for `name`, that of the variable, and that of
    the only name which this computer keeps for the server.

    Raises:
        Problem: there is none, or there are several.
    """
    address = http_address(server)
    if token_file is not None:
        return HttpServer(address, token_in(token_file))
    if name is None and (token := given_token(None)) is not None:
        return HttpServer(address, token)
    return HttpServer(address, _kept(server, name))


def _kept(server: str, name: str | None) -> str:
    from client.core.address import server_url
    from client.tk.home import Home

    home, url = Home(), server_url(server)
    if name is None:
        names = home.kept_names(url)
        if len(names) > 1:
            raise Problem(
                f"This computer keeps several names for {url}: {', '.join(names)}. Add --name NAME."
            )
        name = names[0] if names else None
    # Only `write` needs the lock, and a window that plays under this name has it now.
    token = None if name is None else home.token_file(url, name).read()
    if token is None:
        who = f"the name {name}" if name is not None else "a name"
        raise Problem(
            f"This computer keeps no token of {who} for {url}."
            f" Log in with: doublecross account login NAME --server {server}"
        )
    return token


@contextlib.contextmanager
def held_file(server: str, name: str) -> Iterator[TokenFile]:
    """Hold the file in which the window keeps the token of `name`.

    Raises:
        Problem: a window uses it, or it cannot be used.
    """
    from client.core.address import server_url
    from client.tk.home import Home

    url = server_url(server)
    try:
        file = Home().token_file(url, name)
        if not file.hold():
            raise Problem(f"A window uses {name} at {url} now; close it first.")
    except OSError as error:
        raise Problem(f"The token cannot be kept on this computer ({error}).") from None
    try:
        yield file
    except OSError as error:
        raise Problem(f"The token cannot be kept on this computer ({error}).") from None
    finally:
        file.release()


@contextlib.contextmanager
def login_hint(server: str) -> Iterator[None]:
    """Say how to log in again when the server does not accept the token."""
    try:
        yield
    except RefusedError as refused:
        if refused.status != _UNAUTHORISED or refused.reason == "bad_login":
            raise
        # What the server says is for clients, which could join under another name.
        why = _UNKNOWN if refused.reason == "bad_token" else refused.sentence
        raise Problem(
            f"{why} Log in with: doublecross account login NAME --server {server}"
        ) from None


def account_of(at: HttpServer) -> dict[str, Any]:
    """Return the account whose token `at` has."""
    found: dict[str, Any] = at.get("/api/account")
    return found
