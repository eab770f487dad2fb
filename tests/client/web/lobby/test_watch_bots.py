"""Let two bots play from the lobby, and watch them."""

from __future__ import annotations

import re
from random import Random

import pytest
from playwright.async_api import expect

from doublecross.client.options import Login
from doublecross.client.transport import Client
from doublecross.protocol.common import EngineInfo
from tests.bots.running import until
from tests.client.web.harness.fixtures import Axe, Serve, Visit

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_two_bots_play_for_a_visitor(serve: Serve, visit: Visit, axe_both: Axe) -> None:
    server = serve("easy")
    page = await visit("/", name="Ann")
    button = page.get_by_role("button", name="Watch two bots")
    missing = "It takes two bots to watch a match, and only easy is online."
    await expect(page.get_by_text(missing)).to_be_visible()
    await expect(button).to_be_disabled()
    engine = EngineInfo(name="mine", version="1")
    async with Client(server.url, Login("bot", name="Rob", engine=engine), rng=Random(1)) as rob:
        await button.click()
        dialog = page.get_by_role("dialog", name="Watch two bots")
        first = dialog.get_by_label("First bot (makes the first move)")
        second = dialog.get_by_label("Second bot")
        await expect(first).to_have_value("easy")
        await first.select_option("Rob")
        await expect(second).to_have_value("easy")  # they have changed places
        await dialog.get_by_label("Rows of boxes").fill("2")
        assert await axe_both(page) == []

        play = dialog.get_by_role("button", name="Let them play")
        await play.click()
        await until(lambda: bool(rob.session.challenges))
        (offer,) = rob.session.challenges.values()
        assert (offer.asked_by, offer.player.name, offer.seat) == ("Ann", "easy", 1)
        await rob.offers.decline_challenge(offer.challenge, "I am tired.")
        await expect(dialog).to_contain_text("Rob declined the match: I am tired.")
        await expect(first).to_have_value("Rob")
        await expect(dialog.get_by_label("Rows of boxes")).to_have_value("2")

        await play.click()
        await until(lambda: bool(rob.session.challenges))
        (again,) = rob.session.challenges
        state = await rob.offers.accept_challenge(again)
        await expect(page).to_have_url(re.compile(f"/room/{state.room}$"))
        await expect(page.get_by_text("arranged by Ann")).to_be_visible()
        await expect(page.get_by_role("button", name="Stop watching")).to_be_visible()
        await rob.resign(state.room)
        await rob.leave(state.room)
        await expect(page.get_by_role("region", name="Result")).to_contain_text("easy")
