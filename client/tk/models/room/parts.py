"""Bundle the models of one room for the parts of its screen."""

from __future__ import annotations

from dataclasses import dataclass

from doublecross.client.tk.models.latest import LatestSnapshots
from doublecross.client.tk.models.room.hint import HintModel
from doublecross.client.tk.models.room.model import RoomModel
from doublecross.client.tk.models.room.permissions import RoomPermissions
from doublecross.client.tk.models.room.phrases import RoomPhrases
from doublecross.client.tk.models.room.premove import Premove
from doublecross.client.tk.models.room.rating import RatingNote
from doublecross.client.tk.models.room.text import RoomText
from doublecross.client.tk.models.snapshots import RoomSnapshot


@dataclass(frozen=True, slots=True)
class RoomParts:
    """The models of one room: its state, permissions, texts, hint, premove, phrases and rating."""

    model: RoomModel
    may: RoomPermissions
    text: RoomText
    hint: HintModel
    premove: Premove
    phrases: RoomPhrases
    rating: RatingNote

    @classmethod
    def begin(cls, snapshot: RoomSnapshot, latest: LatestSnapshots) -> RoomParts:
        """Create the models of a room from its first snapshot."""
        model = RoomModel(snapshot)
        may = RoomPermissions(model)
        text, hint = RoomText(model, latest), HintModel(model, may)
        return cls(model, may, text, hint, Premove(model), RoomPhrases(), RatingNote(model))
