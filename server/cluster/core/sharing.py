"""Who takes which log of a node that has died: all survivors find the same answer by themselves.

Rendezvous hashing: each pair of a log and a run has a number, and the run with the highest number
takes the log. When a run goes, only its logs move; they spread over all others.

Each start of a node makes logs, so those that others have taken must go some day. New rooms are
opened only in a few logs of each owner (`in_use`). The others run empty, and are deleted then.
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

    Runs that are `leaving` take nothing. A run that does not know this of another one leaves its
    logs alone until it is gone; nobody takes a log twice, because the storage decides.
    """
    takers = snapshot.live.difference(leaving)
    if run not in takers:
        return ()
    return tuple(log for log in snapshot.unowned if taker(log.log, takers) == run)


def in_use(logs: Collection[str], count: int) -> frozenset[str]:
    """Return in which of the logs of one owner new rooms are opened: at most `count` of them.

    The hall and the owner find the same ones. The log of a single server's rooms comes last.
    """
    return frozenset(sorted(logs, key=lambda log: (log == SINGLE, log))[:count])


def _weight(log: str, run: str) -> bytes:
    return blake2b(f"{log} {run}".encode(), digest_size=8).digest()
