"""Notifications while no page is open, as far as a browser without a push service has them."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.async_api import expect

from doublecross.server.shell.push import new_key
from doublecross.server.signing.keys import write_private
from tests.client.web.harness.browser import PageProblems
from tests.client.web.harness.fixtures import Axe, Serve, Visit

pytestmark = pytest.mark.asyncio(loop_scope="session")

NOTED = """() => {
  self.first = new Promise((resolve) => {
    registration.showNotification = async (...shown) => resolve(shown);
  });
}"""


async def test_the_switch_starts_the_worker_and_the_worker_shows_what_comes(
    serve: Serve,
    visit: Visit,
    axe: Axe,
    problems: PageProblems,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    problems.allow("Push API in incognito mode")
    write_private(tmp_path / "push.pem", new_key(), replace_file=False)
    monkeypatch.setenv("DOUBLECROSS_PUSH_KEY", str(tmp_path / "push.pem"))
    monkeypatch.setenv("DOUBLECROSS_PUBLIC_HTTP", "https://games.example.org")
    serve()
    page = await visit("/me", name="Ann", width=360, height=640)
    origin = "{0.scheme}://{0.netloc}".format(urlsplit(page.url))
    await page.context.grant_permissions(["notifications"], origin=origin)
    await page.get_by_role("button", name="Settings", exact=True).click()
    dialog = page.get_by_role("dialog", name="Settings")
    switch = dialog.get_by_role("switch", name="Notifications while this page is closed")
    await expect(dialog.get_by_role("switch", name="Mails at my turn")).to_have_count(0)
    assert page.context.service_workers == []
    await switch.click()
    await expect(dialog.get_by_role("alert")).to_contain_text("cannot reach its service")
    await expect(switch).not_to_be_checked()
    assert await axe(page) == []

    # The worker runs, stands before no page, and shows what a push service would bring.
    (worker,) = page.context.service_workers
    await worker.evaluate(NOTED)
    assert await page.evaluate("navigator.serviceWorker.controller") is None
    session = await page.context.new_cdp_session(page)
    known: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    session.on("ServiceWorker.workerRegistrationUpdated", known.put_nowait)
    await session.send("ServiceWorker.enable")
    (registration,) = (await known.get())["registrations"]
    assert urlsplit(registration["scopeURL"]).path == "/push/"
    push = {
        "origin": origin,
        "registrationId": registration["registrationId"],
        "data": json.dumps({"room": "r1", "opponent": "Bob"}),
    }
    await session.send("ServiceWorker.deliverPushMessage", push)
    title, how = await worker.evaluate("first")
    assert (title, how["body"]) == ("Doublecross", "It is your turn against Bob.")
    assert (how["tag"], how["icon"].startswith(f"{origin}/web/")) == ("r1", True)


async def test_the_link_of_a_mail_ends_the_mails_without_a_login(
    serve: Serve, visit: Visit, problems: PageProblems
) -> None:
    problems.allow("400")
    serve()
    page = await visit("/account#turns=used")
    await expect(page.get_by_role("heading", name="Mails at my turn")).to_be_visible()
    await page.get_by_role("button", name="No more of these mails").click()
    await expect(page.get_by_role("alert")).to_contain_text("was used already")
    await page.route(
        "**/api/notices/stop?link=used", lambda route: route.fulfill(json={"done": True})
    )
    await page.get_by_role("button", name="No more of these mails").click()
    await expect(page.get_by_text("You get no more mails at your turn.").last).to_be_visible()
