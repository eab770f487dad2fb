"""The processes that a test has started."""

from __future__ import annotations

import psutil


class Family:
    """All processes below this one but those that were there before: what an earlier test has
    made may stay to the end, as the process with which `multiprocessing` tidies up does."""

    def __init__(self) -> None:
        self._strangers = set(psutil.Process().children(recursive=True))

    def __call__(self, module: str = "") -> list[psutil.Process]:
        """All of them, or those that run `module`."""
        found = psutil.Process().children(recursive=True)
        return [
            child
            for child in found
            if child not in self._strangers and (not module or module in _arguments(child))
        ]


def _arguments(process: psutil.Process) -> tuple[str, ...]:
    """What it was started with, taken out of the lists in which our own children get it."""
    try:
        lines = process.cmdline()
    except psutil.Error:  # it ends just now
        return ()
    return tuple(word.strip(' "[],') for line in lines for word in line.split('"'))
