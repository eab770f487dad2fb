"""Conditional moves: what a player of a correspondence game answers to moves of the opponent.

Theory of operation
-------------------
A player makes a plan while the opponent is to move. A plan is a few lines, each a sequence of
actions of both seats from that position on. The rules say who moves, so a player who completes a
box has further actions in a row. Two lines with the same beginning have the same answer to it.

A plan never changes. What is left of it follows from the moves that were played since: the lines
that began with them. Nothing is left after any other move, after a takeback and after the match. So
a plan needs no event: a room that is restored plays the same answers as before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from doublecross.games.api import State, why_illegal
from doublecross.protocol.errors import ErrorCode
from doublecross.server.core.errors import Refused, wrong_state
from doublecross.server.core.events import Event
from doublecross.server.core.rooms.room import Room

Lines: TypeAlias = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """The lines of a seat in match number `match`, from `ply` after so many takebacks on."""

    match: int
    ply: int
    takebacks: int
    lines: Lines


Plans: TypeAlias = list[Plan | None]
"""The plans in a room by seat."""


@dataclass(frozen=True, slots=True)
class PlanRow:
    """A plan as it is stored, with the account of its player; without a plan, the row ends."""

    room: str
    seat: int
    account_id: str = ""
    plan: Plan | None = None


class PlanStore(Protocol):
    """Read the plans. All methods raise `StoreError` when the database fails."""

    async def of_room(self, room: str) -> Plans:
        """Return the plans in a room."""
        ...

    async def of_player(self, account_id: str) -> Sequence[dict[str, Any]]:
        """Return all plans of an account."""
        ...


def make_plan(room: Room, player: str, plan: Plan) -> int:
    """Check a plan of a player, and return the player's seat.

    Raises:
        Refused: the player has no seat, the game is not one by days, no match is in play, the plan
            is for another position, the player is to move, or a line cannot be played like this.
    """
    seat = room.seat_or_refuse(player)
    if not room.by_days:
        raise wrong_state("Moves can be planned only in games by days.")
    match = room.match_or_refuse()
    if (plan.match, plan.ply, plan.takebacks) != _place(room):
        raise Refused(ErrorCode.STALE_PLY, "The position has changed; plan your moves again.")
    if match.to_move == seat:
        raise wrong_state("It is your turn: play now, and plan the next moves after that.")
    answers: dict[tuple[int, ...], int] = {}
    for number, line in enumerate(plan.lines, 1):
        _check_line(match.state.clone(), seat, number, line, answers)
    return seat


def _place(room: Room) -> tuple[int, int, int]:
    assert room.match is not None
    return room.match_number, room.match.ply, room.match.takebacks.count


def _check_line(
    state: State, seat: int, number: int, line: tuple[int, ...], answers: dict[tuple[int, ...], int]
) -> None:
    """Check a line from `state` on; `answers` has the answers of the lines before.

    Raises:
        Refused: it is illegal, contradicts another line, or ends with a move of the opponent.
    """
    mover = 1 - seat
    for ply, action in enumerate(line):
        mover = state.current_player()
        if not state.is_legal(action):
            raise Refused(
                ErrorCode.ILLEGAL_ACTION,
                "Move {ply} of line {number} is illegal: {why}",
                ply + 1,
                number,
                why_illegal(state, action),
            )
        if mover == seat and answers.setdefault(line[:ply], action) != action:
            raise wrong_state(
                "Line {number} answers the same moves in another way than a line before.", number
            )
        state.apply(action)
    if mover != seat:
        raise wrong_state("Line {number} must end with a move of yours.", number)


def left_of(plan: Plan | None, room: Room) -> Lines:
    """Return the lines of a plan that can still be played, from the present position on."""
    match = room.match
    if plan is None or match is None or room.status != "playing":
        return ()
    if (plan.match, plan.takebacks) != (room.match_number, match.takebacks.count):
        return ()
    played = tuple(action for action, _ in match.moves[plan.ply :])
    count = len(played)
    # Nothing is left of a line that was played to its end.
    return tuple(line[count:] for line in plan.lines if line[:count] == played and line[count:])


def play_answers(room: Room, plans: Plans, now: int) -> list[Event]:
    """Play what the players have planned for the present position, and return the events."""
    found: list[Event] = []
    while room.status == "playing" and room.match is not None:
        seat = room.match.state.current_player()
        lines, player = left_of(plans[seat], room), room.players[seat]
        if not lines or player is None:
            break
        number, ply, takebacks = _place(room)
        found += room.move(player.name, number, ply, lines[0][0], None, False, now, takebacks)
    return found
