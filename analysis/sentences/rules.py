"""Say in words why a move was bad, or good: each rule recognises one kind of move.

Theory of operation
-------------------
A rule looks at the facts about a move and returns a phrase, or None if it does not apply. For a
move that certainly cost something the first of `MISTAKES` that applies gives the reason, and two
further phrases say what it cost and what became of the result. Without a reason there is no phrase
about the cost either: a number alone teaches nothing, and the report shows it anyway. For a move
that cost nothing, and was better than others, the first of `MERITS` that applies is the praise.

Sources of the terms: E. Berlekamp, The Dots and Boxes Game, 2000.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from doublecross.analysis.sentences.control import (
    declined_too_early,
    gave_up_control,
    handed_over_the_first_chain,
    kept_control,
    took_in_the_wrong_order,
)
from doublecross.analysis.sentences.facts import Facts
from doublecross.analysis.sentences.giving import (
    half_hearted,
    opened_a_chain_before_a_loop,
    opened_a_larger_region,
    opened_while_safe,
    sacrificed,
    saved_what_should_go,
)
from doublecross.analysis.sentences.taking import left_boxes
from doublecross.analysis.sentences.templates import phrase
from doublecross.games.api import Game
from doublecross.games.api.sentence import Sentence

Rule = Callable[[Facts], Sentence | None]

MISTAKES: Final[tuple[Rule, ...]] = (
    left_boxes,
    gave_up_control,
    took_in_the_wrong_order,
    declined_too_early,
    half_hearted,
    opened_while_safe,
    opened_a_larger_region,
    opened_a_chain_before_a_loop,
    saved_what_should_go,
    handed_over_the_first_chain,
)
"""The rules about bad moves; the first one that applies gives the sentence."""
MERITS: Final[tuple[Rule, ...]] = (kept_control, sacrificed)
"""The rules about good moves; the first one that applies gives the sentence."""

_OUTCOMES: Final = {1: "win", 0: "draw", -1: "loss"}


def say(facts: Facts) -> tuple[Sentence, ...]:
    """Return the phrases about a move: the reason, what it cost, and what became of the result."""
    cost = facts.judgement.cost(facts.seat)
    if cost.net == 0 and facts.judgement.exact:
        praise = _first(MERITS, facts)
        return () if praise is None else (praise,)
    if not cost.sure:
        return ()
    reason = _first(MISTAKES, facts)
    spent = None if reason is None else _cost(facts)
    return tuple(said for said in (reason, spent, _turned(facts)) if said is not None)


def is_reason(said: Sentence) -> bool:
    """Return whether a phrase about a mistake says why the move was bad."""
    return said.rule != "cost" and "-to-" not in said.rule


def _first(rules: tuple[Rule, ...], facts: Facts) -> Sentence | None:
    return next((said for rule in rules if (said := rule(facts)) is not None), None)


def _cost(facts: Facts) -> Sentence | None:
    """Say how many boxes a move cost; nothing in games without boxes."""
    if not _has_boxes(facts.state.game):
        return None
    boxes = round(facts.judgement.cost(facts.seat).boxes)
    if boxes == 0:
        return None
    if facts.judgement.exact:
        return phrase("cost", count=boxes)
    about = phrase("cost-about", count=boxes)
    return Sentence.of(about.one, about.values, about.many, "cost")


def _turned(facts: Facts) -> Sentence | None:
    """Say how a move changed the result, if that is certain."""
    before, played = facts.judgement.before.winner(), facts.judgement.played.winner()
    if before is None or played is None or before == played:
        return None
    sign = 1 if facts.seat == 0 else -1
    was, became = _OUTCOMES[sign * before], _OUTCOMES[sign * played]
    return phrase(f"{was}-to-{became}")


def _has_boxes(game: Game) -> bool:
    return game.unit == "boxes"
