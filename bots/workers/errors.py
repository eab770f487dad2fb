"""What goes wrong with bots in workers, and in which words it travels from there."""

from __future__ import annotations

from typing import Final, Literal

TEXT_MAX: Final = 300
"""Longest text of an exception that is passed on, in characters."""
TRACE_MAX: Final = 4000
"""Longest traceback that is passed on, in characters."""

Failure = Literal["raised", "illegal", "hung", "died"]


class BotFailed(Exception):  # noqa: N818 - named for what happened
    """A bot did not bring a move: it `raised`, named an `illegal` action, `hung` beyond its stop,
    or its process `died`. The text is one sentence; `trace` is the bot's traceback if any."""

    def __init__(self, kind: Failure, sentence: str, trace: str = "") -> None:
        super().__init__(sentence)
        self.kind: Failure = kind
        self.sentence = sentence
        self.trace = trace


class PoolClosed(RuntimeError):  # noqa: N818 - named for what happened
    """The pool was closed while, or before, something was asked of it."""


def describe(error: BaseException) -> str:
    """Return an exception as one line of at most `TEXT_MAX` characters."""
    text = str(error).splitlines()
    name = type(error).__name__
    return f"{name}: {text[0]}"[:TEXT_MAX] if text else name
