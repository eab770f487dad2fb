"""Find ports for programs of this machine."""

from __future__ import annotations

import random
import socket
from typing import Final

PORTS: Final = range(20_000, 32_000)
"""Below those that systems give to outgoing connections, which could take a port before it is used.
"""


def free_port() -> int:
    """Return a port of 127.0.0.1 that nobody uses at this moment, and that hardly anybody takes.

    Raises:
        OSError: no port is free.
    """
    for port in random.sample(PORTS, len(PORTS)):
        with socket.socket() as listener:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                listener.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise OSError("All ports from 20000 to 32000 are in use.")
