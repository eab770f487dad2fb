"""Start a server on this machine as a child process."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from typing import Final

from doublecross.processes.child import Child
from doublecross.processes.installation import how_to_add

_SERVER_PACKAGES: Final = (
    "aiosqlite",
    "confusable_homoglyphs",
    "alembic",
    "prometheus_client",
    "pydantic_settings",
    "sqlalchemy",
    "starlette",
    "structlog",
    "uvicorn",
)


def server_lacks() -> str | None:
    """Return a sentence if packages of the server are not installed, or else None."""
    missing = [name for name in _SERVER_PACKAGES if importlib.util.find_spec(name) is None]
    if not missing:
        return None
    return (
        f"Running a server needs packages that are not installed ({', '.join(missing)}):"
        f" {how_to_add('server')}"
    )


async def start_server(
    database: str,
    on_error_line: Callable[[str], None] = lambda line: None,
    *,
    levels: Sequence[str] = (),
    port: int = 0,
) -> tuple[Child, str]:
    """Start a server on `port` (0: any free port); return its process and its address.

    It makes no reviews: the window has a process of its own for them, and nobody else needs any.

    `levels` are bots that share one process. The server sends a message for each of them when it is
    ready. `on_error_line` gets the lines of its log.

    Raises:
        ChildEnded: the server did not start.
    """
    # A file of settings is for the server that the user hosts.
    arguments = f"--json --until-eof --analysis 0 --host 127.0.0.1 --port {port} --database"
    with_levels = ("--levels", ",".join(levels)) if levels else ()
    child = await Child.start(
        "The server",
        "doublecross.cli.main",
        *("serve", "--settings", "", *arguments.split()),
        database,
        *with_levels,
        on_error_line=on_error_line,
    )
    try:
        return child, (await child.expect())["ws"]
    except BaseException:
        await child.stop()
        raise
