"""`doublecross account tokens`, `new-token`, `revoke`, `new-bot` and `adopt-bot`."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated, Final

import typer

from doublecross.cli.account.session import (
    AsJson,
    Name,
    Server,
    kept_name,
    login_hint,
    login_of,
    session,
)
from doublecross.cli.shared.console import Problem, out, say, say_json
from doublecross.cli.shared.files import check_file
from doublecross.cli.shared.parsing import DEFAULT_SERVER, check_player_name
from doublecross.cli.shared.remote.secret import TokenFileOption, keep_secret, token_in
from doublecross.cli.shared.tables import rows_table
from doublecross.cli.shared.times import moment

SCOPES: Final = ("play", "bot", "organise", "admin")
_LONGEST_LABEL: Final = 60

Days = Annotated[int, typer.Option(min=1, max=366, help="Days until the token ends.")]
Output = Annotated[
    Path | None,
    typer.Option(
        "--output",
        "-o",
        metavar="FILE",
        help="Write the token to this file, which only you can read.",
        show_default="print it",
    ),
]


def tokens(
    server: Server = DEFAULT_SERVER,
    name: Name = None,
    token_file: TokenFileOption = None,
    as_json: AsJson = False,
) -> None:
    """List your logins and API tokens, and those of your bots.

    Example: doublecross account tokens --server https://play.example
    """
    with login_hint(server):
        found = session(server, name, token_file).get("/api/account/tokens")["tokens"]
    if as_json:
        say_json(found)
        return
    if not found:
        say("There are none: a guest's own token is all that keeps the name.")
        return
    rows = [
        (
            each["token_id"],
            each["player"],
            ("login" if each["kind"] == "session" else "API")
            + (" (this)" if each["current"] else ""),
            each["label"],
            "all" if each["kind"] == "session" else ", ".join(each["scopes"]),
            moment(each["used_ms"]),
            moment(each["expires_ms"], never="never"),
        )
        for each in found
    ]
    names = ("Id", "Player", "Kind", "Label", "Allows", "Last used", "Ends")
    out().print(rows_table(names, rows, whole=("Id",)))


def new_token(
    label: Annotated[str, typer.Option("--label", help="What the token is for, such as laptop.")],
    scope: Annotated[
        str,
        typer.Option("--scope", help=f"What it allows, with commas: {', '.join(SCOPES)}."),
    ],
    days: Days = 90,
    bot: Annotated[
        str | None,
        typer.Option("--for", metavar="BOT", help="A bot that you run.", show_default="you"),
    ] = None,
    output: Output = None,
    server: Server = DEFAULT_SERVER,
    name: Name = None,
) -> None:
    """Make an API token for a program of yours, or for a bot that you run.

    Nobody sees the token again. Programs send it, or take it from a file or the variable
    DOUBLECROSS_TOKEN.

    Example: doublecross account new-token --label cups --scope organise --output cups.token
    """
    scopes = [each.strip() for each in scope.split(",") if each.strip()]
    for each in scopes:
        if each not in SCOPES:
            raise Problem(f"There is no scope {each!r}; there are {', '.join(SCOPES)}.")
    if not scopes or len(set(scopes)) < len(scopes):
        raise Problem(f"--scope must name each scope once, of {', '.join(SCOPES)}.")
    if not 0 < len(label.strip()) <= _LONGEST_LABEL:
        raise Problem(f"--label must have 1 to {_LONGEST_LABEL} characters.")
    check_file(output)
    at = login_of(server, kept_name(server, name))
    with login_hint(server):
        issued = at.post(
            "/api/account/tokens/new", label=label, scopes=scopes, days=days, player=bot
        )
    token = issued["token"]
    keep_secret(issued["secret"], output)
    say(
        f"It is for {token['player']}, allows {', '.join(token['scopes'])} and ends on"
        f" {moment(token['expires_ms'])}. Its id is {token['token_id']}."
    )


def revoke(
    token_id: Annotated[
        str,
        typer.Argument(
            metavar="ID", help="The id of the token, which `tokens` lists.", show_default=False
        ),
    ],
    server: Server = DEFAULT_SERVER,
    name: Name = None,
) -> None:
    """End a token of yours or of one of your bots, and the connections that use it.

    Example: doublecross account revoke k3d9x --server https://play.example
    """
    at = login_of(server, kept_name(server, name))
    with login_hint(server):
        at.post("/api/account/tokens/revoke", token_id=token_id)
    say("The token has ended.")


def new_bot(
    bot: Annotated[
        str, typer.Argument(metavar="BOT", help="A free name for the bot.", show_default=False)
    ],
    days: Days = 90,
    output: Output = None,
    server: Server = DEFAULT_SERVER,
    name: Name = None,
) -> None:
    """Make the account of a bot that you run, with its first token.

    Example: doublecross account new-bot Chainer --output chainer.token
    """
    check_player_name(bot)
    check_file(output)
    at = login_of(server, kept_name(server, name))
    with login_hint(server):
        issued = at.post("/api/account/bots/new", name=bot, days=days)["issued"]
    say(f"{bot} is a bot that you run.")
    keep_secret(issued["secret"], output)
    there = "" if server == DEFAULT_SERVER else f" --server {server}"
    file = "FILE" if output is None else shlex.quote(str(output))
    say(f"Let it play: doublecross bot BOT --token-file {file}{there}")


def adopt_bot(
    bot_token: Annotated[
        Path,
        typer.Argument(
            metavar="TOKENFILE",
            help="The file in which the bot keeps its token.",
            show_default=False,
        ),
    ],
    server: Server = DEFAULT_SERVER,
    name: Name = None,
) -> None:
    """Make a bot that plays without an account one of your bots. It keeps its name and token.

    `doublecross bot` keeps tokens in the folder doublecross/bots of your state folder, on Linux
    ~/.local/state.

    Example: doublecross account adopt-bot chainer.token --server https://play.example
    """
    secret = token_in(bot_token)
    at = login_of(server, kept_name(server, name))
    with login_hint(server):
        found = at.post("/api/account/bots/new", token=secret)
    say(f"{found['name']} is a bot that you run now.")
