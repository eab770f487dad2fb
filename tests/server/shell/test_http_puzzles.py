"""Puzzles over HTTP: what a client without rules needs, and the puzzle of the day."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import httpx
from starlette.applications import Starlette

from doublecross.analysis.puzzles.kinds import KINDS
from doublecross.analysis.shipped.puzzles import puzzles
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes
from doublecross.server.shell.web.learning import puzzle_answers as answers
from doublecross.server.shell.web.learning.puzzles import puzzle_endpoints
from tests.fakes.http import plain_client
from tests.protocol.wire import serving
from tests.server.shell.test_http import Reader


async def test_puzzles_can_be_listed_read_and_replayed(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, Reader(server) as http:
        listed = answers.Puzzles.model_validate(await http.get("/api/puzzles"))
        assert [each.kind for each in listed.kinds] == list(KINDS)
        assert [each.id for each in listed.puzzles] == list(puzzles().by_id)
        for entry in listed.puzzles[::60]:
            found = answers.PuzzleAnswer.model_validate(await http.get(f"/api/puzzles/{entry.id}"))
            assert found.model_dump(include=set(type(entry).model_fields)) == entry.model_dump()
            game = DotsAndBoxes(DotsAndBoxes.parse_size(found.size))
            state = game.replay((), found.moves)
            assert state.current_player() == found.seat
            assert [each.action for each in found.costs] == state.legal_actions()
            keeping = [each.action for each in found.costs if not each.cost]
            assert keeping == list(puzzles().by_id[entry.id].keeping)
        unknown = await http.get("/api/puzzles/nothing", 404)
        assert unknown["error"].startswith("There is no such puzzle")


async def test_all_get_the_same_puzzle_until_the_day_ends() -> None:
    day = [date(2026, 11, 23)]
    application = Starlette(routes=[each.route() for each in puzzle_endpoints(lambda: day[0])])
    transport = httpx.ASGITransport(app=application)
    async with plain_client("http://here", transport=transport) as client:
        first = await client.get("/api/puzzles/today")
        assert (await client.get("/api/puzzles/today")).content == first.content
        today = answers.PuzzleAnswer.model_validate(first.json())
        assert (today.id, today.day) == (puzzles().of_day(day[0]).id, "2026-11-23")
        assert (await client.get(f"/api/puzzles/{today.id}")).json() == first.json()
        day[0] = date(2026, 11, 24)
        tomorrow = (await client.get("/api/puzzles/today")).json()
        assert tomorrow["id"] == puzzles().of_day(day[0]).id != today.id
        assert (await client.get(f"/api/puzzles/{today.id}")).json()["day"] is None
