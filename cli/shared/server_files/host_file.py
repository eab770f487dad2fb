"""The file by which whoever may read the server's folder manages the running server.

It has the server's HTTP address and a token for ``/api/admin``, and only its owner can read it.
Each start of the server makes a new token; the server removes the file when it ends. Several nodes
of a cluster on one machine have a file each.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import socket
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

HOST_FILE: Final = "host.json"
CONNECT_S: Final = 1.0
"""The most seconds that a node may take to accept a connection."""
_NODE: Final = "node-"


def node_folder(folder: Path) -> Path:
    """Return the folder for the file of this process, one of several nodes with one database."""
    return folder / f"{_NODE}{os.getpid()}"


def found_in(folder: Path) -> Path:
    """Return the file of the server with this folder, or of a node here that can be reached.

    There may be no such file. A process that was killed leaves its file behind.
    """
    own = folder / HOST_FILE
    if own.exists():
        return own
    nodes = sorted(folder.glob(f"{_NODE}*/{HOST_FILE}"), key=_written_s, reverse=True)
    return next(filter(_answers, nodes), nodes[0] if nodes else own)


def _written_s(path: Path) -> float:
    with contextlib.suppress(OSError):
        return path.stat().st_mtime
    return 0.0


def _answers(path: Path) -> bool:
    """Return whether something listens at the address in a file."""
    try:
        address = urlsplit(json.loads(path.read_text("utf-8"))["http"])
        with socket.create_connection((address.hostname or "", address.port or 80), CONNECT_S):
            return True
    except (OSError, ValueError, KeyError, TypeError):
        return False


class HostFile:
    """The file of one server, in the folder for the tokens of its bots."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / HOST_FILE
        self.token = secrets.token_urlsafe(32)

    def write(self, local: str, http: str) -> None:
        """Write the address of a server and the token; see `local_address`.

        Raises:
            OSError: the file cannot be written.
        """
        from doublecross.client.private import write_private

        for folder in (self.path.parent.parent, self.path.parent):
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        values = {"http": local_address(local, http), "token": self.token, "pid": os.getpid()}
        write_private(self.path, json.dumps(values))

    def remove(self) -> None:
        """Remove the file, unless another server has written its own one."""
        with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
            if json.loads(self.path.read_text("utf-8"))["token"] == self.token:
                self.path.unlink()
                self.path.parent.rmdir()  # only if nothing else is in it


def local_address(local: str, http: str) -> str:
    """Return the HTTP address of a server for programs on its own machine.

    `local` is its websocket address for programs on its own machine, and `http` that for others.
    With TLS, `local` has a port of its own, which also answers HTTP without it.
    """
    near, shown = urlsplit(local), urlsplit(http)
    host = near.hostname or ""
    bracketed = f"[{host}]" if ":" in host else host
    return f"http://{bracketed}:{near.port if shown.scheme == 'https' else shown.port}"
