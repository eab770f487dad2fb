"""The page of the account: a guest sets a password, logs out and in, and manages tokens."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Page, expect
from pyotp import TOTP

from tests.client.web.harness.browser import PageProblems
from tests.client.web.harness.fixtures import Axe, Serve, Visit
from tests.client.web.harness.visitors import address_of, go_to

pytestmark = pytest.mark.asyncio(loop_scope="session")

PASSWORD = "seven green ladders"


async def log_in(page: Page, name: str, password: str) -> None:
    """Fill in the login and send it."""
    await page.get_by_label("Name", exact=True).fill(name)
    await page.get_by_label("Password", exact=True).fill(password)
    await page.get_by_role("main").get_by_role("button", name="Log in", exact=True).click()


async def test_a_guest_becomes_an_account_and_logs_in_elsewhere(
    serve: Serve, visit: Visit, axe: Axe, problems: PageProblems
) -> None:
    problems.allow("40[0139]")
    serve()
    page = await visit("/account", name="Ann", width=390, dark=True)
    # A guest sees first who they are; one button leads to the form.
    await expect(page.get_by_label("Password", exact=True).first).to_be_hidden()
    await page.get_by_role("button", name="Choose a password").click()
    # The server's sentence stands at the field, and what was typed is kept.
    new = page.get_by_label("Password", exact=True).first
    again = page.get_by_label("The same password again")
    for field in (new, again):  # hidden, and known to password managers
        await expect(field).to_have_attribute("type", "password")
        await expect(field).to_have_attribute("autocomplete", "new-password")
    await new.fill("short")
    await again.fill("shorter")
    await page.get_by_role("button", name="Set the password").click()
    await expect(page.get_by_text("The two passwords differ.")).to_be_visible()
    await again.fill("short")
    await page.get_by_role("button", name="Set the password").click()
    await expect(page.get_by_text("The password is too short")).to_be_visible()
    await expect(new).to_have_value("short")
    await expect(new).to_have_attribute("aria-invalid", "true")
    await new.fill(PASSWORD)
    await again.fill(PASSWORD)
    await page.get_by_role("button", name="Set the password").click()
    await expect(page.get_by_text("this browser", exact=True)).to_be_visible()
    assert await axe(page) == []

    # Another browser: from the field for a name to the login, and back to the page before.
    other = await visit("/me")
    await other.get_by_role("link", name="Log in").click()
    await log_in(other, "Ann", "wrong")
    await expect(other.get_by_text("The name or the password is wrong.")).to_be_visible()
    await log_in(other, "ann", PASSWORD)
    await expect(other.get_by_role("heading", level=1)).to_have_text("My games")
    assert PASSWORD not in other.url
    # The first one ends that login.
    await page.reload()
    logins = page.get_by_role("list", name="Logins").get_by_role("listitem")
    await expect(logins).to_have_count(2)
    await logins.get_by_role("button").click()
    await page.get_by_role("dialog").get_by_role("button", name="End", exact=True).click()
    await expect(logins).to_have_count(1)
    await expect(other.locator(".strip-text")).to_contain_text("This token has ended")
    await other.get_by_role("button", name="Try again").click()
    await expect(other.locator(".strip-text")).to_contain_text("Your login has ended.")
    await other.get_by_role("button", name="Log in", exact=True).click()
    await log_in(other, "Ann", PASSWORD)
    await expect(other.get_by_role("heading", level=1)).to_have_text("My games")


async def test_tokens_and_bots(
    serve: Serve, visit: Visit, axe: Axe, problems: PageProblems
) -> None:
    problems.allow("40[0139]")
    serve()
    page = await visit("/account", name="Bea")
    await page.get_by_role("button", name="Choose a password").click()
    for label in ("Password", "The same password again"):
        await page.get_by_label(label, exact=True).first.fill(PASSWORD)
    await page.get_by_role("button", name="Set the password").click()
    dialog = page.get_by_role("dialog")

    # A token is shown once.
    await page.get_by_role("button", name="New token ...").click()
    await dialog.get_by_role("button", name="Make the token").click()
    await expect(dialog.get_by_text("Write what the token is for")).to_be_visible()
    await dialog.get_by_label("What it is for").fill("my script")
    await dialog.get_by_role("switch", name="Organise tournaments").check()
    await dialog.get_by_role("button", name="Make the token").click()
    token = await dialog.get_by_label("Token").input_value()
    assert len(token) > 20
    assert await axe(page) == []
    await dialog.get_by_role("button", name="Done").click()
    tokens = page.get_by_role("list", name="Tokens for programs").get_by_role("listitem")
    await expect(tokens).to_contain_text(["Play, Organise tournaments"])
    assert token not in await page.content()

    # A bot has a token of its own.
    await page.get_by_role("button", name="New bot ...").click()
    await dialog.get_by_label("Name").fill("Bea")
    await dialog.get_by_role("button", name="Make the bot").click()
    await expect(dialog.get_by_text(re.compile("taken|alike"))).to_be_visible()
    await dialog.get_by_label("Name").fill("Robo")
    await dialog.get_by_role("button", name="Make the bot").click()
    await dialog.get_by_role("button", name="Done").click()
    bots = page.get_by_role("list", name="Bots that you run")
    await expect(bots.get_by_role("link", name="Robo", exact=True)).to_be_visible()
    await expect(tokens).to_have_count(2)
    await page.get_by_role("button", name="End first token").click()
    await dialog.get_by_role("button", name="End", exact=True).click()
    await expect(tokens).to_have_count(1)

    # The end of the visit.
    await page.get_by_role("button", name="Log out").click()
    await expect(page.get_by_text("You are logged out.").first).to_be_attached()
    await expect(page.get_by_role("link", name="Log in")).to_be_visible()
    assert await page.evaluate("localStorage['doublecross.identity']") is None

    # The token of a program logs in too, but cannot manage the account as a login can.
    await go_to(page, "/account")
    await page.get_by_text("Log in with a token").click()
    await page.get_by_label("Token").fill(token)
    await page.get_by_role("button", name="Log in with the token").click()
    await expect(page.get_by_text("This browser uses the token of a program.")).to_be_visible()
    await log_in(page, "Bea", PASSWORD)
    await expect(page.get_by_role("list", name="Logins")).to_contain_text("this browser")


async def test_a_passkey_and_a_code_log_in(
    serve: Serve, visit: Visit, axe: Axe, problems: PageProblems
) -> None:
    problems.allow("40[01]")
    # Passkeys need a name, and the page is safe on this computer.
    page = await visit(address_of(serve(), "/account").replace("127.0.0.1", "localhost"), width=360)
    device = await page.context.new_cdp_session(page)
    await device.send("WebAuthn.enable")
    options = {"hasResidentKey": True, "hasUserVerification": True, "isUserVerified": True}
    options |= {"protocol": "ctap2", "transport": "internal"}
    await device.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    main, dialog = page.get_by_role("main"), page.get_by_role("dialog")
    await page.get_by_label("Your name").fill("Cat")
    await page.get_by_role("button", name="Continue").click()
    await page.get_by_role("button", name="Choose a password").click()
    for label in ("The same password again", "Password"):
        await page.get_by_label(label, exact=True).first.fill(PASSWORD)
    await page.get_by_role("button", name="Set the password").click()

    await page.get_by_role("group", name="Passkeys").get_by_role("button").click()
    await dialog.get_by_label("Current password").fill(PASSWORD)
    await dialog.get_by_role("button", name="Add", exact=True).click()
    await expect(page.get_by_role("list", name="Passkeys")).to_contain_text("Chrome")
    await page.get_by_role("button", name="Log out").click()
    await go_to(page, "/account")
    await page.get_by_role("button", name="Log in with a passkey").click()
    await expect(page.get_by_role("heading", name="Cat")).to_be_visible()

    await page.get_by_role("button", name="Turn on ...").click()
    code = TOTP(await dialog.locator("code").inner_text()).now()
    await dialog.get_by_label("The code that the app shows").fill(code)
    await dialog.get_by_label("Current password").fill(PASSWORD)
    assert await axe(page) == []
    await dialog.get_by_role("button", name="Turn on").click()
    first = await dialog.get_by_role("listitem").first.inner_text()
    await dialog.get_by_role("button", name="Done").click()
    await expect(page.get_by_text("10 recovery codes are left.")).to_be_visible()

    await page.get_by_role("button", name="Sign out everywhere ...").click()
    await dialog.get_by_role("button", name="Log out").click()
    await expect(page.get_by_text("You are logged out.").first).to_be_attached()
    await go_to(page, "/account")
    await log_in(page, "Cat", PASSWORD)
    await page.get_by_label("Code", exact=True).fill(first)
    await main.get_by_role("button", name="Log in", exact=True).click()
    await expect(page.get_by_text("9 recovery codes are left.")).to_be_visible()
