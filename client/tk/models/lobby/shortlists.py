"""Choose what the areas of the lobby show of its lists: a few lines each, and how much there is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

from doublecross.client.language import plural, tr
from doublecross.client.tk.models.lobby.model import (
    best_known,
    marked,
    names_line,
    names_playing,
    plays,
    rating_text,
)
from doublecross.client.tk.models.snapshots import LobbySnapshot
from doublecross.client.tk.models.words import match_line, size_line, time_line
from doublecross.protocol.common import MatchSettings, PlayerInfo
from doublecross.protocol.server_messages import LobbyRoom, LobbySeek

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ShortEntry(Generic[T]):
    """One entry: a title, more about it, and the label of its button, which acts on `thing`.

    `key` identifies the entry. `about` has several forms, the longest first. Without an `action`
    there is no such button. `more` is the label of a second button; empty: none.
    """

    key: str
    title: str
    about: tuple[str, ...]
    action: str
    thing: T
    more: str = ""


def open_entries(lobby: LobbySnapshot, me: str) -> list[ShortEntry[LobbySeek | LobbyRoom]]:
    """Return the matches that wait for an opponent: offers of other players, and their rooms."""
    entries: list[ShortEntry[LobbySeek | LobbyRoom]] = [
        ShortEntry(seek.seek, marked(seek.player), match_lines(seek.settings), tr("Accept"), seek)
        for seek in lobby.seeks
        if seek.player.name != me
    ]
    entries += [
        ShortEntry(room.room, names_line(room), match_lines(room.settings), tr("Join"), room)
        for room in lobby.rooms
        if room.status == "waiting" and not plays(room, me)
    ]
    return entries


def friend_entries(lobby: LobbySnapshot, me: str) -> list[ShortEntry[PlayerInfo]]:
    """Return the other people: first those who are free, by name."""
    playing = names_playing(lobby.rooms)
    rated = best_known(lobby.ratings)

    def about(player: PlayerInfo) -> tuple[str, ...]:
        now = tr("playing") if player.name in playing else tr("here")
        rating = rated.get(player.name)
        return (now,) if rating is None else (f"{rating_text(rating)} · {now}", now)

    people = (each for each in lobby.players if each.kind == "human" and each.name != me)
    ranked = sorted(people, key=lambda each: (each.name in playing, each.name.casefold()))
    return [ShortEntry(each.name, each.name, about(each), tr("Challenge"), each) for each in ranked]


def running_entries(lobby: LobbySnapshot, me: str) -> list[ShortEntry[LobbyRoom]]:
    """Return the games in progress between others: first those in which people play."""

    def of_bots(room: LobbyRoom) -> bool:
        return all(each is None or each.kind == "bot" for each in room.players)

    running = (room for room in lobby.rooms if room.status == "playing" and not plays(room, me))
    return [
        ShortEntry(room.room, names_line(room), match_lines(room.settings), tr("Watch"), room)
        for room in sorted(running, key=of_bots)
    ]


def counts_line(lobby: LobbySnapshot, me: str) -> str:
    """Return how much there is: ``7 players, 1 offer, 2 games, 1 tournament``."""
    offers = sum(seek.player.name != me for seek in lobby.seeks)
    counts = [
        plural("1 player", "{n} players", len(lobby.players)),
        plural("1 offer", "{n} offers", offers),
        plural("1 game", "{n} games", len(lobby.rooms)),
    ]
    if lobby.tournaments:
        counts.append(plural("1 tournament", "{n} tournaments", len(lobby.tournaments)))
    return ", ".join(counts)


def kept_order(shown: Iterable[str], wanted: Iterable[str], first: int = 0) -> list[str]:
    """Return the keys `wanted`: from place `first` on those that are `shown` already, in order.

    So an entry does not move away from under the pointer when another one comes.
    """
    new = dict.fromkeys(wanted)
    before = [key for key in shown if key in new]
    others = [key for key in new if key not in before]
    return [*others[:first], *before, *others[first:]]


def match_lines(settings: MatchSettings) -> tuple[str, ...]:
    """Describe a match: with the name of the game, without it, and the size alone."""
    size = size_line(settings)
    parts = [size, time_line(settings.time), *([tr("rated")] if settings.rated else [])]
    return match_line(settings), " · ".join(parts), size
