"""Two people on the pages of two nodes, and the commands of a host at one of them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.async_api import expect

from doublecross.games.dots_and_boxes.rules import DotsAndBoxes
from tests.cli.commands import running
from tests.client.web.harness.fixtures import Visit, chromium, problems, profiles, visit
from tests.client.web.room.table import click, status
from tests.cluster.servers.conftest import Serve, kept_in

__all__ = ["chromium", "problems", "profiles", "visit"]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.processes,
    pytest.mark.timeout(120),
    pytest.mark.asyncio(loop_scope="session"),
]

GAME = DotsAndBoxes({"rows": 1, "cols": 2})


async def test_a_person_of_one_node_plays_one_of_another(
    serve: Serve, visit: Visit, url: str, tmp_path: Path
) -> None:
    nodes = [json.loads(serve("--node", name, "--no-advice").line()) for name in ("one", "two")]
    ann = await visit(nodes[0]["http"], name="Ann")
    await ann.get_by_role("button", name="Invite a friend").click()
    dialog = ann.get_by_role("dialog", name="Invite a friend")
    await dialog.get_by_label("Rows of boxes").fill("1")
    await dialog.get_by_label("Columns of boxes").fill("2")
    await dialog.get_by_role("radio", name="Me").check()
    await dialog.get_by_role("button", name="Get the link").click()
    await ann.wait_for_url("**/room/*")
    assert ann.url.startswith(nodes[0]["http"])
    bob = await visit(nodes[1]["http"] + ann.url.removeprefix(nodes[0]["http"]), name="Bob")
    await bob.get_by_role("button", name="Join").click()
    pages = (ann, bob)
    state = GAME.initial_state()
    while not state.is_terminal():
        action = state.legal_actions()[-1]
        page = pages[state.current_player()]
        await expect(status(page)).to_contain_text("our turn")
        await click(page, GAME, action)
        state.apply(action)
    # The page reads the stored game over HTTP, from its own node.
    for page in pages:
        await expect(status(page)).to_contain_text(re.compile("won|lost|draw"))
    await bob.goto(nodes[1]["http"] + "/games")
    await expect(bob.get_by_role("heading", name="Games").first).to_be_visible()

    command = ("admin", "list", "players", "--json", "--database", url)
    with running(*command, cwd=tmp_path, env=kept_in(tmp_path)) as players:
        seen = json.loads(players.line())
        assert players.wait() == 0
    assert {each["name"] for each in seen} == {"Ann", "Bob"}
