"""The screen of a room: play, or watch others play, until the match is over and after it."""

from __future__ import annotations

from tkinter import ttk

from client.tk.context import Context, Screen
from client.tk.models.pictures import Picture, RoomGone, RoomPicture, TournamentNews
from client.tk.models.room.model import RoomModel
from client.tk.network.thread import GUEST, ME
from client.tk.screens.room.presenter import RoomPresenter
from client.tk.screens.room.view import RoomView


class RoomScreen(Screen):
    """Waits for the first picture of the room called `room`, and then has a presenter show it."""

    name = "game"

    def __init__(self, context: Context, room: str) -> None:
        super().__init__(context)
        self.room = room
        self._presenter: RoomPresenter | None = None
        self.columnconfigure(0, weight=1)
        self.rowconfigure(0, weight=1)
        self._opening = self._build_opening()
        for who in (ME, GUEST):
            if (picture := context.latest.rooms.get((who, room))) is not None:
                self.take(picture)

    @property
    def model(self) -> RoomModel | None:
        """The model of the room; None until its first picture is there."""
        return None if self._presenter is None else self._presenter.model

    @property
    def view(self) -> RoomView | None:
        """The widgets of the room; None until its first picture is there."""
        return None if self._presenter is None else self._presenter.view

    @property
    def playing(self) -> bool:
        """Whether a match is being played here in which this window has a seat."""
        return self.model is not None and self.model.playing

    def take(self, picture: Picture) -> None:
        """Show an update."""
        match picture:
            case RoomPicture(room=self.room, who=who):
                if self._presenter is not None:
                    self._presenter.take(picture)
                elif who == ME:
                    self._begin(picture)
            case RoomGone(room=self.room, who=who, sentence=sentence):
                if self._presenter is not None:
                    self._presenter.gone(who, sentence)
                elif who == ME:
                    self._say(sentence or "This room is closed.")
            case TournamentNews(who=who, state=state) if who == ME and self._presenter is not None:
                self._presenter.tournament_changed(state.tournament)

    def tick(self, now: float) -> None:
        """Move clocks and animations on to `now`, in seconds."""
        if self._presenter is not None:
            self._presenter.tick(now)

    def restyle(self) -> None:
        """Apply the current theme."""
        if self._presenter is not None:
            self._presenter.view.restyle(self.context.look)

    def leave(self) -> None:
        """End what goes on here: another screen comes."""
        if self._presenter is not None:
            self._presenter.leave()

    def _begin(self, picture: RoomPicture) -> None:
        self._opening.destroy()
        presenter = self._presenter = RoomPresenter(self, picture)
        presenter.view.grid(row=0, column=0, sticky="nsew")
        presenter.view.board.focus_set()

    def _build_opening(self) -> ttk.Frame:
        """Build what is seen until the first picture is there."""
        frame = ttk.Frame(self, name="opening")
        frame.grid(row=0, column=0)
        label = ttk.Label(frame, name="said", text="Opening the room ...")
        label.grid(row=0, column=0, pady=(0, 12))
        back = ttk.Button(
            frame, name="back", text="‹ Lobby", command=self.context.navigation.to_lobby
        )
        back.bind("<Return>", lambda _: back.invoke())
        back.grid(row=1, column=0)
        back.focus_set()
        return frame

    def _say(self, sentence: str) -> None:
        self._opening.nametowidget("said").configure(text=sentence)
