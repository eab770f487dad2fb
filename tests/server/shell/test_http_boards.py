"""What pages draw without knowing any rules, over HTTP: games, geometries, positions, features."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import asdict
from random import Random

import pytest
import pytest_asyncio

from doublecross.games.api import Game, State
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes
from doublecross.games.registry import GAMES
from doublecross.server.core.rooms.snapshot import BoardDict, board
from doublecross.server.shell.web.boards import answers, positions
from tests.contract.test_games_contract import SIZES, random_opening
from tests.protocol.wire import serving
from tests.server.shell.test_http import Reader

ALL = [
    pytest.param(kind(kind.parse_size(size)), id=f"{key}-{size}")
    for key, kind in GAMES.items()
    for size in SIZES[key]
]
pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Reader]:
    """Return an HTTP client of a server without games."""
    async with serving(tmp_path_factory.mktemp("shared")) as server, Reader(server) as http:
        yield http


def play_out(game: Game, opening: tuple[int, ...]) -> State:
    """Return the end of a random game."""
    state, rng = game.initial_state(opening), Random(game.size)
    while not state.is_terminal():
        state.apply(rng.choice(state.legal_actions()))
    return state


def query(game: Game, state: State | None = None) -> dict[str, str]:
    found = {"game": game.key, "size": game.size}
    if state is not None:
        found["opening"] = ",".join(map(str, state.opening))
        found["moves"] = ",".join(map(str, state.history()))
    return found


async def test_the_catalogue_names_every_game(shared: Reader) -> None:
    listed = answers.Catalogue.model_validate(await shared.get("/api/catalogue"))
    assert [game.key for game in listed.games] == list(GAMES)
    for game in listed.games:
        kind = GAMES[game.key]
        defaults = {parameter.name: parameter.default for parameter in game.parameters}
        assert kind(defaults) == kind()
        assert [parameter.name for parameter in game.parameters] == [
            parameter.name for parameter in kind.parameters
        ]
        assert (game.title, tuple(game.seat_names)) == (kind.title, kind.seat_names)
        assert (game.unit, game.least_numbers) == (kind.unit, kind.least_numbers)
        assert game.features is (game.key == "dots-and-boxes")


@pytest.mark.parametrize("game", ALL)
async def test_a_geometry_has_all_that_is_drawn(shared: Reader, game: Game) -> None:
    told = await shared.get("/api/geometry", params=query(game))
    shown, real = answers.GameGeometry.model_validate(told), game.geometry()
    assert (shown.game, shown.size, shown.title) == (game.key, game.size, game.full_title)
    assert [tuple(point) for point in shown.points] == list(real.points)
    assert [(s.action, s.start, s.end) for s in shown.segments] == [
        (s.action, s.start, s.end) for s in real.segments
    ]
    assert [cell.index for cell in shown.cells] == list(range(len(real.cells)))
    assert [(tuple(c.corners), tuple(c.segments)) for c in shown.cells] == [
        (c.corners, c.segments) for c in real.cells
    ]
    assert [(r.action, tuple(r.corners)) for r in shown.regions] == [
        (r.action, r.corners) for r in real.regions
    ]
    assert (shown.width, shown.height) == (real.width, real.height)
    assert (shown.pieces, shown.dots) == (real.pieces.value, real.dots)
    assert shown.names == [game.action_name(action) for action in range(game.num_actions)]
    end = play_out(game, ())
    assert shown.max_score == (sum(end.scores()) if game.unit else None)


@pytest.mark.parametrize("game", ALL)
async def test_positions_are_those_of_the_rules(shared: Reader, game: Game) -> None:
    opening = random_opening(game, Random(1))
    end = play_out(game, opening)
    found = await shared.get("/api/positions", params=query(game, end))
    shown = answers.Positions.model_validate(found).positions
    moves = end.history()
    assert len(shown) == len(moves) + 1
    for ply, position in enumerate(shown):
        state = game.replay(opening, moves[:ply])
        expected = board(state)
        assert (position.cells, position.legal) == (expected["cells"], expected["legal"])
        assert tuple(position.winning) == expected["winning"]
        assert tuple(position.scores) == state.scores()
        assert position.to_move == (None if state.is_terminal() else state.current_player())


async def test_the_loop_serves_others_while_positions_are_made(
    shared: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = DotsAndBoxes({"rows": 10, "cols": 10})
    ends = [game.replay((), range(start, 220)) for start in range(3)]
    turn = 0
    begun: list[int] = []

    def counted(state: State) -> BoardDict:
        begun.append(turn)
        return board(state)

    monkeypatch.setattr(positions, "board", counted)
    asking = asyncio.gather(
        *(shared.get("/api/positions", params=query(game, end)) for end in ends)
    )
    while not asking.done():
        turn += 1
        await asyncio.sleep(0)
    assert len(begun) == 221 + 220 + 219
    assert max(Counter(begun).values()) <= positions.STEP


async def test_features_are_those_of_the_last_position(shared: Reader) -> None:
    game = DotsAndBoxes({"rows": 3, "cols": 3})
    moves = play_out(game, ()).history()
    kinds = set()
    for ply in range(len(moves) + 1):
        state = game.replay((), moves[:ply])
        told = await shared.get("/api/features", params=query(game, state))
        features = answers.Features.model_validate(told).features
        assert [feature.model_dump() for feature in features] == [
            {**asdict(f), "cells": list(f.cells), "actions": list(f.actions)}
            for f in state.features()
        ]
        kinds |= {(feature.kind, feature.declinable) for feature in features}
    assert {kind for kind, _ in kinds} >= {"chain", "capturable"}
    assert {declinable for _, declinable in kinds} >= {0, 2}
    assert await shared.get("/api/features?game=nim&moves=0") == {
        "features": [],
        "sentences": [],
    }


async def test_browsers_ask_whether_what_they_have_is_still_right(shared: Reader) -> None:
    """After an update of the server the page must not draw with what an older one answered."""
    for path in ("catalogue", "geometry?game=nim", "positions?game=nim", "features?game=nim"):
        answer = await shared.client.get(f"/api/{path}")
        assert answer.headers["cache-control"] == "no-cache"
        known = {"If-None-Match": answer.headers["etag"]}
        again = await shared.client.get(f"/api/{path}", headers=known)
        assert (again.status_code, again.content) == (304, b"")
    refused = await shared.client.get("/api/geometry?game=chess")
    assert "cache-control" not in refused.headers


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("geometry", "Add the parameter game: dots-and-boxes or tic-tac-toe or"),
        ("geometry?game=chess", "game must be dots-and-boxes or tic-tac-toe or"),
        ("geometry?game=nim&size=1x1", "has too few numbers for Nim"),
        ("geometry?game=nim&size=1x1x1x11", "Heap d of Nim must be from 0 to 10, not 11."),
        ("positions?game=nim&moves=a", "moves must be whole numbers with commas between them."),
        ("positions?game=nim&moves=0,0", "At ply 1: Object a1 is taken already."),
        ("positions?game=nim&opening=99", "The opening has 99, which is not an object."),
        ("features?game=nim&moves=0,0", "At ply 1: Object a1 is taken already."),
        (
            "positions?game=tic-tac-toe&moves=" + ",".join("0123456789"),
            "moves has more actions than a game of Tic-tac-toe 3x3, which has at most 9.",
        ),
        (
            "positions?game=tic-tac-toe&moves=" + "9" * 40,
            "moves must be whole numbers with commas between them.",
        ),
    ],
)
async def test_a_sentence_says_what_is_wrong(shared: Reader, path: str, sentence: str) -> None:
    answer = await shared.get(f"/api/{path}", 400)
    assert sentence in answer["error"]
    assert len(answer["error"]) < 200
