"""The bars about games that another screen than the current one would show."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from typing import ClassVar, Final

from doublecross.client.language import tr
from doublecross.client.tk.context import Context
from doublecross.client.tk.models.games_elsewhere import GameNews, running_lines
from doublecross.client.tk.models.snapshots import RoomSnapshot
from doublecross.client.tk.theme import BODY
from doublecross.client.tk.widgets.labels import measured
from doublecross.client.tk.widgets.strip.bar import Bar
from doublecross.client.tk.widgets.visible import set_visible

_GO: Final = tr("Go there")
_GO_PX: Final = 60
"""The padding of the text about a match elsewhere and of its button, in pixels."""
_SHARE: Final = 0.3
"""The largest share of the strip for a match elsewhere beside a message."""


class OtherRoomBar(Bar):
    """Base of the bars about another room, with a button that leads there.

    `on_go` is called with the room when the person wants to go there.
    """

    button_first: ClassVar[bool] = False
    """True when the button is at the left of the text, not at the right."""

    def __init__(
        self,
        parent: tk.Misc,
        context: Context,
        name: str,
        *,
        on_change: Callable[[], None],
        on_go: Callable[[str], None],
    ) -> None:
        super().__init__(parent, context, name, on_change)
        self._room = ""
        self._go = self.add_button("go_there", _GO, lambda: on_go(self._room))
        if self.button_first:
            self._go.grid_configure(column=0, padx=12)
            self._label.grid_configure(column=1)
            self._label.configure(width=0, font=BODY)


class WaitingGameBar(OtherRoomBar):
    """Shows that a tournament game has begun while another match is being played."""

    def show(self, snapshot: RoomSnapshot | None) -> None:
        """Show that this game waits; None hides the bar."""
        if snapshot is None:
            self.say("")
            return
        self._room = snapshot.room
        name = self.context.latest.tournament_name(snapshot.tournament or "")
        other = None if snapshot.seat is None else snapshot.players[1 - snapshot.seat]
        short = tr("Your tournament game has begun.")
        forms = [tr("Your game in the tournament {name} has begun.", name=name)] if name else []
        if other is not None:
            text = (
                tr("Your game against {other} in the tournament {name} has begun.")
                if name
                else tr("Your game against {other} in a tournament has begun.")
            )
            forms.insert(0, text.format(other=other.name, name=name))
        self.say(*forms, short)


class RunningGameBar(OtherRoomBar):
    """Shows a match of this player that the current screen does not show, with its clock."""

    button_first = True  # the length of the text changes with the clock

    def show(
        self, games: tuple[RoomSnapshot, ...], now: float, *, beside_message: bool, space: int
    ) -> None:
        """Show the first of `games` at `now`, in seconds, in a strip of `space` pixels.

        Beside a message the button alone says it, in little space.
        """
        if not games:
            self.say("")
            return
        self._room = games[0].room
        full, short, brief = running_lines(games, now)
        if beside_message:
            fits = measured(self, BODY, short) <= _SHARE * space
            go = short if fits else brief or _GO
        else:
            fits = measured(self, BODY, full) + _GO_PX + self._go.winfo_reqwidth() <= space
            go = _GO
        self.say(full if fits else short)
        if self._go.cget("text") != go:
            self._go.configure(text=go)
        set_visible(self._label, not beside_message)

    def _fit(self) -> None:
        """Do not wrap the line: it gets the width that it needs."""
        self._label.configure(text=self.text)


class NewsBar(Bar):
    """Reports matches of this player that ended out of sight, one at a time, the oldest first.

    `on_review` is called with the news when the person wants to see the game.
    """

    def __init__(
        self,
        parent: tk.Misc,
        context: Context,
        *,
        on_change: Callable[[], None],
        on_review: Callable[[GameNews], None],
    ) -> None:
        super().__init__(parent, context, "news", on_change)
        self._news: list[GameNews] = []
        self._on_review = on_review
        for button in (
            self.add_button("review", tr("Review"), self._review),
            self.add_button("dismiss", "OK", self._next),
        ):
            button.configure(width=len(tr("Review")))

    def add(self, news: GameNews) -> None:
        """Report one more match."""
        if all(news.game_id != each.game_id for each in self._news):
            self._news.append(news)
        self._show()

    def seen(self, game_id: str) -> None:
        """Drop the report about a match that the person sees now."""
        self._news = [each for each in self._news if each.game_id != game_id]
        self._show()

    def forget(self) -> None:
        """Drop all reports, because the connection has ended."""
        self._news.clear()
        self._show()

    def _show(self) -> None:
        self.say(self._news[0].text if self._news else "")

    def _review(self) -> None:
        news = self._news[0]
        self._next()
        self._on_review(news)

    def _next(self) -> None:
        self.seen(self._news[0].game_id)
