"""Set up the logs of a process that people start, or of one of its children."""

from __future__ import annotations

import logging


def quiet_logs(verbose: bool) -> None:
    """Send the standard library's logs to standard error, one line each.

    Only warnings and errors are shown unless `verbose`.
    """
    logging.basicConfig(
        level=logging.INFO if verbose else logging.WARNING,
        format="%(message)s" if not verbose else "%(asctime)s %(message)s",
        datefmt="%H:%M:%S",
        force=True,
    )
    for name in ("websockets", "asyncio"):
        logging.getLogger(name).setLevel(logging.ERROR)
