"""The node's own view of its lease: for how long it may believe that nobody has taken its logs.

PostgreSQL counts the lease from when it carries out a renewal. The node counts from when it *sent*
the renewal, which is earlier, and stops a margin before the end. So the node stops first. The two
clocks may show different times. Only the lengths of their seconds must agree, to a sixth.

The clock must go on while the machine is suspended; see `server/cluster/clock.py`.
"""

from __future__ import annotations

import math
from typing import Final

from doublecross.server.core.cluster_storage import LEASE_MS

LENGTH_S: Final = LEASE_MS / 1000
MARGIN_S: Final = 0.5
"""How long before the end the node stops, in seconds: a sixth of the lease."""
PERIOD_S: Final = 0.5
"""How often the lease is renewed, in seconds."""


class Lease:
    """The lease of a run. Times are seconds by a clock that goes on while the machine sleeps.

    It begins without a lease. After `end` it never has one again.
    """

    def __init__(self) -> None:
        self._sent_s = -math.inf
        """When the last renewal was sent that has succeeded."""
        self.has_ended = False

    def renewed(self, sent_s: float) -> None:
        """Note that a renewal which was sent at this time has succeeded.

        Answers may come in another order than the renewals were sent.
        """
        self._sent_s = max(self._sent_s, sent_s)

    def end(self) -> None:
        """Note that the run has ended, or that the node gives its lease up."""
        self.has_ended = True

    def holds(self, now_s: float) -> bool:
        """Return whether nobody can have taken a log of this run."""
        return not self.has_ended and now_s < self._sent_s + LENGTH_S - MARGIN_S

    def wait_s(self, now_s: float) -> float:
        """Return in how many seconds the next renewal is due."""
        return max(0.0, self._sent_s + PERIOD_S - now_s)
