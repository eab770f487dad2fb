"""A window over a screen that asks something: fields, what is wrong with them, what is being done.

Theory of operation
-------------------
What a dialog asks for may take a while, and the person may have enough of it before. So each
attempt has a number: an answer to an earlier one is not taken any more, and what it has brought
(a room, a challenge) is given back by `undo`, which needs no dialog for that. A dialog stays open
until something came of it; a refusal is said in it, and everything typed is still there.
"""

from __future__ import annotations

import tkinter as tk
from collections.abc import Awaitable, Callable
from tkinter import ttk
from typing import Final, Literal, TypeVar

from client.tk.context import Context, Screen
from client.tk.models.pictures import Picture
from client.tk.network.thread import Refusal
from client.transport import Client

T = TypeVar("T")

LEAST_PX: Final = 380
"""The least width of what is in a dialog."""


class DialogPage(ttk.Frame):
    """What is in a dialog: the heading, the fields in `body`, an `error`, what is being done in
    `doing`, and the buttons in `foot`."""

    def __init__(self, parent: tk.Misc, title: str) -> None:
        super().__init__(parent, padding=(20, 16, 20, 18))
        self.columnconfigure(0, weight=1, minsize=LEAST_PX)
        heading = ttk.Label(self, name="heading", text=title, style="Heading.TLabel")
        heading.grid(row=0, column=0, sticky="w", pady=(0, 12))
        self.body = ttk.Frame(self)
        self.body.grid(row=1, column=0, sticky="nsew")
        self.error = ttk.Label(
            self, name="error", style="Error.TLabel", justify="left", wraplength=LEAST_PX
        )
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
        """Add a button to the foot."""
        button = ttk.Button(self.foot, name=name, text=text, command=command, style=style)
        button.pack(side=side, padx=(0, 8) if side == "left" else (8, 0))
        return button

    def wrap(self) -> None:
        """Break lines where the body ends."""
        width = max(LEAST_PX, self.body.winfo_reqwidth())
        for label in (self.error, self.doing):
            label.configure(wraplength=width)

    def show(self, *, working: bool, but: ttk.Button) -> None:
        """Show the error if there is one, and the progress while `working`; nothing `but` one
        button can be used then."""
        set_enabled(self.body, enabled=not working)
        for button in self.foot.winfo_children():
            if isinstance(button, ttk.Button) and button is not but:
                button.state(["disabled" if working else "!disabled"])
        if self.error.cget("text"):
            self.error.grid()
        else:
            self.error.grid_remove()
        if working:
            self._progress.grid()
            self._bar.start(12)
        else:
            self._bar.stop()
            self._progress.grid_remove()

    def stop(self) -> None:
        """Stop what moves by itself."""
        self._bar.stop()  # it would go on without its window


class Dialog(tk.Toplevel):
    """One question over `screen`, which it goes with. Enter confirms, Escape gives up what is
    being done or, if nothing is, closes it.

    A subclass fills `body`, then calls `appear`; it says in `confirm` what is to be done.
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
        self._cancel = self.page.button("cancel", "Cancel", self.cancel)
        for key in ("<Return>", "<KP_Enter>"):
            self.bind(key, self._enter)
        self.bind("<Escape>", lambda _: self.cancel())
        self.protocol("WM_DELETE_WINDOW", self.close)
        self.restyle()
        self._show()

    # -- for subclasses ----------------------------------------------------------------------

    def confirm(self) -> None:
        """Do what the dialog is for; a subclass says what."""
        raise NotImplementedError

    def given_up(self) -> None:
        """Clean up after an attempt that the person gave up; its answers are not taken."""

    def refused(self, refusal: Refusal) -> None:
        """Show why what was asked for has been refused."""
        self.complain(refusal.sentence)

    def take(self, picture: Picture) -> None:
        """React to a new picture."""

    def tick(self, now: float) -> None:
        """Move what moves by itself at `now`, in seconds; called as often as the screen's."""

    def appear(self, first: tk.Misc) -> None:
        """Come up in the middle of the main window; `first` has the focus."""
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
        """Start a new attempt; `doing` says what is being done."""
        self.attempt += 1
        self.working = True
        self.page.error.configure(text="")
        self.page.doing.configure(text=doing)
        self._show()
        self._cancel.focus_set()

    def complain(self, sentence: str) -> None:
        """End the attempt without success; `sentence` says why, unless that is said elsewhere."""
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
        """Make a request of the connection of `who`, for this attempt. When there is an answer
        and the attempt was given up meanwhile, `undo` is called instead of `done`."""
        attempt = self.attempt
        self.context.network.ask(
            who,
            request,
            lambda result: self._answered(attempt, result, done, undo),
            lambda refusal: self._failed(attempt, refusal),
        )

    def run(self, work: Callable[[], Awaitable[T]], done: Callable[[T], None]) -> None:
        """Do some work in the network's thread, for this attempt."""
        attempt = self.attempt
        self.context.network.run(
            work,
            lambda result: self._answered(attempt, result, done, None),
            lambda refusal: self._failed(attempt, refusal),
        )

    # -- for everybody -----------------------------------------------------------------------

    def cancel(self) -> None:
        """Give up what is being done; close the dialog if nothing is."""
        if not self.working:
            self.close()
            return
        self.attempt += 1
        self.given_up()
        self.complain("")

    def close(self) -> None:
        """Close the dialog and give the focus back."""
        if self.working:
            self.attempt += 1
            self.working = False
            self.given_up()
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
        look = self.context.look
        self.configure(
            background=look.window,
            highlightbackground=look.free,
            highlightcolor=look.free,
        )

    # -- inside ------------------------------------------------------------------------------

    def _answered(
        self,
        attempt: int,
        result: T,
        done: Callable[[T], None],
        undo: Callable[[T], None] | None,
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
        self.page.show(working=self.working, but=self._cancel)


def set_enabled(parent: tk.Misc, *, enabled: bool) -> None:
    """Let the fields in `parent` be used, or not; they keep what stands in them."""
    for child in parent.winfo_children():
        if isinstance(child, ttk.Entry | ttk.Button | ttk.Radiobutton | ttk.Checkbutton):
            child.state(["!disabled" if enabled else "disabled"])
        set_enabled(child, enabled=enabled)
