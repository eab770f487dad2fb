"""Runs a server on given ports and a database; prints a JSON line when it is ready.

python -m tests.e2e.serve_child PORT HTTP_PORT DATABASE
"""

from __future__ import annotations

import json
import sys

from doublecross.server.shell.app import DoublecrossServer
from doublecross.server.shell.logs import server_logs
from doublecross.server.shell.running import run
from doublecross.server.shell.settings import ServerSettings


def ready(server: DoublecrossServer) -> None:
    line = {"what": "ready", "ws": server.addresses.ws, "rooms": server.restored}
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def main() -> None:
    server_logs(verbose=True)
    port, http_port, database = sys.argv[1:]
    settings = ServerSettings(port=int(port), http_port=int(http_port), database=database)
    run(lambda: DoublecrossServer(settings), ready)


if __name__ == "__main__":
    main()
