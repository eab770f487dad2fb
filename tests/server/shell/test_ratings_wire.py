"""Ratings on a real server: in the lobby and over HTTP, and the same after a restart."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from doublecross.client.transport import Client
from doublecross.protocol.common import MatchSettings
from doublecross.server.shell.app import DoublecrossServer
from tests.bots.running import human, serving, until
from tests.fakes.http import plain_client

ONE_BOX = MatchSettings(game="dots-and-boxes", params={"rows": 1, "cols": 1}, rated=True)


async def play(first: Client, second: Client, settings: MatchSettings = ONE_BOX) -> None:
    """Play a game on one box, which the second mover wins."""
    room = (await first.create_room(settings, seat=0)).room
    await second.join(room)
    for ply in range(4):
        mover = (first, second)[ply % 2]
        await until(lambda mover=mover: mover.session.rooms[room].my_turn)
        await mover.move(room, ply)
    for client in (first, second):
        await until(lambda client=client: client.session.rooms[room].result is not None)
        await client.leave(room)


async def get(server: DoublecrossServer, path: str) -> tuple[int, Any]:
    async with plain_client() as http:
        answer = await http.get(f"{server.addresses.http}{path}")
    return answer.status_code, answer.json()


async def test_a_rated_game_counts_and_a_casual_one_does_not(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        url = server.addresses.ws
        async with human(url) as ann, human(url, "Ben") as ben, human(url, "Eve") as eve:
            await eve.follow_lobby()
            await play(ann, ben, ONE_BOX.model_copy(update={"rated": False}))
            await play(ann, ben)
            await play(ann, ben)
            lobby = eve.session.lobby
            assert lobby is not None
            key = "Ben", "dots-and-boxes", "1x1"
            await until(lambda: key in lobby.ratings and lobby.ratings[key].games == 2)
            ben_is, ann_is = lobby.ratings[key], lobby.ratings["Ann", *key[1:]]
            assert ben_is.rating > 1600
            assert ann_is.rating < 1400
            assert ben_is.deviation < 350
            await eve.follow_lobby(False)
            await eve.follow_lobby()
            assert eve.session.lobby is not None
            assert eve.session.lobby.ratings[key] == ben_is
        status, body = await get(server, "/api/players/ben")
        assert (status, body["name"], body["kind"], body["online"]) == (200, "Ben", "human", False)
        (rating,) = body["ratings"]
        assert (rating["games"], rating["provisional"], len(rating["history"])) == (2, True, 2)
        first, second = rating["deviations"]
        assert 350 > first > second > 110
        assert rating["title"] == "Dots and Boxes 1x1"
        assert rating["interval"][0] < rating["rating"] < rating["interval"][1]
        before = rating["history"]
    async with serving(tmp_path) as server:
        _, body = await get(server, "/api/players/Ben")
        assert body["ratings"][0]["history"] == before
        status, best = await get(server, "/api/ratings?game=dots-and-boxes&size=1x1")
        assert [line["player"] for line in best["ratings"]] == ["Ben", "Ann"]
        _, pools = await get(server, "/api/ratings")
        where = {"game": "dots-and-boxes", "size": "1x1", "title": "Dots and Boxes 1x1"}
        assert pools == {"pools": [{**where, "ratings": 2}]}


async def test_unknown_players_and_bad_queries_are_refused(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        for path, status, words in (
            ("/api/players/Nobody", 404, "no player Nobody"),
            ("/api/ratings?game=go", 400, "go"),
            ("/api/ratings?game=dots-and-boxes&size=99x1", 400, "99"),
            ("/api/ratings?game=dots-and-boxes&size=3x3&limit=x", 400, "whole number"),
            ("/api/ratings?game=dots-and-boxes&size=3x3&limit=0", 400, "from 1 to"),
            ("/api/ratings?game=dots-and-boxes&size=3x3&bots=maybe", 400, "bots must be yes"),
            ("/api/ratings?game=dots-and-boxes", 400, "Add the board size too, such as size="),
            ("/api/ratings?size=3x3", 400, "Add game="),
            ("/api/players/", 404, "nothing at this address"),
            ("/api/tournaments/..%2fx", 404, "nothing at this address"),
        ):
            found, body = await get(server, path)
            assert found == status
            assert words in body["error"]
