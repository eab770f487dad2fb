"""Test what all pages share: settings, messages, keyboard, storage, tabs and accessibility."""

from __future__ import annotations

import re
from random import Random

import pytest
from playwright.async_api import Page, expect

from doublecross.client.options import Login
from doublecross.client.transport import Client
from tests.client.web.harness.browser import GONE, PageProblems
from tests.client.web.harness.fixtures import Axe, Serve, Visit
from tests.client.web.harness.visitors import address_of, go_to
from tests.client.web.lobby.test_lobby import ROOM, SMALL, connect, in_lobby, take_name
from tests.client.web.room.table import hosting, join

pytestmark = pytest.mark.asyncio(loop_scope="session")


NOTED = """() => {
  window.asked = 0;
  window.told = [];
  window.answer = "denied";
  window.Notification = class {
    static get permission() {
      return window.answer;
    }
    static requestPermission() {
      window.asked += 1;
      return Promise.resolve(window.answer);
    }
    constructor(title, options) {
      window.told.push({ text: options.body, note: this });
    }
    close() {}
  };
}"""
"""Note what the page asks of notifications; a browser without windows always refuses them."""


async def test_the_browser_calls_a_person_who_looks_elsewhere(
    serve: Serve, visit: Visit, axe: Axe
) -> None:
    async with hosting(serve(), seat=0) as bob:
        page = await visit(bob.path, name="Ann")
        await page.evaluate(NOTED)
        await join(page)
        await page.get_by_role("button", name="Settings", exact=True).click()
        dialog = page.get_by_role("dialog", name="Settings")
        switch = dialog.get_by_role("switch", name="Notifications")
        await expect(switch).not_to_be_checked()
        assert await page.evaluate("window.asked") == 0
        await switch.click()
        await expect(dialog.get_by_role("alert")).to_contain_text("The browser refused.")
        await expect(switch).not_to_be_checked()
        assert await axe(page) == []
        await page.evaluate("window.answer = 'granted'")
        await switch.click()
        await expect(switch).to_be_checked()
        await expect(dialog.get_by_role("alert")).to_have_count(0)
        assert await page.evaluate("window.told.map((each) => each.text)") == [
            "You will be called here."
        ]
        await dialog.get_by_role("button", name="Done").click()
        await page.get_by_role("link", name="Rules").first.click()
        await expect(page).to_have_url(re.compile("/rules$"))
        await page.evaluate("Object.defineProperty(document, 'hidden', { get: () => true })")
        await bob.play(0)
        await page.wait_for_function("window.told.length === 2")
        assert await page.evaluate("window.told[1].text") == "It is your turn against Bob."
        await expect(page).to_have_title(re.compile("^Your turn – "))
        await page.evaluate("window.told[1].note.onclick()")
        await expect(page.locator(".room-board")).to_be_visible()
        assert await page.evaluate("window.asked") == 2


async def test_the_page_works_without_storage(serve: Serve, visit: Visit) -> None:
    serve("easy")
    page = await visit("/rules")
    await page.add_init_script(
        "for (const kind of ['localStorage', 'sessionStorage'])"
        " Object.defineProperty(window, kind, {get() { throw new Error('denied'); }});"
    )
    await go_to(page, "/")
    await take_name(page)
    await in_lobby(page)
    await page.get_by_role("button", name=re.compile("^easy")).click()
    await expect(page).to_have_url(ROOM)


async def test_the_strip_tells_an_error_once_and_when_the_server_is_away(
    serve: Serve, visit: Visit, problems: PageProblems
) -> None:
    problems.allow(f"{GONE}|WebSocket|broken on purpose")
    server = serve()
    page = await visit("/", name="Ann")
    await in_lobby(page)
    for _ in range(2):
        await page.evaluate("setTimeout(() => { throw new Error('broken on purpose'); })")
    await expect(page.locator(".strip")).to_contain_text("Your games are kept on the server.")
    await page.get_by_role("button", name="Reload").click()
    await in_lobby(page)
    await expect(page.locator(".strip")).to_have_count(0)
    server.kill()
    strip = page.locator(".strip")
    await expect(strip).to_contain_text("Your games are kept. Trying again")
    # The attempt fails, and the message stays where it is.
    await strip.get_by_role("button", name="Try now").click()
    await expect(strip).to_contain_text("Trying again")
    server.start()
    await expect(strip).to_have_count(0)
    await in_lobby(page)


async def test_a_server_below_a_path_is_used_like_any_other(serve: Serve, visit: Visit) -> None:
    server = serve(options=("--base-path", "/games"))
    page = await visit("/games/")
    await take_name(page)
    await in_lobby(page)
    await page.get_by_role("link", name="Games", exact=True).click()
    await expect(page).to_have_url(re.compile("/games/games$"))
    await expect(page.get_by_role("heading", name="Finished games")).to_be_visible()
    await page.go_back()
    await in_lobby(page)
    async with hosting(server) as bob:
        await page.goto(address_of(server, f"/games{bob.path}"))
        await page.get_by_role("button", name=re.compile("^Join as")).click()
        await expect(page.locator(".room-status")).to_have_text("Your turn.")


async def test_the_title_says_whose_turn_it_is(serve: Serve, visit: Visit) -> None:
    async with connect(serve(), "Bob") as bob:
        state = await bob.create_room(SMALL, seat=1)
        page = await visit("/", name="Ann")
        await expect(page).to_have_title("Lobby – Doublecross")
        await page.get_by_role("button", name="Join the room of Bob").click()
        await expect(page).to_have_title(re.compile("^Your turn – .* – Doublecross$"))
        await go_to(page, "/")
        await expect(page).to_have_title("Your turn – Lobby – Doublecross")
        chip = page.get_by_role("link", name="Your match against Bob: your turn. Go there")
        await expect(chip).to_be_visible()
        await bob.resign(state.room)
        await expect(page.locator(".strip")).to_contain_text(
            "Your match against Bob is over: you won, 0 : 0."
        )
        await expect(page).to_have_title("Lobby – Doublecross")
        await page.locator(".strip").get_by_role("button", name="Review").click()
        await expect(page).to_have_url(re.compile("/game/"))


