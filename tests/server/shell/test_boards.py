"""Positions for clients that do not know the rules: each belongs to the event that carries it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from doublecross.games.api import Game, State
from doublecross.games.registry import GAMES
from doublecross.protocol.client_messages import (
    AskTakeback,
    CreateRoom,
    JoinRoom,
    Leave,
    Rematch,
    Resign,
    Resume,
    Watch,
)
from doublecross.protocol.common import MatchSettings
from doublecross.server.shell.rooms import channel as channels
from tests.contract.test_games_contract import SIZES, random_opening
from tests.fakes.peers import FakePeer
from tests.server.playing import dots
from tests.server.world import World

SMALL = [
    pytest.param(kind(kind.parse_size(size)), id=f"{key}-{size}")
    for key, kind in GAMES.items()
    for size in SIZES[key][:3]
]


def arrive(world: World, name: str, *, text: bool = False, boards: bool = True) -> FakePeer:
    """Return a connected player, who needs boards unless the test says otherwise."""
    peer = world.arrive(name, text=text)
    peer.boards = boards
    return peer


def shown(state: State, *, in_play: bool = True) -> dict[str, Any]:
    """Return the board of a position, straight from the rules."""
    return {
        "cells": "".join({0: "0", 1: "1", -1: "."}[owner] for owner in state.owners()),
        "legal": "".join(
            str(int(in_play and state.is_legal(action))) for action in range(state.game.num_actions)
        ),
        "winning": state.winning_cells(),
    }


def after(settings: MatchSettings, game: Game, moves: tuple[int, ...]) -> dict[str, Any]:
    return shown(game.replay(settings.opening, moves))


def moves_of(peer: FakePeer) -> list[dict[str, Any]]:
    return [message for message in peer.take() if message["type"] == "move"]


@pytest.mark.parametrize("text", [False, True], ids=["msgpack", "json"])
@pytest.mark.parametrize("game", SMALL)
async def test_every_event_has_the_position_of_the_rules(
    world: World, game: Game, text: bool
) -> None:
    rng = Random(f"{game.size} {text}")
    opening = random_opening(game, rng)
    settings = MatchSettings(game=game.key, params=dict(game.params), opening=opening)
    ann, bob = arrive(world, "Ann", text=text), arrive(world, "Bob", text=not text, boards=False)
    cat, dan = arrive(world, "Cat", text=not text), arrive(world, "Dan", text=text, boards=False)
    made = await world.answer(ann, CreateRoom, key="k1", settings=settings, seat=0)
    state = game.initial_state(opening)
    assert made["board"] == shown(state, in_play=False)
    for peer in (cat, dan):
        await world.answer(peer, Watch, room=made["room"])
    await world.answer(bob, JoinRoom, room=made["room"])
    room = world.room(made["room"])
    for peer in (ann, cat):
        (started,) = [m for m in peer.take() if m["type"] == "match_started"]
        assert started["board"] == shown(state)
    dan.take()
    while not state.is_terminal():
        mover = (ann, bob)[state.current_player()]
        action = rng.choice(state.legal_actions())
        request_id = world.move(mover, room, action)
        await world.settle()
        state.apply(action)
        for peer in (ann, bob, cat, dan):
            (event,) = moves_of(peer)
            assert event.get("id") == (request_id if peer is mover else None)
            assert event.get("board") == (shown(state) if peer.boards else None)
    seen = await world.answer(cat, Watch, room=room.id)
    assert seen["board"] == shown(state)
    assert "1" not in seen["board"]["legal"]
    assert (await world.answer(dan, Watch, room=room.id)).get("board") is None


async def test_moves_that_wait_together_keep_their_own_positions(world: World) -> None:
    ann, bob = arrive(world, "Ann"), arrive(world, "Bob", text=True)
    room = await world.play_room(ann, bob)
    for peer in (ann, bob):
        peer.take()
    world.store.hold()
    for ply, action in enumerate((0, 1, 2)):
        world.move((ann, bob)[ply % 2], room, action)
    world.store.release()
    await world.settle()
    for peer in (ann, bob):
        boards = [event["board"] for event in moves_of(peer)]
        assert boards == [after(room.settings, room.game, (0, 1, 2)[:n]) for n in (1, 2, 3)]


async def test_positions_around_a_takeback_are_those_of_their_own_line(world: World) -> None:
    """The events wait for one commit, and the match has gone on in another line meanwhile."""
    ann, bob = arrive(world, "Ann"), arrive(world, "Bob", text=True)
    bot = world.arrive("Robot", bot=True)
    bot.takebacks = True
    room = await world.play_room(ann, bot)
    await world.answer(bob, Watch, room=room.id)
    ann.take()
    seq = room.seq
    world.store.hold()
    world.move(ann, room, 0)
    world.move(bot, room, 1)
    back = {"room": room.id, "match": 1, "ply": 0}
    world.ask(ann, AskTakeback, takebacks=0, **back)
    world.move(ann, room, 5)
    world.move(bot, room, 1)
    world.ask(ann, AskTakeback, takebacks=1, **back)
    world.move(ann, room, 6)
    lines = [(0,), (0, 1), (), (5,), (5, 1), (), (6,)]
    world.store.release()
    await world.settle()
    for peer in (ann, bob):
        told = [m for m in peer.take() if m["type"] in ("move", "takeback")]
        assert [m["board"] for m in told] == [after(room.settings, room.game, n) for n in lines]
    # A takeback that waits for its commit is not shown to somebody who comes meanwhile.
    cat = arrive(world, "Cat")
    world.move(bot, room, 0)
    await world.settle()
    world.store.hold()
    world.move(ann, room, 4)
    world.ask(cat, Resume, room=room.id, seq=seq)
    world.ask(ann, AskTakeback, room=room.id, match=1, ply=0, takebacks=2)
    world.move(ann, room, 2)
    world.store.release()
    await world.settle()
    state, *rest = [m for m in cat.take() if m["type"] != "presence"]
    assert state["board"] == after(room.settings, room.game, (6, 0, 4))
    assert [m["board"] for m in rest] == [
        after(room.settings, room.game, moves) for moves in ((), (2,))
    ]
    assert room.clock_runs


async def test_the_last_position_of_a_match_arrives_after_the_rematch_began(world: World) -> None:
    ann, bob = arrive(world, "Ann"), arrive(world, "Bob")
    room = await world.play_room(ann, bob)
    bob.take()
    world.store.hold()
    world.move(ann, room, 5)
    world.ask(ann, Resign, room=room.id)
    world.ask(ann, Rematch, room=room.id)
    world.ask(bob, Rematch, room=room.id)
    assert room.match_number == 2
    world.store.release()
    await world.settle()
    told = [m for m in bob.take() if m["type"] in ("move", "match_started")]
    assert [m["board"] for m in told] == [
        after(room.settings, room.game, (5,)),
        after(room.settings, room.game, ()),
    ]


async def test_a_spectator_who_comes_between_moves_misses_no_position(world: World) -> None:
    ann, bob = (arrive(world, name, boards=False) for name in ("Ann", "Bob"))
    cat = arrive(world, "Cat")
    room = await world.play_room(ann, bob)
    world.store.hold()
    world.move(ann, room, 0)
    world.ask(cat, Watch, room=room.id)
    world.move(bob, room, 1)
    world.store.release()
    await world.settle()
    state, *moves = [m for m in cat.take() if m["type"] in ("room_state", "move")]
    assert state["snapshot"]["moves"] == (0,)
    assert state["board"] == after(room.settings, room.game, (0,))
    assert [m["board"] for m in moves] == [after(room.settings, room.game, (0, 1))]


@pytest.mark.parametrize("text", [False, True], ids=["msgpack", "json"])
async def test_missed_events_come_with_the_position_after_them(world: World, text: bool) -> None:
    ann, bob = arrive(world, "Ann"), arrive(world, "Bob", boards=False)
    room = await world.play_room(ann, bob)
    seq = room.seq
    for ply, action in enumerate((0, 1)):
        world.move((ann, bob)[ply], room, action)
        await world.settle()
    cat = arrive(world, "Cat", text=text)
    world.store.hold()
    world.move(ann, room, 2)
    world.ask(cat, Resume, room=room.id, seq=seq)
    world.move(bob, room, 3)  # stored after the answer
    world.ask(bob, Resign, room=room.id)
    world.store.release()
    await world.settle()
    state, *rest = [m for m in cat.take() if m["type"] != "presence"]
    assert [event["action"] for event in state["events"]] == [0, 1, 2]
    assert all(event.get("board") is None for event in state["events"])
    assert state["board"] == after(room.settings, room.game, (0, 1, 2))
    assert [m["type"] for m in rest] == ["move", "match_finished"]
    assert rest[0]["board"] == after(room.settings, room.game, (0, 1, 2, 3))


async def test_nothing_is_legal_after_a_resignation(world: World) -> None:
    ann, bob = arrive(world, "Ann"), arrive(world, "Bob", boards=False)
    room = await world.play_room(ann, bob)
    world.move(ann, room, 6)
    await world.settle()
    seq = room.seq
    await world.answer(bob, Resign, room=room.id)
    still = shown(room.game.replay((), (6,)), in_play=False)
    cat = arrive(world, "Cat")
    assert (await world.answer(cat, Watch, room=room.id))["board"] == still
    world.store.hold()
    world.ask(ann, Rematch, room=room.id)
    world.ask(cat, Resume, room=room.id, seq=seq)
    world.move(ann, room, 1)  # refused: the match is over
    world.authority.rooms.publisher.publish(room, room.close("The test is over."))
    world.store.release()
    await world.settle()
    (state,) = [m for m in cat.take() if m["type"] == "room_state"]
    assert [event["type"] for event in state["events"]] == ["match_finished", "rematch_offered"]
    assert state["board"] == still


async def test_a_rematch_that_is_not_stored_yet_is_shown_as_a_whole(world: World) -> None:
    ann, bob = arrive(world, "Ann"), arrive(world, "Bob", boards=False)
    room = await world.play_room(ann, bob)
    seq = room.seq
    world.move(ann, room, 6)
    await world.answer(bob, Resign, room=room.id)
    cat = arrive(world, "Cat")
    world.store.hold()
    world.ask(ann, Rematch, room=room.id)
    world.ask(cat, Resume, room=room.id, seq=seq)
    world.ask(bob, Rematch, room=room.id)
    world.store.release()
    await world.settle()
    (state,) = [m for m in cat.take() if m["type"] == "room_state"]
    assert state["snapshot"]["match"] == 2
    assert state["board"] == after(room.settings, room.game, ())


async def test_a_repeated_move_is_answered_with_its_own_position(world: World) -> None:
    ann, bob = arrive(world, "Ann"), arrive(world, "Bob", boards=False)
    room = await world.play_room(ann, bob)
    for ply, action in enumerate((0, 1)):
        world.move((ann, bob)[ply], room, action)
        await world.settle()
    ann.take()
    world.move(ann, room, 0, ply=0)
    await world.settle()
    (event,) = moves_of(ann)
    assert event["board"] == after(room.settings, room.game, (0,))


async def test_positions_are_right_after_a_failed_commit(world: World) -> None:
    ann, bob = arrive(world, "Ann"), arrive(world, "Bob", boards=False)
    room = await world.play_room(ann, bob)
    ann.take()
    world.store.fail_next()
    world.move(ann, room, 0)
    await world.settle()
    world.move(ann, room.id, 1)
    await world.settle()
    (event,) = moves_of(ann)
    assert event["board"] == after(room.settings, room.game, (1,))
    seen = await world.answer(ann, Watch, room=room.id)
    assert seen["board"] == after(room.settings, room.game, (1,))


async def test_positions_are_right_when_old_events_are_forgotten(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(channels, "HISTORY", 8)
    ann, bob = arrive(world, "Ann"), arrive(world, "Bob", boards=False)
    room = await world.play_room(ann, bob, dots(2, 2))
    moves = (0, 2, 4, 6, 8, 10)
    for ply, action in enumerate(moves[:5]):
        world.move((ann, bob)[ply % 2], room, action)
        await world.settle()
    assert world.authority.rooms.registry.channels[room.id].first > 1
    cat = arrive(world, "Cat")
    world.store.hold()
    world.move(bob, room, moves[5])
    world.ask(cat, Resume, room=room.id, seq=room.seq - 2)
    world.store.release()
    await world.settle()
    (state,) = [m for m in cat.take() if m["type"] == "room_state"]
    assert [event["action"] for event in state["events"]] == [8, 10]
    assert state["board"] == after(room.settings, room.game, moves)


async def test_nothing_is_computed_for_rooms_without_such_clients(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = (arrive(world, name, boards=False) for name in ("Ann", "Bob"))
    cat = arrive(world, "Cat")
    room = await world.play_room(ann, bob)
    await world.answer(cat, Watch, room=room.id)
    await world.answer(cat, Watch, room=room.id)
    await world.answer(cat, Leave, room=room.id)
    made: list[object] = []
    for name in ("board", "board_after", "room_board"):
        monkeypatch.setattr(channels, name, lambda *values: made.append(values))
    world.move(ann, room, 0)
    await world.settle()
    assert [event["action"] for event in moves_of(bob)] == [0]
    assert made == []


async def test_spectators_share_one_position(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, bob = (arrive(world, name, boards=False) for name in ("Ann", "Bob"))
    room = await world.play_room(ann, bob, dots(2, 2))
    made: list[object] = []
    real = channels.room_board
    monkeypatch.setattr(channels, "room_board", lambda room: made.append(room) or real(room))
    for name in ("Cat", "Dan", "Eve"):
        await world.answer(arrive(world, name), Watch, room=room.id)
    assert len(made) == 1
    world.move(ann, room, 0)
    await world.settle()
    seen = await world.answer(arrive(world, "Fay"), Watch, room=room.id)
    assert seen["board"] == after(room.settings, room.game, (0,))


async def test_the_hello_says_who_needs_positions(world: World) -> None:
    for name, boards in (("Ann", True), ("Bob", False)):
        peer = FakePeer()
        await world.hello(peer, name, boards=boards)
        assert peer.boards is boards
