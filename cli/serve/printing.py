"""Print what a host reads of a running server: its address, its bots, and lines for scripts."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from typing import TYPE_CHECKING, Any, Protocol

from doublecross.cli.serve.qr import print_qr
from doublecross.cli.shared.console import out, say
from doublecross.cli.shared.server_files.database import shown
from doublecross.client.core.address import is_loopback

if TYPE_CHECKING:
    from doublecross.bots.hosting.resident_bots import ResidentBot, ResidentBots
    from doublecross.server.shell.listening import Addresses
    from doublecross.server.shell.settings import ServerSettings


class Served(Protocol):
    """A server by itself, or a node of a cluster, which has a name."""

    @property
    def settings(self) -> ServerSettings:
        """The settings that the host has chosen."""

    @property
    def addresses(self) -> Addresses:
        """The addresses at which clients reach it."""

    @property
    def restored(self) -> int:
        """The number of unfinished rooms that it has restored."""

    @property
    def name(self) -> str | None:
        """The name of a node."""


def print_ready_json(server: Served, residents: ResidentBots | None) -> None:
    """Print the line of JSON of a server that is ready."""
    addresses = server.addresses
    line = {
        "what": "ready",
        "ws": addresses.ws,
        "http": addresses.http,
        "local": addresses.local,
        "share": list(addresses.share),
        "database": shown(server.settings.database),
        "rooms": server.restored,
        "pid": os.getpid(),
        "bots": [resident.name for resident in residents.residents] if residents else [],
    }
    if server.name is not None:
        line["node"] = server.name
    print_line(line)


def print_bot_json(resident: ResidentBot, name: str, pid: int) -> None:
    """Print the line of JSON of a bot that has joined under `name`."""
    print_line({"what": "bot_ready", "bot": resident.spec, "name": name, "pid": pid})


def print_bot(resident: ResidentBot, name: str, pid: int) -> None:
    """Print that a bot has joined under `name`."""
    known = name if resident.spec == name else f"{name} ({resident.spec})"
    print_line(f"Bot {known} is ready.")


def print_given_up_json(resident: ResidentBot, sentence: str) -> None:
    """Print the line of JSON of a bot that cannot be made."""
    print_line(
        {"what": "bot_given_up", "bot": resident.spec, "name": resident.name, "problem": sentence}
    )


def print_given_up(resident: ResidentBot, sentence: str) -> None:
    """Print that a bot cannot be made, and why."""
    print_line(f"Bot {resident.name} is not here: {sentence} Mend it, then start the server again.")


def print_line(line: dict[str, Any] | str) -> None:
    """Print a line while the server runs; ignore a reader that has gone."""
    with contextlib.suppress(OSError):
        sys.stdout.write((line if isinstance(line, str) else json.dumps(line)) + "\n")
        sys.stdout.flush()


def print_panel(server: Served, residents: ResidentBots | None, *, qr: bool = False) -> None:
    """Print the address of a server that is ready, and what people do with it."""
    from rich.panel import Panel
    from rich.table import Table
    from rich.text import Text

    addresses = server.addresses
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for number, url in enumerate(addresses.share):
        grid.add_row("Open" if number == 0 else "or", Text(url, "bold"))
    if server.name is not None:
        grid.add_row("Node", f"{server.name} of the cluster {server.settings.cluster_name}")
    grid.add_row("Database", shown(server.settings.database))
    if server.restored:
        rooms = "1 room continues" if server.restored == 1 else f"{server.restored} rooms continue"
        grid.add_row("Restored", rooms)
    if residents is not None:
        names = ", ".join(resident.name for resident in residents.residents)
        grid.add_row("Bots", f"{names} (getting ready)")
    settings = server.settings
    # With TLS the address has the name in the certificate.
    unshared = settings.public_http is None and is_loopback(f"ws://{settings.host}")
    if unshared or is_loopback(addresses.share[0]):
        grid.add_row("", Text("This machine only. Use --host 0.0.0.0 to let others in.", "dim"))
    out().print(Panel(grid, title="Doublecross", title_align="left", expand=False))
    if qr:
        print_qr(addresses.share[0])
    if residents is None:
        say(f"Let a bot join: doublecross bot rules --server {addresses.share[0]}", "dim")
    say("Ctrl-C stops the server.", "dim")
    sys.stdout.flush()
