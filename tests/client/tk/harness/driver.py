"""Drive windows with a mouse and a keyboard whose events come from the X server itself.

The server handles an XTEST event like one of a real device: the window under the pointer or with
the focus receives it. A test therefore fails where a person would, for example at a covered button
or an entry without focus.
"""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from Xlib import XK, X
from Xlib.ext import xtest

from tests.client.tk.harness.windows import Windows
from tests.client.tk.harness.xvfb import VirtualDisplay

if TYPE_CHECKING:
    from doublecross.client.tk.widgets.board.view import BoardView

FOLLOW: Final = 10
"""How often the pointer follows a widget that moves."""

_NAMES: Final = {"ctrl": "Control_L", "shift": "Shift_L", "alt": "Alt_L", "space": "space"}


class Mouse:
    """The pointer. Coordinates are in pixels from a widget's upper left corner; the default is its
    middle."""

    def __init__(self, windows: Windows) -> None:
        self._windows = windows

    def move(self, widget: tk.Misc, x: float | None = None, y: float | None = None) -> None:
        """Move to a point of a widget, which must not be covered there."""

        def point() -> tuple[float, float]:
            across = widget.winfo_width() / 2 if x is None else x
            return across, widget.winfo_height() / 2 if y is None else y

        self._follow(widget, point)

    def move_to_action(self, board: BoardView, action: int) -> None:
        """Move to an action of a board, wherever the board has it then."""
        self._follow(board, lambda: board.pixel_of(action))

    def _follow(self, widget: tk.Misc, point: Callable[[], tuple[float, float]]) -> None:
        """Move to a point of a widget, again if the layout changes meanwhile."""
        self._windows.settle()
        for _ in range(FOLLOW):
            assert widget.winfo_viewable(), f"{widget} is not shown"
            at = self._place(widget, point)
            over = widget.tk.call("winfo", "containing", *at)
            path = str(over)
            assert path == str(widget) or path.startswith(f"{str(widget).rstrip('.')}."), (
                f"At {at[0]},{at[1]} there is {path or 'nothing'} instead of {widget}"
            )
            self.move_to(*at)
            if not widget.winfo_exists() or self._place(widget, point) == at:
                return
        raise AssertionError(f"{widget} does not stay where it is")

    def _place(self, widget: tk.Misc, point: Callable[[], tuple[float, float]]) -> tuple[int, int]:
        """Return where a point of a widget is on the display."""
        across, down = point()
        return round(widget.winfo_rootx() + across), round(widget.winfo_rooty() + down)

    def move_to(self, x: int, y: int) -> None:
        """Move to a point of the display."""
        self._send(X.MotionNotify, x=x, y=y)

    def click(
        self, widget: tk.Misc, x: float | None = None, y: float | None = None, *, button: int = 1
    ) -> None:
        """Move to a point of a widget and click."""
        self.move(widget, x, y)
        self.press(button)
        self.release(button)

    def click_action(self, board: BoardView, action: int) -> None:
        """Click an action of a board, wherever the board has it then."""
        self.move_to_action(board, action)
        self.press()
        self.release()

    def double_click(self, widget: tk.Misc, x: float | None = None, y: float | None = None) -> None:
        """Move to a point of a widget and double-click."""
        self.click(widget, x, y)
        self.press()
        self.release()

    def click_at(self, x: int, y: int) -> None:
        """Move to a point of the display and click."""
        self.move_to(x, y)
        self.press()
        self.release()

    def press(self, button: int = 1) -> None:
        """Press a button without releasing it."""
        self._send(X.ButtonPress, button)

    def release(self, button: int = 1) -> None:
        """Release a button."""
        self._send(X.ButtonRelease, button)

    def wheel(self, widget: tk.Misc, notches: int) -> None:
        """Turn the wheel over a widget, up if positive."""
        self.move(widget)
        for _ in range(abs(notches)):
            self.press(4 if notches > 0 else 5)
            self.release(4 if notches > 0 else 5)

    def click_row(self, tree: Any, row: str, column: str = "#0", *, twice: bool = False) -> None:
        """Click a row of a `ttk.Treeview`, by its id."""
        tree.see(row)
        self._windows.settle()
        box = tree.bbox(row, column) or tree.bbox(row)
        assert box, f"The row {row} is not shown"
        (self.double_click if twice else self.click)(tree, box[0] + box[2] / 2, box[1] + box[3] / 2)

    def choose(self, box: Any, value: str) -> None:
        """Open the list of a `ttk.Combobox` and click one of its values."""
        self._windows.settle()
        self.click(box, box.winfo_width() - 12)
        call = box.tk.call
        popdown = call("ttk::combobox::PopdownWindow", box)
        listbox = f"{popdown}.f.l"
        self._windows.pump(
            lambda: call("winfo", "viewable", listbox), what=f"the list of {box} is open"
        )
        values = [str(each) for each in call(listbox, "get", 0, "end")]
        assert value in values, f"{value!r} is none of {values}"
        index = values.index(value)
        call(listbox, "see", index)
        self._windows.settle()
        left, top, width, height = (int(n) for n in call(listbox, "bbox", index))
        x = int(call("winfo", "rootx", listbox)) + left + min(width, 20) // 2
        self.click_at(x, int(call("winfo", "rooty", listbox)) + top + height // 2)

    def pick(self, button: Any, label: str) -> None:
        """Open the menu of a `ttk.Menubutton` and click one of its entries."""
        call = button.tk.call
        self.click(button)
        menu = str(button.cget("menu"))
        self._windows.pump(
            lambda: call("winfo", "viewable", menu), what=f"the menu of {button} is open"
        )
        kinds = [str(call(menu, "type", n)) for n in range(int(call(menu, "index", "end")) + 1)]
        labels = [
            "" if kind == "separator" else str(call(menu, "entrycget", n, "-label"))
            for n, kind in enumerate(kinds)
        ]
        assert label in labels, f"{label!r} is none of {labels}"
        row = labels.index(label)
        top = int(call(menu, "yposition", row))
        last = row + 1 == len(labels)
        end = int(call("winfo", "height", menu)) if last else int(call(menu, "yposition", row + 1))
        x = int(call("winfo", "rootx", menu)) + int(call("winfo", "width", menu)) // 2
        self.click_at(x, int(call("winfo", "rooty", menu)) + (top + end) // 2)

    def _send(self, kind: int, detail: int = 0, x: int = 0, y: int = 0) -> None:
        xtest.fake_input(self._windows.display.connection, kind, detail, x=x, y=y)
        self._windows.settle()


class Keyboard:
    """The keys. The focused widget receives their events."""

    def __init__(self, windows: Windows) -> None:
        self._windows = windows
        self._borrowed: list[int] = []

    def type(self, text: str) -> None:
        """Type a text of any characters."""
        self._windows.settle()
        for letter in text:
            self._strike(_keysym(letter), ())

    def press(self, *keys: str) -> None:
        """Press keys one after the other.

        A key is a name of X such as Return, Up, Tab, Escape or F11, optionally with modifiers:
        ctrl+a, shift+Tab.
        """
        self._windows.settle()
        for key in keys:
            *held, last = key.split("+") if len(key) > 1 else [key]
            codes = tuple(self._code(_keysym(name))[0] for name in held)
            self._strike(_keysym(last), codes)

    def _strike(self, keysym: int, held: tuple[int, ...]) -> None:
        code, shifted = self._code(keysym)
        if shifted:
            held = (*held, self._code(_keysym("shift"))[0])
        for other in held:
            self._send(X.KeyPress, other)
        self._send(X.KeyPress, code)
        self._send(X.KeyRelease, code)
        for other in reversed(held):
            self._send(X.KeyRelease, other)
        self._windows.settle()

    def _code(self, keysym: int) -> tuple[int, bool]:
        """Return the key code for a keysym and whether it needs shift.

        A character that no key produces is mapped to an unused key.
        """
        connection = self._windows.display.connection
        found = [(code, index) for code, index in connection.keysym_to_keycodes(keysym)]
        for code, index in sorted(found, key=lambda each: each[1]):
            if index in (0, 1):
                return code, index == 1
        code = self._free_code()
        connection.change_keyboard_mapping(code, [(keysym, keysym)])
        # The connection, like Tk, is notified of its own change by an event.
        connection.sync()
        while connection.pending_events():
            connection.refresh_keyboard_mapping(connection.next_event())
        self._windows.settle()
        return code, False

    def _free_code(self) -> int:
        connection = self._windows.display.connection
        first = connection.display.info.min_keycode
        count = connection.display.info.max_keycode - first + 1
        rows = connection.get_keyboard_mapping(first, count)
        for code, row in zip(range(first + count - 1, 0, -1), reversed(rows), strict=False):
            if not any(row):
                return code
        raise AssertionError("No key is free for another letter")

    def _send(self, kind: int, detail: int) -> None:
        xtest.fake_input(self._windows.display.connection, kind, detail)


def _keysym(name: str) -> int:
    """Return the keysym of a character or of a key name."""
    if len(name) == 1:
        point = ord(name)
        # Latin-1 has its code points for keysyms; others are Unicode with bit 24 set (X11 protocol,
        # appendix A).
        return point if point < 0x100 else 0x01000000 | point
    found = XK.string_to_keysym(_NAMES.get(name.lower(), name))
    assert found != X.NoSymbol, f"There is no key {name!r}"
    return int(found)


class Ui(Windows):
    """The windows of a test, with a mouse and a keyboard for them."""

    def __init__(self, display: VirtualDisplay) -> None:
        super().__init__(display)
        self.mouse = Mouse(self)
        self.keyboard = Keyboard(self)
