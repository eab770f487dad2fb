"""Players list all their own games, private ones included; nobody else sees those."""

from __future__ import annotations

from pathlib import Path

from doublecross.protocol.codec import JsonCodec
from doublecross.server.shell.handlers.reviews import own_game
from tests.protocol.wire import Message, WireClient, serving
from tests.server.shell.test_http import Reader
from tests.server.store.samples import game

SMALL: Message = {"game": "dots-and-boxes", "params": {"rows": 1, "cols": 2}}


async def test_players_page_through_their_own_games(tmp_path: Path) -> None:
    async with serving(tmp_path) as server, Reader(server) as http:
        ann = await WireClient.player(server, "Ann")
        engine = {"name": "easy", "version": "1 b"}
        bob = await WireClient.player(server, "Bob", JsonCodec(), kind="bot", engine=engine)
        eve = await WireClient.player(server, "Eve")
        played = []
        for number, private in enumerate((True, False, True)):
            create = {"type": "create_room", "settings": SMALL, "key": f"k{number}", "seat": 0}
            made = await ann.ask({**create, "private": private})
            join = {"type": "join_room", "room": made["room"]}
            await bob.ask({**join, "code": made["code"]} if private else join)
            loser, end = (bob, "resign") if number == 0 else (ann, ("resign", "abort")[number - 1])
            over = await loser.ask({"type": end, "room": made["room"]})
            played.insert(0, over["game_id"])

        ask: Message = {"type": "get_games"}
        mine = await ann.ask(ask)
        assert [each["game_id"] for each in mine["games"]] == played
        assert not mine["more"]
        assert [each["outcome"] for each in mine["games"]] == ["none", "lost", "won"]
        assert [each["private"] for each in mine["games"]] == [True, False, True]
        theirs = (await bob.ask(ask))["games"]
        assert [each["outcome"] for each in theirs] == ["none", "won", "lost"]
        newest = mine["games"][0]
        assert (newest["seat"], theirs[0]["seat"]) == (0, 1)
        assert (newest["size"], list(newest["engines"])) == ("1x2", ["", "easy 1 b"])

        found: list[str] = []
        page = await ann.ask({**ask, "limit": 1})
        while page["more"]:
            found += [each["game_id"] for each in page["games"]]
            last = page["games"][-1]
            place = {"before_ms": last["finished_ms"], "before_id": last["game_id"]}
            page = await ann.ask({**ask, "limit": 1, **place})
        assert found + [each["game_id"] for each in page["games"]] == played

        # Others see the public game only.
        assert not (await eve.ask(ask))["games"]
        listed = await http.get("/api/games", params={"player": "Ann"})
        assert [each["id"] for each in listed["games"]] == [played[1]]
        assert await ann.refused({**ask, "limit": 1000}) == "bad_message"
        # Without the time, the first page would come again and again.
        assert await ann.refused({**ask, "before_id": played[0]}) == "bad_message"


def test_outcomes_are_those_of_the_player_who_asks() -> None:
    drawn = game("g", winner=None, result="1/2-1/2")
    assert own_game(drawn, "BOB")["outcome"] == "drawn"
    assert own_game(game("g", winner=1), "bob")["outcome"] == "won"
    assert own_game(game("g", winner=1), "Ann")["outcome"] == "lost"
