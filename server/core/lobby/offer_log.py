"""Write offers as events, and rebuild the open ones from these.

A single server keeps offers only in memory. In a cluster an offer that was acknowledged outlives
the process that keeps it: its events are notes in the journal, beside those of rooms.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from doublecross.protocol.common import MatchSettings, PlayerInfo
from doublecross.server.core.events import player_dict, settings_dict
from doublecross.server.core.lobby.offers import Offer

POSTED: Final = "offer_posted"
ENDED: Final = "offer_ended"


def offer_posted(offer: Offer) -> dict[str, Any]:
    """Return the event of a new offer, with everything that it consists of."""
    return {
        "type": POSTED,
        "offer": offer.offer_id,
        "owner": player_dict(offer.owner),
        "key": offer.key,
        "settings": settings_dict(offer.settings),
        "seat": offer.seat,
        "target": offer.target,
    }


def offer_ended(offer_id: str) -> dict[str, Any]:
    """Return the event of an offer that is not open any more."""
    return {"type": ENDED, "offer": offer_id}


class OpenOffers:
    """The open offers according to a sequence of events, oldest first.

    `entries` has the journal entry that each was posted in, by its id.
    """

    def __init__(self) -> None:
        self._offers: dict[str, Offer] = {}
        self.entries: dict[str, int] = {}

    @property
    def offers(self) -> list[Offer]:
        """The offers, oldest first."""
        return list(self._offers.values())

    def apply(self, event: Mapping[str, Any], entry_id: int) -> None:
        """Apply an event from a journal entry.

        Raises:
            KeyError, TypeError, ValueError: it is malformed, or no event of offers.
        """
        if event["type"] == POSTED:
            offer = Offer(
                event["offer"],
                PlayerInfo.model_validate(event["owner"]),
                event["key"],
                MatchSettings.model_validate(event["settings"]),
                event["seat"],
                event["target"],
            )
            self._offers[offer.offer_id] = offer
            self.entries[offer.offer_id] = entry_id
        elif event["type"] == ENDED:
            self._offers.pop(event["offer"], None)
            self.entries.pop(event["offer"], None)
        else:
            raise ValueError(f"unexpected {event['type']}")

    def keep(self, offer_ids: set[str]) -> None:
        """Drop all offers but these."""
        self._offers = {i: offer for i, offer in self._offers.items() if i in offer_ids}
        self.entries = {i: entry for i, entry in self.entries.items() if i in offer_ids}
