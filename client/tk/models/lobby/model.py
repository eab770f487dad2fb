"""Describe the players and games of the lobby, and the available bots."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from doublecross.client.language import tr
from doublecross.client.tk.models.helpers import BotChoice
from doublecross.client.tk.models.lobby.levels import Levels, level_title
from doublecross.protocol.common import PROVISIONAL, PlayerInfo
from doublecross.protocol.server_messages import LobbyRating, LobbyRoom


def marked(player: PlayerInfo) -> str:
    """Return a player's name, marked if the player is a bot."""
    return tr("{name} (bot)", name=player.name) if player.kind == "bot" else player.name


def best_known(ratings: Iterable[LobbyRating]) -> dict[str, LobbyRating]:
    """Return, by player, the rating in the game and size that the player has played most."""
    found: dict[str, LobbyRating] = {}
    for rating in ratings:
        known = found.get(rating.player)
        if known is None or rating.games > known.games:
            found[rating.player] = rating
    return found


def rating_text(rating: LobbyRating) -> str:
    """Return ``1523``, or ``1523?`` for a provisional rating."""
    return f"{rating.rating:.0f}{'?' if rating.deviation > PROVISIONAL else ''}"


def names_playing(rooms: Iterable[LobbyRoom]) -> set[str]:
    """Return the names of the players in games that are being played."""
    playing = (room for room in rooms if room.status == "playing")
    return {each.name for room in playing for each in room.players if each is not None}


def names_line(room: LobbyRoom) -> str:
    """Return the players of a room, such as ``Ann – easy (bot)``; empty for nobody."""
    return " – ".join(marked(player) for player in room.players if player is not None)


def plays(room: LobbyRoom, player: str) -> bool:
    """Return whether the player with this name has a seat in a room."""
    return any(each is not None and each.name == player for each in room.players)


# -- bots --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class BotOption:
    """A bot that the person can play against.

    `player` is its name if it is online, otherwise None. `spec` is how this machine can start it.
    `key` is the same whether it is online or not. `coming` says that it joins without being asked.
    """

    key: str
    title: str
    strength: str
    about: str
    player: str | None
    spec: str | None
    coming: bool = False

    @property
    def state(self) -> str:
        """``online``, ``is coming`` or ``can join``."""
        if self.player is not None:
            return tr("online")
        return tr("is coming") if self.coming else tr("can join")


def bot_options(
    choices: Sequence[BotChoice],
    players: Sequence[PlayerInfo],
    me: str,
    levels: Levels,
    coming: Collection[str] = (),
) -> tuple[BotOption, ...]:
    """Return the levels, weakest first, then the other bots online, then those of this machine.

    `choices` are the bots that this machine can start for the chosen game. `coming` has the specs
    of those that join without being asked.
    """
    online = [player for player in players if player.kind == "bot" and player.name != me]
    by_level: dict[int, str] = {}
    for player in sorted(online, key=lambda player: (len(player.name), player.name)):
        if (level := levels.of(player)) is not None:
            by_level.setdefault(level, player.name)
    own = {choice.level: choice for choice in choices if choice.level is not None}
    abouts = {choice.spec: choice.about for choice in choices}
    options = []
    for level, name in enumerate(levels.names, 1):
        choice = own.get(level)
        if choice is None and level not in by_level:
            continue
        options.append(
            BotOption(
                key=f"level:{name}",
                title=level_title(name),
                strength=levels.line(level, word=False),
                about="" if choice is None else choice.about,
                player=by_level.get(level),
                spec=None if choice is None else choice.spec,
                coming=choice is not None and choice.spec in coming,
            )
        )
    engines = set()
    for player in sorted(online, key=lambda player: player.name.casefold()):
        if player.name in by_level.values():
            continue
        engine = "" if player.engine is None else player.engine.name
        engines.add(engine)
        same = levels.of(player)
        options.append(
            BotOption(
                key=f"player:{player.name}",
                title=player.name,
                strength=levels.strength(player) if same is None else levels.line(same, word=False),
                about=abouts.get(engine, ""),
                player=player.name,
                spec=None,
            )
        )
    options += [
        BotOption(f"spec:{choice.spec}", choice.spec, "", choice.about, None, choice.spec)
        for choice in choices
        if choice.level is None and choice.spec not in engines
    ]
    return tuple(options)


def shown_first(options: Sequence[BotOption]) -> tuple[BotOption, ...]:
    """Return the levels and the bots that are online; all bots if there are none of these."""
    first = tuple(
        option for option in options if option.player is not None or option.key.startswith("level:")
    )
    return first or tuple(options)
