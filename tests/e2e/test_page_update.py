"""A page that is older than the server loads itself again, once, and its game goes on."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from playwright.async_api import expect

from tests.client.web.harness.browser import GONE, PageProblems
from tests.client.web.harness.fixtures import Serve, Visit
from tests.client.web.room.table import click, playing, status


async def test_an_older_page_reloads_once_and_the_game_goes_on(
    visit: Visit,
    serve: Serve,
    problems: PageProblems,
    page_folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    web = tmp_path / "web"
    shutil.copytree(page_folder, web)
    monkeypatch.setenv("DOUBLECROSS_PAGE", str(web))
    problems.allow(f"{GONE}|WebSocket connection to")
    server = serve()
    async with playing(server, visit) as (bob, page):
        await click(page, bob.mirror.game, 0)
        await bob.play(1)
        await expect(status(page)).to_have_text("Your turn.")
        before = await page.locator("meta[name=page]").get_attribute("content")
        assert before
        loads: list[str] = []
        page.on("load", lambda: loads.append(page.url))

        server.kill()
        with (web / "main.js").open("a", encoding="utf-8") as script:
            script.write("// newer\n")
        server.start()

        await expect(page.locator("meta[name=page]")).not_to_have_attribute("content", before)
        await expect(status(page)).to_have_text("Your turn.")
        await click(page, bob.mirror.game, 2)
        await bob.play(3)
        await expect(status(page)).to_have_text("Your turn.")
        assert len(loads) == 1
