"""The messages about conditional moves: what a player answers to moves of the opponent."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import Field

from doublecross.protocol.common import (
    Action,
    MatchIndex,
    Ply,
    Request,
    RequestId,
    RoomId,
    Takebacks,
    WireModel,
)

MOST_LINES: Final = 30
"""How many lines a plan has at most."""
MOST_PLIES: Final = 20
"""How many actions a line has at most."""

Line = Annotated[tuple[Action, ...], Field(max_length=MOST_PLIES)]
Lines = Annotated[
    tuple[Line, ...],
    Field(
        max_length=MOST_LINES,
        description="each a sequence of actions of both seats from this position on, which begins "
        "with a move of the opponent and ends with one's own",
    ),
]


class SetPlan(Request):
    """Plan conditional moves in a correspondence game in which the opponent is to move; they take
    the place of the former ones, and no lines end the plan. When the opponent makes a move that a
    line has, the server plays the answer at once. Any other move, a takeback and the end of the
    match end the plan. Two lines that begin alike have the same answer. Only you can see a plan.
    Answer: `plan`.
    """

    type: Literal["set_plan"] = "set_plan"
    room: RoomId
    match: MatchIndex
    ply: Ply
    takebacks: Takebacks
    lines: Lines


class GetPlan(Request):
    """Get what is left of the conditional moves that you have planned in a room. Answer: `plan`."""

    type: Literal["get_plan"] = "get_plan"
    room: RoomId


class PlanState(WireModel):
    """Answer to set_plan and get_plan: the lines that are left, from `ply` on."""

    type: Literal["plan"] = "plan"
    id: RequestId
    room: RoomId
    match: Annotated[int, Field(ge=0, description="the match in the room, 0 before the first one")]
    ply: Ply
    takebacks: Takebacks
    lines: Lines
