"""How `doublecross analyse` says what a search has found so far, and how Ctrl-C ends it."""

from __future__ import annotations

import signal
from types import FrameType, TracebackType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bots.search.exact.analysis import Analysis
    from bots.search.exact.solver import Bounds


def signed(value: int) -> str:
    """A net score as it is written everywhere: +3, -1, 0."""
    return f"{value:+}" if value else "0"


def shown(value: Bounds) -> str:
    """A value as far as it is known."""
    if value.exact:
        return signed(value.low)
    return f"{signed(value.low)} to {signed(value.high)}"


def stage(found: Analysis) -> str:
    """What is known and what is being looked for, in some words."""
    text = f"value {shown(found.value)}"
    if found.moves:
        solved = sum(bounds.exact for bounds in found.moves.values())
        return f"{text}, {solved} of {len(found.moves)} edges solved"
    return f"{text}, looking for the best edges" if found.value.exact else text


class Interrupt:
    """While it is entered, the first Ctrl-C only sets `asked`; a second one interrupts."""

    def __init__(self) -> None:
        self.asked = False
        self._before: Any = None

    def __enter__(self) -> Interrupt:
        self._before = signal.signal(signal.SIGINT, self._ask)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        signal.signal(signal.SIGINT, self._before)

    def _ask(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True
