"""Describe how a rated match has changed the rating of the person at the window.

Theory of operation
-------------------
The server counts a match for the ratings when it ends, and its HTTP address has the ratings of a
player with their history. So the rating is requested once for each match that counts (`due`), and
the last two entries of its history give the change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from doublecross.client.language import tr
from doublecross.client.tk.models.room.model import RoomModel
from doublecross.client.tk.models.room.seats import NO_RESULT
from doublecross.client.tk.models.words import signed


@dataclass(frozen=True, slots=True)
class RatingRequest:
    """The rating to request: of `player`, in a game and size, after the match of this number."""

    player: str
    game: str
    size: str
    match: int


@dataclass(frozen=True, slots=True)
class RatingChange:
    """A rating after a match, and before it; `before` is None after the first rated match."""

    rating: float
    before: float | None
    provisional: bool

    @classmethod
    def parse(cls, ratings: Sequence[Mapping[str, Any]], request: RatingRequest) -> RatingChange:
        """Return the requested rating among those of a player, as HTTP lists them.

        Raises:
            LookupError, TypeError, ValueError: the rating is not there, or it has another form.
        """
        pool = request.game, request.size, ""
        found = [each for each in ratings if (each["game"], each["size"], each["engine"]) == pool]
        points = [float(rating) for _, rating in found[0]["history"]]
        before = points[-2] if len(points) > 1 else None
        return cls(points[-1], before, bool(found[0]["provisional"]))

    @property
    def line(self) -> str:
        """The rating in a sentence; ``?`` marks a provisional one, as in the lobby."""
        rating = f"{self.rating:.0f}{'?' if self.provisional else ''}"
        if self.before is None:
            return tr("Your first rating: {rating}.", rating=rating)
        change = signed(round(self.rating) - round(self.before))
        return tr("Your rating: {rating} ({change}).", rating=rating, change=change)


class RatingNote:
    """The remark about the rating after a match in the room of `model`."""

    def __init__(self, model: RoomModel) -> None:
        self._model = model
        self._asked = -1
        self._change: RatingChange | None = None
        self._failed = False

    @property
    def _counts(self) -> bool:
        """Return whether the match is over and counts for a rating of the person at the window.

        After the games of a tournament its table is of more interest.
        """
        snapshot, seats = self._model.snapshot, self._model.seats
        if snapshot.tournament is not None:
            return False
        result = snapshot.result
        own = not seats.watching and not seats.shared
        over = result is not None and result.termination not in NO_RESULT
        return over and own and snapshot.rated and snapshot.seat is not None

    def due(self) -> RatingRequest | None:
        """Return the request to send now, and count it as sent; None for none."""
        snapshot = self._model.snapshot
        if not self._counts or snapshot.match == self._asked or snapshot.seat is None:
            return None
        player = snapshot.players[snapshot.seat]
        if player is None or player.kind != "human":
            return None
        self._asked, self._change, self._failed = snapshot.match, None, False
        return RatingRequest(player.name, snapshot.game.key, snapshot.game.size, snapshot.match)

    def take(self, request: RatingRequest, change: RatingChange | None) -> bool:
        """Apply the answer to a request, None if there is none; return whether it is of use."""
        if request.match != self._asked:
            return False
        self._change, self._failed = change, change is None
        return True

    @property
    def line(self) -> str:
        """The remark about the last match; empty if it counts for no rating."""
        if not self._counts:
            return ""
        if self._change is not None and self._asked == self._model.snapshot.match:
            return self._change.line
        if self._failed:
            return tr("Your new rating is shown in the lobby.")
        return tr("This match counts for your rating.")
