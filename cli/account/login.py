"""`doublecross account create`, `login`, `show`, `password` and `logout`."""

from __future__ import annotations

import asyncio
from random import SystemRandom
from typing import TYPE_CHECKING, Annotated, Any

import typer

from doublecross.cli.account.session import (
    UNAUTHORISED,
    AsJson,
    Name,
    Server,
    account_of,
    held_file,
    kept_name,
    login_hint,
    login_of,
    session,
)
from doublecross.cli.shared.console import Problem, say, say_json, user_problems
from doublecross.cli.shared.parsing import DEFAULT_SERVER, check_player_name
from doublecross.cli.shared.remote.http import HttpServer, RefusedError, http_address
from doublecross.cli.shared.remote.secret import TokenFileOption, ask_password, warn_open_road
from doublecross.cli.shared.times import moment
from doublecross.processes.logs import quiet_logs

if TYPE_CHECKING:
    from doublecross.client.tokens import TokenFile

_LABEL = "command line"

OwnName = Annotated[
    str, typer.Argument(metavar="NAME", help="Your name on the server.", show_default=False)
]


def create(name: OwnName, server: Server = DEFAULT_SERVER) -> None:
    """Take a free name on a server and set its password.

    The command asks for the password. Without a terminal it reads a line of standard input. The
    window on this computer then plays under this name, too.

    Example: doublecross account create Ann --server https://play.example
    """
    check_player_name(name)
    address = http_address(server)
    warn_open_road(address)
    with held_file(server, name) as file:
        if file.read() is not None:
            raise Problem(
                f"This computer plays as {name} there already. Set a password with:"
                f" doublecross account password --name {name!r} --server {server}"
            )
        password = ask_password(f"New password for {name}", twice=True)
        token = asyncio.run(_join(server, name, file))
        try:
            HttpServer(address, token).post("/api/account/password", password=password)
        except RefusedError as refused:
            raise Problem(
                f"{refused.sentence} The name {name} is yours as a guest now. Try again with:"
                f" doublecross account password --name {name!r} --server {server}"
            ) from None
    say(f"{name} has an account at {address}, and this computer is logged in.")


async def _join(server: str, name: str, file: TokenFile) -> str:
    """Join as a guest once, so that the name exists; return the token, which `file` then has."""
    from doublecross.client.options import Login, Memory
    from doublecross.client.transport import Client

    tokens: list[str] = []
    servers: list[str] = []
    client = Client(
        server,
        Login("human", name=name, client="doublecross command line"),
        rng=SystemRandom(),
        memory=Memory(on_token=tokens.append, on_servers=servers.extend),
    )
    with user_problems():
        try:
            await client.start()
        finally:
            await client.close()
    file.write(tokens[-1])
    file.know(servers)
    return tokens[-1]


def login(name: OwnName, server: Server = DEFAULT_SERVER) -> None:
    """Log in with the password of an account, and keep the session on this computer.

    The command asks for the password, and for a code if the account needs one. Without a terminal
    it reads lines of standard input. The window on this computer then plays under this name, too.

    Example: doublecross account login Ann --server https://play.example
    """
    check_player_name(name)
    at = HttpServer(http_address(server))
    warn_open_road(at.address)
    with held_file(server, name) as file:
        password = ask_password(f"Password of {name}")
        asked = {"name": name, "password": password, "label": _LABEL}
        try:
            issued = at.post("/api/login", **asked)
        except RefusedError as refused:
            if refused.reason != "code_needed":
                raise
            code = ask_password("Code of your app, or a recovery code")
            issued = at.post("/api/login", **asked, code=code)
        file.write(issued["secret"])
    say(f"Logged in as {issued['token']['player']} at {at.address}.")


def show(
    server: Server = DEFAULT_SERVER,
    name: Name = None,
    token_file: TokenFileOption = None,
    as_json: AsJson = False,
) -> None:
    """Show your account: what your token allows, and the bots that you run.

    Example: doublecross account show --server https://play.example
    """
    with login_hint(server):
        account = account_of(session(server, name, token_file))
    if as_json:
        say_json(account)
        return
    say(f"{account['name']}, {_kind(account)}", "bold")
    say(f"Account id: {account['account_id']}, since {moment(account['created_ms'])}")
    how = "the login" if account["session"] else "the token"
    say(f"Allowed with {how} of this computer: {', '.join(account['scopes']) or 'nothing'}")
    if account["bots"]:
        say(f"Your bots: {', '.join(account['bots'])}")
    if not account["claimed"] and account["kind"] == "human":
        say("Keep the name with a password: doublecross account password", "dim")


def _kind(account: dict[str, Any]) -> str:
    if account["admin"]:
        return "an admin of this server"
    if account["kind"] == "bot":
        return "a bot with an account" if account["claimed"] else "a bot without an account"
    return "a person with an account" if account["claimed"] else "a guest"


def password(
    server: Server = DEFAULT_SERVER, name: Name = None, token_file: TokenFileOption = None
) -> None:
    """Set or change your password. A guest becomes an account, with its games and its rating.

    The command asks for the passwords. Without a terminal it reads lines of standard input: first
    the current password, if there is one, then the new one. A change ends all other logins.

    Example: doublecross account password --server https://play.example
    """
    at = (
        login_of(server, kept_name(server, name))
        if token_file is None
        else session(server, name, token_file)
    )
    with login_hint(server):
        before = account_of(at)
        warn_open_road(at.address)
        current = ask_password("Current password") if before["has_password"] else None
        new = ask_password(f"New password for {before['name']}", twice=True)
        at.post("/api/account/password", password=new, current=current)
    if before["claimed"]:
        say(f"{before['name']} has a new password. All other logins have ended.")
    else:
        say(f"{before['name']} is an account now. Log in elsewhere with the password.")


def logout(server: Server = DEFAULT_SERVER, name: Name = None) -> None:
    """End the login on this computer, and forget its token.

    Example: doublecross account logout --server https://play.example
    """
    quiet_logs(verbose=False)
    name = kept_name(server, name)
    at = login_of(server, name)
    with held_file(server, name) as file:
        try:
            at.post("/api/account/tokens/revoke", token_id=None)
        except RefusedError as refused:
            if refused.status != UNAUTHORISED:
                raise
            say("The login had ended already.", "dim")
        file.forget()
    say(f"Logged out at {at.address}.")
