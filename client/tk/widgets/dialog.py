"""The base of all dialogs over a screen: fields, error message, progress and buttons.

Theory of operation
-------------------
The action of a dialog may take a while, and the person may cancel it meanwhile. Each attempt
therefore has a number. When the answer to a cancelled attempt arrives, `undo` gives back what it
created (a room, a challenge), even if the dialog is closed by then. A dialog stays open until its
action succeeds. It shows a refusal and keeps everything that was typed.
"""

from __future__ import annotations

import tkinter as tk
from collections.abc import Awaitable, Callable
from tkinter import ttk
from typing import Final, Literal, TypeVar

from doublecross.client.language import tr
from doublecross.client.tk.context import Context, Screen
from doublecross.client.tk.models.snapshots import WindowUpdate
from doublecross.client.tk.refusal import Refusal
from doublecross.client.tk.widgets.buttons import bind_enter
from doublecross.client.tk.widgets.labels import ErrorLabel
from doublecross.client.tk.widgets.visible import set_visible
from doublecross.client.transport import Client

T = TypeVar("T")

LEAST_PX: Final = 380
"""Minimum width of a dialog's contents, in pixels."""


class DialogPage(ttk.Frame):
    """The contents of a dialog: a heading, the fields in `body`, the label `error`, the label
    `doing` above a progress bar, and the buttons in `foot`."""

    def __init__(self, parent: tk.Misc, title: str) -> None:
        super().__init__(parent, padding=(20, 16, 20, 18))
        self.columnconfigure(0, weight=1, minsize=LEAST_PX)
        heading = ttk.Label(self, name="heading", text=title, style="Heading.TLabel")
        heading.grid(row=0, column=0, sticky="w", pady=(0, 12))
        self.body = ttk.Frame(self)
        self.body.grid(row=1, column=0, sticky="nsew")
        self.error = ErrorLabel(self, name="error", width=LEAST_PX)
        self.error.grid(row=2, column=0, sticky="w", pady=(12, 0))
        self._progress = ttk.Frame(self)
        self._progress.columnconfigure(0, weight=1)
        self.doing = ttk.Label(self._progress, name="doing", justify="left", wraplength=LEAST_PX)
        self.doing.grid(row=0, column=0, sticky="w")
        self._bar = ttk.Progressbar(self._progress, mode="indeterminate")
        self._bar.grid(row=1, column=0, sticky="ew", pady=(6, 0))
        self._progress.grid(row=3, column=0, sticky="ew", pady=(12, 0))
        self.foot = ttk.Frame(self)
        self.foot.grid(row=4, column=0, sticky="ew", pady=(18, 0))

    def button(
        self,
        name: str,
        text: str,
        command: Callable[[], None],
        *,
        style: str = "TButton",
        side: Literal["left", "right"] = "right",
    ) -> ttk.Button:
        """Add a button to the foot and return it."""
        button = ttk.Button(self.foot, name=name, text=text, command=command, style=style)
        button.pack(side=side, padx=(0, 8) if side == "left" else (8, 0))
        return button

    def wrap(self) -> None:
        """Wrap the labels at the width of the body."""
        width = max(LEAST_PX, self.body.winfo_reqwidth())
        for label in (self.error, self.doing):
            label.configure(wraplength=width)

    def show(self, *, working: bool, cancel: ttk.Button) -> None:
        """Show the error if there is one, and the progress while `working`.

        All fields and buttons except `cancel` are disabled while working.
        """
        set_enabled(self.body, enabled=not working)
        for button in self.foot.winfo_children():
            if isinstance(button, ttk.Button) and button is not cancel:
                button.state(["disabled" if working else "!disabled"])
        set_visible(self.error, bool(self.error.cget("text")))
        set_visible(self._progress, working)
        if working:
            self._bar.start(12)
        else:
            self._bar.stop()

    def stop(self) -> None:
        """Stop the animation of the progress bar."""
        # Its timer would run on after the window is destroyed, and fail.
        self._bar.stop()


