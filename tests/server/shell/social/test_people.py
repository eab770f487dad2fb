"""Check what people can do with and about each other: follow, block, talk and report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from doublecross.protocol.client_messages import (
    AcceptChallenge,
    AcceptSeek,
    Challenge,
    CreateRoom,
    GetTies,
    JoinRoom,
    QuickMatch,
    Rematch,
    Request,
    Resign,
    SayPhrase,
    Seek,
    Watch,
)
from doublecross.protocol.social_messages import MOST_WORDS
from doublecross.server.shell.handlers import social
from doublecross.server.shell.web.managing import admin_answers
from tests.protocol.wire import Message, WireClient, serving
from tests.server.playing import dots
from tests.server.shell.admin.hosting import audit, hosted
from tests.server.world import World

NIM: Message = {"game": "nim", "params": {}}
APART = "You cannot play or talk with {}."


@pytest.mark.parametrize("pair", [("Ann", "Bob"), ("Bob", "Ann")])
async def test_two_who_are_apart_have_nothing_to_do_with_each_other(
    world: World, pair: tuple[str, str]
) -> None:
    ann, bob, room = await world.table()
    cat = world.arrive("Cat")
    await world.answer(cat, Watch, room=room.id)
    sought = await world.answer(ann, Seek, key="s", settings=dots(), seat=None)
    sent = await world.answer(ann, Challenge, key="c", player="Bob", settings=dots(1, 2), seat=None)
    waiting = await world.answer(ann, CreateRoom, key="r", settings=dots(), seat=0)
    world.store.social.blocks.add(pair)
    asked: list[tuple[type[Request], dict[str, Any]]] = [
        (Challenge, {"key": "1", "player": "ann", "settings": dots(), "seat": None}),
        (AcceptSeek, {"key": "2", "seek": sought["seek"]}),
        (AcceptChallenge, {"key": "3", "challenge": sent["challenge"]}),
        (JoinRoom, {"room": waiting["room"]}),
        (SayPhrase, {"room": room.id, "match": 1, "phrase": "hello"}),
    ]
    for kind, fields in asked:
        answer = await world.answer(bob, kind, **fields)
        assert (answer["code"], answer["message"]) == ("not_yours", APART.format("Ann")), kind
    posted = await world.answer(bob, QuickMatch, key="4", settings=dots())
    assert posted["type"] == "seek_posted"
    # Both stay in the room where they are, but the next match needs both.
    await world.answer(ann, Resign, room=room.id)
    assert (await world.answer(bob, Rematch, room=room.id))["message"] == APART.format("Ann")
    # Others hear a phrase; who is apart from the speaker does not.
    world.store.social.blocks = {("Cat", "Ann")}
    cat.take(), bob.take()
    await world.answer(ann, SayPhrase, room=room.id, match=1, phrase="oops")
    assert (cat.take(), [each["type"] for each in bob.take()]) == ([], ["phrase_said"])


async def test_nobody_reads_who_blocks_whom_among_bots(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, _, room = await world.table(bots=True)
    monkeypatch.delattr(world.store, "social")
    await world.answer(ann, Resign, room=room.id)
    assert (await world.answer(ann, Rematch, room=room.id))["type"] == "rematch_offered"


async def test_people_follow_and_block_within_a_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(social, "MOST_TIES", 1)
    async with serving(tmp_path) as server:
        ann, bob, cat = [await WireClient.player(server, name) for name in ("Ann", "Bob", "Cat")]
        bot = await WireClient.player(
            server, "Botty", kind="bot", engine={"name": "rules", "version": "1"}
        )

        async def tie(who: WireClient, player: str, kind: str | None) -> Message:
            return await who.ask({"type": "set_tie", "player": player, "tie": kind})

        # Without the setting, nobody talks.
        assert ann.received[0]["talk"] is False
        assert await ann.refused({"type": "say", "room": "none", "words": "Hi"}) == "wrong_state"
        bob_free = {"player": "Bob", "kind": "human", "here": True, "watching": None}
        assert (await tie(ann, "bob", "follow"))["follows"] == (bob_free,)
        assert (await tie(ann, "Cat", "follow"))["code"] == "too_many"
        assert (await tie(ann, "Ann", "follow"))["code"] == "bad_parameter"
        assert (await tie(ann, "Nobody", "block"))["code"] == "unknown_player"
        assert (await tie(bot, "Ann", "follow"))["code"] == "not_yours"
        room = (await cat.ask({"type": "create_room", "key": "k", "settings": NIM}))["room"]
        await bot.ask({"type": "join_room", "room": room})
        await bob.ask({"type": "watch", "room": room})
        watches = (await ann.ask({"type": GetTies(id=1).type}))["follows"]
        assert watches == ({**bob_free, "watching": room},)
        challenge = {"type": "challenge", "key": "c", "player": "Bob", "settings": NIM}
        await ann.ask(challenge)
        assert (await tie(bob, "Ann", "block"))["blocks"] == ("Ann",)
        assert (await ann.wait("offer_ended"))["outcome"] == "declined"
        assert (await ann.ask({"type": "get_ties"}))["follows"] == ()
        assert (await tie(ann, "Bob", "follow"))["message"] == "You cannot follow Bob."
        assert await ann.refused({**challenge, "key": "d"}) == "not_yours"
        assert (await tie(bob, "Ann", None))["blocks"] == ()
        assert (await ann.ask({**challenge, "key": "e"}))["type"] == "challenge_sent"


async def test_talk_is_heard_kept_and_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(social, "MOST_REPORTS", 2)
    async with hosted(tmp_path, talk=True) as (server, host):
        ann, bob, cat, dan = [
            await WireClient.player(server, name) for name in ("Ann", "Bob", "Cat", "Dan")
        ]
        room = (await ann.ask({"type": "create_room", "key": "k", "settings": NIM, "seat": 0}))[
            "room"
        ]
        await bob.ask({"type": "join_room", "room": room})

        async def say(who: WireClient, words: str) -> Message:
            return await who.ask({"type": "say", "room": room, "words": words})

        assert (await say(cat, "Hi"))["code"] == "not_seated"
        for each in (cat, dan):
            await each.ask({"type": "watch", "room": room})
        await dan.ask({"type": "set_tie", "player": "Cat", "tie": "block"})
        for words in ("x" * (MOST_WORDS + 1), "two\nlines"):
            assert (await say(ann, words))["code"] == "bad_message"
        assert (await say(ann, "\u202e \u2028"))["code"] == "bad_parameter"
        assert (await say(ann, "You \u202efool"))["type"] == "done"
        heard = await bob.wait("said")
        assert (heard["player"], heard["seat"], heard["words"]) == ("Ann", 0, "You fool")
        await say(cat, "Ann wins")
        assert (await cat.wait("said"))["seat"] is None

        async def talk(who: WireClient) -> list[str]:
            found = await who.ask({"type": "get_talk", "room": room})
            return [each["words"] for each in found["said"]]

        # Spectators cannot help the players, nor read what these say; Dan and Cat are apart.
        assert [await talk(each) for each in (ann, bob, cat, dan)] == [
            ["You fool"],
            ["You fool"],
            ["Ann wins"],
            [],
        ]
        assert "said" not in dan.seen
        # A phrase and what is said otherwise share one limit.
        for _ in range(4):
            await say(bob, "Oh")
        phrase = {"type": "say_phrase", "room": room, "match": 1, "phrase": "oops"}
        assert (await bob.ask(phrase))["type"] == "done"
        assert await bob.refused(phrase) == (await say(bob, "Oh"))["code"] == "rate_limited"

        async def report(who: WireClient, words: str, **fields: str) -> Message:
            asked = {"type": "report_player", "player": "Ann", "reason": "insults", "words": words}
            return await who.ask({**asked, **fields})

        game = f"{room}-1"
        assert (await report(bob, "She was\n rude.", game_id=game))["type"] == "done"
        for wrong, code in (
            ({"player": "Dan", "game_id": game}, "bad_parameter"),
            ({"game_id": "none-1"}, "unknown_record"),
        ):
            assert (await report(bob, "x", **wrong))["code"] == code
        assert (await report(cat, "I saw it.", game_id=game))["type"] == "done"
        await report(bob, "Again.")
        assert (await report(bob, "And again."))["code"] == "too_many"
        found = {each["words"]: each for each in (await host.ask("admin/reports"))["reports"]}
        lines = {}
        for words, each in found.items():
            shown = await host.ask(f"admin/report?report_id={each['report_id']}")
            assert (shown["room"], shown["about"]) == (each["game_id"] and room, "Ann")
            lines[words] = [line["words"] for line in shown["talk"]]
        # The server adds what the reporter could hear.
        assert lines == {
            "She was rude.": ["You fool", *["Oh"] * 4],
            "I saw it.": ["Ann wins"],
            "Again.": [],
        }
        shown = found["She was rude."]
        closing = {"report_id": shown["report_id"], "note": "Warned.", "closed": True}
        await host.ask("admin/note-report", body=closing)
        last = (await host.ask("admin/reports"))["reports"][-1]
        assert (last["note"], last["closed_by"]) == ("Warned.", "host")
        assert ("host", "close_report", "Ann") in await audit(host)
        data = await host.ask("admin/player-data?player=ann")
        admin_answers.PlayerData.model_validate(data)
        assert (len(data["talk"]), len(data["reported"])) == (1, 3)
