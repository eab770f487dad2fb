"""Let a process know the games of other frameworks."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

from doublecross.games.api import Game, UnknownGame
from doublecross.games.registry import add_family
from doublecross.processes.installation import how_to_add

OPENSPIEL: Final = "openspiel"
"""The word before the colon in the keys of OpenSpiel's games."""


def know_others() -> None:
    """Let `doublecross.games.registry` find games such as ``openspiel:breakthrough``."""
    add_family(OPENSPIEL, _openspiel)


def _openspiel(key: str) -> type[Game]:
    if find_spec("pyspiel") is None:
        raise UnknownGame(f"{key} needs OpenSpiel, which is not installed: {how_to_add(OPENSPIEL)}")
    from doublecross.bots.bridges.openspiel_games import game_class

    return game_class(key)
