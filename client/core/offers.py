"""The open seeks and challenges of a player and to a player, as the server has described them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from client.core.build import Build
from client.core.updates import (
    ChallengeReceived,
    OfferClosed,
    OfferRenewed,
    SeatedByOffer,
    Update,
)
from protocol.client_messages import (
    AcceptChallenge,
    CancelChallenge,
    CancelSeek,
    Challenge,
    DeclineChallenge,
    QuickMatch,
    Request,
    Seek,
)
from protocol.errors import ErrorCode
from protocol.server_messages import Challenged, Failed, RoomCreated, RoomState

MAX_CHALLENGES: Final = 256
"""Open challenges to this player that are remembered; the oldest is forgotten."""

Offering = Seek | QuickMatch | Challenge
"""The requests that make an open offer."""


@dataclass(slots=True)
class OwnOffer:
    """An open seek or challenge of this player and the request that made it. `withdrawn`: it is
    being taken back and not to be renewed."""

    offer: str
    request: Offering
    withdrawn: bool = False


class Offers:
    """Open offers by id: `mine`, and `challenges` to this player.

    A server repeats the open challenges to a player who comes back right after the welcome. Those
    from before are `unconfirmed` until then; with the first message that is no challenge, the
    rest of them is over.
    """

    __slots__ = ("challenges", "mine", "unconfirmed")

    def __init__(self) -> None:
        self.mine: dict[str, OwnOffer] = {}
        self.challenges: dict[str, Challenged] = {}
        self.unconfirmed: set[str] = set()

    def made_by(self, request: Request | None) -> OwnOffer | None:
        """Return the open offer that this very request, by its key, had made before."""
        if isinstance(request, Seek | QuickMatch | Challenge):
            for offer in self.mine.values():
                if offer.request.key == request.key:
                    return offer
        return None

    def renew(self) -> list[Build]:
        """Begin again after a welcome: return the requests behind own offers that nobody is
        taking back, and doubt the challenges until the server repeats them."""
        self.unconfirmed = set(self.challenges)
        return [_renewal(offer.request) for offer in self.mine.values() if not offer.withdrawn]

    def withdrawing(self, request: CancelSeek | CancelChallenge) -> None:
        """Note that an own offer is about to be taken back."""
        name = request.seek if isinstance(request, CancelSeek) else request.challenge
        if name in self.mine:
            self.mine[name].withdrawn = True

    def posted(self, offer_id: str, request: Request | None) -> list[Update]:
        """Note that an own offer is open, new or renewed."""
        if not isinstance(request, Seek | QuickMatch | Challenge):
            return []
        old = self.made_by(request)
        self.mine[offer_id] = OwnOffer(offer_id, request, old is not None and old.withdrawn)
        if old is None or old.offer == offer_id:
            return []
        del self.mine[old.offer]
        return [OfferRenewed(old.offer, offer_id)]

    def led_to(self, message: RoomState, request: Request | None) -> list[Update]:
        """End the own offer, or the challenge to this player, that led to a room."""
        origin = message.origin
        for event in message.events or ():
            if origin is None and isinstance(event, RoomCreated):
                origin = event.origin
        if origin is not None:
            self.challenges.pop(origin, None)
        renewed = self.made_by(request)
        if renewed is not None:
            origin = renewed.offer
        if origin is None or self.mine.pop(origin, None) is None:
            return []
        return [SeatedByOffer(message.room, origin)]

    def received(self, challenge: Challenged) -> list[Update]:
        """Note that somebody challenges this player."""
        known = challenge.challenge in self.challenges
        self.unconfirmed.discard(challenge.challenge)
        self.challenges[challenge.challenge] = challenge
        while len(self.challenges) > MAX_CHALLENGES:
            del self.challenges[next(iter(self.challenges))]
        return [] if known else [ChallengeReceived(challenge)]

    def expire(self) -> list[Update]:
        """End the challenges that the server did not repeat."""
        expired, self.unconfirmed = self.unconfirmed, set()
        return [
            update
            for challenge in sorted(expired)
            for update in self.end(challenge, "expired", "It ended while you were away.")
        ]

    def end(self, offer: str, outcome: str, reason: str = "") -> list[Update]:
        """End an offer without a match."""
        mine = self.mine.pop(offer, None)
        theirs = self.challenges.pop(offer, None)
        return [] if mine is None and theirs is None else [OfferClosed(offer, outcome, reason)]

    def take_done(self, request: Request | None) -> list[Update]:
        """Take the success of a request that ends an offer."""
        match request:
            case CancelSeek(seek=offer) | CancelChallenge(challenge=offer):
                return self.end(offer, "cancelled")
            case DeclineChallenge(challenge=offer):
                return self.end(offer, "declined", request.reason)
        return []

    def take_failure(self, message: Failed, request: Request | None) -> list[Update]:
        """Take the refusal of a request that makes, accepts or ends an offer."""
        match request:
            case Seek() | QuickMatch() | Challenge():
                offer = self.made_by(request)
                return [] if offer is None else self.end(offer.offer, "left", message.message)
            case AcceptChallenge(challenge=name) | DeclineChallenge(challenge=name):
                gone = message.code == ErrorCode.UNKNOWN_CHALLENGE
                return self.end(name, "expired", message.message) if gone else []
            case CancelSeek(seek=name) | CancelChallenge(challenge=name):
                gone = message.code in (ErrorCode.UNKNOWN_SEEK, ErrorCode.UNKNOWN_CHALLENGE)
                return self.end(name, "expired", message.message) if gone else []
        return []


def _renewal(request: Offering) -> Build:
    """Return what makes the same request, key included, under another id."""
    return lambda i: request.model_copy(update={"id": i})
