"""What players note about their games is for them alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from doublecross.protocol.common import DAY_MS
from doublecross.server.shell.web.managing import notes
from tests.protocol.wire import WireClient
from tests.server.shell.accounts.people import GOOD, Visitor, guest, open_server
from tests.server.shell.admin.hosting import TOKEN


async def test_a_note_follows_its_player_and_nobody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notes, "MOST_NOTES", 1)
    async with open_server(tmp_path, host_token=TOKEN) as server:
        ann, eve, host = await guest(server), await guest(server, "Eve"), Visitor(server, TOKEN)
        one, two = await ann.connect(), await WireClient.player(server, "Bob")
        settings = {"game": "nim", "params": {}, "time": {"move_ms": DAY_MS}}
        asked = {"type": "create_room", "key": "k", "settings": settings, "seat": 0}
        room = (await one.ask(asked))["room"]
        await two.ask({"type": "join_room", "room": room})
        game = {"game_id": f"{room}-1"}

        async def note(who: Visitor, words: str | None = None) -> str:
            body = game if words is None else {**game, "words": words}
            return str((await who.ask("account/note", body=body))["words"])

        assert await note(ann, "  take\nthe \x1b heap  ") == "take\nthe \\x1b heap"
        assert await eve.refused("account/note", "unknown_record", {**game, "words": "x"}) == (
            f"You play no game {room}-1."
        )
        assert await note(eve) == ""
        await ann.ask("account/note", 400, {**game, "words": "x" * 2001})
        # It stays while the game ends, with another name, and when the guest registers.
        await one.ask({"type": "resign", "room": room})
        await two.ask({"type": "rematch", "room": room})
        again = {"game_id": f"{room}-2", "words": "x"}
        assert await ann.refused("account/note", "unknown_record", again)
        await one.ask({"type": "rematch", "room": room})
        assert "limit" in await ann.refused("account/note", "too_many", again)
        await one.ask({"type": "resign", "room": room})
        await one.close()
        await host.ask("admin/rename", body={"player": "Ann", "to": "Anna"})
        await ann.ask("account/password", body={"password": GOOD})
        login = await Visitor(server).ask("login", body={"name": "Anna", "password": GOOD})
        anna = Visitor(server, login["secret"])
        assert await note(anna) == "take\nthe \\x1b heap"
        assert await note(anna, "\U0001f3b2" * 2000)
        data = await host.ask("admin/player-data?player=anna")
        (kept,) = data["notes"]
        assert (kept["game_id"], len(kept["words"])) == (f"{room}-1", 2000)
        assert await note(anna, " ") == await note(anna) == ""
