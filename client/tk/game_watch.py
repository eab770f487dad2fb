"""Remember the matches that this person plays, and report those that end out of sight.

Theory of operation
-------------------
A match may end while the window shows another screen, or while it is closed. The settings keep the
id of each match that is being played. When its room turns out to be finished or gone, the entry is
deleted, a match against a level counts for the ladder, and unless the screen shows the room, the
person gets a report. A room that is gone left its record on the server; it does not count.
"""

from __future__ import annotations

from collections.abc import Callable

from doublecross.client.tk.context import Context
from doublecross.client.tk.joining import HERE
from doublecross.client.tk.models.games_elsewhere import GameNews, news_of_record, news_of_snapshot
from doublecross.client.tk.models.lobby.ladder import counted, with_result
from doublecross.client.tk.models.lobby.levels import Levels
from doublecross.client.tk.models.pages import game_page
from doublecross.client.tk.models.snapshots import (
    LobbySnapshot,
    RoomGone,
    RoomSnapshot,
    WindowUpdate,
)
from doublecross.client.tk.network.records import fetch_record
from doublecross.client.tk.network.thread import ME
from doublecross.client.tk.refusal import Refusal
from doublecross.games.record import Record
from doublecross.protocol.errors import ErrorCode


class GameWatch:
    """Follows the matches of the person at the window.

    `shown` returns the room on the current screen, or None. `report` shows news, `complain` a
    problem.
    """

    def __init__(
        self,
        context: Context,
        *,
        shown: Callable[[], str | None],
        report: Callable[[GameNews], None],
        complain: Callable[[str], None],
    ) -> None:
        self._context = context
        self._shown = shown
        self._report = report
        self._complain = complain
        self._fetching: set[str] = set()

    def take(self, update: WindowUpdate) -> None:
        """Handle an update, which `context.latest` has already stored."""
        match update:
            case RoomSnapshot(who=who) if who == ME and update.seat is not None:
                self._take_room(update)
            case RoomGone(who=who, room=room, sentence=sentence) if who == ME and sentence:
                self._fetch(room)
            case LobbySnapshot(who=who, stale=False) if who == ME:
                self._look_for_gone_rooms()

    def review(self, news: GameNews) -> None:
        """Show the review of a match; its back button leads to the present screen."""
        context, room = self._context, self._shown()

        def back() -> None:
            if room is not None and (ME, room) in context.latest.rooms:
                context.navigation.to_game(room)
            else:
                context.navigation.to_lobby()

        def show(record: Record) -> None:
            title = " – ".join(record.players)
            page = game_page(news.game_id)
            context.navigation.to_review(record, title=title, back=back, page=page)

        context.network.ask(
            ME,
            lambda client: fetch_record(client, news.game_id),
            show,
            lambda refusal: self._complain(refusal.sentence),
        )

    def _take_room(self, snapshot: RoomSnapshot) -> None:
        kept, key = self._context.home.settings, self._key(snapshot.room)
        game_id = f"{snapshot.room}-{snapshot.match}"
        if snapshot.status == "playing":
            if kept.unfinished.get(key) != game_id:
                kept.unfinished[key] = game_id
                self._context.home.save()
        elif key in kept.unfinished and (news := news_of_snapshot(snapshot)) is not None:
            self._count(snapshot)
            self._forget(key)
            if self._shown() != snapshot.room and not _resigned(snapshot):
                self._report(news)

    def _count(self, snapshot: RoomSnapshot) -> None:
        """Count a finished match against a level; `_forget` saves it."""
        context = self._context
        kept = context.home.settings.ladder
        if (found := counted(snapshot, Levels(context.helpers.levels))) is not None:
            key, result = found
            text = with_result(kept, key, result)
            # The last one used comes last, because the oldest are dropped.
            kept.pop(key, None)
            kept[key] = text

    def _look_for_gone_rooms(self) -> None:
        """Fetch the ends of matches whose rooms closed while the window was not connected."""
        latest, prefix = self._context.latest, self._key("")
        seated = () if latest.link is None else latest.link.rooms
        known = {room for _, room in latest.rooms} | set(seated)
        for key in tuple(self._context.home.settings.unfinished):
            if key.startswith(prefix) and (room := key[len(prefix) :]) not in known:
                self._fetch(room)

    def _fetch(self, room: str) -> None:
        """Report how the match in a room that is gone has ended, from its record."""
        key, me = self._key(room), self._context.player_name
        game_id = self._context.home.settings.unfinished.get(key)
        if game_id is None or game_id in self._fetching:
            return
        self._fetching.add(game_id)

        def found(record: Record) -> None:
            self._fetching.discard(game_id)
            self._forget(key)
            self._report(news_of_record(record, room, game_id, me))

        def refused(refusal: Refusal) -> None:
            self._fetching.discard(game_id)
            if refusal.code == ErrorCode.UNKNOWN_RECORD:
                self._forget(key)

        self._context.network.ask(ME, lambda client: fetch_record(client, game_id), found, refused)

    def _forget(self, key: str) -> None:
        self._context.home.settings.unfinished.pop(key, None)
        self._context.home.save()

    def _key(self, room: str) -> str:
        """Return the key of a room of this player on this server in `WindowSettings.unfinished`."""
        latest = self._context.latest
        server = HERE if latest.here else latest.server
        return f"{server} {self._context.player_name.casefold()} {room}"


def _resigned(snapshot: RoomSnapshot) -> bool:
    """Return whether this player has resigned the match, and so knows how it ended."""
    result = snapshot.result
    return (
        result is not None and result.termination == "resigned" and result.winner != snapshot.seat
    )
