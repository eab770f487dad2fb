"""The state of the leader that is in no database, and the copy that each node keeps.

The state has the announcement to newcomers, whether the cluster drains, and the epoch. The leader
sends it to all nodes whenever it changes. A node that becomes the leader goes on with its copy. So
the epoch changes only when no node with a copy is left.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class LeaderState(NamedTuple):
    """The state. `token` is the leader's fencing token, `number` grows with each change.

    `announcement` is the message for newcomers, or None.
    """

    token: int
    number: int
    epoch: str
    draining: bool = False
    announcement: dict[str, Any] | None = None


class KeptState:
    """This node's copy of the state of the newest leader; its epoch is empty at first."""

    def __init__(self) -> None:
        self.newest = LeaderState(0, 0, "")

    def take(self, fields: Any) -> bool:
        """Keep a state if it is newer than the known one; return whether it is."""
        state = LeaderState(*fields[: len(LeaderState._fields)])
        if state[:2] <= self.newest[:2]:
            return False
        self.newest = state
        return True
