"""Choose what trains a game."""

from __future__ import annotations

from bots.training.settings import GAME, game_named
from bots.training.subjects.api import Subject
from bots.training.subjects.boxes import BoxesSubject
from bots.training.subjects.grid import GridSubject


def subject_of(game: str, size: str) -> Subject:
    """Return what trains `game` in a `size` that the settings have accepted."""
    return BoxesSubject(size) if game == GAME else GridSubject(game_named(game, size))
