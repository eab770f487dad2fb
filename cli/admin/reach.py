"""Find the server that a host manages, and who the host is there.

On the server's own machine the server leaves its address and a token in a file beside its database,
which only the owner can read. From elsewhere an admin gives the address and a token.
"""

from __future__ import annotations

import functools
import inspect
import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Concatenate, Final, ParamSpec, TypeVar

import typer

from doublecross.cli.settings.options import SettingsOption, settings_of
from doublecross.cli.shared.console import FAILED, Problem
from doublecross.cli.shared.options import Database
from doublecross.cli.shared.parsing import need_server_packages
from doublecross.cli.shared.remote.http import (
    LONG_S,
    TIMEOUT_S,
    HttpServer,
    RefusedError,
    UnreachableError,
    http_address,
)
from doublecross.cli.shared.remote.secret import TokenFileOption, given_token
from doublecross.cli.shared.server_files.host_file import found_in

P = ParamSpec("P")
R = TypeVar("R")

_UNAUTHORISED: Final = 401
_UNKNOWN: Final = (
    "The server does not know this token, or somebody has ended it. An admin makes one with:"
    " doublecross account new-token --label NAME --scope admin"
)


@dataclass(frozen=True, slots=True)
class Reach:
    """The way to the server: `server` is its address and `token` an admin's, or both are None.

    Then `database` names the database of a server on this machine. `timeout_s` is how long the
    server may send nothing, in seconds.
    """

    server: str | None
    token: str | None = field(repr=False)
    database: str
    timeout_s: float = TIMEOUT_S

    def patient(self) -> Reach:
        """Return one that waits as long as the server takes for all games of a player."""
        return replace(self, timeout_s=LONG_S)

    def connect(self) -> HttpServer:
        """Return the server. A host file is read each time, because each start writes a new one.

        Raises:
            Problem: the host file says that no server runs, or cannot be read.
        """
        if self.server is not None:
            return HttpServer(http_address(self.server), self.token, self.timeout_s)
        return replace(_from_host_file(self.database), timeout_s=self.timeout_s)

    def get(self, path: str, **query: object) -> Any:
        """Return the answer to a GET request below ``/api/admin/``; see `HttpServer.get`."""
        server = self.connect()
        with _Sentences(self):
            return server.get(f"/api/admin/{path}", **query)

    def post(self, path: str, **body: object) -> Any:
        """Return the answer to a POST request below ``/api/admin/``; see `HttpServer.post`."""
        server = self.connect()
        with _Sentences(self):
            return server.post(f"/api/admin/{path}", **body)


class _Sentences:
    """Adds what the host can do to the errors of a request."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        here = self._reach.server is None
        if isinstance(error, RefusedError):
            if error.reason == "missing_scope":
                raise RefusedError(
                    f"{error.sentence} An admin makes such a token with: doublecross account"
                    " new-token --label NAME --scope admin",
                    error.status,
                    error.reason,
                ) from None
            if error.reason == "bad_token" and not here:
                raise RefusedError(_UNKNOWN, error.status, error.reason) from None
            if error.status == _UNAUTHORISED and here:
                raise UnreachableError(
                    f"The server that wrote the host file of {self._reach.database} does not run:"
                    " another one answers at its address. Start it with doublecross serve.",
                    FAILED,
                ) from None
        elif isinstance(error, UnreachableError) and here:
            raise UnreachableError(
                f"{error.sentence} If the server of {self._reach.database} does not run, start it"
                " with doublecross serve.",
                FAILED,
            ) from None


def _from_host_file(database: str) -> HttpServer:
    from doublecross.cli.shared.server_files.bot_tokens import token_folder

    path = found_in(token_folder(database))
    try:
        found = json.loads(path.read_text("utf-8"))
        address, token = found["http"], found["token"]
        if not isinstance(address, str) or not isinstance(token, str):
            raise TypeError("its values are no texts")
    except FileNotFoundError:
        raise UnreachableError(
            f"No server runs on {database} here: there is no {path}. Correct --database or"
            " --settings; for a server elsewhere use --server and --token-file."
        ) from None
    except PermissionError:
        raise Problem(
            f"{path} can be read only by the user who runs the server. Run this command as that"
            " user, or use --server and --token-file."
        ) from None
    except OSError as error:
        raise Problem(f"{path} cannot be read: {error.strerror}.") from None
    except (ValueError, KeyError, TypeError):
        raise Problem(f"{path} is damaged. Start the server again; it writes a new one.") from None
    return HttpServer(http_address(address), token)


def managing(command: Callable[Concatenate[Reach, P], R]) -> Callable[..., R]:
    """Return a command with the options that find the server; it gets a `Reach` first."""

    @functools.wraps(command)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        chosen = {name: kwargs.pop(name, None) for name in _OPTIONS}
        return command(_reach(**chosen), *args, **kwargs)  # type: ignore[arg-type]

    own = list(inspect.signature(command, eval_str=True).parameters.values())[1:]
    parameters = [*own, *_OPTIONS.values()]
    # Typer reads both.
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {each.name: each.annotation for each in parameters}
    return run


def _reach(
    server: Annotated[
        str | None,
        typer.Option(
            "--server",
            "-s",
            help="Address of a server elsewhere; needs the token of an admin.",
            show_default="the one of --database",
        ),
    ] = None,
    token_file: TokenFileOption = None,
    database: Database = None,
    settings: SettingsOption = None,
) -> Reach:
    """Return how to reach the server that these options name."""
    if server is None:
        if token_file is not None:
            raise Problem("--token-file is for a server elsewhere: add --server.")
        need_server_packages()
        return Reach(None, None, settings_of(database, settings).database)
    if database is not None or settings is not None:
        raise Problem("Use --server, or --database and --settings, not both.")
    http_address(server)
    token = given_token(token_file)
    if token is None:
        raise Problem(
            "Managing a server elsewhere needs the token of an admin: add --token-file FILE, or set"
            " the variable DOUBLECROSS_TOKEN."
        )
    return Reach(server, token, "")


_OPTIONS: Final = dict(inspect.signature(_reach, eval_str=True).parameters)
