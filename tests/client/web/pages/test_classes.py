"""The pages of classes: an organiser makes one, a guest joins on a phone, a token is replaced."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import expect

from tests.client.web.harness.fixtures import Axe, Serve, Visit
from tests.client.web.harness.visitors import go_to
from tests.client.web.pages.test_account import PASSWORD

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_guest_joins_the_class_of_an_organiser(
    serve: Serve, visit: Visit, axe: Axe
) -> None:
    serve()
    page = await visit("/account", name="Teacher")
    await page.get_by_role("button", name="Choose a password").click()
    for field in ("Password", "The same password again"):
        await page.get_by_label(field, exact=True).first.fill(PASSWORD)
    await page.get_by_role("button", name="Set the password").click()
    await page.get_by_role("link", name="Classes").click()
    await page.get_by_role("button", name="New class").click()
    await page.get_by_label("Name").fill("AI 1")
    await page.get_by_role("button", name="Make the class").click()
    link = await page.get_by_label("Link to join the class").input_value()

    phone = await visit(link[link.index("/join/") :], width=360, height=740)
    for field, text in (
        ("Who you are", "Zoe Miller"),
        ("Your name as a player", "Zoe"),
        ("Password", PASSWORD),
        ("The name of your bot", "Zebra"),
    ):
        await phone.get_by_label(field).fill(text)
    assert await axe(phone) == []
    await phone.get_by_role("button", name="Join the class").click()
    await expect(phone.get_by_role("heading", name="You are in AI 1.")).to_be_visible()
    token = await phone.get_by_label("Token").input_value()
    command = await phone.get_by_label("Command").input_value()
    assert command.startswith(f"DOUBLECROSS_TOKEN={token} doublecross bot ")

    await go_to(phone, "/account")
    await phone.get_by_role("link", name="Details of Zebra").click()
    await expect(phone.get_by_text("It has lost no game by an error.")).to_be_visible()
    assert await axe(phone) == []

    await page.reload()
    await expect(page.get_by_role("row", name=re.compile("Zoe Miller Zoe.*Zebra"))).to_be_visible()
    assert await axe(page) == []
    await page.get_by_role("button", name="New token for Zebra").click()
    await page.get_by_role("button", name="Make the token").click()
    assert await page.get_by_label("Token", exact=True).input_value() != token
    await page.get_by_role("button", name="Done").click()
    await page.get_by_role("button", name="Exclude Zebra").click()
    await page.get_by_role("button", name="Exclude", exact=True).click()
    await expect(page.get_by_text("excluded", exact=True)).to_be_visible()
