"""Check that the messages of the real server fit the models, for every request."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from doublecross.protocol import server_messages
from doublecross.protocol.client_messages import ClientMessage, Hello
from doublecross.protocol.codec import Codec, JsonCodec, MsgpackCodec
from doublecross.protocol.common import (
    EngineInfo,
    MatchSettings,
    PairTag,
    PlayerInfo,
    TimeControl,
)
from doublecross.protocol.documentation.schema import members, message_type
from doublecross.protocol.server_messages import Event, ServerMessage
from doublecross.server.core import events
from doublecross.server.core.rooms import snapshot
from doublecross.server.shell.handlers.rooms import ROOM_HANDLERS
from doublecross.server.shell.handlers.table import HANDLERS
from tests.fakes.advisers import FakeAdviser
from tests.fakes.reviewers import FakeReviewer
from tests.protocol.wire import MAX_KEYS, Message, WireClient, serving

SMALL: Message = {"game": "dots-and-boxes", "params": {"rows": 1, "cols": 1}}
TIMED: Message = {**SMALL, "time": {"base_ms": 60_000, "increment_ms": 500, "move_ms": 30_000}}
BOT: Message = {"kind": "bot", "engine": {"name": "edges", "version": "1"}}
NEVER_SENT = {"room_created"}
"""It is stored; who follows a room gets a snapshot that has it all."""


def test_every_request_has_exactly_one_handler() -> None:
    assert HANDLERS.keys() | ROOM_HANDLERS.keys() | {Hello} == set(members(ClientMessage))
    assert not HANDLERS.keys() & ROOM_HANDLERS.keys()
    assert not {Hello} & (HANDLERS.keys() | ROOM_HANDLERS.keys())


def test_every_request_about_a_room_names_it() -> None:
    assert all("room" in kind.model_fields for kind in ROOM_HANDLERS)
    assert len({message_type(m) for m in members(ClientMessage)}) == len(members(ClientMessage))


def test_events_have_room_for_an_id() -> None:
    settings = MatchSettings(game="dots-and-boxes", params={"rows": 3})
    player = PlayerInfo(name="Ann", kind="human")
    tag = PairTag(tournament="t", pairing=0, game=0, attempt=1)
    built = [
        events.room_created(
            "r", settings, True, 1, "code", "origin", ("a", "b"), tag, "Cat", "asked-key"
        ),
        events.seated("r", 2, 0, player),
        events.match_started("r", 3, 1, ("Ann", "Ben"), 0, (1, 1), 1),
        events.move_made("r", 4, 1, 0, 0, 1, 1, (0, 0), (1, 1), 1, -0.5, True, 2),
        events.takeback_asked("r", 5, 1, 0, 3),
        events.takeback_declined("r", 6, 1, None),
        events.taken_back("r", 7, 1, 0, 3, 1, 0, (0, 0), (1, 1)),
        events.match_finished("r", 5, 1, "completed", 0, (1.0, -1.0), (1, 0), (1, 1), "r-1", 1, ""),
        events.rematch_offered("r", 6, 0),
        events.rematch_ended("r", 6, 0, "declined"),
        events.room_closed("r", 7, "over"),
    ]
    models = {message_type(m): m for m in members(Event)}
    for event in built:
        assert len(event) <= MAX_KEYS
        models[event["type"]].model_validate(event, extra="forbid")
    assert {event["type"] for event in built} == models.keys()


TYPED = [
    (events.RoomCreatedEvent, server_messages.RoomCreated),
    (events.SeatedEvent, server_messages.Seated),
    (events.MatchStartedEvent, server_messages.MatchStarted),
    (events.MoveEvent, server_messages.MoveMade),
    (events.TakebackAskedEvent, server_messages.TakebackAsked),
    (events.TakebackDeclinedEvent, server_messages.TakebackDeclined),
    (events.TakebackEvent, server_messages.TakenBack),
    (events.MatchFinishedEvent, server_messages.MatchFinished),
    (events.RematchOfferedEvent, server_messages.RematchOffered),
    (events.RematchEndedEvent, server_messages.RematchEnded),
    (events.RoomClosedEvent, server_messages.RoomClosed),
    (events.PlayerDict, PlayerInfo),
    (events.EngineDict, EngineInfo),
    (events.SettingsDict, MatchSettings),
    (events.TimeControlDict, TimeControl),
    (events.PairTagDict, PairTag),
    (snapshot.SnapshotDict, server_messages.Snapshot),
    (snapshot.OpenTakebackDict, server_messages.OpenTakeback),
    (snapshot.ResultDict, server_messages.MatchResult),
    (snapshot.PresenceDict, server_messages.Presence),
    (snapshot.SeatPresenceDict, server_messages.SeatPresence),
    (snapshot.LobbyRoomDict, server_messages.LobbyRoom),
    (snapshot.BoardDict, server_messages.BoardState),
]
ADDED = {"id", "board"}
"""The fields that are added to an event when it is sent, for the peers that need them."""


@pytest.mark.parametrize(("typed", "model"), TYPED)
def test_the_typed_dicts_have_the_fields_of_the_models(typed: Any, model: Any) -> None:
    assert typed.__required_keys__ | typed.__optional_keys__ == model.model_fields.keys() - ADDED


async def play(first: WireClient, second: WireClient, room: str, match: int = 1) -> Message:
    """Play a whole match on one box, seat 0 first, and return its end."""
    for ply, action in enumerate((0, 1, 2, 3)):
        mover = (first, second)[ply % 2]
        extra = {"expected": -0.5, "fallback": True} if ply == 1 else {}
        answer = await mover.ask(
            {
                "type": "move",
                "room": room,
                "match": match,
                "ply": ply,
                "action": action,
                **extra,
            }
        )
        assert answer["type"] == "move"
        assert answer["seat"] == ply % 2
        assert len(answer) - 1 <= MAX_KEYS
    return await second.wait("match_finished", match=match)


@pytest.mark.parametrize(
    ("first_codec", "second_codec"),
    [(MsgpackCodec(), JsonCodec()), (JsonCodec(), MsgpackCodec())],
    ids=["msgpack", "json"],
)
async def test_a_long_session_conforms(
    tmp_path: Path, first_codec: Codec, second_codec: Codec
) -> None:
    helpers = {"adviser": FakeAdviser(), "reviewer": FakeReviewer(at_once=True)}
    async with serving(tmp_path, grace_s=0, talk=True, **helpers) as server:  # type: ignore[arg-type]
        ann = await WireClient.player(server, "Ann", first_codec, client="test", takebacks=True)
        ben = await WireClient.player(server, "Ben", second_codec, **BOT)
        eve = await WireClient.player(server, "Eve", first_codec, takebacks=True)
        assert (await ann.ask({"type": "ping"}))["type"] == "pong"
        assert (await eve.ask({"type": "follow_lobby"}))["type"] == "lobby_state"

        await rooms(ann, ben, eve)
        await endings(ann, ben)
        await takebacks(ann, eve)
        await by_days(ann, eve)
        await evaluation(ann, ben, eve)
        await offers(ann, ben, eve)
        await absence(server, ann, ben)
        await tournament(ann, ben, eve)

        # A new connection of a known player takes over from the old one, if it asks for that.
        token = ann.received[0]["token"]
        again = await WireClient.player(server, "x", second_codec, token=token, exclusive=True)
        assert await ann.closed_with() == 4001
        clients = (again, ben, eve)
        await eve.wait("lobby_changed")
        assert await eve.refused({"type": "get_record", "game_id": "none"}) == "unknown_record"
        server.authority.announcements.announce("The server stops.", 0)
        await server.stop()
        for client in clients:
            assert await client.closed_with() == 1012
    seen = set[str]().union(*(client.seen for client in (ann, *clients)))
    assert seen == {message_type(m) for m in members(ServerMessage)} - NEVER_SENT


async def evaluation(ann: WireClient, ben: WireClient, eve: WireClient) -> None:
    """Evaluate a match for a spectator."""
    settings = {**TIMED, "evaluation": True}
    create = {"type": "create_room", "key": "evaluated", "settings": settings, "seat": 0}
    room = (await ann.ask(create))["room"]
    await ben.ask({"type": "join_room", "room": room})
    for ply, client in enumerate((ann, ben)):
        move = {"type": "move", "room": room, "match": 1, "ply": ply, "action": ply}
        assert (await client.ask(move))["type"] == "move"
    await eve.ask({"type": "watch", "room": room})
    found = await eve.ask({"type": "get_evaluation", "room": room})
    assert (found["type"], found["move"]["ply"]) == ("evaluation", 0)
    assert await ann.refused({"type": "get_evaluation", "room": room}) == "wrong_state"
    await ann.ask({"type": "resign", "room": room})
    for client in (ann, ben, eve):
        await client.ask({"type": "leave", "room": room})


async def rooms(ann: WireClient, ben: WireClient, eve: WireClient) -> None:
    """Use public and private rooms, matches, a rematch and records; follow and leave."""
    create = {"type": "create_room", "key": "room-1", "settings": TIMED, "seat": 0}
    state = await ann.ask({**create, "private": True})
    room, code = state["room"], state["code"]
    assert (await ann.ask({**create, "private": True}))["room"] == room
    join = {"type": "join_room", "room": room}
    assert await ben.refused(join) == "wrong_code"
    assert (await ben.ask({**join, "code": code}))["snapshot"]["status"] == "playing"
    assert await eve.refused({"type": "watch", "room": room, "code": "no"}) == "wrong_code"
    watched = await eve.ask({"type": "watch", "room": room, "code": code})
    assert watched["seat"] is None
    assert "code" not in watched
    for client in (ann, ben):
        assert (await client.ask({"type": "allow_advice", "room": room}))["type"] == "done"
    advice = await ann.ask({"type": "get_advice", "room": room})
    assert (advice["type"], advice["match"], advice["ply"]) == ("advice", 1, 0)
    assert (await play(ann, ben, room))["winner"] == 1
    record = await eve.ask({"type": "get_record", "game_id": f"{room}-1"})
    assert record["type"] == "record"
    assert (await eve.ask({"type": "get_review", "game_id": f"{room}-1"}))["type"] == "review"
    own = await ann.ask({"type": "get_games"})
    assert [game["game_id"] for game in own["games"]] == [f"{room}-1"]

    offered = await ann.ask({"type": "rematch", "room": room})
    assert offered["type"] == "rematch_offered"
    declined = await ben.ask({"type": "decline_rematch", "room": room})
    assert (declined["type"], declined["outcome"]) == ("rematch_ended", "declined")
    await ann.ask({"type": "rematch", "room": room})
    started = await ben.ask({"type": "rematch", "room": room})
    assert started["type"] == "match_started"
    assert started["players"] == ("Ben", "Ann")
    await play(ben, ann, room, match=2)
    missed = await ann.ask({"type": "resume", "room": room, "seq": 3})
    assert [e["seq"] for e in missed["events"]] == list(range(4, 4 + len(missed["events"])))
    whole = await ann.ask({"type": "resume", "room": room, "seq": 0})
    assert whole["snapshot"]["result"]["termination"] == "completed"
    for client in (eve, ann, ben):
        assert (await client.ask({"type": "leave", "room": room}))["type"] == "done"
    await ben.wait("room_closed")


async def endings(ann: WireClient, ben: WireClient) -> None:
    """End matches other than on the board."""
    matches: list[tuple[Message, Message]] = [
        (SMALL, {"type": "resign"}),
        (SMALL, {"type": "abort"}),
        ({**SMALL, "rated": True}, {"type": "crash", "match": 1, "ply": 0, "message": "oh"}),
    ]
    for number, (settings, last) in enumerate(matches):
        create = {"type": "create_room", "key": f"end-{number}", "settings": settings, "seat": 0}
        room = (await ann.ask(create))["room"]
        await ben.ask({"type": "join_room", "room": room})
        assert await ben.refused({"type": "claim", "room": room}) == "wrong_state"
        finished = await ann.ask({**last, "room": room})
        assert finished["type"] == "match_finished"
        assert len(finished) - 1 <= MAX_KEYS
        for client in (ann, ben):
            await client.ask({"type": "leave", "room": room})


async def by_days(ann: WireClient, eve: WireClient) -> None:
    """Move in a correspondence game that the opponent does not follow."""
    settings = {**SMALL, "time": {"move_ms": 86_400_000}}
    create = {"type": "create_room", "key": "days", "settings": settings, "seat": 0}
    room = (await ann.ask(create))["room"]
    await eve.ask({"type": "join_room", "room": room})
    await eve.ask({"type": "leave", "room": room})
    await ann.ask({"type": "move", "room": room, "match": 1, "ply": 0, "action": 0})
    assert (await eve.wait("your_turn"))["opponent"] == "Ann"
    (game,) = (await eve.ask({"type": "get_open_games"}))["games"]
    assert (game["room"], game["to_move"], game["plies"]) == (room, 1, 1)
    plan = {"room": room, "match": 1, "ply": 1, "takebacks": 0, "lines": ((1, 2),)}
    assert (await ann.ask({"type": "set_plan", **plan}))["lines"] == ((1, 2),)
    await eve.ask({"type": "move", "room": room, "match": 1, "ply": 1, "action": 1})
    assert (await ann.wait("move", ply=2))["action"] == 2
    assert (await ann.ask({"type": "get_plan", "room": room}))["lines"] == ()
    await ann.ask({"type": "resign", "room": room})


async def takebacks(ann: WireClient, eve: WireClient) -> None:
    """Ask for takebacks, decline one and agree to one, and play the ply again."""
    create = {"type": "create_room", "key": "back", "settings": SMALL, "seat": 0}
    room = (await ann.ask(create))["room"]
    state = await eve.ask({"type": "join_room", "room": room})
    assert [seat["takebacks"] for seat in state["presence"]["seats"]] == [True, True]
    say = {"type": "say_phrase", "room": room, "match": 1, "phrase": "hello"}
    assert (await eve.ask(say))["type"] == "done"
    heard = await ann.wait("phrase_said", seat=1)
    assert (heard["match"], heard["phrase"]) == (1, "hello")
    await eve.ask({"type": "say", "room": room, "words": "Hi"})
    said = await ann.wait("said", seat=1)
    assert (await ann.ask({"type": "get_talk", "room": room}))["said"] == (said,)
    await ann.ask({"type": "set_tie", "player": "Eve", "tie": "follow"})
    move = {"type": "move", "room": room, "match": 1}
    await ann.ask({**move, "ply": 0, "action": 0, "takebacks": 0})
    back = {"room": room, "match": 1, "ply": 0, "takebacks": 0}
    asked = await ann.ask({"type": "ask_takeback", **back})
    assert (asked["type"], asked["seat"], asked["ply"]) == ("takeback_asked", 0, 0)
    seen = await eve.ask({"type": "watch", "room": room})
    assert seen["snapshot"]["takeback"] == {"seat": 0, "ply": 0}
    declined = await eve.ask({"type": "answer_takeback", **back, "accept": False})
    assert (declined["type"], declined["seat"]) == ("takeback_declined", 1)
    await eve.ask({**move, "ply": 1, "action": 1, "takebacks": 0})
    await ann.ask({"type": "ask_takeback", **back})
    done = await eve.ask({"type": "answer_takeback", **back, "accept": True})
    assert (done["type"], done["ply"], done["takebacks"]) == ("takeback", 0, 1)
    assert (await ann.ask({"type": "ask_takeback", **back}))["seq"] == done["seq"]
    assert await ann.refused({**move, "ply": 0, "action": 0, "takebacks": 0}) == "stale_ply"
    again = await ann.ask({**move, "ply": 0, "action": 2, "takebacks": 1})
    assert (again["ply"], again["takebacks"]) == (0, 1)
    assert (await eve.ask({"type": "watch", "room": room}))["snapshot"]["takebacks"] == 1
    await eve.ask({"type": "resign", "room": room})
    for client in (ann, eve):
        await client.ask({"type": "leave", "room": room})


async def tournament(ann: WireClient, ben: WireClient, eve: WireClient) -> None:
    """Create, join, leave, start, play and end a tournament, and set a player aside."""
    terms = {"name": "Spring", "format": "round-robin", "settings": TIMED, "people": True}
    create = {"type": "create_tournament", "key": "t-1", "terms": {**terms, "pairs": 2}}
    opened = await ann.ask(create)
    about: Message = {"tournament": opened["tournament"]}
    assert (await ann.ask(create))["tournament"] == opened["tournament"]
    await eve.wait("lobby_changed", tournaments_gone=())
    assert await ben.refused({"type": "start_tournament", **about}) == "not_yours"
    for client in (ann, ben, eve):
        joined = await client.ask({"type": "join_tournament", **about})
        assert joined["type"] == "tournament_state"
    assert (await eve.ask({"type": "leave_tournament", **about}))["type"] == "done"
    started = await ann.ask({"type": "start_tournament", **about})
    assert started["status"] == "running"
    notice = await ben.wait("room_state", origin=opened["tournament"])
    tag = notice["snapshot"]["tag"]
    assert (tag["tournament"], tag["game"], tag["attempt"]) == (opened["tournament"], 0, 1)
    first, second = (ann, ben) if notice["seat"] else (ben, ann)
    room = notice["room"]
    move = {"type": "move", "room": room, "match": 1, "ply": 0}
    lost = await first.ask({**move, "action": 99})
    assert (lost["type"], lost["termination"], lost["winner"]) == ("match_finished", "illegal", 1)
    await second.wait("match_finished", room=room)
    aside = {"type": "set_aside", **about, "player": "Ben", "reason": "on holiday"}
    assert (await ann.ask(aside))["type"] == "tournament_state"
    ended = await ben.ask({"type": "get_tournament", **about})
    told = {each["player"]: (each["state"], each["reason"]) for each in ended["entrants"]}
    assert told["Ben"] == ("aside", "on holiday")
    back = await ann.ask({"type": "take_back", **about, "player": "Ben"})
    assert {each["player"]: each["state"] for each in back["entrants"]}["Ben"] == "in"
    assert await ann.refused({"type": "end_tournament", "tournament": "t0"}) == "unknown_tournament"


async def offers(ann: WireClient, ben: WireClient, eve: WireClient) -> None:
    """Post, accept, decline and withdraw seeks and challenges."""
    seek = {"type": "seek", "key": "seek-1", "settings": SMALL, "seat": 1}
    posted = await ann.ask(seek)
    assert posted["type"] == "seek_posted"
    assert (await ann.ask(seek))["seek"] == posted["seek"]
    await eve.wait("lobby_changed")
    accept = {"type": "accept_seek", "key": "accept-1", "seek": posted["seek"]}
    state = await ben.ask(accept)
    assert state["origin"] == posted["seek"]
    notice = await ann.wait("room_state", origin=posted["seek"])
    assert "id" not in notice
    assert (await ben.ask(accept))["room"] == (await ann.ask(seek))["room"] == state["room"]
    await ann.ask({"type": "resign", "room": state["room"]})

    quick = {"type": "quick_match", "key": "quick", "settings": TIMED}
    assert (await ann.ask(quick))["type"] == "seek_posted"
    found = await ben.ask(quick)
    assert found["type"] == "room_state"
    await ben.ask({"type": "resign", "room": found["room"]})  # a tournament would wait for it
    posted = await ann.ask({**seek, "key": "seek-2"})
    assert await ben.refused({"type": "cancel_seek", "seek": posted["seek"]}) == "not_yours"
    assert (await ann.ask({"type": "cancel_seek", "seek": posted["seek"]}))["type"] == "done"

    async def challenge(key: str) -> str:
        sent = await ann.ask(
            {"type": "challenge", "key": key, "player": "ben", "settings": TIMED, "seat": None}
        )
        assert sent["type"] == "challenge_sent"
        told = await ben.wait("challenged")
        assert told["challenge"] == sent["challenge"]
        offer: str = sent["challenge"]
        return offer

    offer = await challenge("c-1")
    declined = {"type": "decline_challenge", "challenge": offer, "reason": "not now"}
    assert (await ben.ask(declined))["type"] == "done"
    assert (await ann.wait("offer_ended"))["reason"] == "not now"
    offer = await challenge("c-2")
    assert (await ann.ask({"type": "cancel_challenge", "challenge": offer}))["type"] == "done"
    assert (await ben.wait("offer_ended"))["outcome"] == "cancelled"
    offer = await challenge("c-3")
    accepted = await ben.ask({"type": "accept_challenge", "key": "k-3", "challenge": offer})
    assert accepted["snapshot"]["status"] == "playing"
    await ben.ask({"type": "abort", "room": accepted["room"]})
    assert (await eve.ask({"type": "follow_lobby"}))["type"] == "lobby_state"


async def absence(server: Any, ann: WireClient, ben: WireClient) -> None:
    """Let a player stay away, and the other claim the match."""
    away = await WireClient.player(server, "Fay")
    room = (await away.ask({"type": "create_room", "key": "k", "settings": SMALL}))["room"]
    await ann.ask({"type": "join_room", "room": room})
    await away.close()
    while True:
        presence = await ann.wait("presence", room=room)
        if not all(seat["connected"] for seat in presence["seats"]):
            break
    claimed = await ann.ask({"type": "claim", "room": room})
    assert claimed["termination"] == "disconnect"


@pytest.mark.parametrize("codec", [MsgpackCodec(), JsonCodec()], ids=["msgpack", "json"])
async def test_every_message_gets_one_answer_and_the_connection_stays_open(
    tmp_path: Path, codec: Codec
) -> None:
    """The test sends malformed frames and refused requests of every type at once."""
    raw: list[Any] = [
        "",
        "{",
        "[]",
        "null",
        '{"type":"ping"}',
        '{"type":5,"id":3}',
        "\x00",
        "[" * 999,
    ]
    refusals: list[Message] = [
        {"type": "hello", "protocol": 2, "kind": "human", "name": "Ann"},
        {"type": "create_room", "key": "a", "settings": {"game": "chess"}},
        {"type": "create_room", "key": "a", "settings": {**SMALL, "opening": (99,)}},
        {"type": "create_room", "key": "a", "settings": {**SMALL, "params": {"rows": 99}}},
        {"type": "create_room", "key": "a", "settings": {**SMALL, "params": {"\x1b": 1}}},
        {"type": "join_room", "room": "none"},
        {"type": "watch", "room": "none"},
        {"type": "resume", "room": "none", "seq": 1},
        {"type": "move", "room": "none", "match": 1, "ply": 0, "action": 0},
        {"type": "ask_takeback", "room": "none", "match": 1, "ply": 0, "takebacks": 0},
        {
            "type": "answer_takeback",
            "room": "none",
            "match": 1,
            "ply": 0,
            "takebacks": 0,
            "accept": True,
        },
        {"type": "resign", "room": "none"},
        {"type": "abort", "room": "none"},
        {"type": "claim", "room": "none"},
        {"type": "crash", "room": "none", "match": 1, "ply": 0},
        {"type": "rematch", "room": "none"},
        {"type": "decline_rematch", "room": "none"},
        {"type": "seek", "key": "a", "settings": {"game": "chess"}},
        {"type": "quick_match", "key": "a", "settings": {"game": "chess"}},
        {"type": "cancel_seek", "seek": "none"},
        {"type": "accept_seek", "key": "a", "seek": "none"},
        {"type": "challenge", "key": "a", "player": "Nobody", "settings": SMALL},
        {"type": "challenge", "key": "a", "player": "ann", "settings": SMALL},
        {"type": "cancel_challenge", "challenge": "none"},
        {"type": "accept_challenge", "key": "a", "challenge": "none"},
        {"type": "decline_challenge", "challenge": "none"},
        {"type": "get_record", "game_id": "none"},
        {"type": "get_review", "game_id": "none"},
        {"type": "get_games", "limit": 0},
        {"type": "get_advice", "room": "none"},
        {"type": "allow_advice", "room": "none"},
        {"type": "get_evaluation", "room": "none"},
        {"type": "set_plan", "room": "none", "match": 1, "ply": 0, "takebacks": 0, "lines": []},
        {"type": "get_plan", "room": "none"},
        {"type": "say_phrase", "room": "none", "match": 1, "phrase": "hello"},
        {"type": "say_phrase", "room": "none", "match": 1, "phrase": "anything"},
        {"type": "say", "room": "none", "words": "Hi"},
        {"type": "get_talk", "room": "none"},
        {"type": "set_tie", "player": "Nobody", "tie": "block"},
        {"type": "report_player", "player": "Nobody", "reason": "other", "words": ""},
        {"type": "move"},
        {"type": "nothing"},
    ]
    async with serving(tmp_path) as server:
        client = await WireClient.player(server, "Ann", codec)
        for data in raw:
            await client.ws.send(data if codec.text else data.encode())
        for request_id, message in enumerate(refusals, 100):
            await client.send({**message, "id": request_id})
        await client.send({"type": "ping", "id": 1000})
        await client.wait("pong", id=1000)
        wanted = {100 + i: 1 for i in range(len(refusals))} | {1000: 1}
        # Requests that look into the database are answered later.
        while not {m.get("id") for m in client.received}.issuperset(wanted):
            await client.receive()
        answered = Counter(m["id"] for m in client.received[1:])
        unread = {key: n for key, n in answered.items() if key not in wanted}
        assert {key: answered[key] for key in wanted} == wanted
        assert sum(unread.values()) == len(raw)
        assert unread.keys() <= {None, 3}
        assert not server.authority.lobby.rooms
        assert not server.authority.lobby.offers
        await client.close()


async def test_the_wrong_kind_of_frame_is_answered(tmp_path: Path) -> None:
    async with serving(tmp_path) as server:
        for codec, data in ((JsonCodec(), b"\x80"), (MsgpackCodec(), "{}")):
            client = await WireClient.player(server, f"Ann {codec.name}", codec)
            await client.ws.send(data)
            assert (await client.receive())["code"] == "bad_message"
            assert (await client.ask({"type": "ping"}))["type"] == "pong"
            await client.close()
