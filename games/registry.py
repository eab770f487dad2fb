"""The registered games, one line each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from doublecross.games.api import Game, UnknownGame
from doublecross.games.connect_four.rules import ConnectFour
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes
from doublecross.games.nim.rules import Nim
from doublecross.games.tic_tac_toe.rules import TicTacToe

GAMES: Final[Mapping[str, type[Game]]] = {
    game.key: game
    for game in (
        DotsAndBoxes,
        TicTacToe,
        ConnectFour,
        Nim,
    )
}

_finders: Final[dict[str, Callable[[str], type[Game]]]] = {}


def add_family(word: str, find: Callable[[str], type[Game]]) -> None:
    """Let `find` return the games of this process whose keys begin with `word` and a colon.

    Other code registers games of other frameworks so, which a server must never load.
    """
    _finders[word] = find


def game_class(key: str) -> type[Game]:
    """Return the game registered as `key`.

    Raises:
        UnknownGame: there is none; the message lists the registered games.
    """
    if find := _finders.get(key.partition(":")[0]):
        return find(key)
    try:
        return GAMES[key]
    except KeyError:
        raise UnknownGame(f"There is no game {key!r}; choose one of {', '.join(GAMES)}.") from None


def make_game(key: str, params: Mapping[str, int] | None = None) -> Game:
    """Return the game registered as `key` with `params`.

    Raises:
        UnknownGame: no game has this key.
        BadParameter: a parameter is unknown or out of range.
    """
    return game_class(key)(params)
