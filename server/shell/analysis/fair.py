"""Find out whether a position is being played in a match in which nobody may be helped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from doublecross.games.api import Game
from doublecross.server.core.rooms.room import Room

FURTHER: Final = 2
"""A position with up to so many moves more than a match counts as one of the match.

Its analysis would help there too, because it shows how the next moves turn out.
"""
COMMON: Final = 4
"""Positions with fewer actions begin many games, so they do not belong to one match."""


def is_played(
    rooms: Iterable[Room], game: Game, opening: tuple[int, ...], moves: tuple[int, ...]
) -> bool:
    """Return whether a match in play has this position, or leads to it by a move or two.

    Only matches without advice count: rated ones, those of tournaments, and those between people.
    Moves in another order make the same position.
    """
    asked = Counter(opening + moves)
    size = len(opening) + len(moves)
    for room in rooms:
        match = room.match
        if match is None or match.result is not None or room.game != game:
            continue
        count = len(match.state.opening) + match.state.ply
        if not COMMON <= count <= size <= count + FURTHER or may_be_helped(room):
            continue
        if Counter(match.state.opening + match.state.history()) <= asked:
            return True
    return False


def may_be_helped(room: Room) -> bool:
    """Return whether players of the match may have help: against bots, if nothing is at stake."""
    if room.settings.rated or room.terms.tag is not None:
        return False
    return any(player is not None and player.kind == "bot" for player in room.players)
