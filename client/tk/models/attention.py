"""Decide what a person who looks at another program has to know, and what the title then says."""

from __future__ import annotations

from typing import Literal

from doublecross.client.language import tr
from doublecross.client.tk.models.latest import LatestSnapshots
from doublecross.client.tk.models.snapshots import (
    OWN,
    LinkSnapshot,
    OffersSnapshot,
    RoomGone,
    RoomSnapshot,
    WindowUpdate,
)

Reason = Literal["turn", "begun", "challenge"]
"""It is the person's turn, a match has begun, or somebody challenges the person."""


class Attention:
    """The reasons to call the person back to the window, by room or by challenge.

    A reason disappears when it no longer holds, for example because the opponent's clock has run
    out, and all do when the person looks again.
    """

    def __init__(self) -> None:
        self._reasons: dict[tuple[str, str], Reason] = {}

    def take(self, update: WindowUpdate, latest: LatestSnapshots) -> None:
        """Note what is new in an update; `latest` has those before it."""
        match update:
            case RoomSnapshot(who=who, room=room) if who == OWN:
                self._take_room(update, latest.rooms.get((who, room)))
            case RoomGone(who=who, room=room) if who == OWN:
                self._reasons.pop(("room", room), None)
            case OffersSnapshot(who=who) if who == OWN:
                self._take_offers(update, latest.offers)
            case LinkSnapshot(who=who, state="connecting" | "closed" | "ended") if who == OWN:
                self._reasons.clear()

    def clear(self) -> None:
        """Forget everything, because the person looks at the window."""
        self._reasons.clear()

    @property
    def title(self) -> str:
        """The title of the window, with the most urgent reason."""
        reasons = set(self._reasons.values())
        if "turn" in reasons:
            return tr("(your turn) Doublecross")
        if "begun" in reasons:
            return tr("(a match begins) Doublecross")
        if "challenge" in reasons:
            return tr("(a challenge) Doublecross")
        return tr("Doublecross")

    def _take_room(self, snapshot: RoomSnapshot, before: RoomSnapshot | None) -> None:
        key = "room", snapshot.room
        if snapshot.seat is None or snapshot.status != "playing":
            self._reasons.pop(key, None)
            return
        begins = before is None or before.status != "playing" or before.match != snapshot.match
        if snapshot.to_move == snapshot.seat:
            if begins or (before is not None and before.to_move != snapshot.seat):
                self._reasons[key] = "turn"
        elif begins:
            self._reasons[key] = "begun"
        elif self._reasons.get(key) == "turn":
            del self._reasons[key]

    def _take_offers(self, snapshot: OffersSnapshot, before: OffersSnapshot | None) -> None:
        known = {offer.offer for offer in before.offers} if before is not None else set()
        open_ = {offer.offer for offer in snapshot.offers if not offer.mine}
        for key in [key for key in self._reasons if key[0] == "offer" and key[1] not in open_]:
            del self._reasons[key]
        for offer in open_ - known:
            self._reasons["offer", offer] = "challenge"
