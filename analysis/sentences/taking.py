"""Rules about boxes that can be taken."""

from __future__ import annotations

from doublecross.analysis.sentences.control import declined
from doublecross.analysis.sentences.facts import Facts
from doublecross.analysis.sentences.templates import phrase
from doublecross.games.api.sentence import Sentence


def left_boxes(facts: Facts) -> Sentence | None:
    """Boxes could be taken, the move took none and did not only decline, and to take was best."""
    board = facts.board
    if board is None or not board.ready:
        return None
    if facts.action in board.capturing:
        return None
    if facts.action in board.declining and board.ready == declined(facts, facts.action):
        return None
    if facts.judgement.best[0] not in board.capturing:
        return None
    return phrase("left-boxes", move=facts.name(facts.action), count=board.ready)
