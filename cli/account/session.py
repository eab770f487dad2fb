"""Find the session of the person: the tokens that the window and these commands keep."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from doublecross.cli.shared.console import Problem
from doublecross.cli.shared.parsing import SERVER_HELP
from doublecross.cli.shared.remote.http import HttpServer, RefusedError, http_address
from doublecross.cli.shared.remote.secret import given_token, token_in

if TYPE_CHECKING:
    from doublecross.client.tokens import TokenFile

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
UNAUTHORISED: Final = 401
_UNKNOWN: Final = "The server does not know this token, or somebody has ended it."


def session(server: str, name: str | None, token_file: Path | None) -> HttpServer:
    """Return the server with a token of the person.

    That of `token_file` comes first, then that kept for `name`, that of the variable, and that of
    the only name which this computer keeps for the server.

    Raises:
        Problem: there is none, or there are several.
    """
    token = None
    if token_file is not None:
        token = token_in(token_file)
    elif name is None:
        token = given_token(None)
    if token is None:
        return login_of(server, kept_name(server, name))
    return HttpServer(http_address(server), token)


def kept_name(server: str, name: str | None) -> str:
    """Return `name`, or without it the only name that this computer keeps for the server.

    Raises:
        Problem: there is none, or there are several.
    """
    from doublecross.client.core.address import server_urls
    from doublecross.client.tk.home import Home

    address = http_address(server)
    if name is not None:
        return name
    names = Home().kept_names(server_urls(server))
    if not names:
        raise _nothing_kept(address, "a name")
    if len(names) > 1:
        raise Problem(
            f"This computer keeps several names for {address}: {', '.join(names)}. Add --name NAME."
        )
    return names[0]


def login_of(server: str, name: str) -> HttpServer:
    """Return the server with the token that this computer keeps for `name`.

    Raises:
        Problem: there is none.
    """
    from doublecross.client.core.address import server_urls
    from doublecross.client.tk.home import Home

    address = http_address(server)
    # Only `write` needs the lock, and a window that plays under this name has it now.
    token = Home().token_file(server_urls(server), name).read()
    if token is None:
        raise _nothing_kept(address, f"the name {name}")
    return HttpServer(address, token)


def _nothing_kept(address: str, who: str) -> Problem:
    return Problem(
        f"This computer keeps no token of {who} for {address}."
        f" Log in with: doublecross account login NAME --server {address}"
    )


@contextlib.contextmanager
def held_file(server: str, name: str) -> Iterator[TokenFile]:
    """Hold the file in which the window keeps the token of `name`.

    Raises:
        Problem: a window uses it, or it cannot be used.
    """
    from doublecross.client.core.address import server_urls
    from doublecross.client.tk.home import Home

    url = server_urls(server)
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
        if refused.status != UNAUTHORISED or refused.reason == "bad_login":
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
