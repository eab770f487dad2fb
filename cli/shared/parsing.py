"""Parse what users type: games, sizes, time controls, bots and names.

Every function raises `Problem` for input that is wrong.
"""

from __future__ import annotations

import importlib.util
import re
from typing import TYPE_CHECKING, Final

from doublecross.cli.shared.console import Problem
from doublecross.processes.installation import how_to_add

if TYPE_CHECKING:
    from doublecross.bots.registry import BotSpec
    from doublecross.games.api import Game
    from doublecross.protocol.common import MatchSettings, TimeControl

DEFAULT_SERVER: Final = "ws://127.0.0.1:8765"
DEFAULT_GAME: Final = "dots-and-boxes"
SERVER_HELP: Final = (
    "Address of the server: http://10.0.0.5:8765, or just a host name; those of a cluster between"
    " commas."
)

_CLUSTER_PACKAGES: Final = {"asyncpg": "asyncpg", "nats": "nats-py"}
"""The modules that a node needs in addition, and the packages that have them."""


def game_of(key: str, size: str | None) -> Game:
    """Return the game `key` in `size` (None: its default size)."""
    from doublecross.games.api import GameError
    from doublecross.games.registry import game_class

    try:
        kind = game_class(key)
        return kind(kind.parse_size(size) if size else None)
    except GameError as error:
        raise Problem(str(error)) from None


def time_of(text: str) -> TimeControl:
    """Return the time control that `text` describes."""
    from doublecross.protocol.common import TimeControl

    try:
        return TimeControl.parse(text)
    except ValueError as error:
        raise Problem(str(error)) from None


def settings_of(game: Game, time: str, *, rated: bool) -> MatchSettings:
    """Return the settings of a match of `game`."""
    from doublecross.protocol.common import MatchSettings

    params = dict(game.params)
    return MatchSettings(game=game.key, params=params, time=time_of(time), rated=rated)


def spec_of(text: str, game: Game | None = None) -> BotSpec:
    """Return the bot that `text` describes, after checking its options and that it plays `game`."""
    from doublecross.bots.api import BotError
    from doublecross.bots.registry import bot_class, checked_spec

    try:
        spec = checked_spec(text)
    except BotError as error:
        raise Problem(str(error), trace=error.trace) from None
    if game is not None and not bot_class(spec.name).plays(game):
        raise Problem(f"The bot {spec.name} does not play {game.title} {game.size}.")
    return spec


def check_tournament(given: str) -> str:
    """Return `given` if it can be the id of a tournament."""
    if re.fullmatch(r"[A-Za-z0-9_-]{1,40}", given) is None:
        raise Problem(
            f"{given!r} is not the id of a tournament. List them with: doublecross tournament list"
        )
    return given


def check_player_name(name: str) -> None:
    """Refuse a name that no server accepts."""
    from pydantic import TypeAdapter, ValidationError

    from doublecross.protocol.common import PlayerName

    try:
        TypeAdapter(PlayerName).validate_python(name)
    except ValidationError:
        raise Problem(
            f"{name!r} cannot be the name of a player. Use up to 32 letters, digits and . _ ' + -"
            " with single spaces inside."
        ) from None


def need_server_packages() -> None:
    """Refuse to go on if the packages of the server are not installed."""
    from doublecross.bots.hosting.own_server import server_lacks

    if sentence := server_lacks():
        raise Problem(sentence)


def need_cluster_packages() -> None:
    """Refuse to go on if the packages of a node of a cluster are not installed."""
    missing = [
        package
        for module, package in _CLUSTER_PACKAGES.items()
        if importlib.util.find_spec(module) is None
    ]
    if missing:
        raise Problem(
            f"A node of a cluster needs packages that are not installed ({', '.join(missing)}):"
            f" {how_to_add('server', 'cluster')}"
        )


def need_engines(*, network: bool = False) -> None:
    """Refuse to go on if packages of the search kernels, or of a `network`, are not installed."""
    from doublecross.bots.registry import ENGINES, NETWORKS, analysis_lacks

    if sentence := analysis_lacks(NETWORKS if network else ENGINES):
        raise Problem(sentence)
