"""Model the lobby: rows of its lists, and the available bots."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Generic, Literal, TypeVar

from doublecross.client.language import tr
from doublecross.client.tk.models.helpers import BotChoice
from doublecross.client.tk.models.lobby.levels import Levels, level_title
from doublecross.client.tk.models.words import from_move, game_line, time_line
from doublecross.protocol.common import PROVISIONAL, MatchSettings, PlayerInfo
from doublecross.protocol.server_messages import LobbyRating, LobbyRoom, LobbySeek

T = TypeVar("T")

RowKind = Literal["me", "person", "bot", "seek", "waiting", "playing", "finished", "mine"]
_RANKS: Final = {"waiting": 0, "playing": 1, "finished": 2}


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a list; `key` identifies it.

    `short` has shorter texts for cells whose column is too narrow, by the number of the column.
    """

    key: str
    cells: tuple[str, ...]
    kind: RowKind
    short: Mapping[int, str] = field(default_factory=dict)


def marked(player: PlayerInfo) -> str:
    """Return a player's name, marked if the player is a bot."""
    return tr("{name} (bot)", name=player.name) if player.kind == "bot" else player.name


class _RowCache(Generic[T]):
    """Makes rows, and reuses those of items that are unchanged since the last call."""

    def __init__(self, make: Callable[[T, str], Row]) -> None:
        self._make = make
        self._rows: dict[str, tuple[T, str, Row]] = {}

    def of(self, things: Iterable[tuple[str, T]], me: str) -> list[Row]:
        rows: dict[str, tuple[T, str, Row]] = {}
        for key, thing in things:
            known = self._rows.get(key)
            if known is None or known[0] is not thing or known[1] != me:
                known = (thing, me, self._make(thing, me))
            rows[key] = known
        self._rows = rows
        return [row for _, _, row in rows.values()]


def staying(before: Sequence[str], after: Sequence[str]) -> set[str]:
    """Return a largest set of keys that can stay in place when the other rows are moved.

    That is a longest common subsequence. For lists without repetitions it can be computed as a
    longest increasing subsequence (Fredman 1975).
    """
    places = {key: place for place, key in enumerate(before)}
    ends: list[int] = []
    """The lowest last place of an increasing sequence, by its length minus one."""
    tops: list[str] = []
    previous: dict[str, str | None] = {}
    for key in after:
        place = places.get(key)
        if place is None:
            continue
        length = bisect_left(ends, place)
        previous[key] = tops[length - 1] if length else None
        ends[length:] = [place, *ends[length + 1 :]]
        tops[length:] = [key, *tops[length + 1 :]]
    found: set[str] = set()
    key_or_none = tops[-1] if tops else None
    while key_or_none is not None:
        found.add(key_or_none)
        key_or_none = previous[key_or_none]
    return found


class LobbyModel:
    """Makes the rows of the lobby's lists. In all methods `me` is the name of this player."""

    def __init__(self, levels: Levels) -> None:
        self._levels = levels
        self._seeks: _RowCache[LobbySeek] = _RowCache(lambda seek, _: seek_row(seek))
        self._rooms: _RowCache[LobbyRoom] = _RowCache(room_row)

    def players(
        self,
        players: Sequence[PlayerInfo],
        rooms: Sequence[LobbyRoom],
        me: str,
        ratings: Sequence[LobbyRating] = (),
    ) -> list[Row]:
        """Return the players: this one first, then people by name, then bots by level and name."""
        playing = names_playing(rooms)

        def rank(player: PlayerInfo) -> tuple[int, int, str]:
            if player.name == me:
                return 0, 0, ""
            if player.kind == "human":
                return 1, 0, player.name.casefold()
            return 2, self._levels.of(player) or len(self._levels.names) + 1, player.name.casefold()

        rated = best_known(ratings)
        return [
            player_row(
                player,
                me,
                self._levels,
                playing=player.name in playing,
                rating=rated.get(player.name),
            )
            for player in sorted(players, key=rank)
        ]

    def seeks(self, seeks: Sequence[LobbySeek], me: str) -> list[Row]:
        """Return the seeks of other players, in the server's order."""
        others = ((seek.seek, seek) for seek in seeks if seek.player.name != me)
        return self._seeks.of(others, me)

    def rooms(self, rooms: Sequence[LobbyRoom], me: str) -> list[Row]:
        """Return the rooms: first those that wait for a player, then running and finished ones."""
        ranked = sorted(rooms, key=lambda room: _RANKS[room.status])
        return self._rooms.of(((room.room, room) for room in ranked), me)


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


def player_row(
    player: PlayerInfo, me: str, levels: Levels, *, playing: bool, rating: LobbyRating | None = None
) -> Row:
    """Return the row of a player: name, kind and strength, and whether they are playing."""
    now = tr("playing") if playing else ""
    worth = "" if rating is None else rating_text(rating)
    if player.name == me:
        return Row(player.name, (tr("{name} (you)", name=player.name), worth, now), "me")
    if player.kind == "human":
        what = ", ".join(filter(None, (tr("person"), worth)))
        return Row(player.name, (player.name, what, now), "person")
    level = levels.of(player)
    # The name of such a bot usually names its level already.
    named = level is not None and player.name.partition("-")[0] == levels.names[level - 1]
    about = levels.line(level, word=False) if level and named else levels.strength(player)
    about = ", ".join(filter(None, (tr("bot"), about, worth)))
    return Row(player.name, (player.name, about, now), "bot")


def seek_row(seek: LobbySeek) -> Row:
    """Return the row of a seek: player, game, time control, and who moves first."""
    start = {None: tr("chance"), 0: tr("theirs"), 1: tr("yours")}[seek.seat]
    cells = (marked(seek.player), _what(seek.settings), time_line(seek.settings.time), start)
    return Row(seek.seek, cells, "seek")


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


def room_row(room: LobbyRoom, me: str) -> Row:
    """Return the row of a room: players, game, time control and status."""
    names = names_line(room) or tr("nobody")
    state = {
        "waiting": tr("waits for a player"),
        "playing": tr("being played"),
        "finished": tr("over"),
    }[room.status]
    mine = plays(room, me) and room.status != "finished"
    cells = (names, _what(room.settings), time_line(room.settings.time), state)
    return Row(room.room, cells, "mine" if mine else room.status)


def _what(settings: MatchSettings) -> str:
    parts = [game_line(settings)]
    if settings.opening:
        parts.append(tr("from an opening"))
    if settings.start:
        parts.append(from_move(settings.start))
    if settings.rated:
        parts.append(tr("rated"))
    return ", ".join(parts)


def in_short(settings: MatchSettings) -> str:
    """Return the game, what is special about the match, and the time control."""
    return f"{_what(settings)} · {time_line(settings.time)}"


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
                title=level_title(name).capitalize(),
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


def about_player(player: PlayerInfo, abouts: Mapping[str, str], levels: Levels) -> str:
    """Describe a bot in one sentence or two; `abouts` maps engines to descriptions."""
    if player.kind != "bot":
        return ""
    engine = "" if player.engine is None else player.engine.name
    about = abouts.get(engine, "")
    what = levels.strength(player)
    head = (
        tr("{name}: bot, {what}.", name=player.name, what=what)
        if what
        else tr("{name} is a bot.", name=player.name)
    )
    return f"{head} {about}".strip()


def has_bots(players: Iterable[PlayerInfo]) -> bool:
    """Return whether any of `players` is a bot."""
    return any(player.kind == "bot" for player in players)
