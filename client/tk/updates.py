"""Pass pictures of the network thread to the strip and the screen, and switch screens."""

from __future__ import annotations

import time

from doublecross.client.tk.context import Context
from doublecross.client.tk.game_watch import GameWatch
from doublecross.client.tk.models.attention import Attention
from doublecross.client.tk.models.lobby.waiting_games import WaitingGames
from doublecross.client.tk.models.pictures import (
    AnnouncementPicture,
    Answer,
    LinkPicture,
    OffersPicture,
    Overflow,
    Picture,
    RoomGone,
    RoomPicture,
    SeatTaken,
)
from doublecross.client.tk.navigator import Navigator
from doublecross.client.tk.network.thread import ME
from doublecross.client.tk.widgets.strip.strip import Strip


class UpdateRouter:
    """Stores each picture in `LatestPictures`, shows it, and switches screens if it must."""

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

    def take(self, picture: Picture) -> None:
        """Handle one picture."""
        if isinstance(picture, Answer):
            picture.deliver()
            return
        if isinstance(picture, Overflow):
            self._context.latest.rooms.clear()
            self._context.network.request_pictures()
            return
        self._attention.take(picture, self._context.latest)
        begun = isinstance(picture, RoomPicture) and self._begins(picture)
        self._context.latest.take(picture)
        self._show_above(picture)
        self._games.take(picture)
        if self._navigator.screen is not None:
            self._navigator.screen.take(picture)
        self._follow(picture)
        if begun and isinstance(picture, RoomPicture) and self._navigator.reviewing:
            self._navigator.to_game(picture.room)  # the rematch has begun; the clock runs already

    def lead_to_waiting_game(self, now: float) -> None:
        """Show a tournament game that has begun, or report that it waits; `now` is in seconds."""
        navigator, waiting = self._navigator, self._waiting_games
        room = waiting.due(now, busy=navigator.playing)
        self._strip.waiting_game.show(waiting.waiting if navigator.playing else None)
        if room is not None and self._context.latest.connected and not navigator.starting:
            self._context.sound.play("turn")
            navigator.to_game(room)

    def _show_above(self, picture: Picture) -> None:
        """Show a picture in the strip above the screen, and note tournament games."""
        match picture:
            case LinkPicture():
                self._strip.connection.take(picture)
            case OffersPicture(who=who) if who == ME:
                self._strip.challenges.take(picture)
            case AnnouncementPicture(who=who) if who == ME:
                self._strip.announcement.take(picture, time.time() * 1000)
            case RoomPicture(who=who) if who == ME:
                self._waiting_games.take(picture)
            case RoomGone(who=who, room=room) if who == ME:
                self._waiting_games.gone(room)

    def _begins(self, picture: RoomPicture) -> bool:
        """Return whether `picture` is the first one of a rematch that this person plays."""
        before = self._context.latest.rooms.get((picture.who, picture.room))
        return (
            before is not None
            and picture.who == ME
            and picture.seat is not None
            and picture.status == "playing"
            and picture.match > before.match
        )

    def _follow(self, picture: Picture) -> None:
        """Switch to another screen if `picture` calls for it."""
        navigator = self._navigator
        match picture:
            case LinkPicture(who=who, state="ended", sentence=sentence) if who == ME:
                if not (navigator.starting or navigator.reviewing):
                    navigator.to_start(sentence, log_in=picture.logged_out)
            case SeatTaken(who=who, room=room) if who == ME and not navigator.playing:
                navigator.to_game(room)
            case RoomPicture():
                navigator.return_to(picture)
