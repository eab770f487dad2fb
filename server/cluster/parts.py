"""The parts of a node that it gives to the logs and the leader that it runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from doublecross.server.cluster.core.sharing import USED_LOGS
from doublecross.server.cluster.network import Network
from doublecross.server.cluster.watches import LogWatch
from doublecross.server.core.cluster_storage import Claim
from doublecross.server.core.limits import Patience
from doublecross.server.core.storage import Store
from doublecross.server.shell.analysis.reviews import Reviewer
from doublecross.server.shell.authority import AuthorityConfig
from doublecross.server.shell.upkeep.service_time import TimeSource


def _no_reviewer() -> Reviewer | None:
    return None


@dataclass(frozen=True, slots=True)
class LeaderTerms:
    """The terms of the leader while it is here.

    `reviewer` returns the reviewer of finished games, or None. New rooms are opened in
    `used_logs` logs of each node.
    """

    rng: Random
    reviewer: Callable[[], Reviewer | None] = _no_reviewer
    used_logs: int = USED_LOGS


@dataclass(frozen=True, slots=True)
class NodeParts:
    """The parts of a node.

    `store_of` returns the storage of a log. `time` has no watch, because each log has its own.
    `may_show` returns whether the lease holds, so that no other node can have taken a log. `place`
    returns the node's HTTP address for welcomes, and the version of the page there.
    """

    network: Network
    store_of: Callable[[Claim], Store]
    config: AuthorityConfig
    time: TimeSource
    may_show: Callable[[], bool]
    patience: Patience
    leader: LeaderTerms
    place: Callable[[], tuple[str | None, str | None]] = lambda: (None, None)


@dataclass(frozen=True, slots=True)
class OwnedLog:
    """A log that a node owns now, the leader's or one with rooms.

    `store` has the log as its journal. `watch` watches the commits to it. `on_lost` is called once
    when a commit finds that another node has the log.
    """

    claim: Claim
    store: Store
    watch: LogWatch
    on_lost: Callable[[], None]
