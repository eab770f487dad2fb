"""Start a server on this machine as a child process."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from doublecross.processes.child import Child


async def start_server(
    database: str,
    on_error_line: Callable[[str], None] = lambda line: None,
    *,
    bots: str = "",
    levels: Sequence[str] = (),
    port: int = 0,
) -> tuple[Child, str]:
    """Start a server on `port` (0: any free port); return its process and its address.

    It makes no reviews: the window has a process of its own for them, and nobody else needs any.

    `bots` are specs as for ``--bots``, `levels` are bots that share one process. The server sends a
    message for each of them when it is ready. `on_error_line` gets the lines of its log.

    Raises:
        ChildEnded: the server did not start.
    """
    # A file of settings is for the server that the user hosts.
    arguments = f"--json --until-eof --analysis 0 --host 127.0.0.1 --port {port} --database"
    with_bots = ("--bots", bots) if bots else ()
    with_levels = ("--levels", ",".join(levels)) if levels else ()
    child = await Child.start(
        "The server",
        "doublecross.cli.main",
        *("serve", "--settings", "", *arguments.split()),
        database,
        *with_bots,
        *with_levels,
        on_error_line=on_error_line,
    )
    try:
        return child, (await child.expect())["ws"]
    except BaseException:
        await child.stop()
        raise
