"""Rules about boxes that a player gives away."""

from __future__ import annotations

from doublecross.analysis.sentences.facts import Board, Facts
from doublecross.analysis.sentences.regions import named
from doublecross.analysis.sentences.templates import phrase
from doublecross.games.api.sentence import Sentence
from doublecross.games.dots_and_boxes.structure import Chain, Loop


def opened(facts: Facts) -> tuple[Board, Chain | Loop] | None:
    """Return the facts about the board and the region that the move opened, if it opened one.

    A move that captures a box, or declines some, opens nothing.
    """
    board = facts.board
    if board is None or board.ready or facts.action in board.declining:
        return None
    region = board.region(facts.action)
    return None if region is None else (board, region)


def half_hearted(facts: Facts) -> Sentence | None:
    """A chain of 2 was opened by an end edge, and its middle edge was best."""
    found = opened(facts)
    if found is None or not isinstance(chain := found[1], Chain):
        return None
    middle = chain.hard_hearted
    if facts.action not in chain.half_hearted or middle not in facts.judgement.best:
        return None
    return phrase("half-hearted", move=facts.name(facts.action), better=facts.name(middle))


def opened_while_safe(facts: Facts) -> Sentence | None:
    """A region was opened although the best edge was a safe one."""
    found = opened(facts)
    if found is None:
        return None
    board, region = found
    better = facts.judgement.best[0]
    if better not in board.safe:
        return None
    kind, boxes = named(region)
    return phrase(
        f"opened-{kind}-while-safe",
        move=facts.name(facts.action),
        boxes=boxes,
        better=facts.name(better),
    )


def opened_a_larger_region(facts: Facts) -> Sentence | None:
    """A region was opened although to open a smaller one was best."""
    found = opened(facts)
    if found is None:
        return None
    board, region = found
    better = facts.judgement.best[0]
    smaller = board.region(better)
    if smaller is None or smaller == region or len(smaller) >= len(region):
        return None
    (kind, boxes), (other, fewer) = named(region), named(smaller)
    return phrase(
        f"opened-{kind}-instead-of-{other}",
        move=facts.name(facts.action),
        boxes=boxes,
        fewer=fewer,
        better=facts.name(better),
    )


def opened_a_chain_before_a_loop(facts: Facts) -> Sentence | None:
    """A long chain was opened although only to open a loop, no smaller than it, was best.

    Only if no edge is safe: then who keeps control decides what the rest is worth.
    """
    found = opened(facts)
    if found is None or not facts.judgement.every or found[0].safe:
        return None
    board, chain = found
    if not isinstance(chain, Chain) or not chain.is_long:
        return None
    best = facts.judgement.best
    regions = [board.region(edge) for edge in best]
    loops = [region for region in regions if isinstance(region, Loop)]
    if len(loops) < len(regions) or any(len(loop) < len(chain) for loop in loops):
        return None
    return phrase(
        "opened-chain-before-loop",
        move=facts.name(facts.action),
        boxes=len(chain),
        more=len(loops[0]),
        better=facts.name(best[0]),
    )


def saved_what_should_go(facts: Facts) -> Sentence | None:
    """A safe edge was drawn, but only edges that give boxes away were best."""
    board = facts.board
    if board is None or board.ready or facts.action not in board.safe:
        return None
    best = facts.judgement.best
    region = board.region(best[0])
    if region is None or not facts.judgement.every or any(edge in board.safe for edge in best):
        return None
    kind, boxes = named(region)
    return phrase(
        f"kept-{kind}", move=facts.name(facts.action), boxes=boxes, better=facts.name(best[0])
    )


def sacrificed(facts: Facts) -> Sentence | None:
    """A region was opened while edges were safe, and each safe edge would have cost something."""
    found = opened(facts)
    if found is None or not facts.judgement.every:
        return None
    board, region = found
    if not board.safe or any(edge in board.safe for edge in facts.judgement.best):
        return None
    kind, boxes = named(region)
    return phrase(f"sacrificed-{kind}", move=facts.name(facts.action), boxes=boxes)
