"""What a node is made of, and gives to the logs and the hall that it runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from doublecross.server.cluster.core.sharing import USED_LOGS
from doublecross.server.cluster.network import Network
from doublecross.server.core.cluster_storage import Claim
from doublecross.server.core.storage import Store
from doublecross.server.shell.analysis.reviews import Reviewer
from doublecross.server.shell.authority import AuthorityConfig


def _no_reviewer() -> Reviewer | None:
    return None


@dataclass(frozen=True, slots=True)
class NodeParts:
    """The parts of a node.

    `store_of` returns the storage of a log. `now` and `date` return milliseconds since 1970, UTC:
    those that order events, and those that people read. `may_show` returns whether the lease holds,
    so that nobody can have taken anything. `hello_s` and `silence_s` are how long a client may wait
    before its login and between two messages, in seconds, and `write_buffer` is how many bytes may
    wait for it. `reviewer` returns what judges finished games while the hall is here, if anything
    does. New rooms are opened in `used_logs` logs of each node.
    """

    network: Network
    store_of: Callable[[Claim], Store]
    config: AuthorityConfig
    rng: Random
    now: Callable[[], int]
    date: Callable[[], int]
    may_show: Callable[[], bool]
    hello_s: float
    silence_s: float
    write_buffer: int
    reviewer: Callable[[], Reviewer | None] = _no_reviewer
    used_logs: int = USED_LOGS
