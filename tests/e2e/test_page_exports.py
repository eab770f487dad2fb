"""Save a finished game from its review, in every format."""

from __future__ import annotations

import json
import re
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree as ET

from PIL import Image
from playwright.async_api import Page

from doublecross.games.record import parse_record
from tests.client.web.harness.browser import PageProblems
from tests.client.web.harness.fixtures import Serve, Visit
from tests.client.web.pages.company import company, play_game

ENDINGS = {
    "Picture": "png",
    "Replay": "webp",
    "Record": "txt",
    "JSON": "json",
    "SVG": "svg",
    "GIF": "gif",
}
"""The buttons that save a game, and how the names of their files end."""


async def saved(page: Page, button: str) -> tuple[str, bytes]:
    """Press a button of the review; return the name of the file that it saves, and the file."""
    async with page.expect_download() as download:
        await page.get_by_role("button", name=button, exact=True).click()
    file = await download.value
    return file.suggested_filename, read(await file.path())


def read(path: Path) -> bytes:
    return path.read_bytes()


async def test_a_review_saves_the_game_in_every_format(
    visit: Visit, serve: Serve, problems: PageProblems
) -> None:
    async with company(serve().url, ["Zoë", "李雷"]) as (one, other):
        game, code = await play_game(one, other, private=True)
    page = await visit(f"/game/{game}#code={code}&ply=4")
    files = {}
    for button in ENDINGS:
        name, data = await saved(page, button)
        ending = name.rpartition(".")[2]
        assert re.fullmatch(rf"[^/]+-[0-9-]+\.{ending}", name), name
        assert ending == ENDINGS[button]
        files[ending] = data
    record = parse_record(files["txt"].decode())
    assert record.players == ("Zoë", "李雷")
    assert json.loads(files["json"])["moves"] == [move.action for move in record.moves]
    assert ET.fromstring(files["svg"]).tag.endswith("svg")
    for ending in ("png", "gif", "webp"):
        image = Image.open(BytesIO(files[ending]))
        assert image.format == ending.upper()
        assert getattr(image, "n_frames", 1) == (1 if ending == "png" else 13)
