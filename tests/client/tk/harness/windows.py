"""Open and close the windows of a test, run their event loops and collect their errors.

Theory of operation
-------------------
`settle` sends a request to the X server over the connection that sends the events, and then over
Tk's connection. When both are answered, Tk has received all events and handles them. No sleep is
needed.

There is no window manager. A window gets the focus by `focus_force` or by the pointer, and its
size from the program itself.
"""

from __future__ import annotations

import _tkinter
import contextlib
import logging
import time
import tkinter as tk
import traceback
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Final, TypeVar

from Xlib import X
from Xlib.ext import xtest

from tests.client.tk.harness.inspecting import describe, shown_texts
from tests.client.tk.harness.xvfb import HEIGHT, WIDTH, VirtualDisplay

T = TypeVar("T")

PATIENCE_S: Final = 20.0
_WAITS_S: Final = (0.001, 0.01)
"""The shortest and the longest pause between two looks; a long wait leaves others the processor."""


class Windows:
    """The Tk windows of a test, and the errors that occurred in them."""

    def __init__(self, display: VirtualDisplay) -> None:
        self.display = display
        self.errors: list[str] = []
        self._roots: list[tk.Tk] = []
        self._log = _Errors(self.errors)
        logging.getLogger("doublecross.client").addHandler(self._log)

    def open(self, geometry: str = "1024x720+0+0") -> tk.Tk:
        """Return a new main window with the focus. An error in its callbacks fails the test."""
        # A window that opens under the pointer has the focus only until the pointer leaves. So
        # move the pointer into the far corner first.
        xtest.fake_input(self.display.connection, X.MotionNotify, x=WIDTH - 1, y=HEIGHT - 1)
        self.display.connection.sync()
        root = _Root(self.display)
        self._roots.append(root)
        root.report_callback_exception = self._failed
        root.tk.createcommand("bgerror", self.errors.append)
        root.geometry(geometry)
        self.pump(root.winfo_viewable, what="the window is on the screen")
        root.focus_force()
        self.pump(root.focus_displayof, what="the window has the focus")
        return root

    def close(self) -> None:
        """Destroy the remaining windows."""
        for root in self.living():
            root.destroy()
        self._roots.clear()
        logging.getLogger("doublecross.client").removeHandler(self._log)

    def living(self) -> list[tk.Tk]:
        """Return the windows that have not been destroyed."""
        found = []
        for root in self._roots:
            with contextlib.suppress(tk.TclError):
                if root.winfo_exists():
                    found.append(root)
        self._roots = found
        return list(found)

    def update(self) -> None:
        """Let all windows handle their pending events."""
        for root in self.living():
            with _gone():
                root.update()

    def settle(self) -> None:
        """Let all windows handle their events, after all sent events have arrived."""
        self.display.connection.sync()
        for root in self.living():
            with _gone():
                root.winfo_pointerxy()  # a round trip to the X server over Tk's connection
                root.update()

    def pump(
        self, condition: Callable[[], T], timeout_s: float = PATIENCE_S, *, what: str = ""
    ) -> T:
        """Run the windows until `condition` returns a true value, and return that value.

        An error because a widget does not exist counts as false. `what` describes the condition
        in the error message.
        """
        until = time.monotonic() + timeout_s
        pause_s, longest_s = _WAITS_S
        while True:
            self.update()
            error: Exception | None = None
            try:
                if found := condition():
                    return found
            except (tk.TclError, LookupError) as caught:
                error = caught
            if self.errors:
                raise AssertionError(self.complaint())
            if time.monotonic() >= until:
                break
            time.sleep(pause_s)
            pause_s = min(1.2 * pause_s, longest_s)
        raise AssertionError(
            f"Waited {timeout_s:g} s in vain for: {what or describe(condition)}"
            + (f" (last: {error})" if error is not None else "")
            + "".join(f"\nShown: {shown_texts(root)}" for root in self.living())
        )

    def see(self, text: str, timeout_s: float = PATIENCE_S) -> None:
        """Wait until a visible widget contains `text`."""

        def seen() -> bool:
            return any(text in found for root in self.living() for found in shown_texts(root))

        self.pump(seen, timeout_s, what=f"{text!r} is shown")

    def complaint(self) -> str:
        """Return the message of a failed test, with all errors."""
        return "Something failed in the window:\n" + "\n".join(self.errors)

    def _failed(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        self.errors.append("".join(traceback.format_exception(kind, error, trace)))


class _Root(tk.Tk):
    """A main window that gives up the focus before it is destroyed.

    Tk 8.6 keeps a pointer to the focused window of a display until the X server reports a change.
    A destroyed window no longer receives that report. The next window in the same process that
    forces the focus would then follow the pointer into freed memory.
    """

    def __init__(self, display: VirtualDisplay) -> None:
        super().__init__(screenName=display.name)
        self._display = display

    def destroy(self) -> None:
        self._display.connection.set_input_focus(X.NONE, X.RevertToNone, X.CurrentTime)
        self._display.connection.sync()
        self.winfo_pointerxy()
        while self.tk.dooneevent(_tkinter.WINDOW_EVENTS | _tkinter.DONT_WAIT):
            pass
        super().destroy()


class _Errors(logging.Handler):
    """Collects everything that the program logs as an error, because each is a bug."""

    def __init__(self, errors: list[str]) -> None:
        super().__init__(logging.ERROR)
        self._found = errors
        self.setFormatter(logging.Formatter("%(name)s: %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        self._found.append(self.format(record))


@contextlib.contextmanager
def _gone() -> Iterator[None]:
    """Ignore that a window is destroyed by one of its own events."""
    try:
        yield
    except tk.TclError as error:
        if "application has been destroyed" not in str(error):
            raise
