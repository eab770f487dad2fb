"""The exceptions of the server's core.

::

    Refused(Exception)     the peer's mistake; the answer is an error code and a sentence
    Repeated(Exception)    a move that was already played; the answer is the original one
    CorruptLog(Exception)  stored events that contradict each other; a bug or a damaged database
"""

from __future__ import annotations

from functools import partial

from doublecross.games.api.sentence import Sentence
from doublecross.protocol.errors import ErrorCode


class Refused(Exception):  # noqa: N818 - the name says what happened
    """Raised for a command that is not allowed. The command changed nothing.

    The answer to the peer has `code` and, for people, `sentence`, whose template `values` fill.
    """

    def __init__(self, code: ErrorCode, sentence: str, *values: object) -> None:
        self.code = code
        self.sentence = Sentence(sentence, *values)
        super().__init__(self.sentence)


# The refusals with the commonest codes.
wrong_state = partial(Refused, ErrorCode.WRONG_STATE)
too_many = partial(Refused, ErrorCode.TOO_MANY)
bad_parameter = partial(Refused, ErrorCode.BAD_PARAMETER)


def storage_silent() -> Refused:
    """Return the refusal of a request for which the storage, or who has it, did not answer."""
    return Refused(
        ErrorCode.STORAGE_FAILED, "The server's storage does not answer; try again in a moment."
    )


class Repeated(Exception):  # noqa: N818 - the name says what happened
    """Raised for a move that was already played. The event number `seq` is the answer."""

    def __init__(self, seq: int) -> None:
        super().__init__(f"answered by event {seq}")
        self.seq = seq


class CorruptLog(Exception):  # noqa: N818 - the name says what is wrong
    """Raised for stored events that cannot have happened in this order."""
