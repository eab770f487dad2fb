"""The requests about conditional moves, which `move` plays."""

from __future__ import annotations

from doublecross.protocol.client_messages import GetPlan, SetPlan
from doublecross.server.core.rooms.plans import Plan, PlanRow, left_of, make_plan
from doublecross.server.core.rooms.room import Room
from doublecross.server.shell.answers import after_commit
from doublecross.server.shell.peer import Peer
from doublecross.server.shell.rooms.live import LiveRooms


async def read_plans(rooms: LiveRooms, room_id: str) -> None:
    """Read the plans of a room, unless they are in memory already.

    Raises:
        StoreError: the database failed.
    """
    channel = rooms.registry.channels.get(room_id)
    if channel is None or channel.plans is not None:
        return
    # The room may have left memory while a plan waited for its commit.
    await rooms.committer.settled()
    found = await rooms.committer.store.plans.of_room(room_id)
    # Somebody else may have read them meanwhile, and a player may have changed them.
    if channel.plans is None:
        channel.plans = found


def set_plan(rooms: LiveRooms, peer: Peer, message: SetPlan) -> None:
    """Store a plan in place of the former one."""
    rooms.availability.check_open()
    room = rooms.index.find(message.room)
    plan = Plan(message.match, message.ply, message.takebacks, message.lines)
    seat = make_plan(room, peer.name, plan)
    plans = rooms.registry.channels[room.id].plans
    assert plans is not None
    kept = plan if plan.lines else None
    plans[seat] = kept
    rooms.committer.queue_plan(PlanRow(room.id, seat, peer.rights.account_id, kept))
    _answer(rooms, peer, room, message.id, plan)


def get_plan(rooms: LiveRooms, peer: Peer, message: GetPlan) -> None:
    """Answer with what is left of a player's plan."""
    room = rooms.index.find(message.room)
    seat, plans, match = room.seat_or_refuse(peer.name), None, room.match
    plans = rooms.registry.channels[room.id].plans
    lines = () if plans is None else left_of(plans[seat], room)
    place = (0, 0) if match is None else (match.ply, match.takebacks.count)
    _answer(rooms, peer, room, message.id, Plan(room.match_number, *place, lines))


def _answer(rooms: LiveRooms, peer: Peer, room: Room, request_id: int, plan: Plan) -> None:
    """Send a plan, once everything that it depends on is stored."""
    answer = {
        "type": "plan",
        "id": request_id,
        "room": room.id,
        "match": plan.match,
        "ply": plan.ply,
        "takebacks": plan.takebacks,
        "lines": plan.lines,
    }
    after_commit(rooms.committer, peer, request_id, lambda: peer.send(answer))
