"""Players get other names and are deleted, and rights never follow a name."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from doublecross.games.record import parse_record
from doublecross.protocol.version import CloseCode
from doublecross.server.shell.admin.audit import Actor, AuditLog
from doublecross.server.shell.admin.service import AdminService
from tests.protocol.wire import Message, WireClient
from tests.server.playing import T0
from tests.server.shell.accounts.people import GOOD, Visitor, guest, member
from tests.server.shell.admin.hosting import audit, hosted
from tests.server.shell.test_http import SMALL, Reader
from tests.server.shell.test_play_over_wire import TIMED, play_out, table

PRIVATE: Message = {"settings": {"game": "nim", "params": {}}, "private": True, "seat": 0}
TERMS: Message = {"name": "cup", "format": "round-robin", "settings": SMALL, "people": True}


async def private_game(one: WireClient, two: WireClient) -> str:
    """Play a private game, which the first player loses; return its id."""
    made = await one.ask({"type": "create_room", "key": "p", **PRIVATE})
    await two.ask({"type": "join_room", "room": made["room"], "code": made["code"]})
    over = await one.ask({"type": "resign", "room": made["room"]})
    game: str = over["game_id"]
    return game


def words(folder: Path, name: str) -> list[str]:
    """Return where a name stands in the database, the journal and the audit log left out."""
    found = []
    with closing(sqlite3.connect(folder / "games.db")) as database:
        tables = [row[0] for row in database.execute("select name from sqlite_master")]
        for table_ in set(tables) & {"players", "games", "entrants", "tournaments"}:
            for row in database.execute(f"select * from {table_}"):
                found += [f"{table_}: {value}" for value in row if name in str(value)]
    return found


async def test_a_name_changes_everywhere_and_rights_stay_with_the_account(tmp_path: Path) -> None:
    async with hosted(tmp_path) as (server, host), Reader(server) as http:
        one, two, room = await table(server, {**TIMED, "rated": True})
        over = await play_out(one, two, room)
        old = Visitor(server, one.received[0]["token"])
        secret_game = await private_game(one, two)
        terms = {**TERMS, "invited": ["Ann", "Bob"]}
        cup = await one.ask({"type": "create_tournament", "key": "c", "terms": terms})
        for client in (one, two):
            await client.ask({"type": "join_tournament", "tournament": cup["tournament"]})
        refused = await host.refused("admin/rename", "wrong_state", {"player": "Ann", "to": "Bea"})
        assert "cup" in refused
        await one.ask({"type": "end_tournament", "tournament": cup["tournament"]})
        open_cup = await one.ask({"type": "create_tournament", "key": "d", "terms": TERMS})
        for to, code in (("Bob", "name_taken"), ("B0b", "name_taken"), ("Jöдy", "bad_message")):
            await host.refused("admin/rename", code, {"player": "Ann", "to": to})
        before = server.authority.ratings.of("Ann")[0].glicko
        await host.ask("admin/rename", body={"player": "ann", "to": "Bea"})
        assert await one.closed_with() == CloseCode.REVOKED
        assert (await two.wait("room_closed", room=room))["reason"]

        assert words(tmp_path, "Ann") == []
        game = await http.get(f"/api/games/{over['game_id']}")
        assert game["players"] == ["Bea", "Bob"]
        assert parse_record(game["record"]).players == ("Bea", "Bob")
        assert server.authority.ratings.of("Ann") == []
        assert server.authority.ratings.of("Bea")[0].glicko == before
        assert (await http.get(f"/api/tournaments/{cup['tournament']}"))["owner"] == "Bea"
        entered = (await http.get(f"/api/tournaments/{cup['tournament']}"))["entrants"]
        assert [each["player"] for each in entered] == ["Bea", "Bob"]

        # The account keeps its rights under the new name, and somebody else with the old one has
        # none of them.
        bea = await old.connect()
        assert bea.received[0]["player"]["name"] == "Bea"
        other = await WireClient.player(server, "Ann")
        end = {"type": "end_tournament", "tournament": open_cup["tournament"]}
        find = {"type": "get_record", "game_id": secret_game}
        assert await other.refused(end) == "not_yours"
        assert await other.refused(find) == "unknown_record"
        assert [each["name"] for each in (await other.ask({"type": "get_games"}))["games"]] == []
        assert '[Seat0 "Bea"]' in (await bea.ask(find))["text"]
        assert (await bea.ask(end))["type"] == "tournament_state"
        assert ("host", "rename", "Ann") in await audit(host)
    # What is stored is read again by a server that starts.
    async with hosted(tmp_path) as (server, _):
        assert server.authority.ratings.of("Bea")[0].glicko == before


async def test_a_player_with_something_unfinished_keeps_the_name(tmp_path: Path) -> None:
    async with hosted(tmp_path) as (server, host):
        one, two, room = await table(server)
        body: dict[str, Any] = {"player": "Ann", "to": "Bea"}
        assert room in await host.refused("admin/rename", "wrong_state", body)
        body = {"player": "Ann", "confirm": "Ann"}
        assert room in await host.refused("admin/delete-player", "wrong_state", body)
        assert (await one.ask({"type": "resign", "room": room}))["type"] == "match_finished"
        invited = {**TERMS, "invited": ["ann", "bob"]}
        cup = await two.ask({"type": "create_tournament", "key": "i", "terms": invited})
        refused = await host.refused("admin/rename", "wrong_state", {"player": "Ann", "to": "Bea"})
        assert "cup" in refused
        await two.ask({"type": "end_tournament", "tournament": cup["tournament"]})
        # An open offer does not keep the name: it ends.
        await one.ask({"type": "seek", "key": "s", "settings": SMALL})
        await host.ask("admin/rename", body={"player": "Ann", "to": "ANN"})
        assert not server.authority.lobby.offers
        again = await Visitor(server, one.received[0]["token"]).connect()
        assert again.received[0]["player"]["name"] == "ANN"
        assert await audit(host) == [("host", "rename", "Ann")]


async def test_a_deleted_player_is_gone_and_its_name_is_free(tmp_path: Path) -> None:
    async with hosted(tmp_path) as (server, host), Reader(server) as http:
        ann = await member(server)
        one, two = await ann.connect(), await WireClient.player(server, "Bob")
        game = await private_game(one, two)
        bot = (await ann.ask("account/bots/new", body={"name": "Robot"}))["issued"]["secret"]
        body = {"player": "Ann", "confirm": "Ann"}
        assert "Robot" in await host.refused("admin/delete-player", "wrong_state", body)
        await host.ask("admin/delete-player", body={"player": "Robot", "confirm": "Robot"})
        await Visitor(server, bot).refused("account", "bad_token")
        wrong = {"player": "Ann", "confirm": "ann"}
        await host.refused("admin/delete-player", "bad_parameter", wrong)
        name = (await host.ask("admin/delete-player", body=body))["name"]
        assert name.startswith("deleted-")
        assert await one.closed_with() == CloseCode.REVOKED
        await ann.refused("account", "bad_token")
        await Visitor(server).refused("login", "bad_login", {"name": "Ann", "password": GOOD})
        assert words(tmp_path, "Ann") == []
        record = await two.ask({"type": "get_record", "game_id": game})
        assert f'[Seat0 "{name}"]' in record["text"]
        other = await WireClient.player(server, "Ann")
        assert await other.refused({"type": "get_record", "game_id": game}) == "unknown_record"
        assert (await http.get("/api/players/Ann"))["name"] == "Ann"
        # The last admin stays.
        await Visitor(server, other.received[0]["token"]).ask(
            "account/password", body={"password": GOOD}
        )
        await host.ask("admin/grant", body={"player": "Ann", "admin": True})
        await host.refused("admin/delete-player", "wrong_state", body)


async def test_two_admins_cannot_go_at_once(tmp_path: Path) -> None:
    async with hosted(tmp_path) as (server, host):
        for name in ("Ann", "Bob"):
            await member(server, name)
            await host.ask("admin/grant", body={"player": name, "admin": True})
        service = AdminService(
            server.authority, AuditLog(server.authority.store.accounts, lambda: T0), lambda: T0
        )
        host_itself = Actor("host", "host", "127.0.0.1")
        ends = await asyncio.gather(
            *(service.grant(host_itself, name, False) for name in ("Ann", "Bob")),
            return_exceptions=True,
        )
        assert sorted(type(end).__name__ for end in ends) == ["NoneType", "Refused"]
        assert len(await server.authority.store.accounts.admins()) == 1


async def test_a_guest_who_sends_the_first_hello_again_has_the_new_name(tmp_path: Path) -> None:
    async with hosted(tmp_path) as (server, host):
        client = await WireClient.player(server, "Ann", key="k" * 24)
        await host.ask("admin/rename", body={"player": "Ann", "to": "Bea"})
        assert await client.closed_with() == CloseCode.REVOKED
        client = await WireClient.player(server, "Ann", key="k" * 24)
        assert client.received[0]["player"]["name"] == "Bea"


@pytest.mark.parametrize("change", ["rename", "ban"])
async def test_a_hello_that_is_under_way_does_not_slip_through(
    tmp_path: Path, change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with hosted(tmp_path) as (server, host):
        ann = await guest(server)
        store = server.authority.store.accounts
        real = store.login

        async def slow(token_hash: bytes) -> Any:
            found = await real(token_hash)
            monkeypatch.setattr(store, "login", real)
            if change == "rename":
                await host.ask("admin/rename", body={"player": "Ann", "to": "Bea"})
            else:
                await host.ask("admin/ban", body={"player": "Ann"})
            return found

        monkeypatch.setattr(store, "login", slow)
        if change == "rename":
            client = await ann.connect()
            assert client.received[0]["player"]["name"] == "Bea"
            await client.close()
        else:
            assert await ann.hello_refused() == "banned"
