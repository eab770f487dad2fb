"""Accounts in the window with a real server: log in, log out, and ended logins."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from tkinter import ttk
from typing import Any

import pytest

from doublecross.client.account import AccountCalls, log_in
from doublecross.client.core.accounts import IssuedToken
from doublecross.client.tk.joining import LABEL
from doublecross.client.tk.refusal import Refusal
from doublecross.client.tk.screens.lobby.screen import LobbyScreen
from doublecross.client.tk.screens.start import StartScreen
from tests.client.tk.harness.driver import Keyboard, Ui
from tests.client.tk.harness.inspecting import find, find_all, shown_texts
from tests.client.tk.harness.playing import Open
from tests.client.tk.harness.scenes import connect
from tests.client.tk.harness.serving import RealServer
from tests.client.tk.harness.staging import Stage
from tests.client.tk.harness.tables import ScriptedNetwork
from tests.games.test_record import finished

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


def test_a_guest_keeps_the_name_on_the_page_before_logging_out(
    stage: Stage, server: RealServer, ui: Ui
) -> None:
    join(stage, server.url, ui.pump)
    stage.show(LobbyScreen)
    file = stage.context.home.token_file(server.url, "Ann")
    ui.mouse.pick(find(stage.root, name="account"), "Log out")
    ui.pump(
        lambda: any("nobody can use this name again" in text for text in shown_texts(stage.root))
    )
    assert stage.went == []
    assert file.read() is not None
    ui.mouse.pick(find(stage.root, name="account"), "Keep this name ...")
    ui.pump(lambda: stage.went)
    token = token_of(stage, server.url)
    assert (stage.went.pop(), stage.root.clipboard_get()) == (("page", "/account"), token)
    assert any("Your token is in the clipboard." in text for text in shown_texts(stage.root))
    with_account(server.url, token)
    ui.mouse.pick(find(stage.root, name="account"), "Keep this name ...")
    ui.pump(lambda: any("has a password already" in text for text in shown_texts(stage.root)))
    assert stage.went == []
    ui.mouse.pick(find(stage.root, name="account"), "Log out")
    ui.pump(lambda: stage.went)
    sentence = "You are logged out. Log in again, or join under another name."
    assert stage.went == [("start", sentence)]
    ui.pump(lambda: file.read() is None)


def test_the_password_of_a_name_that_is_taken(
    stages: Callable[..., Stage], server: RealServer, ui: Ui
) -> None:
    first = stages()
    join(first, server.url, ui.pump)
    with_account(server.url, token_of(first, server.url))
    file = first.context.home.token_file(server.url, "Ann")
    first.close()
    first.root.destroy()
    file.forget()  # as on another computer
    stage = stages()
    stage.context.home.settings.name = "Ann"
    stage.show(lambda context: StartScreen(context, server=server.url))
    ui.pump(lambda: complaint(stage, "name"))
    assert complaint(stage, "name") == (
        "The name Ann is taken; choose another, or log in if it is yours."
    )
    write(stage, ui.keyboard, password="not this one")
    ui.keyboard.press("Return")
    ui.pump(lambda: complaint(stage, "password"))
    assert complaint(stage, "password") == "The name or the password is wrong."
    entry = find(stage.root, name="password", kind=ttk.Entry)
    assert entry.get() == "not this one"
    assert entry.cget("show") == "•"
    assert stage.root.focus_get() == entry
    write(stage, ui.keyboard, password=GOOD)
    ui.keyboard.press("Return")
    ui.pump(lambda: stage.went)
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
    ui.pump(lambda: again.went)
    assert again.went == [("lobby",)]


def test_the_link_for_an_account_asks_for_its_password(stage: Stage, ui: Ui) -> None:
    stage.context.home.settings.name = "Ann"
    stage.context.home.settings.way = "join"
    stage.show(StartScreen)
    ui.settle()
    assert not find_all(stage.root, name="password")
    ui.mouse.click(find(stage.root, "I have an account"))
    entry = find(stage.root, name="password", kind=ttk.Entry)
    assert stage.root.focus_get() == entry
    write(stage, ui.keyboard, server="ws://127.0.0.1:9")
    ui.keyboard.press("Return")
    assert complaint(stage, "password") == "Write the password of your account."
    # Without a connection the problem stands at the server, and what was typed is kept.
    write(stage, ui.keyboard, password=GOOD)
    ui.keyboard.press("Return")
    ui.pump(lambda: complaint(stage, "server"))
    assert "127.0.0.1:9 cannot be reached" in complaint(stage, "server")
    assert entry.get() == GOOD
    ui.mouse.click(find(stage.root, "No account"))
    assert entry.get() == ""
    assert not find_all(stage.root, name="password")


def test_a_login_that_is_ended_elsewhere_leads_to_the_start(
    program: Open, server: RealServer, ui: Ui
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

    sentence = "This token has ended; log in again, or use a new token."
    asyncio.run(end("first token"))
    opened.at("start")
    ui.see(sentence)
    entry = find(opened.root, name="password")
    assert opened.root.focus_get() == entry
    opened.write("password", GOOD)
    opened.press("Join")
    opened.at("lobby")
    # A screen that needs no connection stays, and leads to the start screen afterwards.
    navigator = opened.app.navigator
    navigator.to_review(finished(), title="Ann – Bob", back=navigator.to_history)
    opened.at("review")
    asyncio.run(end(LABEL))
    latest = opened.app.context.latest
    ui.pump(lambda: latest.link is not None and latest.link.state == "ended")
    opened.press("‹ Back")
    opened.at("start")
    ui.see(sentence)
    assert find(opened.root, name="password").winfo_viewable()


def test_who_cannot_log_out_stays(stage: Stage, ui: Ui, monkeypatch: pytest.MonkeyPatch) -> None:
    network = ScriptedNetwork()
    connect(stage)
    monkeypatch.setattr(stage.context, "network", network)
    stage.show(LobbyScreen)
    for _ in range(2):
        ui.mouse.pick(find(stage.root, name="account"), "Log out")
        assert network.asked[-1].name == "log_out"
        network.asked[-1].failed(Refusal("play.example.org cannot be reached."))
        ui.settle()
        assert "play.example.org cannot be reached." in shown_texts(stage.root)
    assert stage.went == []
    monkeypatch.undo()
