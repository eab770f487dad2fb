"""The request of spectators for an evaluation, and who may make it."""

from __future__ import annotations

from typing import Final

from doublecross.analysis.as_json import move_to_json
from doublecross.protocol.client_messages import GetEvaluation
from doublecross.protocol.errors import ErrorCode
from doublecross.server.core.errors import Refused, wrong_state
from doublecross.server.core.rooms.match import Match
from doublecross.server.core.rooms.room import Room
from doublecross.server.shell.analysis.advice import AdviceFailedError
from doublecross.server.shell.answers import reading
from doublecross.server.shell.peer import Peer
from doublecross.server.shell.rooms.live import LiveRooms

EVALUATION_BYTES: Final = 2 * 1024
"""The price of an evaluation, which spectators of a match share."""
BEHIND: Final = 2
"""How many moves the evaluation is behind: it says nothing about the position on the board."""


async def get_evaluation(rooms: LiveRooms, peer: Peer, message: GetEvaluation) -> None:
    """Answer with what the server thinks of the move before the last one."""
    rooms.availability.check_open()
    evaluated_match(rooms.index.find(message.room), peer)
    peer.pay(EVALUATION_BYTES)
    async with reading():
        # It must not tell of a move that is not stored yet.
        await rooms.committer.settled()
    # Look again: the match may have ended, or may be another one, since the wait.
    room = rooms.index.find(message.room)
    match = evaluated_match(room, peer)
    number, takebacks = room.match_number, match.takebacks.count
    moves = [action for action, _ in match.moves[: 1 - BEHIND]]
    action = moves.pop()
    state = room.game.replay(match.state.opening, moves)
    try:
        found = await rooms.evaluations.judge(
            (room.id, number, len(moves), takebacks), state, action
        )
    except AdviceFailedError as failed:
        raise Refused(ErrorCode.NO_ADVICE, str(failed)) from None
    peer.send(
        {
            "type": "evaluation",
            "id": message.id,
            "room": room.id,
            "match": number,
            "takebacks": takebacks,
            "move": move_to_json(found),
        }
    )


def evaluated_match(room: Room, peer: Peer) -> Match:
    """Return the match in play that this peer may see evaluated.

    Raises:
        Refused: its players have not allowed that, the peer is one of them or does not watch, or
            there are too few moves.
    """
    if room.seat_of(peer.name) is not None:
        raise wrong_state("Only spectators see an evaluation, not the players of the match.")
    if room.id not in peer.followed:
        raise wrong_state("Watch the match first; then ask for its evaluation.")
    if peer.player is None or peer.player.kind == "bot":
        raise wrong_state("Bots get no evaluation; they think for themselves.")
    if not room.settings.evaluation:
        raise wrong_state("The players of this match have not allowed an evaluation.")
    match = room.match_or_refuse()
    if match.ply < BEHIND:
        raise wrong_state("The evaluation begins with the second move.")
    return match
