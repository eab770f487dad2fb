"""Tournaments over HTTP: running, finished, unknown and corrupt ones."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from doublecross.games.record import parse_record
from tests.protocol.wire import Message, WireClient, serving
from tests.server.shell.test_http import SMALL, Reader

TERMS: Message = {
    "name": "Spring",
    "format": "round-robin",
    "settings": {**SMALL, "time": {"base_ms": 60_000}},
    "seed": 5,
}


async def bot(server: Any, name: str) -> WireClient:
    engine = {"name": "rules", "version": "1"}
    return await WireClient.player(server, name, kind="bot", engine=engine)


async def create_with_players(
    server: Any, key: str = "k", **terms: object
) -> tuple[WireClient, WireClient, WireClient, str]:
    """Create Ann's tournament, which has not started, with Bo and Cy in it."""
    ann = await WireClient.player(server, "Ann")
    create = {"type": "create_tournament", "key": key, "terms": {**TERMS, **terms}}
    tournament = (await ann.ask(create))["tournament"]
    bo, cy = await bot(server, "Bo"), await bot(server, "Cy")
    for player in (bo, cy):
        await player.ask({"type": "join_tournament", "tournament": tournament})
    return ann, bo, cy, tournament


async def play(players: dict[str, WireClient]) -> None:
    """Play the game whose room both have just been shown."""
    shown = {name: await player.wait("room_state") for name, player in players.items()}
    room = next(iter(shown.values()))["room"]
    seats = {state["seat"]: players[name] for name, state in shown.items()}
    snapshot = next(iter(shown.values()))["snapshot"]
    opening = set(snapshot["settings"]["opening"])
    to_move = snapshot["to_move"]
    free = [action for action in range(7) if action not in opening]
    for ply, action in enumerate(free):
        move = {"type": "move", "room": room, "match": 1, "ply": ply, "action": action}
        to_move = (await seats[to_move].ask(move))["to_move"]


async def end(*clients: WireClient) -> None:
    for client in clients:
        await client.close()


