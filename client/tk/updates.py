"""Pass the updates of the network thread to the strip and the screen, and switch screens."""

from __future__ import annotations

import time

from doublecross.client.tk.context import Context
from doublecross.client.tk.game_watch import GameWatch
from doublecross.client.tk.models.attention import Attention
from doublecross.client.tk.models.lobby.waiting_games import WaitingGames
from doublecross.client.tk.models.snapshots import (
    AnnouncementSnapshot,
    Answer,
    LinkSnapshot,
    OffersSnapshot,
    Overflow,
    RoomGone,
    RoomSnapshot,
    SeatTaken,
    WindowUpdate,
)
from doublecross.client.tk.navigator import Navigator
from doublecross.client.tk.network.thread import ME
from doublecross.client.tk.widgets.strip.strip import Strip


class UpdateRouter:
    """Stores each update in `LatestSnapshots`, shows it, and switches screens if it must."""

    def __init__(
        self,
        context: Context,
        navigator: Navigator,
        strip: Strip,
        waiting_games: WaitingGames,
        games: GameWatch,
        attention: Attention,
    ) -> None:
        self._context = context
        self._navigator = navigator
        self._strip = strip
        self._games = games
        self._attention = attention
        self._waiting_games = waiting_games

    def take(self, update: WindowUpdate) -> None:
        """Handle one update."""
        if isinstance(update, Answer):
            update.deliver()
            return
        if isinstance(update, Overflow):
            self._context.latest.rooms.clear()
            self._context.network.request_snapshots()
            return
        self._attention.take(update, self._context.latest)
        begun = isinstance(update, RoomSnapshot) and self._begins(update)
        self._context.latest.take(update)
        self._show_above(update)
        self._games.take(update)
        if self._navigator.screen is not None:
            self._navigator.screen.take(update)
        self._follow(update)
        if begun and isinstance(update, RoomSnapshot) and self._navigator.reviewing:
            self._navigator.to_game(update.room)  # the rematch has begun; the clock runs already

    def lead_to_waiting_game(self, now: float) -> None:
        """Show a tournament game that has begun, or report that it waits; `now` is in seconds."""
        navigator, waiting = self._navigator, self._waiting_games
        room = waiting.due(now, busy=navigator.playing)
        self._strip.waiting_game.show(waiting.waiting if navigator.playing else None)
        if room is not None and self._context.latest.connected and not navigator.starting:
            self._context.sound.play("turn")
            navigator.to_game(room)

    def _show_above(self, update: WindowUpdate) -> None:
        """Show an update in the strip above the screen, and note tournament games."""
        match update:
            case LinkSnapshot():
                self._strip.connection.take(update)
            case OffersSnapshot(who=who) if who == ME:
                self._strip.challenges.take(update)
            case AnnouncementSnapshot(who=who) if who == ME:
                self._strip.announcement.take(update, time.time() * 1000)
            case RoomSnapshot(who=who) if who == ME:
                self._waiting_games.take(update)
            case RoomGone(who=who, room=room) if who == ME:
                self._waiting_games.gone(room)

    def _begins(self, snapshot: RoomSnapshot) -> bool:
        """Return whether `snapshot` is the first one of a rematch that this person has offered."""
        before = self._context.latest.rooms.get((snapshot.who, snapshot.room))
        return (
            before is not None
            and snapshot.who == ME
            and snapshot.seat is not None
            and snapshot.status == "playing"
            and snapshot.match > before.match
            # Without an offer, another connection of this player has accepted it.
            and before.seat is not None
            and before.rematch[before.seat]
        )

    def _follow(self, update: WindowUpdate) -> None:
        """Switch to another screen if `update` calls for it."""
        navigator = self._navigator
        match update:
            case LinkSnapshot(who=who, state="ended", sentence=sentence) if who == ME:
                if not (navigator.starting or navigator.reviewing):
                    navigator.to_start(sentence, log_in=update.logged_out)
            case SeatTaken(who=who, room=room) if who == ME and not navigator.playing:
                navigator.to_game(room)
            case RoomSnapshot():
                navigator.return_to(update)
