"""The open seeks and challenges of a player and to a player, as the server has told of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from client.core.updates import ChallengeReceived, OfferEnded, OfferRenewed, SeatedByOffer, Update
from protocol.client_messages import (
    CancelChallenge,
    CancelSeek,
    Challenge,
    QuickMatch,
    Request,
    Seek,
)
from protocol.server_messages import Challenged, RoomCreated, RoomState

MAX_CHALLENGES: Final = 256
"""Open challenges to this player that are remembered; the oldest is forgotten."""

Offering = Seek | QuickMatch | Challenge
"""The requests that make an open offer."""


@dataclass(slots=True)
class Offer:
    """An open seek or challenge of this player and the request that made it. `withdrawn`: it is
    being taken back and not to be renewed."""

    offer: str
    request: Offering
    withdrawn: bool = False


class Offers:
    """Open offers by id: `mine`, and `challenges` to this player.

    A server tells a player who comes back of the open challenges right after the welcome. Those
    from before are `unconfirmed` until they are told again; with the first message that is no
    challenge, the rest of them is over.
    """

    __slots__ = ("challenges", "mine", "unconfirmed")

    def __init__(self) -> None:
        self.mine: dict[str, Offer] = {}
        self.challenges: dict[str, Challenged] = {}
        self.unconfirmed: set[str] = set()

    def made_by(self, request: Request | None) -> Offer | None:
        """The open offer that this very request, by its key, had made before."""
        if isinstance(request, Seek | QuickMatch | Challenge):
            for offer in self.mine.values():
                if offer.request.key == request.key:
                    return offer
        return None

    def to_renew(self) -> list[Offering]:
        """The requests behind own offers that nobody is taking back."""
        return [offer.request for offer in self.mine.values() if not offer.withdrawn]

    def withdrawing(self, request: CancelSeek | CancelChallenge) -> None:
        """An own offer is about to be taken back."""
        name = request.seek if isinstance(request, CancelSeek) else request.challenge
        if name in self.mine:
            self.mine[name].withdrawn = True

    def posted(self, offer_id: str, request: Request | None) -> list[Update]:
        """An own offer is open, new or renewed."""
        if not isinstance(request, Seek | QuickMatch | Challenge):
            return []
        old = self.made_by(request)
        self.mine[offer_id] = Offer(offer_id, request, old is not None and old.withdrawn)
        if old is None or old.offer == offer_id:
            return []
        del self.mine[old.offer]
        return [OfferRenewed(old.offer, offer_id)]

    def led_to(self, message: RoomState, request: Request | None) -> list[Update]:
        """A room came; perhaps an own offer, or a challenge to this player, led to it."""
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
        """Somebody challenges this player."""
        known = challenge.challenge in self.challenges
        self.unconfirmed.discard(challenge.challenge)
        self.challenges[challenge.challenge] = challenge
        while len(self.challenges) > MAX_CHALLENGES:
            del self.challenges[next(iter(self.challenges))]
        return [] if known else [ChallengeReceived(challenge)]

    def expire(self) -> list[Update]:
        """The challenges that the server did not tell again are over."""
        expired, self.unconfirmed = self.unconfirmed, set()
        return [
            update
            for challenge in sorted(expired)
            for update in self.end(challenge, "expired", "It ended while you were away.")
        ]

    def end(self, offer: str, outcome: str, reason: str = "") -> list[Update]:
        """An offer has ended without a match."""
        mine = self.mine.pop(offer, None)
        theirs = self.challenges.pop(offer, None)
        return [] if mine is None and theirs is None else [OfferEnded(offer, outcome, reason)]