async def test_a_tournament_from_its_start_to_its_end(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, Reader(server) as http:
        assert await http.get("/api/tournaments") == {
            "tournaments": [],
            "total": 0,
            "next": None,
        }
        ann, bo, cy, tournament = await create_with_players(server)
        path = f"/api/tournaments/{tournament}"
        (line,) = (await http.get("/api/tournaments"))["tournaments"]
        assert (line["id"], line["status"], line["owner"]) == (tournament, "open", "Ann")
        assert (line["terms"]["name"], line["problem"]) == ("Spring", "")
        await ann.ask({"type": "start_tournament", "tournament": tournament})
        both = {"Bo": bo, "Cy": cy}
        shown = await http.get(path)
        assert line.items() <= {**shown, "status": "open", "started_ms": None}.items()
        assert shown["status"] == "running"
        assert [(e["player"], e["playing"]) for e in shown["entrants"]] == [("Bo", 1), ("Cy", 1)]
        (pairing,) = shown["pairings"]
        assert (pairing["players"], pairing["state"]) == (["Bo", "Cy"], "open")
        assert (shown["games"], shown["games_planned"]) == ([], 2)
        (live,) = shown["live"]
        assert (live["players"], live["pair"], live["game"]) == (["Bo", "Cy"], 0, 0)
        watching = await ann.ask({"type": "watch", "room": live["room"]})
        assert watching["snapshot"]["tag"]["tournament"] == tournament
        await play(both)
        shown = await http.get(path)
        assert [(g["pair"], g["game"], g["attempt"]) for g in shown["games"]] == [(0, 0, 1)]
        assert shown["games_played"] == 0  # the pair is not whole
        await play(both)
        await ann.wait("tournament_state", status="finished")
        shown = await http.get(path)
        assert (shown["status"], shown["games_played"]) == ("finished", 2)
        assert shown["live"] == []
        assert shown["title"] == "Dots and Boxes 1x2"
        assert [e["playing"] for e in shown["entrants"]] == [0, 0]
        assert [g["players"] for g in shown["games"]] == [["Bo", "Cy"], ["Cy", "Bo"]]
        assert [p["state"] for p in shown["pairings"]] == ["done"]
        for game in shown["games"]:
            assert game["started_ms"] <= game["finished_ms"] <= shown["finished_ms"]
            assert sum(game["moves"]) == game["plies"]
        text = await http.client.get(f"{path}/records")
        assert text.headers["content-type"].startswith("text/plain")
        parts = text.text.split("\n\n")
        assert len([part for part in parts if part.strip()]) >= 2
        one = await http.get(f"/api/games/{shown['games'][0]['id']}")
        assert one["record"] in text.text
        assert parse_record(one["record"]).moves
        await end(ann, bo, cy)


async def test_a_spectator_loads_what_is_over_only_once(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, Reader(server) as http:
        ann, bo, cy, tournament = await create_with_players(server, pairs=2)
        path = f"/api/tournaments/{tournament}"
        await ann.ask({"type": "start_tournament", "tournament": tournament})
        known, both = await http.get(path), {"Bo": bo, "Cy": cy}
        for number in range(3):
            await play(both)
            news = await http.get(path, params={"since": known["cursor"]})
            whole = await http.get(path)
            assert (news["games_before"], len(news["games"])) == (number, 1)
            assert whole["games"] == known["games"] + news["games"]
            before = news["pairings_before"]
            assert whole["pairings"] == known["pairings"][:before] + news["pairings"]
            known = whole
        assert before == 1
        news = await http.get(path, params={"since": known["cursor"]})
        assert (news["pairings_before"], news["games"]) == (1, [])
        epoch = known["cursor"].partition("-")[0]
        for unknown in ("x", "other-1-1-1", f"{epoch}-9-1-1", f"{epoch}-1-99-1"):
            whole = await http.get(path, params={"since": unknown})
            assert (whole["games"], whole["games_before"]) == (known["games"], 0)
            assert (whole["pairings"], whole["pairings_before"]) == (known["pairings"], 0)
        await play(both)
        await ann.wait("tournament_state", status="finished")
        whole = await http.get(path, params={"since": known["cursor"]})
        assert (len(whole["games"]), whole["games_before"], whole["cursor"]) == (4, 0, "")
        await end(ann, bo, cy)


async def test_a_gauntlet_says_who_plays_all_others(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, Reader(server) as http:
        ann, bo, cy, tournament = await create_with_players(server, format="gauntlet")
        path = f"/api/tournaments/{tournament}"
        assert (await http.get(path))["terms"]["hero"] == "Bo"
        await ann.ask({"type": "end_tournament", "tournament": tournament})
        assert (await http.get(path))["terms"]["hero"] == "Bo"
        await end(ann, bo, cy)


async def test_a_ladder_has_curves_and_a_season_that_is_over_names_the_present_one(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path) as server, Reader(server) as http:
        ann, bo, cy, ladder = await create_with_players(server, format="ladder")
        await ann.ask({"type": "start_tournament", "tournament": ladder})
        for _ in range(2):
            await play({"Bo": bo, "Cy": cy})
        begun = await http.get(f"/api/tournaments/{ladder}")
        assert begun["next_season"] is None
        assert [len(curve["points"]) for curve in begun["curves"]] == [1, 1]
        assert {each["deviation"] < 350 for each in begun["entrants"]} == {True}
        await ann.ask({"type": "next_season", "tournament": ladder})
        over = await http.get(f"/api/tournaments/{ladder}")
        assert (over["status"], over["next_season"]) == ("finished", f"{ladder}-2")
        assert over["curves"] == begun["curves"]
        csv = (await http.client.get(f"/api/tournaments/{ladder}/table")).text.splitlines()
        assert csv[0] == "place,player,engine,state,games,points,net,rating,deviation,last_ms"
        assert [line.split(",")[1] for line in csv[1:]] == [e["player"] for e in over["entrants"]]
        following = await http.get(f"/api/tournaments/{ladder}-2")
        ratings = [[each["rating"] for each in one["entrants"]] for one in (over, following)]
        assert ratings[0] == ratings[1]
        await end(ann, bo, cy)


async def test_unknown_tournaments_and_tournaments_without_games(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, Reader(server) as http:
        for what in ("", "/records", "/trf"):
            assert "t0" in (await http.get(f"/api/tournaments/t0{what}", 404))["error"]
        breaks = {"tie_breaks": ["sonneborn-berger", "net"]}
        ann, bo, cy, tournament = await create_with_players(server, **breaks)
        assert (await http.client.get(f"/api/tournaments/{tournament}/records")).text == ""
        csv = (await http.client.get(f"/api/tournaments/{tournament}/table")).text.splitlines()
        assert [line.split(",")[-1] for line in csv] == ["sonneborn-berger", "0.0", "0.0"]
        trf = (await http.client.get(f"/api/tournaments/{tournament}/trf")).text
        assert [line[14:16] for line in trf.splitlines() if line.startswith("001")] == ["Bo", "Cy"]
        shown = await http.get(f"/api/tournaments/{tournament}")
        assert (shown["games"], shown["pairings"], shown["games_planned"]) == ([], [], None)
        await ann.ask({"type": "end_tournament", "tournament": tournament})
        shown = await http.get(f"/api/tournaments/{tournament}")
        assert shown["status"] == "cancelled"
        await end(ann, bo, cy)


@pytest.mark.parametrize(
    "spoil",
    [
        "UPDATE tournaments SET terms = '{' WHERE tournament_id = ?",
        "DELETE FROM entrants WHERE number = 0 AND tournament_id = ?",
        "UPDATE pairings SET opening = 'x' WHERE tournament_id = ?",
        "UPDATE pairings SET first = 9 WHERE tournament_id = ?",
    ],
)
async def test_a_corrupt_tournament_does_not_stop_the_others(tmp_path: Path, spoil: str) -> None:
    async with serving(tmp_path) as server:
        ann, bo, cy, bad = await create_with_players(server)
        await ann.ask({"type": "start_tournament", "tournament": bad})
        create = {"type": "create_tournament", "key": "k2", "terms": TERMS}
        good = (await ann.ask(create))["tournament"]
        tokens = [client.received[0]["token"] for client in (ann, bo, cy)]
        await end(ann, bo, cy)
    with closing(sqlite3.connect(tmp_path / "games.db")) as database:
        changed = database.execute(spoil, (bad,)).rowcount
        database.commit()
    assert changed >= 1
    async with serving(tmp_path) as server, Reader(server) as http:
        assert list(server.authority.director.registry.running) == [good]
        lines = {line["id"]: line for line in (await http.get("/api/tournaments"))["tournaments"]}
        assert lines.keys() == {bad, good}
        assert (
            (lines[bad]["terms"] is None) == bool(lines[bad]["problem"]) == ("terms" in spoil[7:])
        )
        assert "cannot be read" in (await http.get(f"/api/tournaments/{bad}", 500))["error"]
        assert (await http.get(f"/api/tournaments/{good}"))["status"] == "open"
        ann = await WireClient.player(server, "Ann", token=tokens[0])
        assert await ann.refused({"type": "get_tournament", "tournament": bad}) == "internal"
        assert await ann.refused({"type": "start_tournament", "tournament": bad}) == "internal"
        create = {"type": "create_tournament", "key": "k", "terms": TERMS}
        assert await ann.refused(create) == "internal"
        again = await ann.ask({**create, "key": "k2"})
        assert (again["tournament"], again["status"]) == (good, "open")
        await ann.close()
