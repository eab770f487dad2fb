"""The administration in the browser: figures, a ban, and who may not see it."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from playwright.async_api import Route, expect

from doublecross.server.shell.identity.admins import register_admin
from doublecross.server.store.sql import SqlStore, database_url
from tests.client.web.harness.browser import PageProblems
from tests.client.web.harness.fixtures import Axe, Serve, Visit
from tests.client.web.harness.visitors import IDENTITY, go_to
from tests.client.web.pages.company import company

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def registered(database: Path, name: str) -> dict[str, str]:
    """Make an admin in the database of a server that is stopped; return the browser's storage."""
    store = await SqlStore.open(database_url(str(database)))
    try:
        token = await register_admin(store, name, int(time.time() * 1000))
    finally:
        await store.close()
    return {IDENTITY: json.dumps({"name": name, "token": token, "account": True})}


async def add_nodes(route: Route) -> None:
    """Answer like the leader of a cluster with nodes of two versions."""
    answer = await route.fetch()
    nodes = [
        {
            "name": name,
            "version": version,
            "leader": leader,
            "connections": 1,
            "rooms": 0,
            "moves": 0,
        }
        for name, version, leader in (("a", "1.0", False), ("b", "1.1", True))
    ]
    await route.fulfill(response=answer, json={**await answer.json(), "nodes": nodes})


async def test_an_admin_sees_the_server_and_bans_somebody(
    serve: Serve, visit: Visit, axe: Axe, problems: PageProblems, tmp_path: Path
) -> None:
    problems.allow("40[0139]")
    server = serve()
    server.stop()
    storage = await registered(tmp_path / "server-1" / "games.db", "Boss")
    server.start()
    async with company(server.url, ["Ann", "Eve"]) as _:
        page = await visit("/", width=800, storage=storage)
        await page.get_by_role("button", name="Menu").click()
        await page.get_by_role("link", name="Administration").click()
        await expect(page.get_by_text("Games in play")).to_be_visible()

        # A cluster in the middle of an upgrade.
        differ = page.get_by_text("Nodes of different versions run side by side.")
        await expect(differ).to_have_count(0)
        await page.route("**/api/admin/overview*", add_nodes)
        await expect(differ).to_be_visible()
        await expect(page.get_by_text("version 1.1, the leader")).to_be_visible()
        assert await axe(page) == []
        await page.unroute_all(behavior="wait")  # for one that is being answered
        await expect(differ).to_have_count(0)
        parts = page.get_by_role("navigation", name="Parts of the administration")
        dialog = page.get_by_role("dialog")

        # An announcement reaches everybody, and newcomers too, who can close it for good.
        await page.get_by_role("button", name="Announce ...").click()
        await dialog.get_by_label("Announcement").fill("Restart at noon.")
        await dialog.get_by_role("button", name="Announce", exact=True).click()
        said = page.locator(".announcement")
        await expect(said).to_contain_text("The host says: Restart at noon.")
        other = await visit("/", name="Dan")
        await expect(other.locator(".announcement")).to_contain_text("Restart at noon.")
        await other.locator(".announcement").get_by_role("button").click()
        await other.reload()
        await expect(other.get_by_role("button", name="You are Dan")).to_be_visible()
        await expect(other.locator(".announcement")).to_have_count(0)
        await expect(said).to_be_visible()

        # Connected players: the dialog asks, and keeps what was typed.
        await parts.get_by_role("link", name="Players").click()
        players = page.get_by_role("list", name="Connected players").get_by_role("listitem")
        await expect(players).to_have_count(4)
        await page.get_by_role("button", name="Filter").click()
        await page.get_by_label("Name", exact=True).fill("ev")
        await page.keyboard.press("Enter")
        await expect(players).to_have_count(1)
        await page.get_by_role("button", name="Manage Eve").click()
        assert await axe(page) == []
        await dialog.get_by_role("button", name="Ban ...", exact=True).click()
        await dialog.get_by_label("Reason").fill("spam")
        await dialog.get_by_role("button", name="Ban", exact=True).click()
        await expect(dialog).to_have_count(0)
        await expect(players).to_have_count(0)

        # The ban stands in its list and in the log; lifting it asks first.
        await parts.get_by_role("link", name="Bans").click()
        bans = page.get_by_role("list", name="Bans").get_by_role("listitem")
        await expect(bans).to_contain_text(["spam"])
        await page.get_by_role("button", name="Lift the ban of Eve").click()
        await dialog.get_by_role("button", name="Lift the ban").click()
        await expect(bans).to_have_count(0)
        await parts.get_by_role("link", name="Audit log").click()
        log = page.get_by_role("list", name="Audit log").get_by_role("listitem")
        await expect(log).to_have_count(3)
        assert await axe(page) == []

        # Somebody is deleted only after the name was typed again.
        await parts.get_by_role("link", name="Accounts").click()
        await page.get_by_role("button", name="Manage Eve").click()
        await dialog.get_by_role("button", name="Delete ...").click()
        await dialog.get_by_label("Type the name again").fill("Ev")
        await dialog.get_by_role("button", name="Delete for good").click()
        await expect(dialog.get_by_text("Type the name Eve to confirm.")).to_be_visible()
        await dialog.get_by_label("Type the name again").fill("Eve")
        await dialog.get_by_role("button", name="Delete for good").click()
        await expect(dialog).to_have_count(0)
        await expect(page.get_by_role("button", name="Manage Eve")).to_have_count(0)

    guest = await visit("/admin", name="Gus")
    await expect(guest.get_by_text("Gus is no admin.")).to_be_visible()
    await go_to(guest, "/admin?show=players")
    await expect(guest.get_by_text("Gus is no admin.")).to_be_visible()
