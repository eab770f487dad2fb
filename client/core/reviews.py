"""Mirror the reviews of finished games that this player waits for, and the last finished ones."""

from __future__ import annotations

from typing import Final

from doublecross.client.core.build import Build
from doublecross.client.core.updates import ReviewChanged, Update
from doublecross.protocol.client_messages import GetReview, Request
from doublecross.protocol.server_messages import Failed, ReviewState

MOST_KEPT: Final = 8
"""How many reviews are kept; the one that changed longest ago goes first."""


class Reviews:
    """The reviews of one player, in `known` by the id of the game.

    The server makes one review at a time for a player: who asks for another one that has to be made
    gives up the first, so that one is forgotten here too.
    """

    def __init__(self) -> None:
        self.known: dict[str, ReviewState] = {}
        self._codes: dict[str, str | None] = {}
        """The join codes with which reviews were asked for."""

    def take(self, message: ReviewState, request: Request | None) -> list[Update]:
        """Apply a message about a review; `request` is the request that it answers, or None."""
        game_id = message.game_id
        if isinstance(request, GetReview):
            self._codes[game_id] = request.code
            if is_open(message):
                for other in [key for key, each in self.known.items() if is_open(each)]:
                    del self.known[other]
        elif game_id not in self.known:
            return []  # it was sent before the server knew that this player gave it up
        self.known.pop(game_id, None)
        self.known[game_id] = message
        if len(self.known) > MOST_KEPT:
            del self.known[next(iter(self.known))]
        self._codes = {key: code for key, code in self._codes.items() if key in self.known}
        return [ReviewChanged(game_id)]

    def refuse(self, message: Failed, request: GetReview) -> list[Update]:
        """Apply the refusal of a request: a review that was under way has failed."""
        known = self.known.get(request.game_id)
        if known is None or not is_open(known):
            return []
        failed = {"id": None, "status": "failed", "place": 0, "reason": message.message}
        self.known[request.game_id] = known.model_copy(update=failed | {"phrase": message.phrase})
        return [ReviewChanged(request.game_id)]

    def renew(self) -> list[Build]:
        """Return the requests that ask again for the reviews under way, after a reconnect."""
        return [
            lambda i, key=key: GetReview(id=i, game_id=key, code=self._codes.get(key))  # type: ignore[misc]
            for key, review in self.known.items()
            if is_open(review)
        ]


def is_open(review: ReviewState) -> bool:
    """Return whether the review waits or is being made."""
    return review.status in ("queued", "working")
