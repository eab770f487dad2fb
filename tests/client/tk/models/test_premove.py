"""Check the move that a person chooses for the next own turn while the opponent thinks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from doublecross.client.tk.models.room.model import RoomModel
from doublecross.client.tk.models.room.premove import Premove
from tests.client.tk.models.rooms import SeenRoom, settings


def waiting() -> tuple[SeenRoom, RoomModel, Premove]:
    """Return a room in which Bob is to move, as Ann sees it."""
    room = SeenRoom()
    room.moves("b1")
    model = RoomModel(room.seen())
    premove = Premove(model)
    premove.on = True
    return room, model, premove


def test_a_chosen_move_is_due_at_the_own_turn_and_only_once() -> None:
    room, model, premove = waiting()
    action = room.game.parse_action("d1")
    assert premove.seat == 0
    assert premove.choose(action)
    assert premove.due() is None  # Bob thinks
    assert premove.action == action
    room.moves("b3")
    model.take(room.seen())
    assert premove.due() == action
    assert (premove.action, premove.due()) == (None, None)


def test_a_box_of_the_opponent_keeps_the_move_waiting() -> None:
    room = SeenRoom(settings("1x2"))
    room.moves("b1 b3 a2")
    model = RoomModel(room.seen())
    premove = Premove(model)
    premove.on = True
    action = room.game.parse_action("e2")
    assert premove.choose(action)
    room.moves("c2")  # Bob has taken a box, and moves again
    model.take(room.seen())
    assert premove.due() is None
    assert premove.action == action
    room.moves("d1")
    model.take(room.seen())
    assert premove.due() == action


def test_a_second_choice_replaces_the_first_or_removes_it() -> None:
    room, _, premove = waiting()
    first, second = (room.game.parse_action(name) for name in ("d1", "d3"))
    assert premove.choose(first)
    assert premove.choose(second)
    assert premove.action == second
    assert premove.choose(second)
    assert premove.action is None
    premove.choose(first)
    assert premove.drop()
    assert not premove.drop()


def test_only_free_edges_can_be_chosen() -> None:
    room, _, premove = waiting()
    assert not premove.choose(room.game.parse_action("b1"))
    assert premove.action is None


def test_nothing_can_be_chosen_where_nobody_else_is_to_move() -> None:
    room, model, premove = waiting()
    action = room.game.parse_action("d1")
    premove.on = False
    assert not premove.choose(action)
    premove.on = True
    model.position.go_to(0)
    assert not premove.choose(action)
    model.position.go_to(None)
    shared = RoomModel(room.seen())
    shared.take(replace(room.seen(me="Bob"), who="guest"))
    assert shared.seats.shared
    watching = RoomModel(room.seen(me="Zoe"))
    room.moves("b3")
    for other in (shared, watching, RoomModel(room.seen())):
        early = Premove(other)
        early.on = True
        assert not early.choose(action)


@pytest.mark.parametrize("how", ["takeback", "match", "end", "switched off"])
def test_a_chosen_move_is_dropped(how: str) -> None:
    room, model, premove = waiting()
    premove.choose(room.game.parse_action("d1"))
    snapshot = room.seen()
    match how:
        case "takeback":
            snapshot = replace(snapshot, takebacks=1, moves=(), to_move=0)
        case "match":
            room.finish("resigned", winner=0)
            room.start()
            snapshot = room.seen()
        case "end":
            room.finish("resigned", winner=0)
            snapshot = room.seen()
        case _:
            premove.on = False
    model.take(snapshot)
    assert premove.due() is None
    assert premove.action is None


def test_a_premove_may_have_become_illegal() -> None:
    room, model, premove = waiting()
    action = room.game.parse_action("d1")
    premove.choose(action)
    room.moves("d1")
    model.take(room.seen())
    assert premove.due() == action
    assert isinstance(model.play(action), str)
