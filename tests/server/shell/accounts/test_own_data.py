"""Players take out what is stored about them, and delete their accounts."""

from __future__ import annotations

from pathlib import Path

from doublecross.protocol.version import CloseCode
from tests.protocol.wire import WireClient
from tests.server.shell.accounts.people import GOOD, HELLO, guest, member, open_server

SMALL = {"game": "dots-and-boxes", "params": {"rows": 1, "cols": 2}}


async def test_players_take_out_their_data_and_not_what_others_reported(tmp_path: Path) -> None:
    async with open_server(tmp_path, talk=True) as server:
        ann, bob = await member(server), await guest(server, "Bob")
        one, two = await ann.connect(), await bob.connect()
        room = (await one.ask({"type": "create_room", "key": "a" * 16, "settings": SMALL}))["room"]
        await two.ask({"type": "join_room", "room": room})
        await one.ask({"type": "say", "room": room, "words": "Hello"})
        about = {"type": "report_player", "player": "Ann", "reason": "other", "words": "Rude."}
        assert (await two.ask(about))["type"] == "done"
        found = await ann.ask("account/data")
        assert found["player"]["name"] == "Ann"
        assert [said["words"] for said in found["talk"]] == ["Hello"]
        assert (found["reported"], found["audit"]) == ([], [])
        assert [each["about"] for each in (await bob.ask("account/data"))["reports"]] == ["Ann"]
        # A token for a program is not enough.
        token = await ann.ask("account/tokens/new", body={"label": "bot", "scopes": ["play"]})
        program = type(ann)(server, token["secret"])
        await program.refused("account/data", "missing_scope")
        for client in (one, two):
            await client.close()


async def test_players_delete_their_accounts(tmp_path: Path) -> None:
    async with open_server(tmp_path) as server:
        ann, eve = await member(server), await guest(server, "Eve")
        playing = await ann.connect()
        wrong = {"confirm": "ann", "current": GOOD}
        assert "Ann" in await ann.refused("account/delete", "bad_parameter", wrong)
        await ann.refused("account/delete", "bad_login", {"confirm": "Ann", "current": "no"})
        asked = {"type": "create_room", "key": "a" * 16, "settings": SMALL}
        room = (await playing.ask(asked))["room"]
        mine = {"confirm": "Ann", "current": GOOD}
        assert room in await ann.refused("account/delete", "wrong_state", mine)
        await playing.ask({"type": "leave", "room": room})
        gone = (await ann.ask("account/delete", body=mine))["name"]
        assert gone.startswith("deleted-")
        assert await playing.closed_with() == CloseCode.REVOKED
        await ann.refused("account", "bad_token")
        assert await server.authority.store.player_by_name("Ann") is None
        await (await WireClient.player(server, "Ann")).close()  # the name is free again
        # A guest has no password.
        await eve.ask("account/delete", body={"confirm": "Eve"})
        await eve.hello_refused(**HELLO)
