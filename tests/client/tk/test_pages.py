"""Tests of the entries that open a page of the server in the browser; the browser is a fake."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from doublecross.client.tk.models.pages import Page, page_server
from doublecross.client.tk.models.snapshots import LinkSnapshot
from doublecross.client.tk.network.thread import ME
from tests.client.tk.harness.driver import Ui
from tests.client.tk.harness.inspecting import find
from tests.client.tk.harness.playing import Open, Program
from tests.client.tk.harness.serving import RealServer
from tests.client.tk.harness.staging import NotedHelpers

Pump = Callable[..., Any]
ROUTES = Path(__file__).resolve().parents[3] / "client" / "web" / "app" / "routes.js"


def opened(program: Program, pump: Pump) -> str:
    """Wait until a page has been opened, and return its address."""
    pump(lambda: program.pages, what="a page is opened")
    return program.pages.pop()


def test_the_entries_of_the_lobby_open_pages_of_its_server(
    program: Open, server: RealServer, ui: Ui
) -> None:
    ann = program(server.url, "Ann")
    ann.at("lobby")
    link = ann.app.context.latest.link
    assert link is not None
    assert (link.http or "").startswith("http://127.0.0.1:")
    for text, path in (("Lessons", "/learn"), ("Puzzles", "/puzzles"), ("Rules (F1)", "/rules")):
        ann.press(text)
        assert opened(ann, ui.pump) == f"{link.http}{path}"
        ui.see(f"Opened in the browser: {link.http}{path}")
    ann.keyboard.press("F1")
    assert opened(ann, ui.pump) == f"{link.http}/rules"
    ann.mouse.pick(find(ann.root, name="account"), "Open in the browser")
    assert opened(ann, ui.pump) == f"{link.http}/account"
    ann.press("Tournaments ...")
    assert opened(ann, ui.pump) == f"{link.http}/tournaments"
    assert ann.app.navigator.screen is not None
    assert ann.app.navigator.screen.name == "lobby"
    ann.has_browser = False
    ann.press("Puzzles")
    address = opened(ann, ui.pump)
    ui.see(f"No browser could be started. Open {address} in one.")


def test_without_a_connection_the_server_of_this_computer_has_the_page(
    program: Open, ui: Ui
) -> None:
    helpers = NotedHelpers()
    ann = program(helpers=helpers)
    ann.at("start")
    ann.press("Learn")
    ui.see("A server could not be started on this computer.")
    assert ann.pages == []
    helpers.address = "ws://127.0.0.1:4321"
    ann.press("Learn")
    assert opened(ann, ui.pump) == "http://127.0.0.1:4321/learn"
    assert helpers.asked == [("open_server",)] * 2
    ann.keyboard.press("F1")
    assert opened(ann, ui.pump) == "http://127.0.0.1:4321/rules"
    ann.at("start")


@pytest.mark.parametrize(
    ("state", "http", "expected"),
    [
        ("connected", "https://play.example/", "https://play.example"),
        ("lost", "http://play.example:8765", "http://play.example:8765"),
        ("connected", None, ""),
        ("connected", "file:///etc/passwd", ""),
        ("ended", "https://play.example", None),
        ("connecting", None, None),
    ],
)
def test_which_server_has_the_page(state: Any, http: str | None, expected: str | None) -> None:
    assert page_server(LinkSnapshot(ME, state, http=http)) == expected
    assert page_server(None) is None  # before the first connection


def test_the_browser_page_has_each_of_these_addresses() -> None:
    routes = ROUTES.read_text("utf-8")
    assert [page for page in Page if f'path: "{page}"' not in routes] == []
