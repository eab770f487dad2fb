"""Name games and sizes for people, as the rules of each game do."""

from __future__ import annotations

from functools import lru_cache

from doublecross.games.api import GameError
from doublecross.games.registry import game_class, make_game
from doublecross.protocol.common import MatchSettings


# Lists name the same few games and sizes in every line.
@lru_cache(maxsize=1024)
def title_of(game: str, size: str) -> str:
    """Return ``Dots and Boxes 5x5``; the two words themselves for a game that is not registered."""
    try:
        kind = game_class(game)
        return kind(kind.parse_size(size) if kind.parameters else None).full_title
    except GameError:
        # The games of other packages may be gone, but their records stay.
        return f"{game} {size}".strip()


def title_of_settings(settings: MatchSettings) -> str:
    """Return the title of the game that `settings` name, or its key if it is not registered."""
    try:
        return make_game(settings.game, settings.params).full_title
    except GameError:
        return settings.game
