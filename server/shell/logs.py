"""Set up the server's logs: structured, on standard error, without noise about broken peers."""

from __future__ import annotations

import logging
import sys
from typing import Final

import structlog

from doublecross.protocol.text import escaped
from doublecross.server.shell.log_stream import LineLoggerFactory, LogStream, unfailing_logger
from doublecross.server.shell.memory_end import end_when_out_of_memory

_NOISY: Final = ("opening handshake failed", "connection rejected")
MOST_ALIKE: Final = 5
"""The most records of a library with the same message that are logged within `ALIKE_S`."""
ALIKE_S: Final = 60.0
MOST_MESSAGES: Final = 100
"""The most different messages that are counted."""


class _NoTraceback(logging.Filter):
    """Removes the traceback when a peer did not speak websocket.

    A browser, a port scanner or a health check on the wrong port is not a bug of this server.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        if record.getMessage().startswith(_NOISY):
            record.levelno, record.levelname = logging.INFO, "INFO"
            record.exc_info = record.exc_text = None
            return logging.getLogger().isEnabledFor(logging.INFO)
        return True


class FewAlike(logging.Filter):
    """Limits how often libraries may log the same, because strangers may be able to cause it.

    The first record after `ALIKE_S` says how many were left out. The server's own records do not
    pass through it.
    """

    def __init__(self) -> None:
        super().__init__()
        self._counts: dict[tuple[str, str], tuple[float, int]] = {}
        """By logger and message, when counting began, and how many records there were since."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether to log a record."""
        # Libraries may log any object, and values that do not fit; the handler reports those.
        text = str(record.msg)
        key = record.name, text
        since, count = self._counts.get(key, (record.created, 0))
        if record.created - since >= ALIKE_S:
            left_out = count - MOST_ALIKE
            if left_out > 0:
                record.msg = f"{text.rstrip()} ({left_out} more were not logged)"
            since, count = record.created, 0
        # Strangers may invent messages. To begin anew is enough: it lets a few more through.
        if key not in self._counts and len(self._counts) >= MOST_MESSAGES:
            self._counts.clear()
        self._counts[key] = since, count + 1
        return count < MOST_ALIKE


def _escape(
    _logger: object, _method: str, event: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    """Escape what players sent, because it could control the terminal that shows the log."""
    for key, value in event.items():
        if isinstance(value, str):
            event[key] = escaped(value, "\n" if key == "exception" else "")
    return event


def server_logs(verbose: bool, level_name: str | None = None, *, as_json: bool = False) -> None:
    """Set up structlog and the standard library's logging; only warnings unless `verbose`.

    `level_name`, such as ``debug``, comes before `verbose`. With `as_json` each line is a JSON
    object. No log call raises, whatever happens to standard error.
    """
    named = level_name or ("info" if verbose else "warning")
    level = logging.getLevelNamesMapping()[named.upper()]
    stream = LogStream(sys.stderr, as_json=as_json)
    terminal = stream.isatty() and not as_json
    shared: list[structlog.typing.Processor] = [
        end_when_out_of_memory,
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _escape,
    ]
    renderer: structlog.typing.Processor = (
        structlog.processors.JSONRenderer(default=str)
        if as_json
        # Tracebacks with the values of all variables would stall the server for 0.2 s each.
        else structlog.dev.ConsoleRenderer(
            colors=True, exception_formatter=structlog.dev.plain_traceback
        )
        if terminal
        else structlog.processors.LogfmtRenderer(key_order=("timestamp", "level", "event"))
    )
    exceptions: list[structlog.typing.Processor] = (
        # Escape once more, because the traceback comes only now.
        [] if terminal else [structlog.processors.format_exc_info, _escape]
    )
    structlog.configure(
        processors=[*shared, *exceptions, renderer],
        wrapper_class=unfailing_logger(level, stream),
        logger_factory=LineLoggerFactory(stream),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(stream)
    handler.addFilter(FewAlike())
    # Otherwise a record that cannot be formatted is reported on standard error, which may raise.
    logging.raiseExceptions = False
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                *exceptions,
                renderer,
            ],
        )
    )
    root = logging.getLogger()
    # In place of all others, which would write each record again.
    root.handlers[:] = [handler]
    # At its lowest level the websocket library logs all that players send, tokens included.
    root.setLevel(max(level, logging.INFO))
    logging.getLogger("websockets.server").addFilter(_NoTraceback())
    # Peers can close connections while the server writes to them. Warnings about that would fill
    # the log.
    logging.getLogger("asyncio").setLevel(logging.ERROR)
