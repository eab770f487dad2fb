"""`doublecross serve`: runs a server until Ctrl-C and prints the address to open."""

from __future__ import annotations

import contextlib
import difflib
import json
import os
import signal
import sys
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from cli.serve.qr import print_qr
from cli.shared.console import FAILED, Problem, discard_output, out, plain, say, warn
from cli.shared.parsing import need_server_packages
from client.core.address import is_loopback

if TYPE_CHECKING:
    from cli.serve.residents import ResidentBot, ResidentKeeper
    from server.shell.app import DoublecrossServer
    from server.shell.settings import ServerSettings

_PREFIX: Final = "doublecross_"
"""How the variables of settings begin, in lower case."""
_OPTIONS_ONLY: Final = ("bots", "bot_games", "bot_pause", "no_advice", "analysis")
"""The settings that the server itself does not know."""


def serve(
    host: Annotated[
        str | None,
        typer.Option(
            help="Address to listen on: 127.0.0.1 for this machine only, 0.0.0.0 for everybody.",
            show_default="127.0.0.1",
        ),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(
            help="Port for games and the browser page; 0: any free port.", show_default="8765"
        ),
    ] = None,
    http_port: Annotated[
        int | None,
        typer.Option(
            help="Another port for HTTP and the browser page; 0: any free port.",
            show_default="the port for games",
        ),
    ] = None,
    public_http: Annotated[
        str | None,
        typer.Option(help="HTTP address for clients, if a proxy is in front of the server."),
    ] = None,
    trusted_proxy: Annotated[
        str | None,
        typer.Option(
            help="Address or network of a proxy in front of the server, such as 127.0.0.1. Its "
            "X-Forwarded-For then names the visitors. Can be several, between commas.",
            metavar="CIDR,...",
        ),
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(
            help="SQLite file, or a URL such as postgresql://host/name.",
            show_default="var/doublecross.db",
        ),
    ] = None,
    grace: Annotated[
        float | None,
        typer.Option(
            help="Seconds after which the opponent of an absent player may claim the win.",
            show_default="30",
        ),
    ] = None,
    bots: Annotated[
        list[str] | None,
        typer.Option(
            help="Bots that always play here, such as rules,greedy:seed=3. Can be repeated.",
            metavar="BOT,BOT,...",
            envvar="DOUBLECROSS_BOTS",
            show_envvar=False,
            show_default="none",
        ),
    ] = None,
    bot_games: Annotated[
        int,
        typer.Option(
            min=1,
            max=256,
            help="How many games each of these bots plays at once.",
            envvar="DOUBLECROSS_BOT_GAMES",
            show_envvar=False,
        ),
    ] = 8,
    bot_pause: Annotated[
        float,
        typer.Option(
            min=0.0,
            max=10.0,
            help="The most seconds that these bots pause before moves against people.",
            envvar="DOUBLECROSS_BOT_PAUSE",
            show_envvar=False,
        ),
    ] = 1.2,
    no_advice: Annotated[
        bool,
        typer.Option(
            "--no-advice",
            help="Give no advice to people on the browser page.",
            envvar="DOUBLECROSS_NO_ADVICE",
            show_envvar=False,
        ),
    ] = False,
    analysis: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=64,
            help="How many processes review finished games; 0: none.",
            envvar="DOUBLECROSS_ANALYSIS",
            show_envvar=False,
            show_default="1 if there are two processor cores",
        ),
    ] = None,
    levels: Annotated[
        str, typer.Option(help="Levels that play here in one process.", hidden=True)
    ] = "",
    qr: Annotated[
        bool, typer.Option("--qr", help="Print the address as a QR code for phones too.")
    ] = False,
    json_line: Annotated[
        bool, typer.Option("--json", help="Print one line of JSON when ready.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Log what happens, to standard error.")
    ] = False,
    until_eof: Annotated[
        bool, typer.Option("--until-eof", help="Stop when standard input is closed.", hidden=True)
    ] = False,
) -> None:
    """Run a server.

    It prints the address that people open in a browser, and that the window and bots take too. It
    runs until Ctrl-C. If it stops or is killed, start it
    again with the same database: all games continue.

    With --bots there are always opponents. These bots join as players and accept every challenge.
    The server restarts a bot that ends.

    You can also set these options as environment variables, such as DOUBLECROSS_PORT and
    DOUBLECROSS_GRACE_S. docs/hosting.md lists them.

    Example: doublecross serve --host 0.0.0.0 --bots rules,greedy
    """
    need_server_packages()
    if qr and json_line:
        raise Problem("--qr is for people and --json for programs; use one of them.")
    settings = _settings(
        host=host,
        port=port,
        http_port=http_port,
        public_http=public_http,
        trusted_proxy=trusted_proxy,
        database=database,
        grace_s=grace,
        page=_page_folder(),
    )
    residents = _residents(bots or [], levels, settings, bot_games, bot_pause, json_line, verbose)
    from cli.serve.advice import server_adviser
    from cli.serve.logs import server_logs
    from cli.serve.reviews import server_reviewer
    from server.shell.listening import StartError
    from server.shell.running import ServerFailedError, run

    server_logs(verbose, settings.log_level, as_json=settings.log_format == "json")
    reviewer = server_reviewer(analysis)

    def on_ready(server: DoublecrossServer) -> None:
        # Output that cannot be written, as on a full disk, must not end the server.
        with contextlib.suppress(OSError):
            if json_line:
                _print_json(server, residents)
            else:
                _print_panel(server, residents, qr=qr)
        if residents is not None:
            residents.start(server.addresses.ws)

    if until_eof:
        threading.Thread(target=_stop_at_eof, name="standard input", daemon=True).start()
    try:
        run(
            settings,
            on_ready,
            (lambda: None) if no_advice else server_adviser,
            lambda: reviewer,
        )
    except StartError as error:
        raise Problem(str(error)) from None
    except ServerFailedError as error:
        raise Problem(str(error), FAILED) from None
    if not json_line:
        _print_line("The server has stopped. All games are saved.")
    try:
        sys.stdout.flush()
    except OSError:
        discard_output()


