"""The start screen with real keys and a real server: connecting, and every problem."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from tkinter import ttk
from typing import Any

import pytest

from doublecross.client.options import Login
from doublecross.client.tk.context import Screen
from doublecross.client.tk.home import Home
from doublecross.client.tk.models.colours import make_colours
from doublecross.client.tk.network.thread import ME
from doublecross.client.tk.screens.start import StartScreen
from doublecross.client.transport import Client
from doublecross.processes.ports import free_port
from tests.bots.running import human
from tests.client.tk.harness.driver import Keyboard, Ui
from tests.client.tk.harness.inspecting import find, shown_texts
from tests.client.tk.harness.serving import RealServer, in_thread
from tests.client.tk.harness.staging import Stage
from tests.fakes.server import FakeServer


def start(stage: Stage, **given: Any) -> StartScreen:
    screen = stage.show(lambda context: StartScreen(context, **given))
    assert isinstance(screen, StartScreen)
    stage.root.update()
    return screen


def fill(stage: Stage, keyboard: Keyboard, **fields: str) -> None:
    """Replace the contents of fields."""
    for name, text in fields.items():
        find(stage.root, name=name, kind=ttk.Entry).focus_set()
        keyboard.press("ctrl+slash")  # Tk's shortcut for Select All on X
        keyboard.press("BackSpace")
        keyboard.type(text)


def entered(stage: Stage) -> tuple[str, str]:
    return (
        find(stage.root, name="name", kind=ttk.Entry).get(),
        find(stage.root, name="server", kind=ttk.Entry).get(),
    )


def complaint(stage: Stage, place: str) -> str:
    """Return the message beside a field; empty if none is shown."""
    label = find(stage.root, name=f"{place}_error", hidden=True, kind=ttk.Label)
    return str(label.cget("text")) if label.winfo_viewable() else ""


def focused(stage: Stage) -> str:
    focus = stage.root.focus_get()
    return "" if focus is None else focus.winfo_name()


# -- ways in -----------------------------------------------------------------------------------


def test_play_here_for_the_first_time_and_again(
    stages: Callable[..., Stage], server: RealServer, ui: Ui
) -> None:
    first = stages()
    first.helpers.address = server.url
    start(first)
    assert focused(first) == "name"
    ui.keyboard.type("Ann")
    ui.keyboard.press("Return")
    ui.pump(lambda: first.went)
    assert first.went == [("lobby",)]
    context = first.context
    assert (context.latest.server, context.latest.here) == (server.url, True)
    assert context.latest.link is not None
    assert context.latest.link.state == "connected"
    assert context.latest.link.player is not None
    assert context.latest.link.player.name == "Ann"
    assert (context.home.settings.name, context.home.settings.way) == ("Ann", "here")
    assert context.home.settings.recent == []
    # The next server has another port but the same player.
    assert context.home.token_file("here", "Ann").read() is not None
    first.close()
    first.root.destroy()
    again = stages()
    again.helpers.address = server.url
    start(again)
    assert entered(again) == ("Ann", "")
    ui.keyboard.press("Return")
    ui.pump(lambda: again.went)  # without its token the name would be refused as taken
    assert again.went == [("lobby",)]


def test_join_a_server(stage: Stage, server: RealServer, ui: Ui) -> None:
    start(stage)
    address = server.url.removeprefix("ws://")
    ui.keyboard.type("  Ann ")
    fill(stage, ui.keyboard, server=f" {address} ")
    ui.mouse.click(find(stage.root, "Join"))
    ui.pump(lambda: stage.went)
    assert stage.went == [("lobby",)]
    latest, kept = stage.context.latest, stage.context.home.settings
    assert (latest.server, latest.here) == (server.url, False)
    assert (kept.name, kept.way, kept.address) == ("Ann", "join", address)
    assert kept.recent == [server.url]


def test_the_servers_used_before_are_offered(stage: Stage, server: RealServer, ui: Ui) -> None:
    kept = stage.context.home.settings
    kept.recent = ["ws://play.example:8765", server.url]
    kept.name = "Ann"
    start(stage)
    assert entered(stage) == ("Ann", "ws://play.example:8765")
    ui.mouse.choose(find(stage.root, name="server"), server.url)
    ui.keyboard.press("Return")
    ui.pump(lambda: stage.went)
    assert stage.went == [("lobby",)]
    assert kept.recent == [server.url, "ws://play.example:8765"]


def test_why_one_is_here_is_said_and_nothing_done(stage: Stage) -> None:
    stage.context.home.settings.name = "Ann"
    start(stage, sentence="The server has gone.", server="ws://play.example:8765")
    assert "The server has gone." in shown_texts(stage.root)
    assert focused(stage) == "join"
    assert entered(stage) == ("Ann", "ws://play.example:8765")
    assert stage.went == []
    assert stage.context.latest.link is None


@pytest.mark.parametrize("kept", ["a-token-of-another-database-" * 2, "no token at all \x07"])
def test_a_kept_token_that_the_server_does_not_know(
    stage: Stage, server: RealServer, ui: Ui, kept: str
) -> None:
    file = stage.context.home.token_file(server.url, "Ann")
    file.hold()
    file.write(kept)
    file.release()
    start(stage, server=server.url, name="Ann")
    ui.pump(lambda: stage.went)
    assert stage.went == [("lobby",)]
    assert file.read() not in (None, kept)


def test_a_window_that_is_closed_at_once(stage: Stage, ui: Ui) -> None:
    stage.show(lambda context: StartScreen(context, server="localhost", name="Ann"))
    stage.close()
    stage.root.destroy()
    ui.settle()


# -- what can be wrong with the name -----------------------------------------------------------


def test_a_name_that_is_none(stage: Stage, ui: Ui) -> None:
    start(stage)
    ui.keyboard.type("Ann!")
    ui.keyboard.press("Return")
    assert "letters and digits" in complaint(stage, "name")
    assert focused(stage) == "name"
    assert entered(stage)[0] == "Ann!"
    assert stage.helpers.asked == []
    ui.keyboard.type("A")
    ui.settle()
    assert complaint(stage, "name") == ""


def test_a_name_that_is_taken(stage: Stage, server: RealServer, ui: Ui) -> None:
    with in_thread(human(server.url, "Ann")):
        start(stage)
        fill(stage, ui.keyboard, name="Ann", server=server.url)
        ui.keyboard.press("Return")
        ui.pump(lambda: complaint(stage, "name"))
        assert "The name Ann is taken" in complaint(stage, "name")
        assert complaint(stage, "server") == ""
        assert entered(stage) == ("Ann", server.url)
        assert focused(stage) == "name"
        ui.keyboard.type("Anne")  # the old text is selected, so typing replaces it
        find(stage.root, name="server").focus_set()
        ui.keyboard.press("Return")
        ui.pump(lambda: stage.went)
        assert stage.went == [("lobby",)]


def test_a_second_window_of_the_same_name(
    stages: Callable[..., Stage], server: RealServer, ui: Ui
) -> None:
    first = stages()
    start(first, server=server.url, name="Ann")
    ui.pump(lambda: first.went)
    assert first.went == [("lobby",)]
    assert first.context.home.settings.name == "Ann"
    second = stages()
    start(second, server=server.url, name="Ann")
    ui.pump(lambda: complaint(second, "name"))
    assert "in another window" in complaint(second, "name")
    assert entered(second) == ("Ann", server.url)
    assert first.context.latest.link is not None
    assert first.context.latest.link.state == "connected"
    # After the first connection has ended, the name is free.
    first.context.network.disconnect(ME)
    fill(second, ui.keyboard, name="Ann")
    find(second.root, name="server").focus_set()
    ui.keyboard.press("Return")
    ui.pump(lambda: second.went)
    assert second.went == [("lobby",)]


def test_a_connection_that_is_replaced_gives_its_token_free(
    stage: Stage, server: RealServer, ui: Ui
) -> None:
    start(stage, server=server.url, name="Ann")
    ui.pump(lambda: stage.went)
    file = stage.context.home.token_file(server.url, "Ann")
    token = file.read()
    assert not file.hold()

    def thief() -> Client:
        from random import Random

        return Client(server.url, Login("human", token=token, exclusive=True), rng=Random(1))

    with in_thread(thief()):
        link = stage.context.latest
        ui.pump(lambda: link.link is not None and link.link.state == "ended")
        ui.pump(file.hold)
    file.release()


def test_a_place_that_cannot_be_kept(stage: Stage, server: RealServer, ui: Ui) -> None:
    folder = stage.context.home.folder
    folder.mkdir(exist_ok=True)
    (folder / "players").write_text("no folder")
    start(stage, server=server.url, name="Ann")
    ui.pump(lambda: complaint(stage, "server"))
    assert str(folder / "players") in complaint(stage, "server")


# -- what can be wrong with the server ---------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "says"), [("", "Enter the address"), ("ftp://play.example", "begins with ftp")]
)
def test_addresses_that_are_none(stage: Stage, ui: Ui, address: str, says: str) -> None:
    start(stage)
    fill(stage, ui.keyboard, name="Ann", server=address)
    ui.keyboard.press("Return")
    assert says in complaint(stage, "server")
    assert complaint(stage, "name") == ""
    assert entered(stage) == ("Ann", address)
    assert focused(stage) == "server"
    ui.keyboard.type("x")
    ui.settle()
    assert complaint(stage, "server") == ""


def test_nobody_is_there(stage: Stage, ui: Ui) -> None:
    url = f"ws://127.0.0.1:{free_port()}"
    start(stage)
    fill(stage, ui.keyboard, name="Ann", server=url)
    ui.keyboard.press("Return")
    ui.pump(lambda: complaint(stage, "server"))
    assert complaint(stage, "server") == f"Nothing listens at {url}."
    assert entered(stage) == ("Ann", url)
    assert stage.context.home.settings.recent == []
    # The next window does not suggest an address that has failed.
    stage.close()
    assert Home(stage.context.home.folder).settings.address == ""


@pytest.mark.parametrize("spoken", [("doublecross.v9.msgpack",), None])
def test_another_version_of_the_protocol(
    stage: Stage, ui: Ui, spoken: tuple[str, ...] | None
) -> None:
    with in_thread(FakeServer(subprotocols=spoken)) as (other, _):
        start(stage)
        fill(stage, ui.keyboard, name="Ann", server=other.url)
        ui.keyboard.press("Return")
        ui.pump(lambda: complaint(stage, "server"))
        assert "version" in complaint(stage, "server")
        assert entered(stage) == ("Ann", other.url)


def test_no_server_of_this_computer(stage: Stage, ui: Ui) -> None:
    start(stage)
    ui.keyboard.type("Ann")
    ui.keyboard.press("Return")
    ui.pump(lambda: complaint(stage, "here"))
    assert complaint(stage, "here") == "A server could not be started on this computer."
    assert focused(stage) == "play_here"


# -- while it is being done --------------------------------------------------------------------


@pytest.mark.parametrize("how", ["button", "Escape", "Return"])
def test_a_server_that_does_not_answer_is_given_up(stage: Stage, ui: Ui, how: str) -> None:
    with in_thread(FakeServer()) as (silent, loop):
        start(stage)
        fill(stage, ui.keyboard, name="Ann", server=silent.url)
        ui.keyboard.press("Return")
        ui.see(f"Connecting to {silent.url} ...")
        peer = asyncio.run_coroutine_threadsafe(silent.accept(), loop).result(10)
        for name in ("name", "server", "join", "play_here", "open_record"):
            assert find(stage.root, name=name, kind=ttk.Widget).instate(["disabled"]), name
        if how == "button":
            ui.mouse.click(find(stage.root, "Cancel"))
        else:
            ui.keyboard.press(how)  # Return presses the button, which has the focus
        ui.pump(lambda: not find(stage.root, name="cancel", hidden=True).winfo_viewable())
        ui.pump(peer.over.is_set, what="the connection is given up")
        assert entered(stage) == ("Ann", silent.url)
        for name in ("name", "server", "join", "play_here", "open_record"):
            assert find(stage.root, name=name, kind=ttk.Widget).instate(["!disabled"]), name
        assert all(not complaint(stage, place) for place in ("name", "server", "here"))
        assert stage.went == []
        # The name is free again at once.
        file = stage.context.home.token_file(silent.url, "Ann")
        ui.pump(file.hold)
        file.release()


def test_a_late_answer_opens_no_screen(stage: Stage, ui: Ui) -> None:
    with in_thread(FakeServer()) as (fake, loop):

        def do(coroutine: Any) -> Any:
            return asyncio.run_coroutine_threadsafe(coroutine, loop).result(10)

        start(stage, server=fake.url, name="Ann")
        peer = do(fake.accept())
        ui.pump(lambda: stage.context.latest.link)  # what comes before is taken
        cancel = find(stage.root, "Cancel", kind=ttk.Button)
        do(peer.welcome())
        while not stage.answered:  # wait without running Tk, so the answer stays in the inbox
            time.sleep(0.001)
        cancel.invoke()
        done: list[int] = []
        stage.context.network.run(lambda: asyncio.sleep(0), lambda _: done.append(1))
        ui.pump(lambda: done)
        ui.pump(peer.over.is_set, what="the connection is given up")
        assert stage.went == []
        file = stage.context.home.token_file(fake.url, "Ann")
        ui.pump(file.hold)
        file.release()


# -- how it looks and is used ------------------------------------------------------------------


def test_the_order_of_the_keyboard(stage: Stage, ui: Ui) -> None:
    start(stage)
    order = [focused(stage)]
    for _ in range(11):
        ui.keyboard.press("Tab")
        order.append(focused(stage))
    assert order == [
        *("name", "has_account", "play_here", "history", "learn", "server", "join"),
        *("dark", "sound", "settings", "open_record", "name"),
    ]


def test_colours_and_sound_hold_at_once_and_are_kept(
    stage: Stage, stages: Callable[..., Stage], ui: Ui
) -> None:
    start(stage)
    context = stage.context
    ui.mouse.click(find(stage.root, "Dark"))
    assert context.colours.dark
    ui.mouse.click(find(stage.root, "Sound"))
    assert not context.sound.on
    ui.mouse.pick(find(stage.root, name="settings"), "Orange and blue")
    assert context.colours == make_colours("colour-blind", dark=True)
    assert "Settings" in shown_texts(stage.root)
    ui.settle()
    background = ui.display.pixel(stage.root.winfo_rootx() + 5, stage.root.winfo_rooty() + 5)
    assert max(background) < 64
    ui.mouse.pick(find(stage.root, name="settings"), "Letters and numbers beside boards")
    kept = context.home.settings
    assert (kept.dark, kept.palette, kept.sound) == (True, "colour-blind", False)
    assert kept.rim
    again = stages()
    start(again)
    assert (again.context.colours.dark, again.context.sound.on) == (True, False)
    assert again.context.home.settings.rim
    assert find(again.root, "Dark", kind=ttk.Checkbutton).instate(["selected"])
    assert find(again.root, "Sound", kind=ttk.Checkbutton).instate(["!selected"])
    ui.mouse.click(find(again.root, "Dark"))
    assert not again.context.colours.dark


def test_a_record_is_opened_and_nothing_typed_is_lost(stage: Stage, ui: Ui) -> None:
    start(stage)
    fill(stage, ui.keyboard, name="Ann?", server="half an addr")
    ui.mouse.click(find(stage.root, "Open a file ..."))
    assert stage.went == [("open_record", None)]
    stage.show(Screen)
    start(stage)
    assert entered(stage) == ("Ann?", "half an addr")
