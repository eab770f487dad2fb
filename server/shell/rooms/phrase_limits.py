"""Limit how many phrases each player says, and how much in other words."""

from __future__ import annotations

import math
from collections import OrderedDict, deque
from typing import Final

from doublecross.protocol.errors import ErrorCode
from doublecross.server.core.errors import Refused

MOST: Final = 5
"""How many phrases a player says in `PERIOD_MS` at most."""
PERIOD_MS: Final = 60_000


class PhraseLimits:
    """When each player said the last phrases, in milliseconds, by name.

    The player who spoke last comes last. Players who said nothing for `PERIOD_MS` are forgotten.
    """

    def __init__(self) -> None:
        self._said: OrderedDict[str, deque[int]] = OrderedDict()

    def charge(self, player: str, now: int) -> None:
        """Count a phrase of `player` at `now`, in milliseconds.

        Raises:
            Refused: the player has said too many in the last minute.
        """
        self._forget(now)
        said = self._said.get(player, deque())
        while said and said[0] <= now - PERIOD_MS:
            said.popleft()
        if len(said) >= MOST:
            wait_s = math.ceil((said[0] + PERIOD_MS - now) / 1000)
            raise Refused(
                ErrorCode.RATE_LIMITED,
                "You have spoken {most} times in a minute. Say the next one in {wait_s} s.",
                MOST,
                wait_s,
            )
        said.append(now)
        self._said[player] = said
        self._said.move_to_end(player)

    def __len__(self) -> int:
        return len(self._said)

    def _forget(self, now: int) -> None:
        while self._said:
            # Whoever spoke longest ago comes first, so the search ends at the first who stays.
            player, said = next(iter(self._said.items()))
            if said[-1] > now - PERIOD_MS:
                return
            del self._said[player]
