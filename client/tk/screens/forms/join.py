"""Asks for a room's name and code, and joins it or watches it."""

from __future__ import annotations

from collections.abc import Mapping
from tkinter import ttk
from typing import Final

from client.tk.context import Screen
from client.tk.models.lobby.forms import invitation_problems, split_invitation
from client.tk.network.thread import ME, Refusal
from client.tk.widgets.dialog import LEAST_PX, Dialog
from protocol.errors import ErrorCode
from protocol.server_messages import RoomState

_OF_ROOM: Final = (ErrorCode.UNKNOWN_ROOM, ErrorCode.ROOM_FULL, ErrorCode.WRONG_STATE)
_OF_CODE: Final = (ErrorCode.WRONG_CODE,)


class JoinDialog(Dialog):
    """A room that somebody has told one of."""

    def __init__(self, screen: Screen) -> None:
        super().__init__(screen, name="join_room", title="Join by code", action="Join")
        self._watch = self.page.button("watch", "Watch", self._watch_it, side="left")
        self.body.columnconfigure(0, weight=1, minsize=LEAST_PX)
        self._entries: dict[str, ttk.Entry] = {}
        self._errors: dict[str, ttk.Label] = {}
        self._field(0, "room", "Room")
        self._field(3, "code", "Code, if the room is private")
        self.appear(self._entries["room"])

    def confirm(self) -> None:
        """Take the free seat."""
        self._go(watch=False)

    def refused(self, refusal: Refusal) -> None:
        """It is said beside the field that it is about."""
        if refusal.code in _OF_ROOM:
            self.complain("")
            self._say({"room": refusal.sentence})
        elif refusal.code in _OF_CODE:
            self.complain("")
            self._say({"code": refusal.sentence})
        else:
            super().refused(refusal)

    def _watch_it(self) -> None:
        self._go(watch=True)

    def _go(self, *, watch: bool) -> None:
        room, code = (self._entries[name].get() for name in ("room", "code"))
        room, code = split_invitation(room, code)
        problems = invitation_problems(room, code)
        self._say(problems)
        if problems:
            return
        self.begin(f"Looking for the room {room} ...")

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

    def _field(self, row: int, name: str, title: str) -> None:
        ttk.Label(self.body, text=title).grid(
            row=row, column=0, sticky="w", pady=(0 if row == 0 else 12, 6)
        )
        entry = ttk.Entry(self.body, name=name)
        entry.grid(row=row + 1, column=0, sticky="ew")
        # Variables of Tk would do as well, but their end may come in the network's thread.
        edited = entry.register(lambda: self._edited(name))
        entry.configure(validate="key", validatecommand=(edited,))
        label = ttk.Label(
            self.body,
            name=f"{name}_error",
            style="Error.TLabel",
            justify="left",
            wraplength=LEAST_PX,
        )
        label.grid(row=row + 2, column=0, sticky="w", pady=(6, 0))
        label.grid_remove()
        self._entries[name], self._errors[name] = entry, label

    def _say(self, problems: Mapping[str, str]) -> None:
        for name, label in self._errors.items():
            label.configure(text=problems.get(name, ""))
            self._entries[name].state(["invalid" if name in problems else "!invalid"])
            if name in problems:
                label.grid()
            else:
                label.grid_remove()
        for name in problems:
            self._entries[name].focus_set()
            self._entries[name].selection_range(0, "end")
            break

    def _edited(self, name: str) -> bool:
        self._entries[name].state(["!invalid"])
        self._errors[name].grid_remove()
        return True
