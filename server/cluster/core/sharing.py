"""Decide which node takes a log without an owner; each node finds the same answer by itself.

Rendezvous hashing: each pair of a log and a run has a number, and the run with the highest number
takes the log. When a run goes, only its logs move; they spread over all others.

Each start of a node makes logs, so the number of logs would grow without end. New rooms are opened
only in a few logs of each owner (`in_use`). The others run empty, and are then deleted.
"""

from __future__ import annotations

from collections.abc import Collection
from hashlib import blake2b
from typing import Final

from doublecross.server.core.cluster_ids import SINGLE
from doublecross.server.core.cluster_storage import ClusterSnapshot, Log

USED_LOGS: Final = 2
"""In how many logs of each owner new rooms are opened, unless the host says otherwise."""


def taker(log: str, runs: Collection[str]) -> str | None:
    """Return which of the runs takes a log; None without runs."""
    return max(runs, key=lambda run: (_weight(log, run), run), default=None)


def due_to(
    run: str, snapshot: ClusterSnapshot, leaving: Collection[str] = frozenset()
) -> tuple[Log, ...]:
    """Return the logs of a snapshot that this run should take now, in the order of their ids.

    Runs that are `leaving` take nothing. Two nodes may know different runs that leave, and so find
    different takers. The storage lets only one of them take the log.
    """
    takers = snapshot.live.difference(leaving)
    if run not in takers:
        return ()
    return tuple(log for log in snapshot.unowned if taker(log.log, takers) == run)


def in_use(logs: Collection[str], count: int) -> frozenset[str]:
    """Return in which of the logs of one owner new rooms are opened: at most `count` of them.

    The leader and the owner find the same ones. The log of a single server's rooms comes last.
    """
    return frozenset(sorted(logs, key=lambda log: (log == SINGLE, log))[:count])


def _weight(log: str, run: str) -> bytes:
    return blake2b(f"{log} {run}".encode(), digest_size=8).digest()
