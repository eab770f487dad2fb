"""`doublecross serve`: a server until Ctrl-C, and the addresses to give to players."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.asking import need_server_packages
from cli.console import Problem, out, plain, say

if TYPE_CHECKING:
    from server.app import DoublecrossServer
    from server.settings import ServerSettings


def serve(
    host: Annotated[
        str | None,
        typer.Option(
            help="Address to listen on: 127.0.0.1 is for this machine only, 0.0.0.0 for everybody.",
            show_default="127.0.0.1",
        ),
    ] = None,
    port: Annotated[
        int | None, typer.Option(help="Port of the games; 0: any free one.", show_default="8765")
    ] = None,
    http_port: Annotated[
        int | None,
        typer.Option(help="Port of the web pages; 0: any free one.", show_default="8766"),
    ] = None,
    public_http: Annotated[
        str | None,
        typer.Option(help="Web address to tell clients, where a proxy stands in front."),
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(
            help="SQLite file, or a URL such as postgresql://user@host/name.",
            show_default="var/doublecross.db",
        ),
    ] = None,
    grace: Annotated[
        float | None,
        typer.Option(help="Seconds before a player who is away may be claimed against."),
    ] = None,
    json_line: Annotated[
        bool, typer.Option("--json", help="When ready, print one line of JSON instead.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Log what happens, to standard error.")
    ] = False,
    until_eof: Annotated[
        bool, typer.Option("--until-eof", help="Stop when standard input is closed.", hidden=True)
    ] = False,
) -> None:
    """Run a server.

    It prints the addresses to give to players and runs until Ctrl-C. Games that are being played
    when it stops, or is killed, go on when it is started again with the same database.

    Every option can also be an environment variable, such as DOUBLECROSS_PORT.

    Example: doublecross serve --host 0.0.0.0
    """
    need_server_packages()
    settings = _settings(
        host=host,
        port=port,
        http_port=http_port,
        public_http=public_http,
        database=database,
        grace_s=grace,
    )
    from cli.logs import server_logs
    from server.app import StartError, run

    server_logs(verbose)
    if until_eof:
        threading.Thread(target=_stop_at_eof, name="standard input", daemon=True).start()
    try:
        run(settings, _print_json if json_line else _print_panel)
    except StartError as error:
        raise Problem(str(error)) from None
    if not json_line:
        say("The server has stopped; every game is kept.")


def _settings(**given: Any) -> ServerSettings:
    from pydantic import ValidationError

    from server.settings import ServerSettings

    try:
        return ServerSettings(**{name: value for name, value in given.items() if value is not None})
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0]) if first["loc"] else ""
        option = "--" + name.removesuffix("_s").replace("_", "-")
        where = option if given.get(name) is not None else f"DOUBLECROSS_{name.upper()}"
        raise Problem(f"{where} is {first['input']!r}: {plain(first['msg'])}.") from None


def _stop_at_eof() -> None:
    """Ends the server with whoever started it, however that ended."""
    while os.read(0, 4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


def _print_json(server: DoublecrossServer) -> None:
    addresses = server.addresses
    line = {
        "what": "ready",
        "ws": addresses.ws,
        "http": addresses.http,
        "share": list(addresses.share),
        "database": _shown_database(server),
        "rooms": server.restored,
        "pid": os.getpid(),
    }
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def _print_panel(server: DoublecrossServer) -> None:
    from rich.panel import Panel
    from rich.table import Table
    from rich.text import Text

    addresses = server.addresses
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for number, url in enumerate(addresses.share):
        grid.add_row("Players" if number == 0 else "", Text(url, "bold"))
    grid.add_row("Web", addresses.http)
    grid.add_row("Database", _shown_database(server))
    if server.restored:
        rooms = "1 room goes" if server.restored == 1 else f"{server.restored} rooms go"
        grid.add_row("Restored", f"{rooms} on")
    if addresses.share[0].startswith(("ws://127.", "ws://localhost", "ws://[::1]")):
        grid.add_row("", Text("This machine only; with --host 0.0.0.0 for others too.", "dim"))
    out().print(Panel(grid, title="Doublecross", title_align="left", expand=False))
    say(f"A bot joins with: doublecross bot rules --server {addresses.share[0]}", "dim")
    say("Ctrl-C stops the server.", "dim")
    sys.stdout.flush()


def _shown_database(server: DoublecrossServer) -> str:
    """The database as the host may see it on a screen: without its password."""
    database = server.settings.database
    if "://" not in database:
        return database
    from sqlalchemy import make_url

    return make_url(database).render_as_string(hide_password=True)
