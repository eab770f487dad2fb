"""Tell what moves in Dots and Boxes do, for learners whose clients know no rules."""

from __future__ import annotations

import asyncio
import re
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from doublecross.analysis.as_json import phrase_fields
from doublecross.analysis.course.moves import KINDS, edges_of
from doublecross.analysis.judgement import Estimate, Judgement
from doublecross.analysis.sentences.facts import Facts
from doublecross.analysis.sentences.rules import say
from doublecross.games.api import GameError, IllegalAction
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes, DotsAndBoxesState
from doublecross.games.dots_and_boxes.structure import handouts
from doublecross.server.shell.web.boards.catalogue import as_json, encoded
from doublecross.server.shell.web.endpoints import BadRequestError, Endpoint, QueryParameter, values
from doublecross.server.shell.web.learning import lesson_answers as answers

MOST_BOXES: Final = 64
"""The largest board that these addresses know. Lessons and puzzles are smaller."""
_ACTIONS: Final = re.compile(r"(?:[0-9]{1,3}(?:,[0-9]{1,3})*)?")
_NET: Final = re.compile(r"-?[0-9]{1,3}")
_SIZE: Final = QueryParameter("size", "the size of the board, such as 3x4", is_required=True)
_MOVES: Final = QueryParameter("moves", "the moves from the empty board, such as 3,12,4")


def move_endpoints() -> list[Endpoint]:
    """Return the endpoints about moves."""

    async def kinds(request: Request) -> Response:
        state = _position(request)
        return as_json(encoded(await asyncio.to_thread(kinds_of, state)))

    async def sentences(request: Request) -> Response:
        state, given = _position(request), values(request)
        action = given["action"]
        if not state.is_legal(action):
            raise BadRequestError(f"Edge {action} cannot be drawn in this position.")
        judgement = Judgement(
            Estimate(_net(request, "before")),
            Estimate(_net(request, "after")),
            _actions(request, "best"),
            every=True,
            pv=_actions(request, "line"),
            answer=_actions(request, "answer"),
        )
        _check(state, action, judgement)
        return as_json(await asyncio.to_thread(_sentences, state, action, judgement))

    return [
        Endpoint(
            "/api/kinds",
            kinds,
            "The kinds of all free edges of a position in Dots and Boxes, as lessons name them, and"
            " how many boxes each of them gives away.",
            answers.MoveKinds,
            (_SIZE, _MOVES),
        ),
        Endpoint(
            "/api/sentences",
            sentences,
            "What the rules of reviews say about a move in Dots and Boxes. The caller knows the "
            "values, for example from /api/values.",
            answers.MoveSentences,
            (
                _SIZE,
                _MOVES,
                QueryParameter("action", "the move", 0, 999, is_required=True),
                QueryParameter(
                    "before", "the final net score of seat 0 with best play", is_required=True
                ),
                QueryParameter(
                    "after", "the final net score of seat 0 after the move", is_required=True
                ),
                QueryParameter("best", "all best moves, such as 3,12", is_required=True),
                QueryParameter("line", "a best line in the position"),
                QueryParameter("answer", "a best line after the move"),
            ),
        ),
    ]


def _position(request: Request) -> DotsAndBoxesState:
    """Return the position that `size` and `moves` name.

    Raises:
        BadRequestError: there is no such position, or it is too large.
    """
    try:
        params = DotsAndBoxes.parse_size(values(request)["size"][:20])
        if params["rows"] * params["cols"] > MOST_BOXES:
            raise BadRequestError(f"Ask about boards of at most {MOST_BOXES} boxes.")
        state = DotsAndBoxes(params).replay((), _actions(request, "moves"))
    except GameError as bad:
        raise BadRequestError(str(bad)) from None
    assert isinstance(state, DotsAndBoxesState)
    return state


def _actions(request: Request, name: str) -> tuple[int, ...]:
    text = values(request)[name] or ""
    if _ACTIONS.fullmatch(text) is None or text.count(",") > 3 * MOST_BOXES:
        raise BadRequestError(f"{name} must be whole numbers with commas between them.")
    return tuple(map(int, text.split(","))) if text else ()


def _net(request: Request, name: str) -> float:
    text = values(request)[name]
    if _NET.fullmatch(text) is None:
        raise BadRequestError(f"{name} must be a whole number, such as -3.")
    return float(text)


def _check(state: DotsAndBoxesState, action: int, judgement: Judgement) -> None:
    """Check that all moves of a judgement can be played.

    Raises:
        BadRequestError: one cannot, or no best move is named.
    """
    if not judgement.best:
        raise BadRequestError("best must name at least one move.")
    for edge in judgement.best:
        if not state.is_legal(edge):
            raise BadRequestError(f"best cannot be played here. Edge {edge} cannot be drawn.")
    for name, moves in (("line", judgement.pv), ("answer", (action, *judgement.answer))):
        played = state.clone()
        try:
            for edge in moves:
                played.apply(edge)
        except IllegalAction as bad:
            raise BadRequestError(f"{name} cannot be played here. {bad}") from None


def kinds_of(state: DotsAndBoxesState) -> dict[str, Any]:
    """Return the answer about the kinds of the free edges of a position."""
    edges = {kind: frozenset(edges_of(kind, state)) for kind in KINDS}
    given = handouts(state)
    moves: list[dict[str, Any]] = [
        {
            "action": edge,
            "gives": given[edge],
            "kinds": [kind for kind, found in edges.items() if edge in found],
        }
        for edge in state.legal_actions()
    ]
    return {"moves": moves}


def _sentences(state: DotsAndBoxesState, action: int, judgement: Judgement) -> bytes:
    phrases = say(Facts.of(state, action, judgement))
    return encoded({"sentences": [phrase_fields(each) for each in phrases]})
