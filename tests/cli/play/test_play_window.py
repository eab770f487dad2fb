"""Tests for `doublecross play` in its own process: its requirements, and its end."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import pytest

from doublecross.cli.main import main
from doublecross.processes.installation import how_to_add
from tests.bots.running import serving
from tests.cli.commands import DEADLINE_S, Command, environment, running
from tests.cli.visiting import visiting
from tests.client.tk.conftest import give_up, missing

if TYPE_CHECKING:
    from tests.client.tk.harness.xvfb import VirtualDisplay

pytestmark = pytest.mark.timeout(120)  # Processes have to start.

AGAIN_S = 2.0
PLAIN = "import sys; from doublecross.cli.main import main; sys.exit(main(sys.argv[1:]))"


# -- what it needs -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ("--name @@", "'@@' cannot be the name"),
        ("--name ''", "'' cannot be the name"),
        ("--server a/b?c", "more than a host|is not a server address"),
        ("--server ftp://x", "begins with ftp"),
        ("--server 127.0.0.1:99999999", "port|is not a server address"),
        ("--name Ann --server wss://:::", "is not a server address|port"),
        ("Ann", "unexpected extra argument"),
    ],
)
def test_bad_options_are_reported_before_the_window_opens(
    options: str, says: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "tkinter", None)
    assert main(["play", *(option.strip("'") for option in options.split())]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    assert re.search(says, printed.err)


@pytest.mark.parametrize(
    ("module", "says"),
    [("_tkinter", "python3-tk"), ("sv_ttk", how_to_add("desktop"))],
)
def test_missing_packages_are_named(module: str, says: str, tmp_path: Path) -> None:
    code = f"import sys; sys.modules[{module!r}] = None; {PLAIN}"
    with running("-c", code, "play", cwd=tmp_path, program=(sys.executable, "-P")) as command:
        assert command.wait() == 2
        assert command.errors.startswith("Error: The window needs ")
        assert says in command.errors
        assert command.errors.count("\n") == 1


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="There is always a screen.")
@pytest.mark.parametrize("display", [None, ":4077"])
def test_a_missing_display_is_reported(display: str | None, tmp_path: Path) -> None:
    if reason := missing():
        give_up(reason)
    env = environment(DISPLAY=display or "")
    if display is None:
        del env["DISPLAY"]
    with running("play", cwd=tmp_path, env=env) as command:
        assert command.wait() == 2
        assert command.errors.startswith("Error: There is no screen to open a window on (")
        assert "ssh -X" in command.errors
        assert command.errors.count("\n") == 1


# -- how it ends ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def screen() -> Iterator[VirtualDisplay]:
    if reason := missing():
        give_up(reason)
    from tests.client.tk.harness.xvfb import VirtualDisplay

    with VirtualDisplay() as display:
        yield display


class OpenWindow:
    """The window of a running command, as the X server knows it."""

    def __init__(self, screen: VirtualDisplay, command: Command) -> None:
        self._connection = screen.connection
        self._window = wait_for(self._find, command)

    def press(self, key: str) -> None:
        """Press and release a key."""
        from Xlib import XK, X
        from Xlib.ext import xtest

        self._window.set_input_focus(X.RevertToPointerRoot, X.CurrentTime)
        code = self._connection.keysym_to_keycode(XK.string_to_keysym(key))
        for kind in (X.KeyPress, X.KeyRelease):
            xtest.fake_input(self._connection, kind, code)
        self._connection.sync()

    def close(self) -> None:
        """Close the window, as the button of its frame does."""
        from Xlib import X
        from Xlib.protocol.event import ClientMessage

        atom = self._connection.intern_atom
        data = (32, [atom("WM_DELETE_WINDOW"), X.CurrentTime, 0, 0, 0])
        self._window.send_event(
            ClientMessage(window=self._window, client_type=atom("WM_PROTOCOLS"), data=data)
        )
        self._connection.sync()

    def _find(self) -> Any:
        from Xlib import X
        from Xlib.error import BadWindow

        for window in self._connection.screen().root.query_tree().children:
            try:
                if (
                    window.get_wm_name() == "Doublecross"
                    and window.get_attributes().map_state == X.IsViewable
                ):
                    return window
            except BadWindow:  # The window is just closing.
                continue
        return None


def wait_for(look: Callable[[], Any], command: Command) -> Any:
    """Call `look` until it finds something; return that."""
    until = time.monotonic() + DEADLINE_S
    while (found := look()) is None:
        assert command.process.poll() is None, command.errors
        assert time.monotonic() < until
        time.sleep(0.02)
    return found


@pytest.fixture
def env(screen: VirtualDisplay, tmp_path: Path) -> dict[str, str]:
    folders = {f"XDG_{kind}_HOME": str(tmp_path / kind) for kind in ("CONFIG", "DATA", "STATE")}
    return environment(DISPLAY=screen.name, **folders)


def play_here(screen: VirtualDisplay, command: Command, tmp_path: Path) -> OpenWindow:
    """Choose "Play here" in the window; wait until its player and the bots are online."""
    window = OpenWindow(screen, command)
    path = tmp_path / "DATA" / "doublecross" / "here.json"
    pressed = 0.0

    def look() -> Any:
        nonlocal pressed
        if path.exists():
            return json.loads(path.read_text())["url"]
        if time.monotonic() - pressed > AGAIN_S:  # it is shown before it hears anything
            window.press("Return")
            pressed = time.monotonic()
        return None

    url = wait_for(look, command)

    async def online() -> None:
        async with visiting(url, "Ben") as ben:
            await ben.online("Ann", "easy", "medium", "tricky", "hard", "perfect")

    asyncio.run(online())
    return window


@pytest.mark.parametrize(
    ("number", "code", "says"),
    [
        (None, 0, ""),
        pytest.param(signal.SIGINT, 130, "Stopped.\n", marks=pytest.mark.slow),
        pytest.param(signal.SIGTERM, -signal.SIGTERM, "", marks=pytest.mark.slow),
        pytest.param(signal.SIGKILL, -signal.SIGKILL, "", marks=pytest.mark.slow),
    ],
)
def test_no_process_remains_however_the_window_ends(
    number: signal.Signals | None,
    code: int,
    says: str,
    screen: VirtualDisplay,
    env: dict[str, str],
    tmp_path: Path,
) -> None:
    with running("play", "--name", "Ann", cwd=tmp_path, env=env) as command:
        window = play_here(screen, command, tmp_path)
        children = psutil.Process(command.process.pid).children(recursive=True)
        assert len(children) >= 3  # a server, the process of the levels and its worker
        if number is None:
            window.close()
        else:
            command.send(number)
        assert (command.wait(), command.errors) == (code, says)
        _, alive = psutil.wait_procs(children, timeout=DEADLINE_S)
        assert not alive


async def test_the_window_joins_the_given_server_at_once(
    screen: VirtualDisplay, env: dict[str, str], tmp_path: Path
) -> None:
    async with serving(tmp_path) as server:
        url = server.addresses.ws
        line = f"play --server {url.removeprefix('ws://')} --name Ann"
        with running(*line.split(), cwd=tmp_path, env=env) as command:
            async with visiting(url, "Ben") as ben:
                await ben.online("Ann")
            window = await asyncio.to_thread(OpenWindow, screen, command)
            window.close()
            assert await asyncio.to_thread(command.wait) == 0
            assert command.errors == ""
