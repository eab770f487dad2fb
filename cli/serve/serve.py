"""Run a server until Ctrl-C and print the address to open: `doublecross serve`."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from doublecross.cli.serve.printing import (
    print_bot,
    print_bot_json,
    print_given_up,
    print_given_up_json,
)
from doublecross.cli.settings.options import refuse
from doublecross.cli.shared.console import Problem, say, warn
from doublecross.cli.shared.parsing import need_server_packages

if TYPE_CHECKING:
    from doublecross.bots.hosting.resident_bots import ResidentBots
    from doublecross.cli.settings.load import Loaded
    from doublecross.cli.settings.model import ServeSettings


def serve(
    host: Annotated[
        str | None,
        typer.Option(
            help="Address to listen on: 127.0.0.1 for this machine only, 0.0.0.0 for everybody.",
            show_default="127.0.0.1",
        ),
    ] = None,
    port: Annotated[
        str | None,
        typer.Option(
            help="Port for games and the browser page; 0: any free port.",
            metavar="<int>",
            show_default="8765",
        ),
    ] = None,
    http_port: Annotated[
        str | None,
        typer.Option(
            help="Another port for HTTP and the browser page; 0: any free port.",
            metavar="<int>",
            show_default="the port for games",
        ),
    ] = None,
    public_http: Annotated[
        str | None,
        typer.Option(
            help="HTTP address for clients, if a proxy is in front of the server.",
        ),
    ] = None,
    trusted_proxy: Annotated[
        str | None,
        typer.Option(
            help="Address or network of a proxy in front of the server, such as 127.0.0.1. Its "
            "X-Forwarded-For then names the visitors. Can be several, between commas.",
            metavar="CIDR,...",
        ),
    ] = None,
    tls_certificate: Annotated[
        str | None,
        typer.Option(
            help="File of a certificate (PEM). The server then speaks https and wss itself.",
            metavar="FILE",
        ),
    ] = None,
    tls_key: Annotated[
        str | None,
        typer.Option(help="File of the private key of the certificate.", metavar="FILE"),
    ] = None,
    database: Annotated[
        str | None,
        typer.Option(
            help="SQLite file, or a URL such as postgresql://host/name.",
            show_default="var/doublecross.db",
        ),
    ] = None,
    cluster: Annotated[
        bool | None,
        typer.Option(
            "--cluster/--no-cluster",
            help="Be one node of a cluster, which needs PostgreSQL and NATS.",
            show_default=False,
        ),
    ] = None,
    nats: Annotated[
        str | None,
        typer.Option(
            help="URLs of the NATS servers of the cluster, between commas.",
            metavar="URL,...",
            show_default="nats://127.0.0.1:4222",
        ),
    ] = None,
    node: Annotated[
        str | None,
        typer.Option(
            help="Name of this node, which stays the same when it starts again.",
            show_default="machine and port",
        ),
    ] = None,
    cluster_name: Annotated[
        str | None,
        typer.Option(help="Name of the cluster in NATS.", show_default="main"),
    ] = None,
    grace: Annotated[
        str | None,
        typer.Option(
            help="Seconds after which the opponent of an absent player may claim the win.",
            metavar="<float>",
            show_default="30",
        ),
    ] = None,
    bots: Annotated[
        list[str] | None,
        typer.Option(
            help="Bots that always play here, such as rules,greedy:seed=3. Can be repeated.",
            metavar="BOT,BOT,...",
            show_default="none",
        ),
    ] = None,
    bot_games: Annotated[
        str | None,
        typer.Option(
            help="How many games each of these bots plays at once, at most 256.",
            metavar="<int>",
            show_default="8",
        ),
    ] = None,
    bot_pause: Annotated[
        str | None,
        typer.Option(
            help="The most seconds that these bots pause before moves against people, at most 10.",
            metavar="<float>",
            show_default="1.2",
        ),
    ] = None,
    no_advice: Annotated[
        bool | None,
        typer.Option(
            "--no-advice/--advice",
            help="Give no advice to people on the browser page.",
            show_default=False,
        ),
    ] = None,
    analysis: Annotated[
        str | None,
        typer.Option(
            help="How many processes review finished games, at most 64; 0: none.",
            metavar="<int>",
            show_default="1 if there are two processor cores",
        ),
    ] = None,
    levels: Annotated[
        str, typer.Option(help="Levels that play here in one process.", hidden=True)
    ] = "",
    qr: Annotated[
        bool, typer.Option("--qr", help="Print the address as a QR code for phones too.")
    ] = False,
    open_browser: Annotated[
        bool, typer.Option("--open", help="Open the page in a browser, where there is one.")
    ] = False,
    json_line: Annotated[
        bool, typer.Option("--json", help="Print one line of JSON when ready.")
    ] = False,
    verbose: Annotated[
        bool | None,
        typer.Option(
            "--verbose/--no-verbose",
            "-v",
            help="Log what happens, to standard error.",
            show_default=False,
        ),
    ] = None,
    settings_file: Annotated[
        str | None,
        typer.Option("--settings", help="TOML file with settings.", metavar="FILE"),
    ] = None,
    show_settings: Annotated[
        bool,
        typer.Option(
            "--show-settings",
            help="Print all settings as such a file, with their sources, and end.",
        ),
    ] = False,
    check: Annotated[
        bool,
        typer.Option("--check", help="Check the settings and what they name; start nothing."),
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

    You can also write settings into a TOML file (--settings), or set them as environment variables,
    such as DOUBLECROSS_PORT and DOUBLECROSS_GRACE_S. docs/hosting.md lists all. An option beats a
    variable, and a variable beats the file.

    Example: doublecross serve --host 0.0.0.0 --bots rules,greedy
    """
    need_server_packages()
    if qr and json_line:
        raise Problem("--qr is for people and --json for programs; use one of them.")
    if open_browser and json_line:
        raise Problem("--open is for people and --json for programs; use one of them.")
    if (show_settings or check) and (json_line or qr or open_browser or (show_settings and check)):
        raise Problem(
            "--show-settings and --check stand without each other, --json, --qr and --open."
        )
    loaded = _loaded(
        settings_file,
        # Numbers come as texts, so that all settings are checked at once and in the same words.
        host=host,
        port=port,
        http_port=http_port,
        public_http=public_http,
        trusted_proxy=trusted_proxy,
        tls_certificate=tls_certificate,
        tls_key=tls_key,
        database=database,
        cluster=cluster,
        nats=nats,
        node=node,
        cluster_name=cluster_name,
        grace_s=grace,
        bots=None if bots is None else ";".join(bots),
        bot_games=bot_games,
        bot_pause=bot_pause,
        no_advice=no_advice,
        analysis=analysis,
        verbose=verbose,
    )
    if show_settings:
        _show(loaded)
        return
    if check:
        _check(loaded)
        return
    if until_eof:
        threading.Thread(target=_stop_at_eof, name="standard input", daemon=True).start()
    from doublecross.cli.serve.hosting import keep_serving

    residents = _residents(loaded.settings, levels, json_line)
    keep_serving(loaded.settings, residents, as_json=json_line, qr=qr, opens=open_browser)


