"""The two kinds of error of the server's core.

::

    Refused(Exception)     the peer's mistake: an error code and a sentence go back, nothing changed
    Repeated(Exception)    a request that was carried out before: its original answer goes back
    CorruptLog(Exception)  our own trouble: stored events that do not follow from each other
"""

from __future__ import annotations

from protocol.errors import ErrorCode


class Refused(Exception):  # noqa: N818 - reads as what happened
    """A command that cannot be carried out; it changed nothing."""

    def __init__(self, code: ErrorCode, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence


class Repeated(Exception):  # noqa: N818 - reads as what happened
    """A move that was played before: the event `seq` is its answer."""

    def __init__(self, seq: int) -> None:
        super().__init__(f"answered by event {seq}")
        self.seq = seq


class CorruptLog(Exception):  # noqa: N818 - reads as what happened
    """Events that cannot have happened in this order."""
