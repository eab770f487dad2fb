"""One handler for each request about a room that exists.

`doublecross.server.shell.handlers.table` explains handlers.

These handlers need nothing of the server but its rooms, so they take `LiveRooms`.
"""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from doublecross.protocol import client_messages
from doublecross.protocol.errors import ErrorCode
from doublecross.protocol.text import escaped, one_line
from doublecross.server.core import commands
from doublecross.server.core.errors import Refused, Repeated
from doublecross.server.core.events import Event
from doublecross.server.core.rooms.plans import play_answers
from doublecross.server.core.rooms.room import Room
from doublecross.server.core.rooms.takeback_commands import answer_takeback, ask_takeback
from doublecross.server.shell.answers import after_commit, reading
from doublecross.server.shell.handlers.advice import allow_advice, get_advice
from doublecross.server.shell.handlers.apart import apart_from, check_together
from doublecross.server.shell.handlers.evaluation import get_evaluation
from doublecross.server.shell.handlers.phrases import say_phrase
from doublecross.server.shell.handlers.plans import get_plan, read_plans, set_plan
from doublecross.server.shell.handlers.rated import check_rated
from doublecross.server.shell.handlers.talk import get_talk, say
from doublecross.server.shell.peer import Peer
from doublecross.server.shell.rooms.channel import with_board
from doublecross.server.shell.rooms.following import check_may_follow
from doublecross.server.shell.rooms.live import LiveRooms
from doublecross.server.shell.traffic import BoundHandler

RoomHandler = Callable[[LiveRooms, Peer, Any], Awaitable[None] | None]

WAKE_TOKENS: Final = 4
"""How many messages the search for a room in the database costs."""


def _find(rooms: LiveRooms, room_id: str, peer: Peer, code: str | None) -> Room:
    """Return a room that the peer may see.

    Raises:
        Refused: there is none, or it is private and the code is not right.
    """
    room = rooms.index.find(room_id)
    # In bytes, because `compare_digest` takes no text with letters beyond ASCII.
    if (
        room.terms.code is not None
        and not hmac.compare_digest((code or "").encode(), room.terms.code.encode())
        and room.seat_of(peer.name) is None
        and room.id not in peer.followed
    ):
        raise Refused(ErrorCode.WRONG_CODE, "This room is private; give its join code.")
    return room


def awake_first(rooms: LiveRooms, handler: RoomHandler) -> BoundHandler:
    """Return a handler that wakes the room of a request, if it sleeps, and then acts.

    It also reads the plans of the room, if that has not happened since the room is in memory.
    """

    def handle(peer: Peer, message: Any) -> Awaitable[None] | None:
        channel = rooms.registry.channels.get(message.room)
        if channel is not None and channel.plans is not None:
            return handler(rooms, peer, message)
        return wake(peer, message)

    async def wake(peer: Peer, message: Any) -> None:
        if message.room not in rooms.registry.channels:
            peer.allowance.messages.charge(WAKE_TOKENS)
        try:
            async with reading():
                # After a long stall it may be gone again before this request has its turn.
                while await rooms.sleeping.wake(message.room):
                    await read_plans(rooms, message.room)
                    if message.room in rooms.registry.channels:
                        break
        except Refused:
            if not rooms.sleeping.closed:
                raise
        if rooms.sleeping.closed:
            return  # another node has the room now, and gets the request too
        waiting = handler(rooms, peer, message)
        if waiting is not None:
            await waiting

    return handle


async def join_room(rooms: LiveRooms, peer: Peer, message: client_messages.JoinRoom) -> None:
    """Give a player the free seat of a room; show the room again to one who has a seat."""
    rooms.availability.check_open()
    # Somebody with a seat needs no code.
    room, apart = _find(rooms, message.room, peer, message.code), None
    if room.seat_of(peer.name) is None:
        apart = await apart_from(rooms.committer.store, peer, room.players)
        # It may have closed meanwhile, or the same request has come twice.
        room = _find(rooms, message.room, peer, message.code)
    # The player may come back to a room also while nothing new begins.
    if apart is None or room.seat_of(peer.name) is not None:
        rooms.following.show(peer, room, message.id, charge=True)
        return
    check_together(apart, room.players)
    rooms.availability.check_accepting()
    check_may_follow(peer, room.id, rooms.limits)
    check_rated(peer, room.settings, rooms.limits)
    assert peer.player is not None
    rooms.publisher.publish(room, rooms.index.sit(room, peer.player, rooms.now()))
    rooms.following.show(peer, room, message.id)
    for other in rooms.sessions.of(peer.name):
        if other is not peer:
            rooms.following.show(other, room, None)


def watch(rooms: LiveRooms, peer: Peer, message: client_messages.Watch) -> None:
    """Let a spectator follow a room."""
    room = _find(rooms, message.room, peer, message.code)
    check_may_follow(peer, room.id, rooms.limits)
    rooms.following.show(peer, room, message.id, charge=True)


def resume(rooms: LiveRooms, peer: Peer, message: client_messages.Resume) -> None:
    """Show a player who is back what it has missed of a room."""
    # Whoever may come back has a seat or follows the room, so no code is needed.
    room = _find(rooms, message.room, peer, None)
    check_may_follow(peer, room.id, rooms.limits)
    rooms.following.show(peer, room, message.id, seq=message.seq or None, charge=True)


