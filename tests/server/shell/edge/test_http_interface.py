"""Paging, parameters, filters, compression, CORS, and the OpenAPI document against real answers."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from doublecross.analysis.shipped.puzzles import puzzles
from doublecross.server.shell.web import answers
from doublecross.server.shell.web.boards import answers as board_answers
from doublecross.server.shell.web.learning import lesson_answers as course_answers
from doublecross.server.shell.web.learning import puzzle_answers, solving_answers
from doublecross.server.shell.web.links import answers as link_answers
from doublecross.server.shell.web.managing import account_answers
from tests.fakes.advisers import FakeAdviser
from tests.protocol.wire import Message, WireClient, serving
from tests.server.shell.test_http import SMALL, Reader
from tests.server.shell.test_play_over_wire import play_out, table

ENGINE: Message = {"name": "edges", "version": "1"}
SECRET = {"password": "blue lamp seven rivers"}
OF_ACCOUNTS: dict[str, Message | None] = {
    "/api/account/password": SECRET,
    "/api/login": {"name": "Dora", **SECRET},
    "/api/account": None,
    "/api/account/tokens": None,
    "/api/account/tokens/new": {"label": "script", "scopes": ["play"]},
    "/api/account/bots/new": {"name": "Robot"},
    "/api/account/progress": {"version": 1},
    "/api/account/note": {"game_id": "none-1"},
    "/api/account/tokens/revoke": {},
}
"""The bodies for the addresses of accounts, in an order in which all of them succeed."""
BOTS = ("/api/account/bots/work", "/api/account/bots/moves")
NOTICES = ("/api/account/notices", "/api/notices/stop")
LOGINS = tuple(
    f"/api/{path}"
    for path in (
        *("login/", "account/logins", "account/email", "account/app"),
        *("account/passkeys", "account/sign-out"),
        *("account/data", "account/delete"),
    )
)
NEEDED = {
    **dict.fromkeys(("/api/geometry", "/api/positions", "/api/features", "/api/policy"), ("game",)),
    "/api/kinds": ("size",),
    "/api/sentences": ("size", "action", "before", "after", "best"),
}
QUESTION: Message = {"game": "nim", "params": {}, "opening": [], "moves": [1]}
TERMS: Message = {"name": "cup", "format": "round-robin", "settings": SMALL}


async def test_pages_have_every_game_once_even_when_all_ended_at_once(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        ann, bob, room = await table(server, {**SMALL, "time": {"base_ms": 60_000}})
        await play_out(ann, bob, room)
    with closing(sqlite3.connect(tmp_path / "games.db")) as database:
        columns = [row[1] for row in database.execute("pragma table_info(games)")][1:]
        names = ", ".join(f'"{name}"' for name in columns)
        for n in range(368):
            copied = f"insert into games (game_id, {names}) select ?, {names} from games limit 1"
            database.execute(copied, (f"copy-{n}",))
        database.commit()
    async with serving(tmp_path) as server, Reader(server) as http:
        page = await http.get("/api/games?limit=50&game=dots-and-boxes")
        found, pages = [game["id"] for game in page["games"]], 1
        while page["next"] is not None:
            assert "game=dots-and-boxes" in page["next"]
            page = await http.get(page["next"])
            found += [game["id"] for game in page["games"]]
            pages += 1
        assert len(found) == len(set(found)) == 369
        assert pages == 8


REFUSED = (
    *(f"/api/games?limit={limit}" for limit in (0, -1, 201, "x", "", "1.5", "9" * 5000)),
    *(f"/api/games?before_ms={time}" for time in ("x", "-1", "9" * 20)),
    "/api/games?limt=5",
    "/api/games?limit=5&limit=6",
    "/api/games?after=x",
    "/api/games?after=99999999999999999-x",
    "/api/games/x?format=xml",
    "/api/rooms?limit=5",
    "/api/tournaments?status=lost",
    "/api/tournaments?format=cup",
    "/api/tournaments/x?games=1",
    "/api/ratings?games=nim",
    "/api/players/Ann?limit=1",
    "/health?verbose=1",
    "/ready?verbose=1",
    "/metrics?name=x",
    "/api/catalogue?game=nim",
    "/api/geometry",
    "/api/geometry?size=5x5",
    "/api/geometry?game=chess",
    "/api/geometry?game=dots-and-boxes&size=99x99",
    "/api/geometry?game=dots-and-boxes&size=5",
    "/api/geometry?game=dots-and-boxes&size=x",
    "/api/positions?moves=1",
    "/api/positions?game=nim&moves=1,,2",
    "/api/positions?game=nim&moves=-1",
    "/api/positions?game=nim&moves=1.5",
    "/api/positions?game=nim&moves=²",
    "/api/positions?game=nim&moves=0,0",
    "/api/positions?game=nim&moves=99",
    "/api/positions?game=nim&opening=0,0",
    "/api/positions?game=tic-tac-toe&moves=0,1,2,3,4,5,6,7,8,0",
    "/api/positions?game=tic-tac-toe&opening=0,1,2,3,4,5,6,7,8",
    "/api/features?game=dots-and-boxes&moves=x",
    "/api/lessons?name=loops",
)


async def test_unknown_parameters_and_bad_values_are_refused(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, Reader(server) as http:
        for path in REFUSED:
            answer = await http.client.get(path)
            assert answer.status_code == 400, path
            assert answer.json()["error"].endswith("."), path
            answers.ErrorAnswer.model_validate(answer.json())


async def test_no_answer_repeats_the_name_in_the_request(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, Reader(server) as http:
        answer = await http.client.get("/api/games/", headers={"host": "evil.example"})
        assert answer.status_code == 404
        assert "location" not in answer.headers


async def test_tournaments_are_filtered_and_paged(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, Reader(server) as http:
        ann = await WireClient.player(server, "Ann")
        bob = await WireClient.player(server, "Bob")
        made = []
        for n, owner in enumerate((ann, bob, ann, ann)):
            kind = "knockout" if n == 2 else "round-robin"
            terms = {**TERMS, "name": f"cup {n}", "format": kind}
            answer = await owner.ask({"type": "create_tournament", "key": f"k{n}", "terms": terms})
            made.append(answer["tournament"])
        await bob.ask({"type": "end_tournament", "tournament": made[1]})

        async def ids(query: str) -> set[str]:
            found = await http.get(f"/api/tournaments?{query}")
            assert found["total"] == len(found["tournaments"])
            return {each["id"] for each in found["tournaments"]}

        assert await ids("owner=ANN") == {made[0], made[2], made[3]}
        assert await ids("format=knockout") == {made[2]}
        assert await ids("status=cancelled") == {made[1]}
        assert await ids("owner=bob&status=open") == set()
        page = await http.get("/api/tournaments?limit=2&owner=Ann")
        assert (len(page["tournaments"]), page["total"]) == (2, 3)
        rest = await http.get(page["next"])
        assert (len(rest["tournaments"]), rest["next"]) == (1, None)
        both = [each["id"] for each in (*page["tournaments"], *rest["tournaments"])]
        assert sorted(both) == sorted((made[0], made[2], made[3]))


async def test_an_organiser_reads_every_change_at_once(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, Reader(server) as http:
        ann = await WireClient.player(server, "Ann")
        bob = await WireClient.player(server, "Bob")
        cy = await WireClient.player(server, "Cy")
        terms = {**TERMS, "people": True}
        created = await ann.ask({"type": "create_tournament", "key": "k1", "terms": terms})
        found = created["tournament"]
        for player in (ann, bob, cy):
            await player.ask({"type": "join_tournament", "tournament": found})
        await ann.ask({"type": "start_tournament", "tournament": found})

        async def state_of_cy() -> object:
            answer = await http.get(f"/api/tournaments/{found}")
            return next(each["state"] for each in answer["entrants"] if each["player"] == "Cy")

        for _ in range(2):
            assert await state_of_cy() == "in"
            await ann.ask({"type": "set_aside", "tournament": found, "player": "Cy"})
            assert await state_of_cy() == "aside"
            await ann.ask({"type": "take_back", "tournament": found, "player": "Cy"})


async def test_long_answers_are_compressed_and_pages_of_other_sites_may_read(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path) as server, Reader(server) as http:
        other = {"Origin": "https://example.org"}
        answer = await http.client.get("/api/openapi.json", headers=other)
        assert answer.headers["content-encoding"] == "gzip"
        assert answer.headers["access-control-allow-origin"] == "*"
        plain = await http.client.get("/api/openapi.json", headers={"Accept-Encoding": "identity"})
        assert "content-encoding" not in plain.headers
        assert plain.json() == answer.json()
        asked = {**other, "Access-Control-Request-Method": "GET"}
        assert (await http.client.options("/api/games", headers=asked)).status_code == 204
        asked["Access-Control-Request-Method"] = "POST"
        assert (await http.client.options("/api/games", headers=asked)).status_code == 403


async def test_a_reader_who_has_an_answer_need_not_load_it_again(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, Reader(server) as http:
        first = await http.client.get("/api/tournaments")
        name = first.headers["etag"]
        assert first.headers["cache-control"] == "no-cache"
        for known in (name, f'"other", {name}'):
            same = await http.client.get("/api/tournaments", headers={"If-None-Match": known})
            assert (same.status_code, same.content, same.headers["etag"]) == (304, b"", name)
        ann = await WireClient.player(server, "Ann")
        await ann.ask({"type": "create_tournament", "key": "k", "terms": TERMS})
        new = await http.client.get("/api/tournaments", headers={"If-None-Match": name})
        assert (new.status_code, new.json()["total"]) == (200, 1)
        assert new.headers["etag"] != name
        missing = await http.client.get("/api/games/none", headers={"If-None-Match": name})
        assert missing.status_code == 404
        assert "etag" not in missing.headers


@pytest.mark.processes
async def test_the_openapi_document_describes_every_address_and_its_answer(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path, adviser=FakeAdviser()) as server, Reader(server) as http:
        ann = await WireClient.player(server, "Ann", kind="bot", engine=ENGINE)
        bob = await WireClient.player(server, "Bob", kind="bot", engine=ENGINE)
        settings = {**SMALL, "rated": True, "time": {"base_ms": 60_000}}
        room = await ann.ask({"type": "create_room", "settings": settings, "key": "r", "seat": 0})
        await bob.ask({"type": "join_room", "room": room["room"]})
        over = await play_out(ann, bob, room["room"])
        await ann.ask({"type": "create_room", "settings": SMALL, "key": "w"})
        played = await ann.ask({"type": "create_room", "settings": SMALL, "key": "p"})
        await bob.ask({"type": "join_room", "room": played["room"]})
        cup = await ann.ask({"type": "create_tournament", "key": "c", "terms": TERMS})
        for player in (ann, bob):
            await player.ask(
                {"type": "join_tournament", "tournament": cup["tournament"], "at_once": 1}
            )
        await ann.ask({"type": "start_tournament", "tournament": cup["tournament"]})
        while (started := await ann.wait("room_state")).get("origin") != cup["tournament"]:
            pass
        await ann.ask({"type": "resign", "room": started["room"]})

        document = await http.get("/api/openapi.json")
        cup_path = f"/api/tournaments/{cup['tournament']}"
        examples = {
            "/health": "/health",
            "/ready": "/ready",
            "/metrics": "/metrics",
            "/api/rooms": "/api/rooms",
            "/api/waits": "/api/waits",
            "/api/rooms/{room_id}": f"/api/rooms/{played['room']}",
            "/api/games": "/api/games?limit=1",
            "/api/boards": f"/api/boards?games={over['game_id']}&rooms={played['room']}",
            "/api/games/{game_id}": f"/api/games/{over['game_id']}",
            "/api/games/{game_id}/report": f"/api/games/{over['game_id']}/report",
            "/api/games/{game_id}/picture": f"/api/games/{over['game_id']}/picture?format=svg",
            "/api/games/{game_id}/replay.gif": f"/api/games/{over['game_id']}/replay.gif",
            "/api/games/{game_id}/replay.webp": f"/api/games/{over['game_id']}/replay.webp",
            "/api/invitations/{invitation_id}": f"/api/invitations/{room['room']}",
            "/api/previews/{kind}/{key}": f"/api/previews/tournament/{cup['tournament']}",
            "/api/previews/{kind}/{key}/picture": f"/api/previews/game/{over['game_id']}/picture",
            "/api/players/{name}/profile": "/api/players/Ann/profile",
            "/api/keys": "/api/keys",
            "/api/players/{name}": "/api/players/Ann",
            "/api/ratings": "/api/ratings?game=dots-and-boxes&size=1x2&bots=yes",
            "/api/tournaments": "/api/tournaments?status=running",
            "/api/tournaments/{tournament_id}": cup_path,
            "/api/tournaments/{tournament_id}/records": f"{cup_path}/records",
            "/api/tournaments/{tournament_id}/trf": f"{cup_path}/trf",
            "/api/tournaments/{tournament_id}/table": f"{cup_path}/table",
            "/api/catalogue": "/api/catalogue",
            "/api/geometry": "/api/geometry?game=connect-four&size=6x7x4",
            "/api/positions": "/api/positions?game=nim&opening=0&moves=1,4",
            "/api/features": "/api/features?game=dots-and-boxes&size=3x3&moves=0,1",
            "/api/policy": "/api/policy?game=dots-and-boxes&size=3x3&moves=0,1",
            "/api/lessons": "/api/lessons",
            "/api/lessons/{name}": "/api/lessons/loops",
            "/api/puzzles": "/api/puzzles",
            "/api/puzzles/today": "/api/puzzles/today",
            "/api/puzzles/{puzzle_id}": f"/api/puzzles/{puzzles().puzzles[0].id}",
            "/api/openapi.json": "/api/openapi.json",
            "/api/protocol.json": "/api/protocol.json",
            "/api/kinds": "/api/kinds?size=2x2&moves=0,1",
            "/api/sentences": "/api/sentences?size=2x2&moves=0,1&action=2&before=0&after=-2&best=3",
            "/api/values": "/api/values",
            **{path: path for path in OF_ACCOUNTS},
        }
        # admin/test_interface.py and the tests in accounts have the rest.
        elsewhere = ("/api/admin/", "/api/classes", "/api/solving/", *BOTS, *LOGINS, *NOTICES)
        others = {path for path in document["paths"] if not path.startswith(elsewhere)}
        assert others == examples.keys()
        dora = await WireClient.player(server, "Dora")
        await dora.close()
        bearer = {"Authorization": f"Bearer {dora.received[0]['token']}"}
        schemas = document["components"]["schemas"]
        named = set(re.findall(r'"#/components/schemas/(\w+)"', json.dumps(document)))
        assert "ErrorAnswer" in named <= schemas.keys()
        for probe in ("/health", "/ready"):
            told = document["paths"][probe]["get"]["responses"]
            assert told["503"]["content"] == told["200"]["content"]
        for path, example in examples.items():
            ((method, operation),) = document["paths"][path].items()
            content = operation["responses"]["200"]["content"]
            body = {"/api/values": QUESTION, **OF_ACCOUNTS}.get(path)
            assert ("requestBody" in operation) == (method == "post") == (body is not None)
            headers = bearer if path in OF_ACCOUNTS else {}
            answer = await http.client.request(method.upper(), example, json=body, headers=headers)
            assert answer.status_code == 200, answer.text
            assert answer.headers["content-type"].partition(";")[0] in content
            if "application/json" not in content:
                parts = ("[Result", "<svg", "PNG", "GIF89a", "WEBP", "# HELP", "012 ", "place,")
                assert any(part in answer.text for part in parts)
                continue
            model = content["application/json"]["schema"]["$ref"].rpartition("/")[2]
            assert model in document["components"]["schemas"]
            kinds = vars(answers) | vars(account_answers) | vars(board_answers)
            kinds |= vars(course_answers) | vars(puzzle_answers) | vars(solving_answers)
            kinds |= vars(link_answers)
            kinds[model].model_validate_json(answer.content)
            for parameter in operation["parameters"]:
                assert parameter["in"] == (
                    "path" if f"{{{parameter['name']}}}" in path else "query"
                )
                needed = parameter["in"] == "path" or parameter["name"] in NEEDED.get(path, ())
                assert parameter["required"] is needed
            assert {"400", "429", "503"} <= operation["responses"].keys()
        pools = await http.client.get("/api/ratings")
        assert answers.Ratings.model_validate_json(pools.content).pools
        cup_answer = await http.client.get(cup_path)
        assert answers.TournamentAnswer.model_validate_json(cup_answer.content).games
