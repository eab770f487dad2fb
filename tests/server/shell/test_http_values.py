"""The values of all moves over HTTP: who may ask, how much, and about which positions."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest

from doublecross.games.registry import make_game
from doublecross.server.core.rooms.match import MatchEnd
from doublecross.server.shell.analysis.advice import AdviceFailedError, AdviceService
from doublecross.server.shell.analysis.fair import is_played
from doublecross.server.shell.web.boards import answers
from doublecross.server.shell.web.boards.values import NOT_A_QUESTION, PLAYED
from tests.fakes.advisers import FakeAdviser
from tests.protocol.wire import Message, serving
from tests.server.playing import dots, room_in_play
from tests.server.shell.test_http import Reader
from tests.server.shell.test_play_over_wire import table

MOST = 4
QUESTION: Message = {
    "game": "dots-and-boxes",
    "params": {"rows": 2, "cols": 2},
    "opening": [0],
    "moves": [3, 5],
}


async def ask(http: Reader, status: int = 200, **more: Any) -> Any:
    answer = await http.client.post("/api/values", json={**QUESTION, **more})
    assert answer.status_code == status, answer.text
    return answer.json()


async def test_values_come_from_the_adviser_and_are_kept(tmp_path: Path) -> None:
    adviser = FakeAdviser()
    async with serving(tmp_path, adviser=adviser) as server, Reader(server) as http:
        listed = answers.Catalogue.model_validate(await http.get("/api/catalogue"))
        assert all(game.values for game in listed.games)
        found = answers.PositionValues.model_validate(await ask(http))
        assert {each.action for each in found.actions} == set(range(12)) - {0, 3, 5}
        assert (found.version, found.value.net, found.value.spread) == (1, 0.5, 1.25)
        assert found.line == [1]
        # The same position by another order of moves needs no second answer.
        assert await ask(http, opening=[5], moves=[0, 3]) == found.model_dump()
        assert len(adviser.asked) == 1
        adviser.trouble = "Too much can follow."
        assert await ask(http, 503, moves=[3]) == {"error": "Too much can follow."}
        assert (await ask(http, 400, moves=list(range(1, 12))))["error"].startswith("The game is")
        assert (await ask(http, 400, moves=[0]))["error"].startswith("At ply 0: ")
        assert (await ask(http, 400, game="chess"))["error"].startswith("There is no game")
        assert (await ask(http, 400, params={"rows": 99}))["error"].startswith("Rows of")
        for bad in ({"moves": ["a1"]}, {"moves": [1.5]}, {"more": 1}, {"params": None}):
            assert (await ask(http, 400, **bad))["error"] == NOT_A_QUESTION


async def test_bodies_are_bounded_and_of_one_type(tmp_path: Path) -> None:
    async with serving(tmp_path, adviser=FakeAdviser()) as server, Reader(server) as http:
        plain = await http.client.post("/api/values", content="{}")
        assert plain.status_code == 415
        assert plain.headers["connection"] == "close"
        kind = {"content-type": "application/json"}
        long = await http.client.post("/api/values", content=b" " * 8193, headers=kind)
        assert long.status_code == 413

        async def parts() -> Any:
            yield b"{}"

        chunked = await http.client.post("/api/values", content=parts(), headers=kind)
        assert chunked.status_code == 413
        empty = await http.client.post("/api/values", content=b"", headers=kind)
        assert empty.json() == {"error": NOT_A_QUESTION}
        assert empty.headers["connection"] == "close"
        assert (await http.client.post("/api/rooms", json={})).status_code == 413
        got = await http.client.get("/api/values")
        assert (got.status_code, got.json()["error"]) == (
            405,
            "This address answers only POST requests.",
        )


async def test_without_an_adviser_a_sentence_says_so(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, Reader(server) as http:
        assert "knows no values" in (await ask(http, 503))["error"]


async def test_a_match_between_people_gets_no_help(tmp_path: Path) -> None:
    async with serving(tmp_path, adviser=FakeAdviser()) as server, Reader(server) as http:
        settings = {"game": QUESTION["game"], "params": QUESTION["params"]}
        ann, bob, room = await table(server, settings)
        for ply, action in enumerate((0, 3, 5, 7)):
            mover = (ann, bob)[ply % 2]
            await mover.ask(
                {"type": "move", "room": room, "match": 1, "ply": ply, "action": action}
            )
        assert (await ask(http, 403, opening=[], moves=[0, 5, 3, 7]))["error"] == PLAYED
        await ask(http, moves=[5])
        await ann.ask({"type": "resign", "room": room})
        await ask(http, opening=[], moves=[0, 5, 3, 7])


async def test_one_address_has_few_questions_and_all_together_not_many() -> None:
    adviser = FakeAdviser()
    service, game = AdviceService(adviser, most_each=2, most=MOST), make_game("dots-and-boxes")
    states = [game.replay((), (action,)) for action in range(MOST + 1)]
    adviser.hold()
    tasks = []
    for number in range(MOST):
        source = f"10.0.0.{number // 2}"
        # Questions of both kinds count together.
        asking: Coroutine[Any, Any, Any] = (
            service.policy(source, game, (), (number,))
            if number % 2
            else service.values(source, states[number])
        )
        tasks.append(asyncio.create_task(asking))
        await asyncio.sleep(0)
        if number == 1:
            with pytest.raises(AdviceFailedError, match="not answered yet"):
                await service.values(source, states[-1])
    with pytest.raises(AdviceFailedError, match="Many people"):
        await service.values("10.9.9.9", states[-1])
    assert service.hits == {"questions_per_address": 1, "questions": 1}
    tasks.pop().cancel()
    adviser.release()
    await asyncio.gather(*tasks)
    assert (await service.values("10.0.0.0", states[-1])).actions


def test_which_positions_are_being_played() -> None:
    room, _ = room_in_play(dots(2, 2, rated=True))
    friendly, _ = room_in_play(dots(2, 2))
    match, game = room.match, room.game
    assert match is not None
    moves = match.state.legal_actions()
    for action in moves[:4]:
        assert not is_played([room], game, (), match.state.history())
        match.state.apply(action)
        assert friendly.match is not None
        friendly.match.state.apply(action)
    played = match.state.history()
    assert is_played([room], game, (), played)
    assert is_played([room], game, played[2:], played[:2])
    assert is_played([room], game, (), (*played[::-1], moves[4], moves[5]))
    assert not is_played([room], game, (), (*played, *moves[4:7]))
    assert not is_played([room], game, (), played[1:])
    assert not is_played([room], game, (), (*played[1:], moves[5]))
    assert not is_played([room], make_game("dots-and-boxes", {"rows": 4, "cols": 7}), (), played)
    # Against a bot, in a match that is not rated, there is advice anyway.
    assert not is_played([friendly], game, (), played)
    match.result = MatchEnd("resigned", 0, (1.0, -1.0), (0, 0), "Bob resigned.")
    assert not is_played([room], game, (), played)