def leave(rooms: LiveRooms, peer: Peer, message: client_messages.Leave) -> None:
    """Leave a room; a room that no longer exists was left already."""
    room = rooms.index.get(message.room)
    # A room that has closed is there until its last event is stored.
    if room is not None and room.status != "closed" and _is_last(rooms, peer, room):
        rooms.publisher.publish(room, room.leave(peer.name, rooms.now()))
        rooms.subscribers.player_left(room)

    following = rooms.following

    def unfollow() -> None:
        # The room may have closed during the wait.
        if message.room in peer.followed:
            following.unfollow(peer, message.room)
        peer.send({"type": "done", "id": message.id})

    def deliver() -> None:
        # Otherwise an answer to `watch` that is being encoded would let the peer follow again.
        following.when_shown(peer, message.room, unfollow)

    after_commit(rooms.committer, peer, message.id, deliver)


def _is_last(rooms: LiveRooms, peer: Peer, room: Room) -> bool:
    """Return whether a player gives up a seat by leaving a room with this peer."""
    if room.seat_of(peer.name) is None:
        return False
    # Who waits for an opponent takes the room back, also if it is open elsewhere.
    if room.status == "waiting":
        return True
    if room.waits and room.status == "playing":
        return False  # nobody has to be here
    followers = rooms.registry.channels[room.id].peers
    return not any(each in followers for each in rooms.sessions.of(peer.name) if each is not peer)


def move(rooms: LiveRooms, peer: Peer, message: client_messages.Move) -> None:
    """Play a move, and let its commit answer."""
    rooms.availability.check_open()
    room = rooms.index.find(message.room)
    try:
        events = room.move(
            peer.name,
            message.match,
            message.ply,
            message.action,
            message.expected,
            message.fallback,
            rooms.now(),
            message.takebacks,
        )
    except Repeated as repeated:
        _repeat_answer(rooms, peer, room, repeated.seq, message.id)
        return
    plans = rooms.registry.channels[room.id].plans
    if room.by_days and plans is not None:
        events += play_answers(room, plans, rooms.now())
    rooms.publisher.publish(room, events, peer, message.id)


def _repeat_answer(rooms: LiveRooms, peer: Peer, room: Room, seq: int, request_id: int) -> None:
    """Send the original answer to a repeated request, once it is stored."""
    channel, match = rooms.registry.channels[room.id], room.match

    def deliver() -> None:
        event = channel.event(seq)
        if event is None:
            peer.refuse(
                request_id,
                ErrorCode.STALE_PLY,
                "That was answered long ago; resume the room to see its position.",
            )
        else:
            shown: Mapping[str, Any] = event
            if peer.boards and match is not None:
                shown = with_board(event, match)
            peer.send({**shown, "id": request_id})

    after_commit(rooms.committer, peer, request_id, deliver)


async def rematch(rooms: LiveRooms, peer: Peer, message: client_messages.Rematch) -> None:
    """Offer or accept a rematch, unless one of the players blocks the other."""
    players = rooms.index.find(message.room).players
    check_together(await apart_from(rooms.committer.store, peer, players), players)
    _rematch(rooms, peer, message)


def _room_handler(
    act: Callable[[Room, str, Any, int], list[Event]], *, begins: bool = False
) -> Callable[[LiveRooms, Peer, Any], None]:
    """Return a handler that applies `act` to the room and answers with the first of its events.

    `act` takes the room, the player's name, the message and the time in milliseconds. `begins` says
    whether it can begin a match.
    """

    def handler(rooms: LiveRooms, peer: Peer, message: Any) -> None:
        if begins:
            rooms.availability.check_accepting()
        rooms.availability.check_open()
        room = rooms.index.find(message.room)
        try:
            events = act(room, peer.name, message, rooms.now())
        except Repeated as repeated:
            _repeat_answer(rooms, peer, room, repeated.seq, message.id)
            return
        rooms.publisher.publish(room, events, peer, message.id)

    return handler


_rematch = _room_handler(
    lambda room, name, _, now: commands.offer_rematch(room, name, now), begins=True
)

ROOM_HANDLERS: Final[Mapping[type[client_messages.Request], RoomHandler]] = {
    client_messages.JoinRoom: join_room,
    client_messages.Watch: watch,
    client_messages.Leave: leave,
    client_messages.Resume: resume,
    client_messages.Move: move,
    client_messages.Resign: _room_handler(
        lambda room, name, _, now: commands.resign(room, name, now)
    ),
    client_messages.Abort: _room_handler(
        lambda room, name, _, now: commands.abort(room, name, now)
    ),
    client_messages.Claim: _room_handler(
        lambda room, name, _, now: commands.claim(room, name, now)
    ),
    client_messages.Crash: _room_handler(
        lambda room, name, m, now: commands.crash(
            *(room, name, m.match, m.ply, one_line(m.message), now, m.termination),
            escaped(m.output, keep="\n\t"),
        )
    ),
    client_messages.Rematch: rematch,
    client_messages.DeclineRematch: _room_handler(
        lambda room, name, _, now: commands.decline_rematch(room, name)
    ),
    client_messages.AskTakeback: _room_handler(
        lambda room, name, m, now: ask_takeback(room, name, m.match, m.ply, m.takebacks, now)
    ),
    client_messages.AnswerTakeback: _room_handler(
        lambda room, name, m, now: answer_takeback(
            room, name, m.match, m.ply, m.takebacks, m.accept, now
        )
    ),
    client_messages.AllowAdvice: allow_advice,
    client_messages.GetAdvice: get_advice,
    client_messages.GetEvaluation: get_evaluation,
    client_messages.SetPlan: set_plan,
    client_messages.GetPlan: get_plan,
    client_messages.SayPhrase: say_phrase,
    client_messages.Say: say,
    client_messages.GetTalk: get_talk,
}
"""The handlers of requests about rooms. Each of these requests has the id of its room."""
