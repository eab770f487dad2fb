"""What admins see, and that nobody else does."""

from __future__ import annotations

from pathlib import Path

from doublecross.server.shell.metrics.overview import quantile
from doublecross.server.shell.upkeep.histogram import Histogram
from doublecross.server.shell.web.managing import admin_answers as answers
from tests.protocol.wire import Message, WireClient
from tests.server.shell.accounts.people import GOOD, Visitor, guest, member
from tests.server.shell.admin.hosting import TOKEN, audit, hosted
from tests.server.shell.test_play_over_wire import move, table

SEEN = ("overview", "players", "accounts", "rooms", "bans", "audit", "player-data?player=Ann")
ACTS: dict[str, Message] = {
    "kick": {"player": "Ann"},
    "ban": {"player": "Ann"},
    "unban": {"ban_id": "x"},
    "rename": {"player": "Ann", "to": "Bea"},
    "close-room": {"room": "x"},
    "announce": {"text": "x"},
    "drain": {"on": True},
    "password": {"player": "Ann"},
    "grant": {"player": "Ann", "admin": True},
    "end-tokens": {"player": "Ann"},
    "delete-player": {"player": "Ann", "confirm": "Ann"},
}


async def test_only_the_host_and_admins_may_see_or_do_anything(tmp_path: Path) -> None:
    async with hosted(tmp_path) as (server, host):
        ann, nobody, bob = await member(server), Visitor(server), await guest(server, "Bob")
        refused = [(ann, "missing_scope"), (bob, "missing_scope"), (nobody, "bad_token")]
        for path, body in [*((path, None) for path in SEEN), *ACTS.items()]:
            for visitor, code in refused:
                await visitor.refused(f"admin/{path}", code, body)
        assert await audit(host) == []
        # The host's token is for this alone: it is no player's.
        await host.refused("account", "bad_token")
        assert await host.hello_refused() == "bad_token"
        # An admin's API token needs the scope too.
        await host.ask("admin/grant", body={"player": "ann", "admin": True})
        assert "admin" in (await ann.ask("account"))["scopes"]
        await ann.ask("admin/overview")
        made = {"label": "script", "scopes": ["organise"]}
        script = Visitor(server, (await ann.ask("account/tokens/new", body=made))["secret"])
        await script.refused("admin/overview", "missing_scope")
        await host.refused("admin/grant", "wrong_state", {"player": "Ann", "admin": False})
        await host.refused("admin/grant", "wrong_state", {"player": "Bob", "admin": True})
        assert await audit(ann) == [("host", "grant", "Ann")]
        for entry in (await ann.ask("admin/audit"))["entries"]:
            assert TOKEN not in str(entry)


async def test_figures_players_rooms_and_accounts(tmp_path: Path) -> None:
    async with hosted(tmp_path) as (server, host):
        one, _two, room = await table(server)
        await one.ask(move(room, 0, 0))
        await WireClient.player(server, "Rob", kind="bot", engine={"name": "edges", "version": "1"})
        await member(server, "Cy")
        figures = await host.ask("admin/overview")
        answers.Overview.model_validate(figures)
        assert (figures["players"], figures["rooms"], figures["games_in_play"]) == (3, 1, 1)
        assert (figures["moves"], figures["draining"]) == (1, False)
        assert figures["commits"] > 0
        assert 0 < figures["commit_p50_ms"] <= figures["commit_p99_ms"]
        assert {"commits", "reviews", "passwords"} <= figures["queues"].keys()
        assert "address_login" in figures["limit_hits"]
        found = await host.ask("admin/players?search=o&limit=1")
        assert found["total"] == 2
        (bob,) = found["players"]
        assert (bob["name"], bob["rooms"], bob["address"]) == ("Bob", [room], "127.0.0.1")
        assert (bob["claimed"], bob["admin"]) == (False, False)
        (line,) = (await host.ask("admin/rooms"))["rooms"]
        assert line["players"] == ["Ann", "Bob"]
        assert (line["status"], line["ply"], line["spectators"]) == ("playing", 1, 0)
        stored = (await host.ask("admin/accounts"))["accounts"]
        known = [(each["name"], each["claimed"], each["connected"]) for each in stored]
        # The newest come first; two of the same millisecond in the order of their names.
        assert sorted(known) == [
            ("Ann", False, True),
            ("Bob", False, True),
            ("Cy", True, False),
            ("Rob", False, True),
        ]
        (cy,) = (await host.ask("admin/accounts?search=C"))["accounts"]
        assert (cy["name"], cy["kind"], cy["run_by"], cy["bans"]) == ("Cy", "human", None, [])
        assert (await host.ask("admin/accounts?search=%25"))["accounts"] == []


async def test_the_data_of_a_player_are_whole_and_have_no_secrets(tmp_path: Path) -> None:
    async with hosted(tmp_path) as (server, host):
        ann = await member(server)
        one = await ann.connect()
        two = await WireClient.player(server, "Bob")
        settings = {"game": "nim", "params": {}}
        created = await one.ask(
            {"type": "create_room", "key": "k", "settings": settings, "private": True, "seat": 0}
        )
        code = created["code"]
        await two.ask({"type": "join_room", "room": created["room"], "code": code})
        await one.ask({"type": "resign", "room": created["room"]})
        terms = {"name": "cup", "format": "round-robin", "settings": settings, "people": True}
        cup = await one.ask({"type": "create_tournament", "key": "c", "terms": terms})
        await one.ask({"type": "join_tournament", "tournament": cup["tournament"]})
        await host.ask("admin/kick", body={"player": "Ann", "reason": "a test"})
        learned = {"version": 1, "lessons": {"solved": ["turns/take"]}}
        kept = (await ann.ask("account/progress", body=learned))["lessons"]
        data = await host.ask("admin/player-data?player=ann")
        answers.PlayerData.model_validate(data)
        (game,) = data["games"]
        assert (game["private"], game["player_0"]) == (True, "Ann")
        assert '[Seat0 "Ann"]' in game["record"]
        (tournament,) = data["tournaments"]
        assert tournament["entrant"]["name"] == "Ann"
        assert [each["action"] for each in data["audit"]] == ["kick"]
        assert [each["kind"] for each in data["tokens"]] == ["session"]
        assert data["account"]["has_password"]
        assert data["progress"]["lessons"] == kept
        text = str(data)
        for secret in ("password_hash", "token_hash", "argon2", ann.secret, GOOD):
            assert secret not in text


def test_quantiles_lie_in_their_range() -> None:
    values = Histogram((1.0, 2.0, 4.0))
    assert quantile(values, 0.5) == 0.0
    for value in (0.5, 1.5, 1.6, 3.0):
        values.observe(value)
    assert quantile(values, 0.25) == 1.0
    assert quantile(values, 0.5) == 1.5
    assert quantile(values, 1.0) == 4.0
    values.observe(100.0)
    assert quantile(values, 1.0) == 4.0
