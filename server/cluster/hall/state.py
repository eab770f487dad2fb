"""What the hall knows beside its log, and what the nodes keep of it for the next hall.

It is in no database: the announcement to newcomers, whether the cluster drains, and the epoch. The
hall tells all nodes whenever it changes. A node that becomes the hall goes on with what it has. So
the epoch is another one only after no node was left that had it.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class HallState(NamedTuple):
    """The state. `token` is the hall's fencing token, `number` grows with each change.

    `announcement` is the message for newcomers, or None.
    """

    token: int
    number: int
    epoch: str
    draining: bool = False
    announcement: dict[str, Any] | None = None


class KeptState:
    """What this node keeps: the state of the newest hall that has told it; None before that."""

    def __init__(self) -> None:
        self.newest: HallState | None = None

    def take(self, fields: Any) -> bool:
        """Keep a state, unless it is older than the one that is known; return whether it is new."""
        state = HallState(*fields[: len(HallState._fields)])
        known = self.newest
        if known is not None and state[:2] <= known[:2]:
            return False
        self.newest = state
        return True
