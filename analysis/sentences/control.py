"""Rules about control: who must open the next long chain."""

from __future__ import annotations

from collections.abc import Iterable

from doublecross.analysis.judgement import Estimate
from doublecross.analysis.sentences.facts import Facts
from doublecross.analysis.sentences.templates import phrase
from doublecross.games.api import State
from doublecross.games.api.sentence import Sentence
from doublecross.games.dots_and_boxes.rules import DotsAndBoxesState
from doublecross.games.dots_and_boxes.structure import Chain, Loop, analyse, capturing_edges


def gave_up_control(facts: Facts) -> Sentence | None:
    """The last boxes of a chain or loop were taken, and to decline them was best."""
    board = facts.board
    if board is None or facts.action not in board.capturing:
        return None
    better = next((edge for edge in facts.judgement.best if edge in board.declining), None)
    if better is None or any(edge in board.capturing for edge in facts.judgement.best):
        return None
    values: dict[str, str | int] = {"better": facts.name(better), "count": declined(facts, better)}
    result = _result(facts.judgement.before, facts)
    if result is None:
        return phrase("gave-up-control", **values)
    return phrase(f"gave-up-control-{result[0]}", **values, mine=result[1], theirs=result[2])


def took_in_the_wrong_order(facts: Facts) -> Sentence | None:
    """A box was taken so that none can be declined any more, and another box first was best."""
    board, judgement = facts.board, facts.judgement
    if board is None or facts.action not in board.capturing:
        return None
    if judgement.best[0] not in board.capturing or not _can_decline(board.state):
        return None
    after = board.state.clone()
    after.apply(facts.action)
    if _can_decline(after):
        return None
    return phrase(
        "wrong-order", move=facts.name(facts.action), better=facts.name(judgement.best[0])
    )


def declined_too_early(facts: Facts) -> Sentence | None:
    """Boxes were declined, and to take them was best."""
    board = facts.board
    if board is None or facts.action not in board.declining:
        return None
    count = declined(facts, facts.action)
    # Other boxes that were left, too, may be why the move was wrong.
    if facts.judgement.best[0] not in board.capturing or board.ready > count:
        return None
    return phrase("declined-wrongly", move=facts.name(facts.action), count=count)


def kept_control(facts: Facts) -> Sentence | None:
    """Boxes were declined, and to take them would have cost something."""
    board = facts.board
    if board is None or facts.action not in board.declining or not facts.judgement.every:
        return None
    if any(edge in board.capturing for edge in facts.judgement.best):
        return None
    return phrase(
        "kept-control", move=facts.name(facts.action), count=declined(facts, facts.action)
    )


def handed_over_the_first_chain(facts: Facts) -> Sentence | None:
    """After the move its player must open the first long chain, after the best one the opponent."""
    board, judgement = facts.board, facts.judgement
    if board is None or board.ready or not judgement.exact:
        return None
    played = first_opener(board.state, (facts.action, *judgement.answer))
    better = first_opener(board.state, judgement.pv)
    if played != facts.seat or better != 1 - facts.seat:
        return None
    return phrase(
        "handed-over-the-first-chain",
        move=facts.name(facts.action),
        better=facts.name(judgement.pv[0]),
    )


def first_opener(state: DotsAndBoxesState, pv: Iterable[int]) -> int | None:
    """Return the seat that opens the first long chain or loop in a pv; None if nobody does.

    A move that takes boxes opens nothing.
    """
    state = state.clone()
    for action in pv:
        if not capturing_edges(state) and _opens_long(state, action):
            return state.current_player()
        state.apply(action)
    return None


def _opens_long(state: State, action: int) -> bool:
    assert isinstance(state, DotsAndBoxesState)
    parts = analyse(state)
    long: tuple[Chain | Loop, ...] = (*parts.long_chains, *parts.loops)
    return any(action in part.edges for part in long)


def _can_decline(state: DotsAndBoxesState) -> bool:
    return any(sweep.can_double_deal for sweep in analyse(state).opened)


def declined(facts: Facts, edge: int) -> int:
    """Return how many boxes a double-dealing move leaves to the opponent."""
    assert facts.board is not None
    sweeps = facts.board.parts.opened
    return next(len(sweep) for sweep in sweeps if sweep.double_dealing == edge)


def _result(value: Estimate, facts: Facts) -> tuple[str, int, int] | None:
    """Return how a game with this value ends for the mover, and the boxes of both players."""
    assert facts.board is not None
    if not value.exact:
        return None
    net, boxes = int(value.of(facts.seat)), facts.board.state.board.num_boxes
    mine = (boxes + net) // 2
    word = "won" if net > 0 else "drawn" if net == 0 else "lost"
    return word, mine, boxes - mine
