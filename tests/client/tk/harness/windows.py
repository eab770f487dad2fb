"""The windows of a test: opened with the focus, kept alive, listened to, closed.

Theory of operation
-------------------
`settle` asks the X server something over the connection that sends the events, and then over
Tk's: when both have their answers, Tk has all events too, and handles them. Nothing is slept for.

There is no window manager: a window has the focus when it takes it by force, or when the pointer
is over it, and the size that it gives itself.
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

from tests.client.tk.harness.eyes import describe, shown_texts
from tests.client.tk.harness.xvfb import HEIGHT, WIDTH, VirtualDisplay

T = TypeVar("T")

PATIENCE_S: Final = 20.0
_WAIT_S: Final = 0.002


class Windows:
    """The Tk programs of a test, and everything that went wrong in them."""

    def __init__(self, display: VirtualDisplay) -> None:
        self.display = display
        self.errors: list[str] = []
        self._roots: list[tk.Tk] = []
        self._log = _Errors(self.errors)
        logging.getLogger("client").addHandler(self._log)

    def open(self, geometry: str = "1024x720+0+0") -> tk.Tk:
        """A new main window with the focus. What fails in its callbacks fails the test."""
        # A window that comes up under the pointer has the focus by that alone, as far as Tk knows,
        # and gives it away when the pointer leaves: so the pointer waits in the far corner.
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
        """Destroy those that are left."""
        for root in self.living():
            root.destroy()
        self._roots.clear()
        logging.getLogger("client").removeHandler(self._log)

    def living(self) -> list[tk.Tk]:
        """Those that have not been destroyed."""
        found = []
        for root in self._roots:
            with contextlib.suppress(tk.TclError):
                if root.winfo_exists():
                    found.append(root)
        self._roots = found
        return list(found)

    def update(self) -> None:
        """Let all of them do what there is to do."""
        for root in self.living():
            with _gone():
                root.update()

    def settle(self) -> None:
        """Let all of them do what there is to do, after everything that was sent has arrived."""
        self.display.connection.sync()
        for root in self.living():
            with _gone():
                root.winfo_pointerxy()  # a question to the X server, over Tk's connection
                root.update()

    def pump(
        self,
        condition: Callable[[], T],
        timeout_s: float = PATIENCE_S,
        *,
        what: str = "",
    ) -> T:
        """Let the windows live until `condition` gives something true, which is returned.

        A widget that a condition looks at may be gone; that is as good as false.
        """
        until = time.monotonic() + timeout_s
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
            time.sleep(_WAIT_S)
        raise AssertionError(
            f"Waited {timeout_s:g} s in vain for: {what or describe(condition)}"
            + (f" (last: {error})" if error is not None else "")
            + "".join(f"\nShown: {shown_texts(root)}" for root in self.living())
        )

    def see(self, text: str, timeout_s: float = PATIENCE_S) -> None:
        """Wait until `text` is part of something that is shown."""

        def seen() -> bool:
            return any(text in found for root in self.living() for found in shown_texts(root))

        self.pump(seen, timeout_s, what=f"{text!r} is shown")

    def meanwhile(self, root: tk.Tk, ready: Callable[[], object], act: Callable[[], None]) -> None:
        """Do `act` as soon as `ready`, from inside of Tk: for a dialog that lets nothing else go on
        until it is answered, to be opened right after. If that never comes, the window ends."""
        until = time.monotonic() + PATIENCE_S

        def look() -> None:
            if ready():
                act()
            elif time.monotonic() < until:
                root.after(20, look)
            else:
                self.errors.append(f"Waited {PATIENCE_S:g} s in vain for: {describe(ready)}")
                root.destroy()

        root.after(20, look)

    def complaint(self) -> str:
        """What went wrong."""
        return "Something failed in the window:\n" + "\n".join(self.errors)

    def _failed(
        self,
        kind: type[BaseException],
        error: BaseException,
        trace: TracebackType | None,
    ) -> None:
        self.errors.append("".join(traceback.format_exception(kind, error, trace)))


class _Root(tk.Tk):
    """A main window that gives the focus away before it goes.

    Tk 8.6 remembers which window of a display has the focus by a pointer, and forgets it when the
    X server says so. A window that is destroyed is not told any more, and the next one to take
    the focus by force, in the same process, would follow the pointer into freed memory.
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
    """Whatever the program logs as an error is a bug of it."""

    def __init__(self, errors: list[str]) -> None:
        super().__init__(logging.ERROR)
        self._found = errors
        self.setFormatter(logging.Formatter("%(name)s: %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        self._found.append(self.format(record))


@contextlib.contextmanager
def _gone() -> Iterator[None]:
    """A window may be destroyed by what it is made to do."""
    try:
        yield
    except tk.TclError as error:
        if "application has been destroyed" not in str(error):
            raise