def _page_folder() -> Path | None:
    """Return the folder of the browser page, unless the environment names another one."""
    if (_PREFIX + "page").upper() in os.environ:
        return None
    import client

    return Path(client.__file__).parent / "web"


def _settings(**given: Any) -> ServerSettings:
    from pydantic import ValidationError

    from server.shell.settings import ServerSettings

    _warn_of_unknown_variables({*ServerSettings.model_fields, *_OPTIONS_ONLY})
    try:
        settings = ServerSettings(
            **{name: value for name, value in given.items() if value is not None}
        )
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0]) if first["loc"] else ""
        option = "--" + name.removesuffix("_s").replace("_", "-")
        where = option if given.get(name) is not None else f"DOUBLECROSS_{name.upper()}"
        raise Problem(f"{where} is {first['input']!r}: {plain(first['msg'])}.") from None
    return settings


def _warn_of_unknown_variables(known: Iterable[str]) -> None:
    """Warn of variables that look like settings of the server, but are none."""
    for name in sorted(os.environ):
        setting = name.lower().removeprefix(_PREFIX)
        if not name.lower().startswith(_PREFIX) or setting in known:
            continue
        close = difflib.get_close_matches(setting, known, n=1)
        if close:
            meant = (_PREFIX + close[0]).upper()
            warn(f"{name} is no setting of the server and has no effect. Is {meant} meant?")


