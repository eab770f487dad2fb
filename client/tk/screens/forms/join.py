"""The dialog that joins or watches a room by its id and code."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import partial
from tkinter import ttk
from typing import Final

from doublecross.client.language import tr
from doublecross.client.tk.context import Screen
from doublecross.client.tk.models.lobby.forms import invitation_problems, split_invitation
from doublecross.client.tk.network.thread import ME
from doublecross.client.tk.refusal import Refusal
from doublecross.client.tk.widgets.buttons import watch_text
from doublecross.client.tk.widgets.dialog import LEAST_PX, Dialog
from doublecross.client.tk.widgets.labels import ErrorLabel
from doublecross.protocol.errors import ErrorCode
from doublecross.protocol.server_messages import RoomState

_ROOM_ERRORS: Final = (ErrorCode.UNKNOWN_ROOM, ErrorCode.ROOM_FULL, ErrorCode.WRONG_STATE)
"""Refusals that are shown beside the field for the room."""


class JoinField(StrEnum):
    """The fields; the values are their Tk widget names and the keys of their problems."""

    ROOM = "room"
    CODE = "code"


class JoinDialog(Dialog):
    """Asks for a room and its code, as another player has shared them."""

    def __init__(self, screen: Screen) -> None:
        super().__init__(screen, name="join_room", title=tr("Join by code"), action=tr("Join"))
        watch = partial(self._enter_room, watch=True)
        self._watch = self.page.button("watch", tr("Watch"), watch, side="left")
        self.body.columnconfigure(0, weight=1, minsize=LEAST_PX)
        self._entries: dict[JoinField, ttk.Entry] = {}
        self._errors: dict[JoinField, ErrorLabel] = {}
        self._add_field(0, JoinField.ROOM, tr("Room"))
        self._add_field(3, JoinField.CODE, tr("Code, if the room is private"))
        self.appear(self._entries[JoinField.ROOM])

    def confirm(self) -> None:
        """Take the free seat of the room."""
        self._enter_room(watch=False)

    def refused(self, refusal: Refusal) -> None:
        """Show the reason beside the field that caused the refusal."""
        if refusal.code in _ROOM_ERRORS:
            self.end_attempt("")
            self._show_problems({JoinField.ROOM: refusal.sentence})
        elif refusal.code == ErrorCode.WRONG_CODE:
            self.end_attempt("")
            self._show_problems({JoinField.CODE: refusal.sentence})
        else:
            super().refused(refusal)

    def _enter_room(self, *, watch: bool) -> None:
        room, code = (self._entries[field].get() for field in JoinField)
        room, code = split_invitation(room, code)
        problems = invitation_problems(room, code)
        self._show_problems(problems)
        if problems:
            return
        self.begin(tr("Looking for the room {name} ...", name=room))

        def undo(state: RoomState) -> None:
            self.context.network.ask(ME, lambda client: client.leave(state.room))

        self.ask(
            ME,
            lambda client: (client.watch if watch else client.join)(room, code=code or None),
            self._joined,
            undo,
        )

    def _joined(self, state: RoomState) -> None:
        self.working = False
        self.context.navigation.to_game(state.room)

    def _add_field(self, row: int, field: JoinField, title: str) -> None:
        ttk.Label(self.body, text=title).grid(
            row=row, column=0, sticky="w", pady=(0 if row == 0 else 12, 6)
        )
        entry = ttk.Entry(self.body, name=field)
        entry.grid(row=row + 1, column=0, sticky="ew")
        watch_text(entry, lambda: self._edited(field))
        label = ErrorLabel(self.body, name=f"{field}_error", width=LEAST_PX)
        label.grid(row=row + 2, column=0, sticky="w", pady=(6, 0))
        label.grid_remove()
        self._entries[field], self._errors[field] = entry, label

    def _show_problems(self, problems: Mapping[str, str]) -> None:
        """Show `problems`, sentences by the value of the field, and focus the first such field."""
        for field, label in self._errors.items():
            label.say(problems.get(field, ""))
            self._entries[field].state(["invalid" if field in problems else "!invalid"])
        for field, entry in self._entries.items():
            if field in problems:
                entry.focus_set()
                entry.selection_range(0, "end")
                break

    def _edited(self, field: JoinField) -> None:
        self._entries[field].state(["!invalid"])
        self._errors[field].say("")
