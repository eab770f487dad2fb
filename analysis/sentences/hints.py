"""Say in words what is good about a hinted move: each rule recognises one kind of move.

Theory of operation
-------------------
The move is known to be the best one that was found; the rules only say what it does on the board.
They claim nothing about other moves, because the searches do not tell how good those are. The first
rule that applies speaks. No rule means no sentence. The sentences are short: with the result to
expect they have two lines of a phone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from doublecross.analysis.sentences.facts import Board
from doublecross.analysis.sentences.regions import named
from doublecross.analysis.sentences.templates import phrase
from doublecross.games.api import State
from doublecross.games.api.sentence import Sentence
from doublecross.games.dots_and_boxes.rules import DotsAndBoxesState
from doublecross.games.dots_and_boxes.structure import (
    Chain,
    Loop,
    Structure,
    analyse,
    greedy_captures,
    handouts,
    safe_edges,
)


@dataclass(frozen=True, slots=True)
class Hinted:
    """A hinted move in Dots and Boxes: the board before it, and the parts of the board after it.

    `taken` is the number of boxes that the move completes, `left` the number that can be taken
    after it, and `safe_left` the number of safe edges after it.
    """

    move: str
    action: int
    board: Board
    after: Structure
    taken: int
    left: int
    safe_left: int

    @classmethod
    def of(cls, state: DotsAndBoxesState, action: int) -> Hinted:
        """Return the facts about drawing `action` in `state`, which is left as it is."""
        after = state.clone()
        after.apply(action)
        return cls(
            state.game.action_name(action),
            action,
            Board.of(state, action),
            analyse(after),
            sum(after.scores()) - sum(state.scores()),
            greedy_captures(after.board, after.edges),
            len(safe_edges(after)),
        )

    @property
    def is_last(self) -> bool:
        """Return whether no boxes are left after the move."""
        return not (self.after.opened or self.others_left)

    @property
    def only_long_left(self) -> bool:
        """Return whether only long chains and loops are left after the move, besides open ones.

        Only then must the opponent open one of them next: a short chain can be given away instead.
        """
        long = all(chain.is_long for chain in self.after.chains)
        return self.others_left and long and not self.after.junctions

    @property
    def others_left(self) -> bool:
        """Return whether there are boxes after the move that cannot be taken at once."""
        return bool(self.after.junctions or self.after.chains or self.after.loops)


HintRule = Callable[[Hinted], Sentence | None]


def hint_phrase(state: State, action: int) -> Sentence | None:
    """Return what is good about the hinted `action` in `state`; None if no rule applies."""
    if not isinstance(state, DotsAndBoxesState):
        return _wins(state, action)
    facts = Hinted.of(state, action)
    return next((said for rule in RULES if (said := rule(facts)) is not None), None)


def takes_the_last(facts: Hinted) -> Sentence | None:
    """The move completes all boxes that are left."""
    if not facts.taken or not facts.is_last:
        return None
    return phrase("takes-the-last", move=facts.move, count=facts.taken)


def takes_and_keeps_control(facts: Hinted) -> Sentence | None:
    """The move takes boxes; the last of them can be declined, and only long regions follow."""
    if not facts.taken or facts.safe_left or len(facts.after.opened) != 1:
        return None
    if not facts.only_long_left:
        return None
    (sweep,) = facts.after.opened
    if not sweep.can_double_deal:
        return None
    return phrase("takes-and-keeps-control", move=facts.move, count=facts.taken)


def takes(facts: Hinted) -> Sentence | None:
    """The move takes boxes."""
    if not facts.taken:
        return None
    values: dict[str, str | int] = {"move": facts.move, "count": facts.taken}
    if not facts.left:
        return phrase("takes", **values)
    return phrase("takes-some", **values, left=facts.left)


def declines(facts: Hinted) -> Sentence | None:
    """The move is the double-dealing move for the only boxes that can be taken."""
    opened = facts.board.parts.opened
    if facts.action not in facts.board.declining or len(opened) != 1 or not facts.others_left:
        return None
    values: dict[str, str | int] = {"move": facts.move, "boxes": len(opened[0])}
    # Who takes the declined boxes draws no edge that could make another one safe.
    if facts.safe_left or not facts.only_long_left:
        return phrase("declines", **values)
    return phrase("declines-and-keeps-control", **values)


def opens_by_the_middle(facts: Hinted) -> Sentence | None:
    """The move opens a chain of 2 by its middle edge, and no edge is safe."""
    region = _opened(facts)
    if not isinstance(region, Chain) or facts.action != region.hard_hearted or facts.board.safe:
        return None
    return phrase("opens-by-the-middle", move=facts.move)


def opens(facts: Hinted) -> Sentence | None:
    """The move opens a chain or a loop."""
    region = _opened(facts)
    if region is None or facts.board.gives != len(region):
        return None
    kind, boxes = named(region)
    values: dict[str, str | int] = {"move": facts.move, "boxes": boxes}
    if facts.board.safe:
        return phrase(f"sacrifices-{kind}", **values, count=len(facts.board.safe))
    others = handouts(facts.board.state)
    if facts.board.gives > min(others.values()):
        return phrase(f"opens-{kind}", **values)
    return phrase(f"opens-the-smallest-{kind}", **values)


def is_safe(facts: Hinted) -> Sentence | None:
    """The move is safe, and no boxes can be taken."""
    if facts.board.ready or facts.action not in facts.board.safe:
        return None
    if not facts.safe_left:
        return phrase("leaves-nothing-safe", move=facts.move)
    return phrase("is-safe", move=facts.move, count=facts.safe_left)


RULES: Final[tuple[HintRule, ...]] = (
    takes_the_last,
    takes_and_keeps_control,
    takes,
    declines,
    opens_by_the_middle,
    opens,
    is_safe,
)
"""The first that applies is said."""


def _opened(facts: Hinted) -> Chain | Loop | None:
    """Return the chain or loop that the move opens, if no boxes could be taken before."""
    return None if facts.board.ready else facts.board.region(facts.action)


def _wins(state: State, action: int) -> Sentence | None:
    """Say that the move wins at once, in games other than Dots and Boxes."""
    mover, after = state.current_player(), state.clone()
    after.apply(action)
    if not after.is_terminal() or after.returns()[mover] <= 0:
        return None
    return phrase("wins", move=state.game.action_name(action))