def _residents(
    bots: list[str],
    levels: str,
    settings: ServerSettings,
    games: int,
    pause_s: float,
    json_line: bool,
    verbose: bool,
) -> ResidentKeeper | None:
    """Return the residents of the server, not started yet; None if there are none."""
    if not bots and not levels:
        return None
    from cli.serve.residents import ResidentKeeper, find_residents, token_folder

    found = _levels(levels) or find_residents(bots)
    if not found:
        return None
    return ResidentKeeper(
        found,
        games=games,
        pause_s=pause_s,
        state_dir=token_folder(settings.database),
        verbose=verbose,
        on_ready=_print_bot_json if json_line else _print_bot,
        on_given_up=_print_given_up_json if json_line else _print_given_up,
        together=bool(levels),
    )


def _levels(levels: str) -> tuple[ResidentBot, ...]:
    """Return the residents for these levels, which commas separate."""
    from bots.registry import level_names
    from cli.serve.residents import ResidentBot

    found = tuple(level for level in levels.split(",") if level)
    for level in found:
        if level not in level_names():
            raise Problem(f"There is no level {level!r}; there are {', '.join(level_names())}.")
    return tuple(ResidentBot(level, level) for level in found)


def _stop_at_eof() -> None:
    """Stop the server when the process that started it closes our input or dies."""
    while os.read(0, 4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


def _print_json(server: DoublecrossServer, residents: ResidentKeeper | None) -> None:
    addresses = server.addresses
    line = {
        "what": "ready",
        "ws": addresses.ws,
        "http": addresses.http,
        "share": list(addresses.share),
        "database": _shown_database(server),
        "rooms": server.restored,
        "pid": os.getpid(),
        "bots": [resident.name for resident in residents.residents] if residents else [],
    }
    _print_line(line)


def _print_bot_json(resident: ResidentBot, name: str, pid: int) -> None:
    _print_line({"what": "bot_ready", "bot": resident.spec, "name": name, "pid": pid})


def _print_bot(resident: ResidentBot, name: str, pid: int) -> None:
    known = name if resident.spec == name else f"{name} ({resident.spec})"
    _print_line(f"Bot {known} is ready.")


def _print_given_up_json(resident: ResidentBot, sentence: str) -> None:
    _print_line(
        {"what": "bot_given_up", "bot": resident.spec, "name": resident.name, "problem": sentence}
    )


def _print_given_up(resident: ResidentBot, sentence: str) -> None:
    _print_line(
        f"Bot {resident.name} is not here: {sentence} Mend it, then start the server again."
    )


def _print_line(line: dict[str, Any] | str) -> None:
    """Print a line while the server runs; ignore a reader that has gone."""
    with contextlib.suppress(OSError):
        sys.stdout.write((line if isinstance(line, str) else json.dumps(line)) + "\n")
        sys.stdout.flush()


def _print_panel(
    server: DoublecrossServer, residents: ResidentKeeper | None, *, qr: bool = False
) -> None:
    from rich.panel import Panel
    from rich.table import Table
    from rich.text import Text

    addresses = server.addresses
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for number, url in enumerate(addresses.share):
        grid.add_row("Open" if number == 0 else "or", Text(url, "bold"))
    grid.add_row("Database", _shown_database(server))
    if server.restored:
        rooms = "1 room continues" if server.restored == 1 else f"{server.restored} rooms continue"
        grid.add_row("Restored", rooms)
    if residents is not None:
        names = ", ".join(resident.name for resident in residents.residents)
        grid.add_row("Bots", f"{names} (getting ready)")
    if is_loopback(addresses.share[0]):
        grid.add_row("", Text("This machine only. Use --host 0.0.0.0 to let others in.", "dim"))
    out().print(Panel(grid, title="Doublecross", title_align="left", expand=False))
    if qr:
        print_qr(addresses.share[0])
    if residents is None:
        say(f"Let a bot join: doublecross bot rules --server {addresses.share[0]}", "dim")
    say("Ctrl-C stops the server.", "dim")
    sys.stdout.flush()


def _shown_database(server: DoublecrossServer) -> str:
    """Return the database without its password."""
    database = server.settings.database
    if "://" not in database:
        return database
    from sqlalchemy import make_url

    return make_url(database).render_as_string(hide_password=True)
