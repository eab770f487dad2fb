"""Check who may say a phrase, and who receives it."""

from __future__ import annotations

import pytest

from doublecross.protocol.client_messages import (
    CreateRoom,
    CreateTournament,
    JoinRoom,
    JoinTournament,
    Leave,
    Rematch,
    Resign,
    SayPhrase,
    StartTournament,
    Watch,
)
from doublecross.protocol.common import TournamentTerms
from doublecross.server.shell.rooms.phrase_limits import MOST
from tests.fakes.peers import FakePeer
from tests.server.playing import dots
from tests.server.tournaments.world import TournamentWorld
from tests.server.world import World


async def refusal(world: World, peer: FakePeer, room: str, match: int = 1) -> tuple[str, str]:
    answer = await world.answer(peer, SayPhrase, room=room, match=match, phrase="hello")
    assert answer["type"] == "error"
    return answer["code"], answer["message"]


async def test_both_players_and_spectators_hear_a_phrase_once(world: World) -> None:
    ann, bob = world.arrive("Ann"), world.arrive("Bob", text=True)
    room = await world.play_room(ann, bob)
    cat = world.arrive("Cat")
    await world.answer(cat, Watch, room=room.id)
    for peer in (ann, bob):
        peer.take()
    seq = room.seq
    asked = world.ask(bob, SayPhrase, room=room.id, match=1, phrase="good_luck")
    heard = {
        "type": "phrase_said",
        "room": room.id,
        "match": 1,
        "seat": 1,
        "phrase": "good_luck",
    }
    assert ann.take() == cat.take() == [heard]
    assert bob.take() == [{"type": "done", "id": asked}, heard]
    # It is no event: nothing is stored, and the numbers of the room go on without it.
    assert room.seq == seq
    assert world.authority.committer.idle


async def test_phrases_may_follow_the_end_and_belong_to_one_match(world: World) -> None:
    ann, bob, room = await world.table()
    await world.answer(ann, Resign, room=room.id)
    answer = await world.answer(ann, SayPhrase, room=room.id, match=1, phrase="good_game")
    assert answer["type"] == "done"
    for peer in (ann, bob):
        await world.answer(peer, Rematch, room=room.id)
    code, sentence = await refusal(world, bob, room.id, match=1)
    assert (code, sentence) == ("wrong_state", "The room is at match 2, not 1; say it again.")
    answer = await world.answer(bob, SayPhrase, room=room.id, match=2, phrase="good_luck")
    assert answer["type"] == "done"


async def test_only_people_who_play_people_speak(world: World) -> None:
    ann, bob = world.arrive("Ann"), world.arrive("Bob")
    bot, cat = world.arrive("Botty", bot=True), world.arrive("Cat")
    assert (await refusal(world, ann, "none"))[0] == "unknown_room"
    made = await world.answer(ann, CreateRoom, key="k", settings=dots(), seat=0)
    code, sentence = await refusal(world, ann, made["room"])
    assert (code, sentence) == ("wrong_state", "Nobody is here yet; wait for an opponent.")
    await world.answer(bob, JoinRoom, room=made["room"])
    await world.answer(cat, Watch, room=made["room"])
    assert (await refusal(world, cat, made["room"]))[0] == "not_seated"
    room = await world.play_room(ann, bot)
    assert "is a bot" in (await refusal(world, ann, room.id))[1]
    assert "bots say nothing" in (await refusal(world, bot, room.id))[1]


async def test_a_player_is_limited_and_refused_phrases_cost_nothing(world: World) -> None:
    ann, bob, room = await world.table()
    for _ in range(MOST):
        await refusal(world, ann, "none")
    for _ in range(MOST):
        answer = await world.answer(ann, SayPhrase, room=room.id, match=1, phrase="oops")
        assert answer["type"] == "done"
    bob.take()
    code, sentence = await refusal(world, ann, room.id)
    assert (code, sentence.endswith("in 60 s.")) == ("rate_limited", True)
    assert bob.take() == []


async def test_a_phrase_waits_for_the_commit_of_what_was_before(world: World) -> None:
    ann, bob, room = await world.table()
    bob.take()
    world.store.hold()
    world.move(ann, room, 0)
    world.ask(ann, SayPhrase, room=room.id, match=1, phrase="oops")
    await world.settle()
    assert bob.take() == []
    world.store.release()
    await world.settle()
    assert [message["type"] for message in bob.take()][:2] == ["move", "phrase_said"]


async def test_a_closed_room_delivers_nothing(world: World) -> None:
    ann, bob, room = await world.table()
    await world.answer(ann, Resign, room=room.id)
    for peer in (ann, bob):
        await world.answer(peer, Leave, room=room.id)
    assert (await refusal(world, ann, room.id))[0] == "unknown_room"


@pytest.mark.parametrize("phrases", [True, False])
async def test_a_tournament_may_forbid_phrases(phrases: bool) -> None:
    world = await TournamentWorld().start()
    ann, bob = world.arrive("Ann"), world.arrive("Bob")
    terms = TournamentTerms(
        name="Cup",
        format="round-robin",
        settings=dots(),
        people=True,
        **({} if phrases else {"phrases": False}),
    )
    made = await world.call(ann, CreateTournament, key="t", terms=terms)
    for peer in (ann, bob):
        await world.call(peer, JoinTournament, tournament=made["tournament"])
    await world.call(ann, StartTournament, tournament=made["tournament"])
    (room,) = world.authority.lobby.rooms
    answer = await world.call(ann, SayPhrase, room=room, match=1, phrase="hello")
    if phrases:
        assert answer["type"] == "done"
    else:
        assert answer["message"] == "The organiser of this tournament wants no phrases."
    await world.stop()
