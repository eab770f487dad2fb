"""Choose the subject that trains a game."""

from __future__ import annotations

from doublecross.bots.training.settings import GAME, LABEL_EDGES, game_named
from doublecross.bots.training.subjects.api import Subject
from doublecross.bots.training.subjects.boxes import BoxesSubject
from doublecross.bots.training.subjects.grid import GridSubject


def subject_of(game: str, size: str, label_edges: int = LABEL_EDGES) -> Subject:
    """Return what trains `game` in a `size` that the settings have accepted.

    Labels begin with at most `label_edges` free edges.
    """
    if game == GAME:
        return BoxesSubject(size, label_edges)
    return GridSubject(game_named(game, size))
