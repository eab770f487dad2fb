"""End the process when it has no memory left.

An operation that fails in the middle may leave anything behind: a room that nobody serves, a task
that waits for ever. All that players have seen is stored, so a new process is safer. What started
this one starts it again, such as systemd.

The handlers of unexpected errors stand in many places, and each logs the error. So this looks at
what is logged.
"""

from __future__ import annotations

import contextlib
import os
import sys
from typing import Final, NoReturn

import structlog

EXIT_CODE: Final = 1
_SENTENCE: Final = b"The server has no memory left and ends. Start it to go on with all games.\n"


def end_out_of_memory() -> NoReturn:
    """End the process at once; what would run at its end may hang."""
    with contextlib.suppress(OSError):
        os.write(2, _SENTENCE)
    os._exit(EXIT_CODE)


def end_when_out_of_memory(
    _logger: object, _method: str, event: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    """End the process when an error that is logged says that there is no memory left."""
    found = event.get("exc_info")
    if found is True:
        found = sys.exc_info()
    error = found[1] if isinstance(found, tuple) else found
    if isinstance(error, MemoryError):
        end_out_of_memory()
    return event
