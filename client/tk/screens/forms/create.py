"""The dialog that creates a room."""

from __future__ import annotations

from doublecross.client.language import tr
from doublecross.client.tk.context import Screen
from doublecross.client.tk.models.lobby.forms import MatchFields
from doublecross.client.tk.network.thread import ME
from doublecross.client.tk.screens.forms.match import MatchDialog
from doublecross.client.tk.widgets.buttons import is_on, set_switch, switch_button
from doublecross.client.tk.widgets.lobby.match_form import MatchForm


class CreateDialog(MatchDialog):
    """Asks for the settings of a room, which others find in the lobby or enter by its code."""

    def __init__(self, screen: Screen, fields: MatchFields) -> None:
        super().__init__(
            screen,
            fields,
            name="create_room",
            title=tr("Create a room"),
            action=tr("Create the room"),
        )
        starts = (tr("Me"), tr("Opponent"), tr("Chance"))
        self.form = MatchForm(self.body, fields, starts=starts, rates=True)
        self.form.grid(row=0, column=0, sticky="ew")
        text = tr("Private: others need a code to join")
        self._private = switch_button(self.body, "private", text)
        set_switch(self._private, on=fields.private)
        self._private.grid(row=1, column=0, sticky="w", pady=(14, 0))
        self.appear(self.form.game)

    def confirm(self) -> None:
        """Create the room and show it."""
        self.fields.private = is_on(self._private)
        settings = self.form.settings()
        if settings is None:
            return
        self.remember()
        seat, private = self.fields.seat, self.fields.private
        self.begin(tr("Opening the room ..."))
        self.ask(
            ME,
            lambda client: client.create_room(settings, seat=seat, private=private),
            self.enter_room,
            self.leave_room,
        )
