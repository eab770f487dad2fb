"""The options, checks and connections that the commands on tournaments share."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Annotated, Final, TypeVar

import typer

from doublecross.cli.shared.console import Problem, plain, say_json
from doublecross.cli.shared.options import one_of
from doublecross.cli.shared.parsing import check_tournament
from doublecross.processes.logs import quiet_logs

if TYPE_CHECKING:
    from doublecross.client.transport import Client
    from doublecross.protocol.server_messages import TournamentState

T = TypeVar("T")

FORMATS: Final = ("round-robin", "gauntlet", "swiss", "knockout", "ladder", "arena")
PAIRS: Final = 10
"""The default number of game pairs when two players meet."""

AnyServer = Annotated[
    str,
    typer.Option("--server", "-s", help="Address of the server for players, or its HTTP address."),
]
Format = Annotated[
    str,
    typer.Option(
        "--format", "-f", autocompletion=one_of(FORMATS), help=f"One of {', '.join(FORMATS)}."
    ),
]
Clock = Annotated[
    str,
    typer.Option(
        help="Clock in seconds, such as 10+0.1, or 0/0.5 for each move, or 3d: days for each move."
    ),
]
Id = Annotated[
    str,
    typer.Argument(
        metavar="ID",
        help="The id of the tournament.",
        show_default=False,
        callback=check_tournament,
    ),
]
Organiser = Annotated[
    str | None,
    typer.Option(
        "--as",
        metavar="NAME",
        help="Your name as organiser, the same for all commands on a tournament.",
        envvar="DOUBLECROSS_ORGANISER",
        show_envvar=False,
        show_default="a random name",
    ),
]


def pairs_of(kind: str, pairs: int | None) -> int:
    """Return how many game pairs two players play when they meet; `pairs` is the option."""
    if pairs is not None:
        return pairs
    return 1 if kind in ("ladder", "arena") else PAIRS


def check_format(kind: str) -> None:
    """Refuse an unknown format."""
    if kind not in FORMATS:
        raise Problem(f"There is no format {kind!r}; there are {', '.join(FORMATS)}.")


def refusal(error: ValueError) -> Problem:
    """Return the problem with the terms of a tournament."""
    from pydantic import ValidationError

    if not isinstance(error, ValidationError):
        return Problem(str(error))
    where = error.errors()[0]["loc"]
    what = str(where[0]) if where else ""
    if what in ("invited", "hero"):
        return Problem(
            "A player's name has up to 32 letters, digits and . _ ' + - with single spaces inside;"
            " at most 1000 players can be invited."
        )
    if what == "name":
        return Problem("The name of a tournament must have 1 to 64 characters on one line.")
    option = "--concurrency" if what == "games_at_once" else f"--{what}"
    return Problem(f"{option}: {plain(error.errors()[0]['msg'])}.")


def print_json(state: TournamentState) -> None:
    """Print the state of a tournament as JSON."""
    say_json(state.model_dump(mode="json", exclude={"id", "type"}))


def visit(
    server: str,
    work: Callable[[Client], Awaitable[T]],
    who: str,
    name: str | None = None,
    token: str | None = None,
) -> T:
    """Return what `work` returns with a client that has joined the server as `who`."""
    from doublecross.cli.shared.remote.connection import connected_client

    async def connect() -> T:
        async with connected_client(server, who=who, name=name, token=token) as client:
            return await work(client)

    quiet_logs(verbose=False)
    return asyncio.run(connect())
