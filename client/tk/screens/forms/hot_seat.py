"""The dialog for a match between two people at this window."""

from __future__ import annotations

from tkinter import ttk

from doublecross.client.language import tr
from doublecross.client.tk.context import Screen
from doublecross.client.tk.models.lobby.forms import MatchFields
from doublecross.client.tk.models.start import name_problem
from doublecross.client.tk.network.thread import GUEST, ME
from doublecross.client.tk.refusal import Refusal
from doublecross.client.tk.screens.forms.match import MatchDialog
from doublecross.client.tk.theme import scaled
from doublecross.client.tk.widgets.buttons import watch_text
from doublecross.client.tk.widgets.labels import ErrorLabel
from doublecross.client.tk.widgets.lobby.match_form import WIDTH, MatchForm
from doublecross.protocol.common import MatchSettings
from doublecross.protocol.server_messages import RoomState


class HotSeatDialog(MatchDialog):
    """Asks for the name of the second person and the settings of the match.

    The second person gets a connection and a player on the server, like everybody else. Both join
    a private room.
    """

    def __init__(self, screen: Screen, fields: MatchFields, *, me: str) -> None:
        super().__init__(
            screen, fields, name="hot_seat", title=tr("Two at one screen"), action=tr("Play")
        )
        self._me = me
        self._state: RoomState | None = None
        body = self.body
        body.columnconfigure(0, weight=1, minsize=scaled(body, WIDTH))
        ttk.Label(body, text=tr("Who plays against {name}?", name=me)).grid(
            row=0, column=0, sticky="w", pady=(0, 6)
        )
        self._guest = ttk.Entry(body, name="guest")
        self._guest.grid(row=1, column=0, sticky="ew")
        self._guest.insert(0, self.context.home.settings.guest)
        self._name_error = ErrorLabel(body, name="guest_error", width=scaled(body, WIDTH))
        self._name_error.grid(row=2, column=0, sticky="w", pady=(6, 0))
        self.form = MatchForm(body, fields, starts=(me, tr("Opponent"), tr("Chance")))
        self.form.grid(row=3, column=0, sticky="ew", pady=(14, 0))
        watch_text(self._guest, lambda: self._show_name_error(""))
        self._show_name_error("")
        self.appear(self._guest)
        self._guest.selection_range(0, "end")

    def confirm(self) -> None:
        """Connect the second person; the room is created once that has succeeded."""
        name = self._guest.get().strip()
        problem = "" if name else tr("Enter the name of the second player.")
        problem = problem or name_problem(name)
        if not problem and name.casefold() == self._me.casefold():
            problem = tr(
                "{name} is your name. Choose another one for the second player.", name=name
            )
        settings = self.form.settings()
        self._show_name_error(problem)
        if problem:
            self._guest.focus_set()
            self._guest.selection_range(0, "end")
        if problem or settings is None:
            return
        self.remember()
        self.begin(tr("Connecting {name} ...", name=name))
        attempt = self.attempt
        self.context.program.connect_guest(
            name,
            lambda: self._connected(attempt, settings),
            lambda sentence: self._guest_refused(attempt, sentence),
        )

    def attempt_cancelled(self) -> None:
        """Disconnect the second person and leave the room if it has been created."""
        self.context.network.disconnect(GUEST)
        if self._state is not None:
            self.leave_room(self._state)
            self._state = None

    def refused(self, refusal: Refusal) -> None:
        """Undo everything, then show why the server refused the room or a player."""
        self.attempt_cancelled()
        super().refused(refusal)

    def _connected(self, attempt: int, settings: MatchSettings) -> None:
        if not self._is_current(attempt):
            return
        seat = self.fields.seat
        self.ask(
            ME,
            lambda client: client.create_room(settings, seat=seat, private=True),
            self._created,
            self.leave_room,
        )

    def _created(self, state: RoomState) -> None:
        self._state = state
        self.ask(
            GUEST,
            lambda client: client.join(state.room, code=state.code),
            self._joined,
            lambda state: self.context.network.ask(ME, lambda client: client.abort(state.room)),
        )

    def _joined(self, state: RoomState) -> None:
        self._state = None  # the match has begun: cancelling no longer closes the room
        self.enter_room(state)
        home = self.context.home
        home.settings.hot_seats[state.room] = home.settings.guest
        home.save()

    def _guest_refused(self, attempt: int, sentence: str) -> None:
        if self._is_current(attempt):
            self.end_attempt("")
            self._show_name_error(sentence)
            self._guest.focus_set()

    def _is_current(self, attempt: int) -> bool:
        return bool(self.winfo_exists()) and self.working and attempt == self.attempt

    def _show_name_error(self, sentence: str) -> None:
        self._guest.state(["invalid" if sentence else "!invalid"])
        self._name_error.say(sentence)
