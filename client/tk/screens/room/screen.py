"""The screen of a room, for players and spectators, during and after a match."""

from __future__ import annotations

from tkinter import ttk

from doublecross.client.language import tr
from doublecross.client.tk.context import Context, Screen
from doublecross.client.tk.models.room.model import RoomModel
from doublecross.client.tk.models.snapshots import (
    RoomGone,
    RoomSnapshot,
    SaidPhrase,
    TournamentNews,
    WindowUpdate,
)
from doublecross.client.tk.network.thread import GUEST, ME
from doublecross.client.tk.screens.room.presenter import RoomPresenter
from doublecross.client.tk.screens.room.view import RoomView
from doublecross.client.tk.widgets.buttons import enter_button
from doublecross.client.tk.widgets.visible import replace


class RoomScreen(Screen):
    """Waits for the first state of the room with the id `room`, then shows it by a presenter."""

    name = "game"

    def __init__(self, context: Context, room: str) -> None:
        super().__init__(context)
        self.room = room
        self._presenter: RoomPresenter | None = None
        self.columnconfigure(0, weight=1)
        self.rowconfigure(0, weight=1)
        self._opening = self._build_opening()
        for who in (ME, GUEST):
            if (snapshot := context.latest.rooms.get((who, room))) is not None:
                self.take(snapshot)

    @property
    def model(self) -> RoomModel | None:
        """The model of the room; None until its first state has arrived."""
        return None if self._presenter is None else self._presenter.model

    @property
    def view(self) -> RoomView | None:
        """The widgets of the room; None until its first state has arrived."""
        return None if self._presenter is None else self._presenter.view

    @property
    def playing(self) -> bool:
        """Return whether somebody at this window is playing a match here."""
        return self.model is not None and self.model.playing

    def take(self, update: WindowUpdate) -> None:
        """Handle an update; updates of other rooms are ignored."""
        match update:
            case RoomSnapshot(room=self.room, who=who):
                if self._presenter is not None:
                    self._presenter.take(update)
                elif who == ME:
                    self._begin(update)
            case RoomGone(room=self.room, who=who, sentence=sentence):
                if self._presenter is not None:
                    self._presenter.room_gone(who, sentence)
                elif who == ME:
                    self._show_message(sentence or tr("This room is closed."))
            case SaidPhrase(room=self.room, who=who) if who == ME:
                if self._presenter is not None:
                    self._presenter.hear(update)
            case TournamentNews(who=who, state=state) if who == ME and self._presenter is not None:
                self._presenter.tournament_changed(state.tournament)

    def tick(self, now: float) -> None:
        """Advance clocks and animations to `now`, in seconds."""
        if self._presenter is not None:
            self._presenter.tick(now)

    def restyle(self) -> None:
        """Apply the current theme."""
        if self._presenter is not None:
            self._presenter.view.restyle()

    def focus_first(self) -> None:
        """Focus the board, or the way back while there is none."""
        if self._presenter is not None:
            self._presenter.view.board.focus_set()
        else:
            self._opening.nametowidget("back").focus_set()

    def leave(self) -> None:
        """Stop updating the room before another screen replaces this one."""
        if self._presenter is not None:
            self._presenter.leave()

    def _begin(self, snapshot: RoomSnapshot) -> None:
        presenter = self._presenter = RoomPresenter(self, snapshot)
        presenter.view.grid(row=0, column=0, sticky="nsew")
        replace(self._opening, presenter.view)
        self.focus_first()

    def _build_opening(self) -> ttk.Frame:
        """Build the widgets that are shown until the first state has arrived."""
        frame = ttk.Frame(self, name="opening")
        frame.grid(row=0, column=0)
        label = ttk.Label(frame, name="message", text=tr("Opening the room ..."))
        label.grid(row=0, column=0, pady=(0, 12))
        back = enter_button(frame, "back", tr("‹ Lobby"), self.context.navigation.to_lobby)
        back.grid(row=1, column=0)
        return frame

    def _show_message(self, sentence: str) -> None:
        self._opening.nametowidget("message").configure(text=sentence)
