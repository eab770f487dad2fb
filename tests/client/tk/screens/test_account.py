"""Accounts in the window with a real server: log in, the account screen, and ended logins."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from tkinter import ttk
from typing import Any

import pytest

from doublecross.client.account import AccountCalls, log_in
from doublecross.client.core.accounts import IssuedToken
from doublecross.client.tk.joining import LABEL
from doublecross.client.tk.refusal import Refusal
from doublecross.client.tk.screens.account.screen import AccountScreen
from doublecross.client.tk.screens.start import StartScreen
from tests.client.tk.harness.account_scenes import account_screen
from tests.client.tk.harness.driver import Keyboard, Mouse, Windows
from tests.client.tk.harness.inspecting import find, find_all, shown_texts, text_of
from tests.client.tk.harness.playing import Open
from tests.client.tk.harness.scenes import connect
from tests.client.tk.harness.serving import RealServer
from tests.client.tk.harness.staging import Stage
from tests.client.tk.harness.tables import ScriptedNetwork

Pump = Callable[..., Any]
GOOD = "blue lamp seven rivers"


def write(stage: Stage, keyboard: Keyboard, **fields: str) -> None:
    """Replace the contents of fields."""
    for name, text in fields.items():
        find(stage.root, name=name, kind=ttk.Entry).focus_set()
        keyboard.press("ctrl+slash")
        keyboard.press("BackSpace")
        keyboard.type(text)


def complaint(stage: Stage, place: str) -> str:
    """Return the message beside a field; empty if none is shown."""
    label = find(stage.root, name=f"{place}_error", hidden=True, kind=ttk.Label)
    return str(label.cget("text")) if label.winfo_viewable() else ""


def join(stage: Stage, url: str, pump: Pump, name: str = "Ann") -> None:
    stage.show(lambda context: StartScreen(context, server=url, name=name))
    pump(lambda: stage.went)
    assert stage.went.pop() == ("lobby",)


def token_of(stage: Stage, url: str) -> str:
    token = stage.context.home.token_file(url, "Ann").read()
    assert token is not None
    return token


def with_account(url: str, token: str) -> IssuedToken:
    """Give the guest with this token a password, and log in from another computer."""

    async def work() -> IssuedToken:
        await AccountCalls(url, lambda: token).set_password(GOOD)
        return await log_in(url, "Ann", GOOD, "other computer")

    return asyncio.run(work())


def test_a_guest_gets_an_account_and_leaves_it(
    stage: Stage,
    server: RealServer,
    keyboard: Keyboard,
    mouse: Mouse,
    windows: Windows,
    pump: Pump,
) -> None:
    join(stage, server.url, pump)
    screen: Any = stage.show(AccountScreen)
    pump(lambda: find_all(stage.root, name="set_password"))
    assert not find_all(stage.root, name="log_out")
    write(stage, keyboard, password="12345678", again="12345679")
    keyboard.press("Return")
    assert any("not the same" in text for text in shown_texts(stage.root))
    write(stage, keyboard, again="12345678")
    keyboard.press("Return")
    pump(lambda: any("easy to guess" in text for text in shown_texts(stage.root)))
    assert find(stage.root, name="password", kind=ttk.Entry).get() == "12345678"
    write(stage, keyboard, password=GOOD, again=GOOD)
    mouse.click(find(stage.root, "Set the password"))
    pump(lambda: screen._tokens.count == 1)
    assert "Login of this window" in text_of(screen._tokens.tree)
    assert not any(GOOD in text for text in shown_texts(stage.root))
    # A token for a program: what is wrong is said at the field, and the secret is shown once.
    mouse.click(find(stage.root, "New token ..."))
    windows.settle()
    keyboard.press("Return")
    assert any("what the token is for" in text for text in shown_texts(stage.root))
    keyboard.type("ladder script")
    keyboard.press("Return")
    pump(lambda: find_all(stage.root, name="secret"))
    secret = find(stage.root, name="token", kind=ttk.Entry).get()
    mouse.click(find(stage.root, "Copy"))
    pump(lambda: find_all(stage.root, "Copied."))
    assert stage.root.clipboard_get() == secret
    assert asyncio.run(AccountCalls(server.url, lambda: secret).show()).name == "Ann"
    keyboard.press("Escape")
    pump(lambda: screen._tokens.count == 2)
    assert secret not in "\n".join(shown_texts(stage.root))
    # A bot of her own, with its token.
    mouse.click(find(stage.root, "Bots"))
    mouse.click(find(stage.root, "Add a bot ..."))
    windows.settle()
    keyboard.type("Ann")
    keyboard.press("Return")
    pump(lambda: any("is taken" in text for text in shown_texts(stage.root)))
    write(stage, keyboard, bot_name="Rook")
    keyboard.press("Return")
    pump(lambda: find_all(stage.root, "The token of Rook"))
    keyboard.press("Escape")
    pump(lambda: screen._bots.count == 1)
    # The token of the program ends.
    mouse.click(find(stage.root, "Logins and tokens"))
    key = next(
        row
        for row in screen._tokens.tree.get_children()
        if screen._tokens.tree.item(row, "values")[0] == "ladder script"
    )
    screen._tokens.tree.selection_set(key)
    pump(lambda: not screen._end_button.instate(["disabled"]))
    mouse.click(screen._end_button)
    windows.settle()
    mouse.click(find(stage.root, "End"))
    pump(lambda: screen._tokens.count == 2)  # the bot's token and the login
    mouse.click(find(stage.root, "Log out"))
    pump(lambda: stage.went)
    assert [each[0] for each in stage.went] == ["start"]
    pump(lambda: stage.context.home.token_file(server.url, "Ann").read() is None)


def test_the_password_of_a_name_that_is_taken(
    stages: Callable[..., Stage],
    server: RealServer,
    keyboard: Keyboard,
    pump: Pump,
) -> None:
    first = stages()
    join(first, server.url, pump)
    with_account(server.url, token_of(first, server.url))
    file = first.context.home.token_file(server.url, "Ann")
    first.close()
    first.root.destroy()
    file.forget()  # as on another computer
    stage = stages()
    stage.context.home.settings.name = "Ann"
    stage.show(lambda context: StartScreen(context, server=server.url))
    pump(lambda: complaint(stage, "name"))
    assert complaint(stage, "name") == (
        "The name Ann is taken; choose another, or log in if it is yours."
    )
    write(stage, keyboard, password="not this one")
    keyboard.press("Return")
    pump(lambda: complaint(stage, "password"))
    assert complaint(stage, "password") == "The name or the password is wrong."
    entry = find(stage.root, name="password", kind=ttk.Entry)
    assert entry.get() == "not this one"
    assert entry.cget("show") == "•"
    assert stage.root.focus_get() == entry
    write(stage, keyboard, password=GOOD)
    keyboard.press("Return")
    pump(lambda: stage.went)
    assert stage.went == [("lobby",)]
    kept = file.path.read_text()
    assert GOOD not in kept
    assert GOOD not in (stage.context.home.folder / "window.json").read_text()
    link = stage.context.latest.link
    assert link is not None
    assert link.player is not None
    assert link.player.name == "Ann"
    stage.close()
    stage.root.destroy()
    # The session is kept, so the next start needs no password.
    again = stages()
    again.show(lambda context: StartScreen(context, server=server.url))
    pump(lambda: again.went)
    assert again.went == [("lobby",)]


def test_the_link_for_an_account_asks_for_its_password(
    stage: Stage, keyboard: Keyboard, mouse: Mouse, windows: Windows, pump: Pump
) -> None:
    stage.context.home.settings.name = "Ann"
    stage.context.home.settings.way = "join"
    stage.show(StartScreen)
    windows.settle()
    assert not find_all(stage.root, name="password")
    mouse.click(find(stage.root, "I have an account"))
    entry = find(stage.root, name="password", kind=ttk.Entry)
    assert stage.root.focus_get() == entry
    write(stage, keyboard, server="ws://127.0.0.1:9")
    keyboard.press("Return")
    assert complaint(stage, "password") == "Write the password of your account."
    # Without a connection the problem stands at the server, and what was typed is kept.
    write(stage, keyboard, password=GOOD)
    keyboard.press("Return")
    pump(lambda: complaint(stage, "server"))
    assert "127.0.0.1:9 cannot be reached" in complaint(stage, "server")
    assert entry.get() == GOOD
    mouse.click(find(stage.root, "No account"))
    assert entry.get() == ""
    assert not find_all(stage.root, name="password")


def test_a_login_that_is_ended_elsewhere_leads_to_the_start(
    program: Open, server: RealServer, windows: Windows, pump: Pump
) -> None:
    opened = program(server.url, "Ann")
    opened.at("lobby")
    token = opened.app.context.home.token_file(server.url, "Ann").read()
    assert token is not None
    other = with_account(server.url, token)

    async def end(label: str) -> None:
        calls = AccountCalls(server.url, lambda: other.secret)
        here = next(each for each in await calls.tokens() if each.label == label)
        await calls.end_token(here.token_id)

    sentence = "The server has ended this connection: your token has ended."
    opened.press("Account")
    opened.at("account")
    asyncio.run(end("first token"))
    opened.at("start")
    windows.see(sentence)
    entry = find(opened.root, name="password")
    assert opened.root.focus_get() == entry
    opened.write("password", GOOD)
    opened.press("Join")
    opened.at("lobby")
    # A screen that needs no connection stays, and leads to the start screen afterwards.
    opened.press("Lessons")
    opened.at("course")
    asyncio.run(end(LABEL))
    latest = opened.app.context.latest
    pump(lambda: latest.link is not None and latest.link.state == "ended")
    opened.press("‹ Back")
    opened.at("start")
    windows.see(sentence)
    assert find(opened.root, name="password").winfo_viewable()


@pytest.fixture
def scripted(stage: Stage) -> Iterator[ScriptedNetwork]:
    """Let the stage ask a scripted network."""
    real, network = stage.context.network, ScriptedNetwork()
    stage.context.network = network  # type: ignore[assignment]
    connect(stage)
    yield network
    stage.context.network = real


def test_what_fails_is_said_and_can_be_tried_again(
    stage: Stage, scripted: ScriptedNetwork, mouse: Mouse, windows: Windows
) -> None:
    screen: Any = stage.show(AccountScreen)
    stage.root.update()
    scripted.asked[-1].failed(Refusal("play.example.org cannot be reached."))
    windows.settle()
    assert "play.example.org cannot be reached." in shown_texts(stage.root)
    assert screen._change.instate(["disabled"])
    mouse.click(find(stage.root, "Try again"))
    assert [asked.name for asked in scripted.asked] == ["fetch_account"] * 2
    screen = account_screen(stage)
    assert screen._change.instate(["!disabled"])
    # Logging out fails: everything stays, and the sentence is shown.
    mouse.click(find(stage.root, "Log out"))
    assert scripted.asked[-1].name == "log_out"
    assert screen._log_out.instate(["disabled"])
    scripted.asked[-1].failed(Refusal("play.example.org cannot be reached."))
    assert screen._log_out.instate(["!disabled"])
    assert stage.went == []