def _loaded(settings_file: str | None, **flags: object) -> Loaded:
    from doublecross.cli.settings.load import WrongSettingsError, load, unknown_variables

    for sentence in unknown_variables():
        warn(sentence)
    try:
        return load(flags, settings_file)
    except WrongSettingsError as error:
        refuse(error.sentences)


def _show(loaded: Loaded) -> None:
    from doublecross.cli.settings.show import toml_of

    sys.stdout.write(toml_of(loaded))


def _check(loaded: Loaded) -> None:
    from doublecross.cli.serve.settings_check import problems, warnings

    for sentence in warnings(loaded):
        warn(sentence)
    found = problems(loaded)
    if found:
        refuse(found)
    say("The settings are right." if loaded.file is None else f"{loaded.file} is right.")


def _residents(settings: ServeSettings, levels: str, json_line: bool) -> ResidentBots | None:
    """Return the residents of the server, not started yet; None if there are none."""
    if not settings.bots and not levels:
        return None
    import structlog

    from doublecross.bots.hosting.resident_bots import ResidentBots, ResidentTerms
    from doublecross.cli.serve.residents import find_levels, find_residents

    found = find_levels(levels) or find_residents([settings.bots])
    if not found:
        return None
    return ResidentBots(
        found,
        ResidentTerms(
            settings.bot_games,
            settings.bot_pause,
            _bot_folder(settings),
            verbose=settings.verbose,
            together=bool(levels),
        ),
        on_ready=print_bot_json if json_line else print_bot,
        on_given_up=print_given_up_json if json_line else print_given_up,
        log=structlog.get_logger("bots"),
    )


def _bot_folder(settings: ServeSettings) -> Path:
    """Return the folder for the tokens of the bots.

    Each node of a cluster has one of its own. Otherwise the second node on a machine would wait for
    the names of the bots of the first one.
    """
    from doublecross.cli.shared.server_files.bot_tokens import token_folder

    folder = token_folder(settings.database)
    if not settings.cluster:
        return folder
    return folder / (settings.node or f"{socket.gethostname()}-{settings.port}")


def _stop_at_eof() -> None:
    """Stop the server when the process that started it closes our input or dies."""
    while os.read(0, 4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
