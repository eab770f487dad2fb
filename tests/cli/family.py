"""Finds the processes that a test has started."""

from __future__ import annotations

import psutil


class Family:
    """All processes below this one, except those that existed before.

    Some processes outlive their test, such as the resource tracker of `multiprocessing`. Those of
    the browser belong to other tests of the same run, and come and go.
    """

    def __init__(self) -> None:
        self._earlier = set(psutil.Process().children(recursive=True))

    def __call__(self, module: str = "") -> list[psutil.Process]:
        """Return all of them, or those that run `module`, as fresh interpreters or as forks."""
        found = psutil.Process().children(recursive=True)
        return [
            child
            for child in found
            if child not in self._earlier
            and (_runs(module, child) if module else not _is_browser(child))
        ]


def _runs(module: str, process: psutil.Process) -> bool:
    """Return whether a process runs `module`. A fork has its command line from the fork server."""
    try:
        return process.name() == module[-15:] or module in _arguments(process)
    except psutil.Error:  # it has just ended
        return False


def _is_browser(process: psutil.Process) -> bool:
    """Return whether a process is one of Chromium's."""
    try:
        return process.name().startswith("chrom")
    except psutil.Error:  # it has just ended
        return False


def _arguments(process: psutil.Process) -> tuple[str, ...]:
    """Return the words of its command line, also those inside JSON lists."""
    try:
        lines = process.cmdline()
    except psutil.Error:  # it has just ended
        return ()
    return tuple(word.strip(' "[],') for line in lines for word in line.split('"'))
