"""The widgets of a room's screen: the board, the status below it, the head and the side panel."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Collection, Iterator
from tkinter import ttk
from typing import Final

from doublecross.client.language import tr
from doublecross.client.tk.context import Context
from doublecross.client.tk.models.board.model import BoardChanges
from doublecross.client.tk.models.colours import Colours
from doublecross.client.tk.models.lobby.ladder import advice_after
from doublecross.client.tk.models.lobby.levels import Levels
from doublecross.client.tk.models.room.parts import RoomParts
from doublecross.client.tk.models.snapshots import RoomSnapshot
from doublecross.client.tk.screens.room.commands import Command, RoomCommands
from doublecross.client.tk.screens.room.head import RoomHead
from doublecross.client.tk.screens.room.requests import RequestKind
from doublecross.client.tk.screens.room.side import BELOW_PX, RoomSide, side_width
from doublecross.client.tk.theme import scaled
from doublecross.client.tk.widgets.board.below import NoticeBar, Sentence
from doublecross.client.tk.widgets.board.view import BoardView
from doublecross.client.tk.widgets.buttons import is_on, set_switch
from doublecross.client.tk.widgets.visible import set_visible

ROOMY_PX: Final = 600
"""Below this height, in pixels, the layout is compact."""
_ROUND_PX: Final = 64
"""Height of the rows above and below the board, minus the padding beside it, in pixels."""
_NARROW_PX: Final = 620
"""Below this width, in pixels, the title has a smaller font."""
_PAD: Final = 16


class RoomView(ttk.Frame):
    """The widgets of the room of `parts`.

    `commands` are run by the buttons. `on_action` is called with an action that is clicked on the
    board, `on_ply` with the ply to show, `on_step` with the number of plies to go forward.
    """

    def __init__(
        self,
        parent: tk.Misc,
        parts: RoomParts,
        context: Context,
        *,
        on_action: Callable[[int], None],
        on_ply: Callable[[int], None],
        on_step: Callable[[int], None],
        commands: RoomCommands,
    ) -> None:
        # Tk gives the focus to frames with key bindings unless `takefocus` is off.
        super().__init__(parent, takefocus=False)
        self._parts = parts
        self._context = context
        self._match = parts.model.snapshot.match
        colours, clock = self._colours(), context.clock
        self._sizes: tuple[int, bool, bool, bool] | None = None
        self.columnconfigure(0, weight=1)
        self.rowconfigure(1, weight=1)
        self.head = RoomHead(self, parts, commands)
        self.head.grid(row=0, column=0, columnspan=2, sticky="ew", padx=_PAD, pady=(4, 6))
        main = self._main = ttk.Frame(self)
        main.grid(row=1, column=0, sticky="nsew", padx=(_PAD, 0), pady=(0, 8))
        main.columnconfigure(0, weight=1)
        main.rowconfigure(0, weight=1)
        board = parts.model.position.board
        rim = context.home.settings.rim
        self.board = BoardView(main, board, colours, on_action=on_action, clock=clock, rim=rim)
        # The board requests little space and gets the rest of the window. Not 1 pixel: Tk (8.6,
        # tkGrid.c) does not lay out a frame again if it requests a width of one pixel.
        self.board.configure(width=2, height=2)
        self.board.grid(row=0, column=0, sticky="nsew")
        self.sentence = Sentence(main, colours)
        self.sentence.grid(row=1, column=0, sticky="ew", pady=(6, 0))
        self.earlier_bar = NoticeBar(
            main,
            colours,
            name="earlier_bar",
            before=(("◂", lambda: on_step(-1)), ("▸", lambda: on_step(1))),
            after=((tr("Back to the latest"), commands.latest),),
        )
        self.earlier_bar.grid(row=1, column=0, sticky="nsew", pady=(6, 0))
        self.earlier_bar.grid_remove()
        # Reserve the larger height, so the board keeps its size when the two widgets change places.
        highest = max(part.winfo_reqheight() for part in (self.sentence, self.earlier_bar))
        main.rowconfigure(1, minsize=highest + 6)
        self.side = RoomSide(
            self,
            parts,
            colours,
            on_ply=on_ply,
            commands=commands,
            ladder_line=self._ladder_line,
        )
        self.side.grid(row=1, column=1, sticky="nsew", padx=_PAD, pady=(0, 12))
        self.bind("<Configure>", self._resized)
        for widget in _descendants(self):
            widget.bindtags((str(self), *widget.bindtags()))

    def _ladder_line(self, snapshot: RoomSnapshot) -> str:
        context = self._context
        return advice_after(context.home.settings.ladder, snapshot, Levels(context.helpers.levels))

    def bind_key(self, key: str, act: Command) -> None:
        """Run `act` for a key wherever the focus is in this frame.

        The frame is the first bindtag of all its widgets, so this comes before their own bindings.
        """

        def pressed(_: object) -> str:
            act()
            return "break"

        self.bind(key, pressed)

    def set_switches(self, *, sound: bool, overlay: bool) -> None:
        """Set the switches, without running their commands."""
        set_switch(self.head.sound, on=sound)
        set_switch(self.side.overlay, on=overlay)

    def _colours(self) -> Colours:
        """Return the colours for the present match."""
        colours = self._context.colours
        return (
            colours.for_match(self._match) if self._context.home.settings.keep_colours else colours
        )

    def restyle(self) -> None:
        """Apply the current theme."""
        colours = self._colours()
        self.board.restyle(colours)
        for part in (self.sentence, self.earlier_bar, self.side):
            part.restyle(colours)

    def tick(self, now: float) -> None:
        """Advance clocks and animations to `now`, in seconds."""
        self.side.tick(now)
        self.board.tick(now)

    def show(
        self, changes: BoardChanges, *, waiting: Collection[RequestKind], now: float, quiet: bool
    ) -> None:
        """Show the room at `now`, in seconds, after its board has changed by `changes`.

        `quiet` skips the animation. The buttons of the requests in `waiting` are disabled.
        """
        model, hint = self._parts.model, self._parts.hint
        position = model.position
        earlier = position.viewing is not None
        if self._match != model.snapshot.match:
            self._match = model.snapshot.match
            self.restyle()
        board, initials = self.board, self._parts.text.initials
        board.refresh(changes, initials=initials, pending=position.pending, quiet=quiet)
        early = self._parts.premove
        seat = early.seat
        board.mover = model.to_move if seat is None else seat
        board.playable = (model.my_turn or seat is not None) and not earlier
        board.show_premove(None if earlier else early.action, seat)
        board.show_hint(() if hint.best is None or earlier else (hint.best,))
        self.show_overlay()
        self.head.show()
        set_visible(self.sentence, not earlier)
        set_visible(self.earlier_bar, earlier)
        self.earlier_bar.show(*self._parts.text.place)
        self.side.show(waiting=waiting, now=now)
        self._keep_focus()

    def show_sentence(self, notice: str, now: float) -> None:
        """Show the notice, the hint, an absence or the status at `now`, in this order of priority.

        `notice` is skipped if it is empty; `now` is in seconds.
        """
        text, hint = self._parts.text, self._parts.hint
        if notice:
            self.sentence.show(notice, "wrong")
        elif line := hint.line(now):
            self.sentence.show(line, "wrong" if hint.problem else "hint")
        elif line := text.absence_line(now):
            self.sentence.show(line, "strong")
        elif (early := self._parts.premove.action) is not None:
            name = self._parts.model.snapshot.game.action_name(early)
            self.sentence.show(
                tr("{name} waits for your turn. Click it again to remove it.", name=name)
            )
        else:
            line = f"{text.status_line} {text.first_move_line(now)}".rstrip()
            self.sentence.show(line, "strong" if self._parts.model.my_turn else "plain")

    def show_overlay(self) -> None:
        """Show chains and loops, if that is allowed and switched on."""
        allowed = self._parts.may.overlay
        may, phrases = self._parts.may, self._parts.phrases
        set_visible(self.side.phrases, may.phrases_here)
        self.side.phrases.show(speaks=may.speaks, muted=phrases.muted)
        set_visible(self.side.switches, allowed or may.phrases_here)
        set_visible(self.side.overlay, allowed)
        on = allowed and is_on(self.side.overlay)
        self.board.show_features(self._parts.model.position.board.state.features() if on else ())

    def copy_invitation(self) -> None:
        """Copy the room's id and code, in the form that the join dialog accepts."""
        snapshot = self._parts.model.snapshot
        self.clipboard_clear()
        self.clipboard_append(" ".join(filter(None, (snapshot.room, snapshot.code))))

    def _resized(self, event: tk.Event[tk.Misc]) -> None:
        """Rearrange the widgets to give the board as much of the window as possible."""
        if event.widget is not self:
            return
        side = side_width(self, event.width)
        compact = event.height < ROOMY_PX
        below = event.height - _ROUND_PX - scaled(self, BELOW_PX) > event.width - side
        narrow = event.width < scaled(self, _NARROW_PX)
        if (side, compact, below, narrow) == self._sizes:
            return
        was_below = self._sizes is not None and self._sizes[2]
        self._sizes = side, compact, below, narrow
        if below != was_below:
            self.side.grid_configure(row=2 if below else 1, column=0 if below else 1)
            self._main.grid_configure(padx=(_PAD, _PAD if below else 0))
        self.head.fit(narrow=narrow, compact=compact)
        self.side.fit(width=side, compact=compact, below=below)

    def _keep_focus(self) -> None:
        """Move the focus to the board if the widget that has it is hidden now."""
        focus = self.focus_displayof()
        if focus is not None and str(focus).startswith(f"{self}."):
            part: tk.Misc = focus
            while part is not self:
                if not part.winfo_manager():
                    self.board.focus_set()
                    return
                part = part.master  # type: ignore[assignment]


def _descendants(widget: tk.Misc) -> Iterator[tk.Misc]:
    for child in widget.winfo_children():
        yield child
        yield from _descendants(child)
