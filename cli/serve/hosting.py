"""Run a server, or a node of a cluster, with its bots, and tell the host how it goes."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from doublecross.bots.hosting.resident_bots import ResidentBots
from doublecross.cli.serve.advice import server_adviser
from doublecross.cli.serve.printing import Served, print_line, print_panel, print_ready_json
from doublecross.cli.serve.reviews import server_reviewer
from doublecross.cli.serve.tokens_check import wrong_tokens
from doublecross.cli.shared.console import FAILED, Problem, discard_output, warn
from doublecross.cli.shared.parsing import need_cluster_packages
from doublecross.cli.shared.server_files.bot_tokens import token_folder
from doublecross.cli.shared.server_files.host_file import HostFile, node_folder
from doublecross.processes.browser import open_page
from doublecross.server.shell.app import DoublecrossServer
from doublecross.server.shell.listening import StartError
from doublecross.server.shell.logs import server_logs
from doublecross.server.shell.running import ServerFailedError, run
from doublecross.server.shell.settings import ServerSettings

if TYPE_CHECKING:
    from doublecross.server.cluster.server import ClusterServer


def keep_serving(
    settings: ServerSettings,
    residents: ResidentBots | None,
    *,
    as_json: bool,
    qr: bool,
    opens: bool,
) -> None:
    """Run what the settings say until a signal ends it.

    Print one line of JSON when it is ready, or an address for people, with `qr` as a QR code too.
    With `opens` a browser opens the page.
    """
    if settings.cluster:
        need_cluster_packages()
    server_logs(settings.verbose, settings.log_level, as_json=settings.log_format == "json")
    folder = token_folder(settings.database)
    if not settings.cluster:  # each node has a folder of its own
        names = [each.name for each in residents.residents] if residents else []
        if wrong := wrong_tokens(settings.database, folder, names):
            warn(wrong)
    host_file = HostFile(node_folder(folder) if settings.cluster else folder)

    def on_ready(server: Served) -> None:
        _write(host_file, server)
        # Output that cannot be written, as on a full disk, must not end the server.
        with contextlib.suppress(OSError):
            if as_json:
                print_ready_json(server, residents)
            else:
                print_panel(server, residents, qr=qr)
        if opens:
            open_page(server.addresses.share[0], os.environ)
        if residents is not None:
            residents.start(server.addresses.local)

    try:
        if settings.cluster:
            run(_node(settings, host_file.token), on_ready)
        else:
            run(_server(settings, host_file.token), on_ready)
    except StartError as error:
        raise Problem(str(error)) from None
    except ServerFailedError as error:
        raise Problem(str(error), FAILED) from None
    finally:
        host_file.remove()
    if not as_json:
        print_line(
            "The node has stopped. Its games go on at the other nodes, or when one starts again."
            if settings.cluster
            else "The server has stopped. All games are saved."
        )
    try:
        sys.stdout.flush()
    except OSError:
        discard_output()


def _server(settings: ServerSettings, host_token: str) -> Callable[[], DoublecrossServer]:
    """Return a function that makes a server by itself."""
    reviewer = server_reviewer(settings.analysis)
    return lambda: DoublecrossServer(
        settings,
        adviser=None if settings.no_advice else server_adviser(),
        reviewer=reviewer,
        host_token=host_token,
    )


def _node(settings: ServerSettings, host_token: str) -> Callable[[], ClusterServer]:
    """Return a function that makes a node of a cluster."""
    # Only nodes need the packages that this imports.
    from doublecross.server.cluster.server import ClusterServer

    # A reviewer begins to work when a node becomes the leader. This finds out whether one can.
    server_reviewer(settings.analysis)
    return lambda: ClusterServer(
        settings,
        adviser=(lambda: None) if settings.no_advice else server_adviser,
        reviewer=lambda: server_reviewer(settings.analysis),
        host_token=host_token,
    )


def _write(host_file: HostFile, server: Served) -> None:
    try:
        host_file.write(server.addresses.local, server.addresses.http)
    except OSError as error:
        warn(f"The commands of doublecross admin cannot manage this server: {error}.")
