"""Remember how long people waited lately until somebody accepted their seeks."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterator
from statistics import median_high
from typing import Final

from doublecross.protocol.common import MatchSettings
from doublecross.server.core.lobby.offers import Offer

MOST_MATCHES: Final = 50
MOST_WAITS: Final = 20
"""How many different matches are remembered, and how many waits for each."""
LEAST_WAITS: Final = 3
"""With fewer waits than this, a median says nothing."""


class Waits:
    """The newest waits for each match.

    Bots wait for ever, so their seeks do not count. Nor do those by days, which nobody waits for,
    and those whose beginning is not known: another node of the cluster took them.
    """

    def __init__(self) -> None:
        self._newest: OrderedDict[str, tuple[MatchSettings, deque[int]]] = OrderedDict()
        """The waits in milliseconds, and the settings, by the settings as text."""

    def accepted(self, offer: Offer, now: int) -> None:
        """Remember the wait that ends, if the offer is a seek that counts."""
        if offer.since is None or offer.owner.kind == "bot" or offer.settings.time.by_days:
            return
        key = offer.settings.model_dump_json()
        _, waits = self._newest.setdefault(key, (offer.settings, deque(maxlen=MOST_WAITS)))
        waits.append(max(0, now - offer.since))
        self._newest.move_to_end(key)
        if len(self._newest) > MOST_MATCHES:
            self._newest.popitem(last=False)

    def usual(self) -> Iterator[tuple[MatchSettings, int]]:
        """Yield each match with its median wait in milliseconds, where enough are known."""
        for settings, waits in self._newest.values():
            if len(waits) >= LEAST_WAITS:
                yield settings, median_high(waits)