async def test_a_player_who_went_back_hears_of_a_rematch_and_of_a_challenge(
    serve: Serve, visit: Visit
) -> None:
    async with connect(serve(), "Bob") as bob, connect(serve.latest, "Cleo") as cleo:
        room = (await bob.create_room(SMALL, seat=1)).room
        page = await visit("/", name="Ann")
        await page.get_by_role("button", name="Join the room of Bob").click()
        await expect(page).to_have_url(ROOM)
        await bob.resign(room)
        await expect(page.get_by_role("button", name="Rematch")).to_be_visible()
        await page.go_back()
        await in_lobby(page)
        await bob.rematch(room)
        strip = page.locator(".strip")
        await expect(strip).to_contain_text("Bob would like a rematch.")
        await strip.get_by_role("button", name="Go there").click()
        await page.get_by_role("button", name="Accept rematch").click()
        await expect(page.get_by_role("button", name="Resign")).to_be_visible()
        await expect(strip).to_have_count(0)
        first = page.url
        await cleo.offers.challenge("Ann", SMALL)
        await expect(strip).to_contain_text("Your match against Bob goes on.")
        await strip.get_by_role("button", name="Play both").click()
        await expect(page).not_to_have_url(first)
        await expect(page.get_by_role("link", name="Your match against Bob")).to_be_visible()


FOCUS_AT_THE_END = """() => new MutationObserver(() => {
  window.focused ??= document.activeElement.id;
}).observe(document.querySelector("dialog").parentNode, { childList: true })"""
"""Keeps what has the focus when the dialog goes; later a person may have chosen something else."""


async def test_everything_works_with_the_keyboard_alone(serve: Serve, visit: Visit) -> None:
    serve("easy")
    page = await visit("/", name="Ann")
    await in_lobby(page)
    keys = page.keyboard
    await keys.press("Tab")
    await expect(page.get_by_role("link", name="To the content")).to_be_focused()
    await keys.press("Enter")
    await expect(page.locator("main")).to_be_focused()
    await keys.press("?")
    shortcuts = page.get_by_role("dialog", name="Keyboard shortcuts")
    await expect(shortcuts).to_be_visible()
    await page.evaluate(FOCUS_AT_THE_END)
    await keys.press("Escape")
    await expect(shortcuts).to_have_count(0)
    assert await page.evaluate("window.focused") == "main"
    invite = page.get_by_role("button", name="Invite a friend")
    await invite.focus()
    await keys.press("Enter")
    dialog = page.get_by_role("dialog", name="Invite a friend")
    await expect(dialog).to_be_visible()
    await keys.press("Escape")
    await expect(dialog).to_have_count(0)
    await expect(invite).to_be_focused()
    await page.get_by_role("button", name="Change what you play").focus()
    await keys.press("Tab")
    await expect(page.get_by_role("button", name=re.compile("^easy"))).to_be_focused()
    await keys.press("Enter")
    await expect(page).to_have_url(ROOM)


@pytest.mark.slow
async def test_nobody_is_left_out(serve: Serve, visit: Visit, axe_both: Axe) -> None:
    server = serve("easy")
    page = await visit("/")
    await expect(page.locator(".board .edges")).to_be_attached()
    assert await axe_both(page) == []
    await take_name(page)
    await in_lobby(page)
    async with connect(server, "Bob") as bob:
        await bob.create_room(SMALL)
        await bob.offers.seek(SMALL)
        await expect(page.get_by_role("button", name="Accept the offer of Bob")).to_be_visible()
        await page.get_by_role("button", name="Quick match", exact=True).click()
        await expect(page.get_by_role("list", name="Your open offers")).to_be_visible()
        assert await axe_both(page) == []
        name = await page.locator(".me").inner_text()
        await bob.offers.challenge(name, SMALL)
        await expect(page.locator(".strip")).to_be_visible()
        assert await axe_both(page) == []
    for way in (
        "Invite a friend",
        "Join by code",
        "Two at one screen",
        "Settings",
        "Challenge easy",
    ):
        await page.get_by_role("button", name=way, exact=True).click()
        await expect(page.get_by_role("dialog")).to_be_visible()
        assert await axe_both(page) == [], way
        await page.keyboard.press("Escape")
        await expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.slow
async def test_nothing_is_wider_than_the_window(serve: Serve, visit: Visit) -> None:
    server = serve("easy")
    long = "W" * 32
    async with Client(server.url, Login("human", name=long), rng=Random(1)) as bob:
        await bob.create_room(SMALL)
        await bob.offers.seek(SMALL)
        for widths, touch in (((320, 360), True), ((768, 1440), False)):
            page = await visit("/", width=widths[0], height=700, touch=touch)
            await expect(page.locator(".board .edges")).to_be_attached()
            await no_overflow(page, widths)
            await take_name(page)
            offer = page.get_by_role("button", name=f"Accept the offer of {long}")
            await expect(offer).to_be_visible()
            await no_overflow(page, widths)


async def no_overflow(page: Page, widths: tuple[int, ...]) -> None:
    """Check that the page does not scroll sideways in windows of these widths."""
    for width in widths:
        await page.set_viewport_size({"width": width, "height": 700})
        wide, window = await page.evaluate(
            "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
        )
        assert wide <= window == width
