"""The leases of a cluster's nodes and logs; `server/store/cluster` keeps them in PostgreSQL.

Theory of operation
-------------------
Several equal processes, the *nodes*, form one server. A node has a *name*, and a random *run* for
each start. It renews a *lease* every half second. Rooms belong to *logs*. Each log has one owner,
which is a run, and a *fencing token*, which grows whenever the owner changes. Every write to a log
names the token and is refused when it is not the current one.

A run ends when it leaves, when another process joins under its name, or when another node takes one
of its logs. The latter two need a lease that has lapsed. A run that has ended never comes back: a
node starts again with another run. A lease that has lapsed, of a run that has not ended, can be
renewed, because nobody has taken anything yet.

When PostgreSQL stands still, all leases lapse at once, and the node that reaches it first must not
take the logs of all others. So a node may take logs only when it has had its own lease for the
length of a lease, without a gap.

All deadlines here are times of PostgreSQL's clock. If that clock jumps, for example because another
machine takes PostgreSQL over, a lease may lapse early. Then tokens still protect everything that is
stored; only what a node shows from memory may be older than it should be, for a few seconds.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from doublecross.server.core.people.accounts import PlayerRow
from doublecross.server.core.rooms.plans import PlanRow
from doublecross.server.core.rooms.sleeping import SleepingRoom
from doublecross.server.core.storage import (
    DatabaseTakenError,
    GameRow,
    JournalEntry,
    StoreError,
    TournamentChange,
)

LEASE_MS: Final = 3000
"""How long a lease lasts after a renewal, in milliseconds."""
LEADER: Final = "leader"
"""The log of the lobby, the names, the ratings and the tournaments. It is always there."""


class LogLostError(DatabaseTakenError):
    """Raised by a write to logs that another run owns now, or that are gone.

    Nothing was stored. `logs` names them.
    """

    def __init__(self, logs: Collection[str]) -> None:
        self.logs = frozenset(logs)
        super().__init__(
            f"Another process of the cluster has taken {', '.join(sorted(self.logs))}, so this one"
            " stores nothing there any more."
        )


class RunEndedError(DatabaseTakenError):
    """Raised when this node's run has ended. The node must join again with another run."""

    def __init__(self) -> None:
        super().__init__(
            "The cluster has gone on without this process, because its lease had lapsed."
        )


class NameTakenError(StoreError):
    """Raised by `join` when another process has the name and its lease has not lapsed.

    `until_ms` is the end of that lease by PostgreSQL's clock. It grows while that process runs.
    """

    def __init__(self, name: str, run: str, until_ms: int) -> None:
        self.run = run
        self.until_ms = until_ms
        super().__init__(
            f"Another process of the cluster has the name {name}; give each process its own name."
        )


@dataclass(frozen=True, slots=True)
class Claim:
    """The ownership of a log: writes with this token are accepted while it is the current one."""

    log: str
    token: int


@dataclass(frozen=True, slots=True)
class Node:
    """A process of the cluster whose run has not ended.

    `is_live` is True when its lease had not lapsed at the time of the snapshot. `version` is the
    version of its program. `address` is where other nodes reach it: the name of the cluster in
    NATS.
    """

    name: str
    run: str
    is_live: bool
    started_ms: int
    version: str
    address: str


@dataclass(frozen=True, slots=True)
class Log:
    """A log with its fencing token; `owner` is a run, or None for a log that was given up."""

    log: str
    token: int
    owner: str | None


@dataclass(frozen=True)
class ClusterSnapshot:
    """All nodes and logs at one moment, by run and by id.

    `version` grows with every change, except that leases can lapse without one. `now_ms` is the
    time by PostgreSQL's clock.
    """

    version: int
    now_ms: int
    nodes: Mapping[str, Node]
    logs: Mapping[str, Log]

    @cached_property
    def live(self) -> frozenset[str]:
        """The runs whose leases had not lapsed."""
        return frozenset(run for run, node in self.nodes.items() if node.is_live)

    @cached_property
    def unowned(self) -> tuple[Log, ...]:
        """The logs without an owner whose lease holds, in the order of their ids."""
        found = (log for log in self.logs.values() if log.owner not in self.live)
        return tuple(sorted(found, key=lambda log: log.log))

    def owned_by(self, run: str) -> frozenset[str]:
        """Return the ids of the logs that this run owns."""
        return frozenset(log.log for log in self.logs.values() if log.owner == run)


@dataclass(frozen=True, slots=True)
class Renewal:
    """The answer to a renewal.

    `holds` is False when the run has ended. `lapsed` are other runs whose leases have lapsed. The
    snapshot of an earlier renewal still holds when `version` and `lapsed` are the same as then.
    """

    holds: bool
    now_ms: int
    version: int
    lapsed: frozenset[str]


@dataclass(frozen=True, slots=True)
class LogWrite:
    """The part of a commit for one log. Without an entry it only checks that the claim holds."""

    claim: Claim
    entry: JournalEntry | None = None


@dataclass(frozen=True, slots=True)
class ClusterBatch:
    """The contents of one transaction: entries of logs, and rows as in a `Batch`.

    There is at least one log: the claims of the logs protect all the other rows too.
    """

    writes: Sequence[LogWrite]
    games: Sequence[GameRow] = ()
    players: Sequence[PlayerRow] = ()
    tournaments: Sequence[TournamentChange] = ()
    asleep: Sequence[SleepingRoom] = ()
    woken: Sequence[str] = ()
    plans: Sequence[PlanRow] = ()
