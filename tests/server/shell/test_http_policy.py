"""The policy of a network over HTTP, for heat maps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from doublecross.server.shell.web.boards import answers
from tests.fakes.advisers import FakeAdviser
from tests.protocol.wire import serving
from tests.server.shell.test_http import Reader

QUERY = {"game": "dots-and-boxes", "size": "2x2"}


async def ask(http: Reader, status: int = 200, **more: str) -> Any:
    return await http.get("/api/policy", status, params={**QUERY, **more})


async def test_the_policy_of_a_position_comes_from_the_adviser(tmp_path: Path) -> None:
    adviser = FakeAdviser()
    async with serving(tmp_path, adviser=adviser) as server, Reader(server) as http:
        listed = answers.Catalogue.model_validate(await http.get("/api/catalogue"))
        assert {game.key for game in listed.games if game.policy} == {"dots-and-boxes"}
        found = answers.PositionPolicy.model_validate(await ask(http, opening="0", moves="3,5"))
        assert {share.action for share in found.shares} == set(range(12)) - {0, 3, 5}
        assert sum(share.share for share in found.shares) == pytest.approx(1, abs=0.01)
        adviser.trouble = "The network is broken."
        assert (await ask(http, 503))["error"] == "The network is broken."
        over = ",".join(map(str, range(12)))
        ended = await ask(http, 400, moves=over)
        assert ended["error"] == "The game is over in this position."
        await ask(http, 400, moves="0,0")
        other = await ask(http, 503, game="tic-tac-toe", size="3x3")
        assert other["error"] == "This server has no network for this game."


async def test_a_server_without_an_adviser_offers_no_policy(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, Reader(server) as http:
        listed = answers.Catalogue.model_validate(await http.get("/api/catalogue"))
        assert not any(game.policy for game in listed.games)
        assert "has no network" in (await ask(http, 503))["error"]
