"""The messages about reviews: the request, the state of a review, and the report in it.

A *review* is the analysis of a finished game, a *report* its result. Worker processes beside the
server make the reports (`analysis/as_json.py` has the same form); the server passes them on.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import Field

from doublecross.protocol.common import (
    Action,
    Count,
    GameId,
    JoinCode,
    ParameterName,
    Phrase,
    Request,
    RequestId,
    Seat,
    Told,
    WireModel,
)

REPORT_VERSION: Final = 1
"""The version of the report's form; clients ignore reports of another one."""

Ply = Annotated[int, Field(ge=0, description="the number of moves before, without the opening")]
Boxes = Annotated[float, Field(ge=0)]


class GetReview(Request):
    """Ask for the review of a finished game: what each move cost, where the game turned, and why.
    The same people may ask as for its record. A review that is stored comes at once. Otherwise
    worker processes of the server make it, one after another (`reviews` in `welcome`). A player
    waits for one review at a time: whoever asks for another game no longer waits for the first.
    Ask again after a reconnect; the review goes on meanwhile, and nobody loses the place in the
    queue who is back within half a minute. Answer: `review`.
    """

    type: Literal["get_review"] = "get_review"
    game_id: GameId
    code: JoinCode | None = None


class ExpectedScore(WireModel):
    """The value of a position: the final net score of seat 0 if both seats play best from it."""

    net: float = Field(description="the score of seat 0 minus that of seat 1, at the end")
    spread: Boxes = Field(description="the standard error of `net`; 0: the value is proved")


class ReviewPhrase(Phrase):
    """A sentence about a move. `text` is in English; the other fields serve translations."""

    rule: str = Field(description="the name of the rule that found it")
    text: str = Field(description="the sentence in English")


class ReviewedMove(WireModel):
    """A review's result for one move."""

    ply: Ply
    seat: Seat
    action: Action
    before: ExpectedScore = Field(description="what the position before the move is worth")
    after: ExpectedScore = Field(description="what the position after the move is worth")
    cost: Boxes = Field(
        description="how many boxes fewer the player gets in the end; in games that are only won, "
        "lost or drawn, 1 for a win that became a loss, otherwise 0.5"
    )
    sure: bool = Field(description="whether it certainly cost something")
    best: tuple[Action, ...] = Field(
        description="the best actions, the first choice first; empty: there was no choice"
    )
    every: bool = Field(description="whether no other action is as good as `best`")
    line: tuple[Action, ...] = Field(
        description="a best line, which begins with the first of `best`; may be empty"
    )
    answer: tuple[Action, ...] = Field(
        default=(), description="the best line after the move that was played; may be empty"
    )
    phrases: tuple[ReviewPhrase, ...] = Field(description="sentences about the move")


class ReviewVerdict(WireModel):
    """A summary of a game for one of its players."""

    costliest: Ply | None = Field(
        description="the ply of the player's costliest move among those that certainly cost "
        "something and whose values are proved; null: there is none"
    )
    phrases: tuple[ReviewPhrase, ...] = Field(
        description="sentences to the player; empty: nothing is known"
    )


class ReviewReport(WireModel):
    """The result of a review."""

    version: Annotated[int, Field(ge=1, description="the version of this form, currently 1")]
    game: str = Field(description="the key of the game")
    params: Annotated[dict[ParameterName, int], Field(max_length=8)] = Field(
        description="the game's parameters by name"
    )
    opening: tuple[Action, ...] = Field(description="the actions before the first move")
    accuracy: tuple[
        Annotated[float, Field(ge=0, le=100)] | None, Annotated[float, Field(ge=0, le=100)] | None
    ] = Field(
        description="how well seat 0 and seat 1 played, in percent; null: the seat had no choice"
    )
    turning: Ply | None = Field(
        description="the ply of the turning point, the move after which the result could not be "
        "saved; null: there is none, or nobody knows where"
    )
    turning_sure: bool = Field(description="whether all values that decide `turning` are proved")
    moves: tuple[ReviewedMove, ...] = Field(description="all moves of the game")
    verdicts: tuple[ReviewVerdict, ReviewVerdict] | None = Field(
        default=None, description="what to say to seat 0 and seat 1; null in old reports"
    )


class ReviewState(WireModel):
    """Answer to get_review. Until the review is `done` or `failed`, the same message follows as a
    notice, without `id`, when its status, its place or the number of judged moves has changed, a
    few times a second at most."""

    type: Literal["review"] = "review"
    id: RequestId | None = None
    game_id: GameId
    status: Literal["queued", "working", "done", "failed"] = Field(
        description="queued: other games come first; working: its moves are being judged; done: "
        "`report` has the result; failed: `reason` says why there is none"
    )
    place: Count = Field(description="the place in the queue, from 1; 0: it does not wait there")
    done: Count = Field(description="how many moves are judged")
    all: Count = Field(description="how many moves there are")
    reason: str | None = Field(default=None, description="a sentence for people; set if `failed`")
    phrase: Told = None
    report: Annotated[ReviewReport | None, Field(description="set if `done`")] = None
