"""Limit what one source does: a token bucket for each source and action, and its connections."""

from __future__ import annotations

import math
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from doublecross.protocol.errors import ErrorCode
from doublecross.server.core.errors import Refused
from doublecross.server.shell.addresses.sources import EXEMPT

MOST_BUCKETS: Final = 50_000
"""How many buckets are kept; the one that was not used for the longest time goes first."""


class Action(StrEnum):
    """What a source does; the value is the word for it in sentences."""

    CONNECT = "connections"
    HANDSHAKE = "encrypted connections"
    LOGIN = "logins"
    PASSWORD = "passwords"  # noqa: S105 - a word
    NAME = "new names"
    ROOM = "new rooms"
    RECORD = "records"
    REVIEW = "new reviews"
    PAGE = "pages"
    FILE = "requests"


@dataclass(frozen=True, slots=True)
class Rate:
    """How often an action is allowed: `most` times at once, and again after `period_s` seconds.

    The tokens come back evenly: one after each `period_s` / `most` seconds.
    """

    most: int
    period_s: float


RATES: Final[Mapping[Action, Rate]] = {
    Action.CONNECT: Rate(600, 60.0),
    Action.HANDSHAKE: Rate(1200, 60.0),
    Action.LOGIN: Rate(600, 60.0),
    Action.PASSWORD: Rate(20, 60.0),
    Action.NAME: Rate(120, 3600.0),
    Action.ROOM: Rate(120, 60.0),
    Action.RECORD: Rate(300, 60.0),
    Action.REVIEW: Rate(120, 3600.0),
    Action.PAGE: Rate(600, 60.0),
    Action.FILE: Rate(12_000, 60.0),
}


@dataclass(frozen=True, slots=True)
class AddressLimits:
    """The limits for one source."""

    rates: Mapping[Action, Rate] = field(default_factory=lambda: RATES)
    connections: int = 512
    """The most websocket connections at once."""
    http_connections: int = 64
    """The most HTTP connections at once."""


class Admission:
    """Count what the sources do. `now_s` returns seconds and never goes back."""

    def __init__(self, limits: AddressLimits, now_s: Callable[[], float]) -> None:
        self.limits = limits
        self._now_s = now_s
        self.hits: Counter[Action] = Counter()
        """How often a source had no token for an action."""
        # The time at which the bucket is full again; this one number is the whole bucket (the
        # "generic cell rate algorithm").
        self._full_at: OrderedDict[tuple[str, Action], float] = OrderedDict()

    def wait_s(self, source: str, action: Action) -> float:
        """Take a token and return 0, or return the seconds until there is one."""
        if source == EXEMPT:
            return 0.0
        rate = self.limits.rates[action]
        each_s = rate.period_s / rate.most
        now = self._now_s()
        full_at = max(self._full_at.pop((source, action), now), now)
        wait = full_at + each_s - rate.period_s - now
        allowed = wait <= 1e-9
        self._full_at[source, action] = full_at + each_s if allowed else full_at
        if not allowed:
            self.hits[action] += 1
        if len(self._full_at) > MOST_BUCKETS:
            self._full_at.popitem(last=False)
        return 0.0 if allowed else wait

    def give_back(self, source: str, action: Action) -> None:
        """Return a token that was taken, because the action does not count."""
        rate = self.limits.rates[action]
        if (source, action) in self._full_at:
            self._full_at[source, action] -= rate.period_s / rate.most

    def check(self, source: str, action: Action) -> None:
        """Take a token.

        Raises:
            Refused: there is none.
        """
        wait = self.wait_s(source, action)
        if wait:
            raise Refused(ErrorCode.RATE_LIMITED, sentence(action, wait))


def sentence(action: Action, wait_s: float) -> str:
    """Return what to tell somebody who must wait."""
    return f"Too many {action.value} come from your address; try again in {math.ceil(wait_s)} s."


class OpenConnections:
    """Count the open connections of each source, which may have at most `most`."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._open: Counter[str] = Counter()

    def enter(self, source: str) -> bool:
        """Count a connection; return whether the source may have it."""
        self._open[source] += 1
        return source == EXEMPT or self._open[source] <= self._most

    def leave(self, source: str) -> None:
        """Forget a connection that `enter` counted."""
        self._open[source] -= 1
        if not self._open[source]:
            del self._open[source]
