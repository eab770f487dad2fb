"""The errors of bots in worker processes, and their form in messages."""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import Final, Literal

TEXT_MAX: Final = 300
"""The longest text of an exception in a message, in characters."""
TRACE_MAX: Final = 4000
"""The longest traceback in a message, in characters."""

Failure = Literal["raised", "illegal", "hung", "died"]


class BotFailed(Exception):  # noqa: N818 - named for what happened
    """A bot failed to choose a move; the text is one sentence.

    `kind` says how: the bot raised an exception (``raised``), chose an illegal action
    (``illegal``), did not answer after its stop flag was set (``hung``), or its process ended
    (``died``). `trace` is the bot's traceback if there is one.
    """

    def __init__(self, kind: Failure, sentence: str, trace: str = "") -> None:
        super().__init__(sentence)
        self.kind: Failure = kind
        self.sentence = sentence
        self.trace = trace


class PoolClosed(RuntimeError):  # noqa: N818 - named for what happened
    """The pool or the game was closed before the request or during it."""


_BOTS: Final = Path(__file__).resolve().parent
_CALLERS: Final = frozenset(
    str(_BOTS / file)
    for file in ("registry.py", "workers/child.py", "arena/child.py", "arena/referee.py")
)
"""The files that call bots. Their frames say nothing about a bot."""


def trace_of(error: BaseException) -> str:
    """Return the traceback of an error from the bot's first frame, at most `TRACE_MAX` characters.

    Of a longer one the end is kept, which names the error. It is empty if the error was not raised
    in the code of the bot, as when its module does not exist.
    """
    frame = error.__traceback__
    while frame is not None and _is_ours(frame.tb_frame.f_code.co_filename):
        frame = frame.tb_next
    # The error of a file that cannot be compiled has no frame, but it names the line.
    if frame is None and not isinstance(error, SyntaxError):
        return ""
    return "".join(traceback.format_exception(type(error), error, frame))[-TRACE_MAX:]


def _is_ours(file: str) -> bool:
    return file in _CALLERS or "importlib" in file


def describe(error: BaseException) -> str:
    """Return an exception as one line of at most `TEXT_MAX` characters."""
    text = str(error).splitlines()
    name = type(error).__name__
    return f"{name}: {text[0]}"[:TEXT_MAX] if text else name
