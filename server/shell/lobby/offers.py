"""Show seeks and challenges to peers: posted, accepted, ended."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Literal, Protocol, TypeVar

from doublecross.games.api.sentence import Sentence
from doublecross.server.core.events import Event, player_dict, settings_dict
from doublecross.server.core.lobby.lobby import Lobby, OpenedRoom
from doublecross.server.core.lobby.offers import Offer
from doublecross.server.core.rooms.room import Room
from doublecross.server.shell.answers import refuse_unstored
from doublecross.server.shell.lobby.feed import LobbyFeed
from doublecross.server.shell.peer import Peer
from doublecross.server.shell.peers import ConnectedPeers
from doublecross.server.shell.rooms.api import Rooms
from doublecross.server.shell.rooms.subscribers import RoomSubscriber

MOST_OVER: Final = 1000
"""How many seeks that ended are remembered, and how many rooms."""

Over = Literal["taken", "cancelled", "expired"]
_Kept = TypeVar("_Kept")


def challenged(offer: Offer) -> dict[str, Any]:
    """Return the notice of a challenge to its target."""
    return {
        "type": "challenged",
        "challenge": offer.offer_id,
        "player": player_dict(offer.owner),
        "settings": settings_dict(offer.settings),
        "seat": offer.seat,
    }


class OfferLog(Protocol):
    """Store offers, where they must outlive this process."""

    def __contains__(self, offer_id: str) -> bool:
        """Return whether an offer is stored and its end is not."""
        ...

    def posted(self, offer: Offer, deliver: Callable[[], None], fail: Callable[[], None]) -> None:
        """Store a new offer, then call `deliver`, or `fail` if that is impossible."""

    def ended(self, offer_id: str) -> None:
        """Store that an offer is not open any more."""

    def when_stored(self, peer: Peer, request_id: int, act: Callable[[], None]) -> None:
        """Call `act` once everything queued so far is stored; else refuse the request."""

    def sweep(self) -> None:
        """Store the ends of offers again that could not be stored."""


@dataclass(frozen=True, slots=True)
class OverSeek:
    """A seek that is not open any more; `room` is where it is played, if it was taken."""

    offer: Offer
    outcome: Over
    room: str | None


class OfferOutcomes(RoomSubscriber):
    """Answer and notify peers when an offer (a seek or a challenge) is posted, accepted or ended.

    When a match of people begins, all other offers that they have made are withdrawn, those of
    rematches too, so that nobody has to play several at once. Bots may.

    Without a `log`, offers are only in memory. With one, the seek of a quick match is neither
    stored nor shown nor acknowledged before the next sweep: in a large cluster somebody else has
    asked for the same game by then, and the room answers both.
    """

    def __init__(
        self,
        lobby: Lobby,
        feed: LobbyFeed,
        peers: ConnectedPeers,
        rooms: Rooms,
        now: Callable[[], int],
        log: OfferLog | None = None,
    ) -> None:
        self._log = log
        self._lobby = lobby
        self._feed = feed
        self._peers = peers
        self._rooms = rooms
        self._now = now
        self.over: OrderedDict[str, OverSeek] = OrderedDict()
        """The last seeks that ended, for those who open their links."""
        self.closed: OrderedDict[str, Room] = OrderedDict()
        """The last rooms that were closed without a match."""
        self._held: dict[str, tuple[Offer, Peer, int, Callable[[], None]]] = {}
        """The arguments of `post` for each seek that is held, by its id."""

    def hold(self, offer: Offer, peer: Peer, request_id: int, answer: Callable[[], None]) -> None:
        """Let the seek of a quick match wait for somebody until the next sweep; then `post` it."""
        if self._log is None:
            self.post(offer, peer, request_id, answer)
            return
        peer.waiting += 1
        self._lobby.offers.hide(offer)
        self._held[offer.offer_id] = offer, peer, request_id, answer

    def _hold_no_more(self) -> None:
        held, self._held = self._held, {}
        for offer, peer, request_id, answer in held.values():
            peer.waiting -= 1
            self._lobby.offers.reveal(offer)
            self.post(offer, peer, request_id, answer)

    def post(self, offer: Offer, peer: Peer, request_id: int, answer: Callable[[], None]) -> None:
        """Answer the request for a new offer, and show the offer; with a log, once it is stored."""
        if self._log is None:
            answer()
            self.posted(offer)
            return
        peer.waiting += 1

        def stored() -> None:
            peer.waiting -= 1
            answer()
            # It may have been accepted or withdrawn before it was stored.
            if offer.offer_id in self._lobby.offers:
                self.posted(offer)

        def fail() -> None:
            peer.waiting -= 1
            if offer.offer_id in self._lobby.offers:
                self._lobby.offers.remove(offer)
            refuse_unstored(peer, request_id)

        self._log.posted(offer, stored, fail)

    def answer(self, peer: Peer, request_id: int, act: Callable[[], None]) -> None:
        """Call `act`, which answers a request about offers; with a log, once all is stored."""
        if self._log is None:
            act()
        else:
            self._hold_no_more()
            self._log.when_stored(peer, request_id, act)

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
        asked, undo = [(peer, request_id)], None
        if offer is not None and offer.offer_id in self._held:
            _, owner, owners_id, _ = self._held.pop(offer.offer_id)
            owner.waiting -= 1
            asked.insert(0, (owner, owners_id))
        elif offer is not None:
            self._remember(offer, "taken", opened.room.id)
            self._feed.seek_changed(offer, False)
            undo = partial(self._take_back, offer)
        self._rooms.open(opened.room, opened.events, asked, undo)
        if offer is not None:
            # Before the commit, because somebody could accept another offer in between.
            self._withdraw(opened.room)

    def happened(self, room: Room, event: Event) -> None:
        """Withdraw the other offers of people whose match begins; remember a room without one."""
        if event["type"] == "match_started":
            self._withdraw(room)
        elif event["type"] == "room_closed" and room.match is None:
            _keep(self.closed, room.id, room)

    def _withdraw(self, room: Room) -> None:
        if room.by_days:
            return  # it keeps nobody from other games
        for player in room.players:
            if player is None or player.kind != "human":
                continue
            for other in list(self._lobby.rooms.seated(player.name)):
                seat = None if other is room else other.seat_of(player.name)
                if seat is not None and other.rematch[seat]:
                    self._rooms.end_rematch(other, player.name)
            for offer in self._lobby.offers.owned_by(player.name):
                if offer.settings.time.by_days:
                    continue
                self._lobby.offers.remove(offer)
                reason = Sentence("{name} plays somebody else now.", player.name)
                self.ended(offer, "cancelled", offer.target, reason)
                self._notify(player.name, offer, "cancelled", "")

    def _take_back(self, offer: Offer) -> None:
        if self._log is not None and offer.offer_id not in self._log:
            return  # the offer could not be stored either, and its owner was told
        self.over.pop(offer.offer_id, None)
        self._lobby.reopen(offer, self._now())
        self._feed.seek_changed(offer, True)

    def ended(self, offer: Offer, outcome: str, to: str | None, reason: str = "") -> None:
        """Remove an offer that ended without a match, and notify the player `to` of it."""
        if offer.offer_id in self._held:
            self._hold_no_more()  # so that its request gets the usual answer first
        if self._log is not None:
            self._log.ended(offer.offer_id)
        self._remember(offer, "expired" if outcome == "expired" else "cancelled")
        self._feed.seek_changed(offer, False)
        if to is not None:
            self._notify(to, offer, outcome, reason)

    def _remember(self, offer: Offer, outcome: Over, room: str | None = None) -> None:
        if offer.target is None:
            _keep(self.over, offer.offer_id, OverSeek(offer, outcome, room))

    def _notify(self, to: str, offer: Offer, outcome: str, reason: str) -> None:
        ended = {"offer": offer.offer_id, "outcome": outcome, "reason": reason}
        self._peers.notify(to, {"type": "offer_ended", **ended})

    def expire(self) -> None:
        """Post what is held, and withdraw the offers whose owners are away for too long."""
        self._hold_no_more()
        if self._log is not None:
            self._log.sweep()
        for offer in self._lobby.offers.expire(self._now()):
            self.ended(offer, "expired", offer.target)


def _keep(kept: OrderedDict[str, _Kept], key: str, over: _Kept) -> None:
    kept[key] = over
    if len(kept) > MOST_OVER:
        kept.popitem(last=False)
