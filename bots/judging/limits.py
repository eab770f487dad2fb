"""Define what all judges share: the longest pv, and the errors of unanswered questions."""

from __future__ import annotations

from typing import Final

MOST_PV: Final = 60
"""The most plies of a principal variation."""


class JudgeError(Exception):
    """A game cannot be judged here; the message is a sentence for people."""


class Stopped(Exception):  # noqa: N818 - named for what happened
    """Nobody waits for the values any more."""
