"""The errors of bots in worker processes, and their form in messages."""

from __future__ import annotations

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


def describe(error: BaseException) -> str:
    """Return an exception as one line of at most `TEXT_MAX` characters."""
    text = str(error).splitlines()
    name = type(error).__name__
    return f"{name}: {text[0]}"[:TEXT_MAX] if text else name
