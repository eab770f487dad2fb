"""Model the offers of this player: what is open, how offers end, and one that is followed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from doublecross.client.language import said, tr
from doublecross.client.tk.models.lobby.shortlists import ShortEntry, match_lines
from doublecross.client.tk.models.snapshots import (
    OfferOver,
    OffersSnapshot,
    OpenOffer,
    RoomSnapshot,
)
from doublecross.protocol.common import MatchSettings


@dataclass(frozen=True, slots=True)
class OwnEntry:
    """One thing that this player has open: a seek, a challenge, or a waiting room."""

    kind: Literal["seek", "challenge", "waiting"]
    key: str


def own_entries(
    offers: OffersSnapshot | None, rooms: Iterable[RoomSnapshot]
) -> list[ShortEntry[OwnEntry]]:
    """Return what this player has open: first waiting rooms, then offers.

    `rooms` are the rooms that the player's connection follows. The strip shows the matches.
    """
    entries = [
        _entry(OwnEntry("waiting", room.room), tr("Your room waits for a player"), room.settings)
        for room in rooms
        if room.seat is not None and room.status == "waiting"
    ]
    for offer in offers.offers if offers is not None else ():
        if not offer.mine:
            continue
        if offer.other is None:
            thing, text = OwnEntry("seek", offer.offer), tr("Waiting for an opponent")
        else:
            thing = OwnEntry("challenge", offer.offer)
            text = tr("Waiting for {name} to answer", name=offer.other)
        entries.append(_entry(thing, text, offer.settings))
    return entries


def _entry(thing: OwnEntry, title: str, settings: MatchSettings) -> ShortEntry[OwnEntry]:
    """Return an entry with a button that cancels it, and one that leads to a room."""
    action = tr("Go there") if thing.kind == "waiting" else ""
    about = match_lines(settings)
    return ShortEntry(thing.key, title, about, action, thing, more=tr("Cancel"))


def over_line(offer: OpenOffer, over: OfferOver) -> str:
    """Return a sentence about an offer that ended without a match; empty if none is needed."""
    why = f" {said(over.reason)}" if over.reason else ""
    other = offer.other or tr("Nobody")
    if over.outcome == "declined":
        # Otherwise another program of this player has declined it.
        text = tr("{name} declined your challenge.") if offer.mine else ""
    elif over.outcome == "left":
        text = tr("{name} has left, so the challenge is over.") if offer.other else ""
    elif over.outcome == "expired":
        if not offer.mine:
            text = tr("The challenge of {name} has ended.")
        elif offer.other:
            text = tr("Your challenge to {name} has ended.")
        else:
            text = tr("Your offer has ended.")
    else:
        # The person knows about offers that they cancelled themselves.
        text = "" if offer.mine else tr("{name} took the challenge back.")
    return f"{text.format(name=other)}{why}" if text else ""


class OfferWatch:
    """Follows one challenge by this player until it is answered.

    The end of a challenge may be reported before the answer to the request that created it, so all
    ends are remembered. After a lost connection the challenge may have another id.
    """

    def __init__(self) -> None:
        self.offer = ""
        self._other = ""
        self._ended: dict[str, OfferOver] = {}

    def begin(self, offer: str, other: str) -> OfferOver | None:
        """Follow the challenge `offer` to the player `other`; return its end if it is over."""
        self.offer, self._other = offer, other
        return self._ended.get(offer)

    def stop(self) -> None:
        """Stop following the challenge."""
        self.offer = self._other = ""

    def over(self, over: OfferOver) -> bool:
        """Note the end of an offer; return whether it is the followed challenge."""
        self._ended[over.offer] = over
        return over.offer == self.offer and bool(self.offer)

    def offers(self, snapshot: OffersSnapshot) -> None:
        """Apply the open offers, and find the challenge if it has another id now."""
        mine = [offer for offer in snapshot.offers if offer.mine and offer.other == self._other]
        if self.offer and mine and all(offer.offer != self.offer for offer in mine):
            self.offer = mine[-1].offer
