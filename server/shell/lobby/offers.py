"""Show seeks and challenges to peers: posted, accepted, ended."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from server.core.events import player_dict, settings_dict
from server.core.lobby.lobby import Lobby, OpenedRoom
from server.core.lobby.offers import Offer
from server.shell.journal.committer import Committer
from server.shell.lobby.feed import LobbyFeed
from server.shell.peer import Peer
from server.shell.peers import ConnectedPeers
from server.shell.rooms.api import Rooms


def challenged(offer: Offer) -> dict[str, Any]:
    """Return the notice of a challenge to its target."""
    return {
        "type": "challenged",
        "challenge": offer.offer_id,
        "player": player_dict(offer.owner),
        "settings": settings_dict(offer.settings),
        "seat": offer.seat,
    }


class OfferOutcomes:
    """Carry out what follows when an offer (a seek or a challenge) is posted, accepted or ended."""

    def __init__(
        self,
        lobby: Lobby,
        feed: LobbyFeed,
        committer: Committer,
        peers: ConnectedPeers,
        rooms: Rooms,
        now: Callable[[], int],
    ) -> None:
        self._lobby = lobby
        self._feed = feed
        self._committer = committer
        self._peers = peers
        self._rooms = rooms
        self._now = now

    def posted(self, offer: Offer) -> None:
        """Show a new seek to the lobby, or a new challenge to its target."""
        self._feed.seek_changed(offer, True)
        if offer.target is not None:
            self._peers.notify(offer.target, challenged(offer))

    def opened(self, opened: OpenedRoom, peer: Peer, request_id: int) -> None:
        """Open the room that `peer` has created alone or by accepting an offer.

        If the room cannot be stored, the offer opens again.
        """
        offer = opened.offer
        players: list[tuple[Peer, int | None]] = [(peer, request_id)]
        owner = None if offer is None else self._peers.by_name.get(offer.owner.name)
        if owner is not None:
            players.append((owner, None))
        self._rooms.open(opened.room, opened.events, players)
        if offer is not None:
            self._feed.seek_changed(offer, False)
            self._committer.after(lambda: None, lambda: self._take_back(offer))

    def _take_back(self, offer: Offer) -> None:
        self._lobby.reopen(offer, self._now())
        self._feed.seek_changed(offer, True)

    def ended(self, offer: Offer, outcome: str, to: str | None, reason: str = "") -> None:
        """Remove an offer that ended without a match, and notify the player `to` of it."""
        self._feed.seek_changed(offer, False)
        if to is not None:
            self._peers.notify(
                to,
                {
                    "type": "offer_ended",
                    "offer": offer.offer_id,
                    "outcome": outcome,
                    "reason": reason,
                },
            )

    def expire(self) -> None:
        """Withdraw the offers whose owners have been disconnected for too long."""
        for offer in self._lobby.offers.expire(self._now()):
            self.ended(offer, "expired", offer.target)