class Dialog(tk.Toplevel):
    """A dialog over `screen` that is destroyed together with it.

    Enter confirms. Escape cancels the running attempt, or closes the dialog if there is none. A
    subclass fills `body`, calls `appear` and implements the action in `confirm`.
    """

    def __init__(self, screen: Screen, *, name: str, title: str, action: str) -> None:
        super().__init__(screen, name=name, highlightthickness=1)
        self.withdraw()
        self.title(title)
        self.transient(screen.context.root)
        self.resizable(width=False, height=False)
        self.context: Context = screen.context
        self.attempt = 0
        self.working = False
        self.page = DialogPage(self, title)
        self.page.pack(fill="both", expand=True)
        self.body = self.page.body
        self._action = self.page.button("confirm", action, self.confirm, style="Accent.TButton")
        self._cancel = self.page.button("cancel", tr("Cancel"), self.cancel)
        bind_enter(self, self._enter)
        self.bind("<Escape>", lambda _: self.cancel())
        self.protocol("WM_DELETE_WINDOW", self.close)
        self.restyle()
        self._show()

    # -- for subclasses ----------------------------------------------------------------------

    def confirm(self) -> None:
        """Start the action of the dialog; subclasses must override this."""
        raise NotImplementedError

    def attempt_cancelled(self) -> None:
        """Clean up after the person has cancelled an attempt; its answers go to `undo`."""

    def refused(self, refusal: Refusal) -> None:
        """End the attempt and show why the server refused it."""
        self.end_attempt(refusal.sentence)

    def take(self, update: WindowUpdate) -> None:
        """Handle an update; the base class ignores it."""

    def tick(self, now: float) -> None:
        """Run timers and animations at `now`, in seconds; called with the screen's `tick`."""

    def appear(self, first: tk.Misc) -> None:
        """Show the dialog over the main window and focus `first`."""
        root = self.context.root
        self.update_idletasks()
        width, height = self.winfo_reqwidth(), self.winfo_reqheight()
        self.page.wrap()
        left = root.winfo_rootx() + (root.winfo_width() - width) // 2
        top = root.winfo_rooty() + (root.winfo_height() - height) // 3
        left = max(0, min(left, self.winfo_screenwidth() - width))
        top = max(0, min(top, self.winfo_screenheight() - height))
        self.geometry(f"+{left}+{top}")
        self.deiconify()
        self.lift()
        first.focus_set()

    def begin(self, doing: str) -> None:
        """Start a new attempt and show `doing` as its progress message."""
        self.attempt += 1
        self.working = True
        self.page.error.configure(text="")
        self.page.doing.configure(text=doing)
        self._show()
        self._cancel.focus_set()

    def end_attempt(self, sentence: str) -> None:
        """End the attempt without success; show `sentence` as the reason unless it is empty."""
        self.working = False
        self.page.error.configure(text=sentence)
        self._show()
        self._action.focus_set()

    def ask(
        self,
        who: str,
        request: Callable[[Client], Awaitable[T]],
        done: Callable[[T], None],
        undo: Callable[[T], None] | None = None,
    ) -> None:
        """Send a request over the connection of `who`, as part of this attempt.

        The answer goes to `done`, or to `undo` if the attempt was cancelled meanwhile.
        """
        attempt = self.attempt
        self.context.network.ask(
            who,
            request,
            lambda result: self._answered(attempt, result, done, undo),
            lambda refusal: self._failed(attempt, refusal),
        )

    def run(self, work: Callable[[], Awaitable[T]], done: Callable[[T], None]) -> None:
        """Run `work` in the network's thread, as part of this attempt."""
        attempt = self.attempt
        self.context.network.run(
            work,
            lambda result: self._answered(attempt, result, done, None),
            lambda refusal: self._failed(attempt, refusal),
        )

    # -- closing -----------------------------------------------------------------------------

    def cancel(self) -> None:
        """Cancel the running attempt; close the dialog if there is none."""
        if not self.working:
            self.close()
            return
        self.attempt += 1
        self.attempt_cancelled()
        self.end_attempt("")

    def close(self) -> None:
        """Cancel the running attempt, close the dialog and return the focus to the screen."""
        if self.working:
            self.attempt += 1
            self.working = False
            self.attempt_cancelled()
        before = self.context.root.focus_lastfor()
        if before is not None:
            before.focus_set()
        self.destroy()

    def destroy(self) -> None:
        """Destroy the window."""
        self.page.stop()
        super().destroy()

    def restyle(self) -> None:
        """Apply the current theme."""
        colours = self.context.colours
        self.configure(
            background=colours.ground, highlightbackground=colours.free, highlightcolor=colours.free
        )

    # -- inside ------------------------------------------------------------------------------

    def _answered(
        self, attempt: int, result: T, done: Callable[[T], None], undo: Callable[[T], None] | None
    ) -> None:
        if self.winfo_exists() and self.working and attempt == self.attempt:
            done(result)
        elif undo is not None:
            undo(result)

    def _failed(self, attempt: int, refusal: Refusal) -> None:
        if self.winfo_exists() and self.working and attempt == self.attempt:
            self.refused(refusal)

    def _enter(self, event: tk.Event[tk.Misc]) -> None:
        if isinstance(event.widget, ttk.Button):
            event.widget.invoke()
        elif not self.working:
            self.confirm()

    def _show(self) -> None:
        self.page.show(working=self.working, cancel=self._cancel)


def set_enabled(parent: tk.Misc, *, enabled: bool) -> None:
    """Enable or disable all fields in `parent`; they keep their contents."""
    for child in parent.winfo_children():
        if isinstance(child, ttk.Entry | ttk.Button | ttk.Radiobutton | ttk.Checkbutton):
            child.state(["!disabled" if enabled else "disabled"])
        set_enabled(child, enabled=enabled)
