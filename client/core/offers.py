"""Keep this player's open seeks and challenges, and the open challenges to this player."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from doublecross.client.core.build import Build
from doublecross.client.core.sentences import sentence_of
from doublecross.client.core.updates import (
    ChallengeReceived,
    OfferClosed,
    OfferRenewed,
    SeatedByOffer,
    Update,
)
from doublecross.games.api.sentence import Sentence
from doublecross.protocol.client_messages import (
    AcceptChallenge,
    CancelChallenge,
    CancelSeek,
    Challenge,
    DeclineChallenge,
    QuickMatch,
    Request,
    Seek,
)
from doublecross.protocol.errors import ErrorCode
from doublecross.protocol.server_messages import Challenged, Failed, RoomCreated, RoomState

MAX_CHALLENGES: Final = 256
"""The most open challenges to this player that are kept; the oldest is dropped for a new one."""

Offering = Seek | QuickMatch | Challenge
"""A request that creates an open offer."""


@dataclass(slots=True)
class OwnOffer:
    """An open seek or challenge of this player, and the request that created it.

    `withdrawn` is true once the player has asked to cancel it. It is then not renewed after a
    reconnect.
    """

    offer: str
    request: Offering
    withdrawn: bool = False


class Offers:
    """The open offers by id: `mine`, and the `challenges` to this player.

    After a reconnect the server repeats all open challenges to the player right after the welcome.
    Until then the challenges from before the reconnect are `unconfirmed`. The first message of
    another kind shows that the server has repeated them all; those still unconfirmed have expired.
    """

    __slots__ = ("challenges", "mine", "unconfirmed")

    def __init__(self) -> None:
        self.mine: dict[str, OwnOffer] = {}
        self.challenges: dict[str, Challenged] = {}
        self.unconfirmed: set[str] = set()

    def made_by(self, request: Request | None) -> OwnOffer | None:
        """Return the open offer that an earlier request with the same key created, if any."""
        if isinstance(request, Seek | QuickMatch | Challenge):
            for offer in self.mine.values():
                if offer.request.key == request.key:
                    return offer
        return None

    def renew(self) -> list[Build]:
        """Return the requests that renew this player's offers after a welcome.

        Offers that the player is cancelling are left out. All challenges become unconfirmed.
        """
        self.unconfirmed = set(self.challenges)
        return [_renewal(offer.request) for offer in self.mine.values() if not offer.withdrawn]

    def withdraw(self, request: CancelSeek | CancelChallenge) -> None:
        """Mark the offer that `request` is about to cancel, so that it is not renewed."""
        name = request.seek if isinstance(request, CancelSeek) else request.challenge
        if name in self.mine:
            self.mine[name].withdrawn = True

    def posted(self, offer_id: str, request: Request | None) -> list[Update]:
        """Add the offer that `request` created or renewed."""
        if not isinstance(request, Seek | QuickMatch | Challenge):
            return []
        old = self.made_by(request)
        # A renewal must not undo the player's request to cancel the offer.
        self.mine[offer_id] = OwnOffer(offer_id, request, old is not None and old.withdrawn)
        if old is None or old.offer == offer_id:
            return []
        del self.mine[old.offer]
        return [OfferRenewed(old.offer, offer_id)]

    def seat(self, message: RoomState, request: Request | None) -> list[Update]:
        """Remove the offer that led to the room of `message`; report it if it was this player's."""
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
        """Add a challenge to this player, unless it is a repeated one."""
        known = challenge.challenge in self.challenges
        self.unconfirmed.discard(challenge.challenge)
        self.challenges[challenge.challenge] = challenge
        while len(self.challenges) > MAX_CHALLENGES:
            del self.challenges[next(iter(self.challenges))]
        return [] if known else [ChallengeReceived(challenge)]

    def expire(self) -> list[Update]:
        """Remove the challenges that the server did not repeat after a reconnect."""
        expired, self.unconfirmed = self.unconfirmed, set()
        return [
            update
            # A set has no fixed order.
            for challenge in sorted(expired)
            for update in self.end(challenge, "expired", Sentence("It ended while you were away."))
        ]

    def end(self, offer: str, outcome: str, reason: str = "") -> list[Update]:
        """Remove an offer that ended without a match."""
        mine = self.mine.pop(offer, None)
        theirs = self.challenges.pop(offer, None)
        return [] if mine is None and theirs is None else [OfferClosed(offer, outcome, reason)]

    def take_done(self, request: Request | None) -> list[Update]:
        """Remove the offer that a successful `request` cancelled or declined."""
        match request:
            case CancelSeek(seek=offer) | CancelChallenge(challenge=offer):
                return self.end(offer, "cancelled")
            case DeclineChallenge(challenge=offer):
                return self.end(offer, "declined", request.reason)
        return []

    def take_failure(self, message: Failed, request: Request | None) -> list[Update]:
        """Remove the offer that, by the refusal of `request`, is not open any more."""
        match request:
            case Seek() | QuickMatch() | Challenge():
                offer = self.made_by(request)
                # The server refused to renew it, so the offer is not open any more.
                return [] if offer is None else self.end(offer.offer, "left", sentence_of(message))
            case AcceptChallenge(challenge=name) | DeclineChallenge(challenge=name):
                gone = message.code == ErrorCode.UNKNOWN_CHALLENGE
                return self.end(name, "expired", sentence_of(message)) if gone else []
            case CancelSeek(seek=name) | CancelChallenge(challenge=name):
                gone = message.code in (ErrorCode.UNKNOWN_SEEK, ErrorCode.UNKNOWN_CHALLENGE)
                return self.end(name, "expired", sentence_of(message)) if gone else []
        return []


def _renewal(request: Offering) -> Build:
    """Return a function that copies `request`, with its idempotency key, under another id."""
    return lambda i: request.model_copy(update={"id": i})
