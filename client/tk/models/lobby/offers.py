"""Model the offers of this player: what is open, how offers end, and one that is followed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from client.tk.models.lobby.model import in_short
from client.tk.models.pictures import OfferOver, OfferPicture, OffersPicture, RoomPicture


@dataclass(frozen=True, slots=True)
class OwnLine:
    """One thing that this player has open: a seek, a challenge, or a waiting room."""

    kind: Literal["seek", "challenge", "waiting"]
    key: str
    text: str


def own_lines(offers: OffersPicture | None, rooms: Iterable[RoomPicture]) -> tuple[OwnLine, ...]:
    """Return what this player has open: first waiting rooms, then offers.

    `rooms` are the rooms that the player's connection follows. The strip shows the matches.
    """
    lines = [
        OwnLine("waiting", room.room, f"Your room waits for a player: {in_short(room.settings)}")
        for room in rooms
        if room.seat is not None and room.status == "waiting"
    ]
    for offer in offers.offers if offers is not None else ():
        if not offer.mine:
            continue
        what = in_short(offer.settings)
        if offer.other is None:
            lines.append(OwnLine("seek", offer.offer, f"Waiting for an opponent: {what}"))
        else:
            text = f"Waiting for {offer.other} to answer: {what}"
            lines.append(OwnLine("challenge", offer.offer, text))
    return tuple(lines)


def over_line(offer: OfferPicture, over: OfferOver) -> str:
    """Return a sentence about an offer that ended without a match; empty if none is needed."""
    why = f" {over.reason}" if over.reason else ""
    other = offer.other or "Nobody"
    if over.outcome == "declined":
        return f"{other} declined your challenge.{why}"
    if over.outcome == "left":
        return f"{other} has left, so the challenge is over." if offer.other else ""
    if over.outcome == "expired":
        whose = f"The challenge of {other}" if not offer.mine else "Your offer"
        if offer.mine and offer.other:
            whose = f"Your challenge to {other}"
        return f"{whose} has ended.{why}"
    # The person knows about offers that they cancelled themselves.
    return "" if offer.mine else f"{other} took the challenge back.{why}"


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

    def offers(self, picture: OffersPicture) -> None:
        """Apply the open offers, and find the challenge if it has another id now."""
        mine = [offer for offer in picture.offers if offer.mine and offer.other == self._other]
        if self.offer and mine and all(offer.offer != self.offer for offer in mine):
            self.offer = mine[-1].offer
