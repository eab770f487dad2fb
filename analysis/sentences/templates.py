"""The templates of all phrases, by rule: one, or one for the number one and one for others.

Clients translate these templates, so each is a literal text here.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from doublecross.games.api.sentence import Sentence

TEMPLATES: Final[Mapping[str, str | tuple[str, str]]] = MappingProxyType(
    {
        # Mistakes.
        "gave-up-control": (
            "Taking the last boxes gave up control. {better} leaves {count} of them and keeps it."
        ),
        "gave-up-control-won": (
            "Taking the last boxes gave up control. Leaving {count} of them by {better} would have"
            " won {mine}-{theirs}."
        ),
        "gave-up-control-drawn": (
            "Taking the last boxes gave up control. Leaving {count} of them by {better} would have"
            " drawn {mine}-{theirs}."
        ),
        "gave-up-control-lost": (
            "Taking the last boxes gave up control. Leaving {count} of them by {better} would have"
            " lost only {mine}-{theirs}."
        ),
        "wrong-order": (
            "After {move} no box can be declined any more. Taking {better} first keeps that choice."
        ),
        "declined-wrongly": (
            "{move} left {count} boxes to the opponent, which was more than control was worth."
        ),
        "handed-over-the-first-chain": (
            "After {move} its player has to open the first long chain. After {better} the opponent"
            " would have had to."
        ),
        "half-hearted": (
            "{move} gave two boxes away by the end of their chain, so the opponent can decline"
            " them. Its middle edge {better} leaves no choice."
        ),
        "opened-chain-while-safe": (
            "{move} opened a chain of {boxes} while {better} was still safe."
        ),
        "opened-loop-while-safe": "{move} opened a loop of {boxes} while {better} was still safe.",
        "opened-chain-instead-of-chain": (
            "{move} opened a chain of {boxes}. The chain of {fewer} at {better} gives fewer boxes"
            " away."
        ),
        "opened-chain-instead-of-loop": (
            "{move} opened a chain of {boxes}. The loop of {fewer} at {better} gives fewer boxes"
            " away."
        ),
        "opened-loop-instead-of-chain": (
            "{move} opened a loop of {boxes}. The chain of {fewer} at {better} gives fewer boxes"
            " away."
        ),
        "opened-loop-instead-of-loop": (
            "{move} opened a loop of {boxes}. The loop of {fewer} at {better} gives fewer boxes"
            " away."
        ),
        "opened-chain-before-loop": (
            "{move} opened a chain of {boxes} before the loop of {more} at {better}. To keep"
            " control the opponent must leave four boxes of a loop, but only two of a chain."
        ),
        "kept-chain": (
            "{move} was safe, but it was time to give the chain of {boxes} at {better} away."
        ),
        "kept-loop": (
            "{move} was safe, but it was time to give the loop of {boxes} at {better} away."
        ),
        "left-boxes": (
            "{move} left a box that could be taken.",
            "{move} left {count} boxes that could be taken.",
        ),
        # Merits.
        "kept-control": "{move} left {count} boxes to keep control: the opponent must move next.",
        "sacrificed-chain": (
            "{move} gave the chain of {boxes} away at the right time: every safe edge would have"
            " cost more."
        ),
        "sacrificed-loop": (
            "{move} gave the loop of {boxes} away at the right time: every safe edge would have"
            " cost more."
        ),
        # What a move cost, and what became of the result.
        "cost": ("It cost {count} box.", "It cost {count} boxes."),
        "cost-about": ("It cost about {count} box.", "It cost about {count} boxes."),
        "move-cost": ("{move} costs {count} box.", "{move} costs {count} boxes."),
        "win-to-draw": "It turned a win into a draw.",
        "win-to-loss": "It turned a win into a loss.",
        "draw-to-loss": "It turned a draw into a loss.",
        "draw-to-win": "It turned a draw into a win.",
        "loss-to-draw": "It turned a loss into a draw.",
        "loss-to-win": "It turned a loss into a win.",
        # A game with another unit needs such a template, and one like `costliest-boxes`.
        "boxes": ("1 box", "{n} boxes"),
        "the-win": "the win",
        "the-draw": "the draw",
        # What a game teaches a player.
        "better": "Better: {edge}.",
        "costliest": "{edge} cost {cost}; {better} was better.",
        "costliest-boxes": (
            "{edge} cost {count} box; {better} was better.",
            "{edge} cost {count} boxes; {better} was better.",
        ),
        "could-have-won": "You could still have won.",
        "could-have-drawn": "You could still have drawn.",
        "nothing-cost": "No move of yours cost anything. Well played!",
        "lost-without-cost": "You lost, although no move of yours cost anything.",
        "no-certain-mistake": "No certain mistake of yours was found.",
        # Positions.
        "boxes-to-take": ("{count} box can be taken now.", "{count} boxes can be taken now."),
        "no-long-chain": "There is no long chain yet.",
        "long-chains": ("There is {count} long chain.", "There are {count} long chains."),
        "loops-beside": ("{count} loop does not count.", "{count} loops do not count."),
        "first-wants-even": (
            "By the long chain rule who began wants an even number of them, and the other player an"
            " odd one."
        ),
        "first-wants-odd": (
            "By the long chain rule who began wants an odd number of them, and the other player an"
            " even one."
        ),
        "controlled-value": (
            "Only chains and loops are left. Their controlled value is {count}: who must open the"
            " first gets {count} box fewer.",
            "Only chains and loops are left. Their controlled value is {count}: who must open the"
            " first gets {count} boxes fewer.",
        ),
        # Hints.
        "takes-the-last": (
            "{move} takes the last box.",
            "{move} takes the last {count} boxes.",
        ),
        "takes-and-keeps-control": (
            "{move} takes a box and keeps control.",
            "{move} takes {count} boxes and keeps control.",
        ),
        "takes": ("{move} takes a box.", "{move} takes {count} boxes."),
        "takes-some": (
            "{move} takes a box, and {left} more can be taken.",
            "{move} takes {count} boxes, and {left} more can be taken.",
        ),
        "declines": "{move} leaves {boxes} boxes: the opponent must move next.",
        "declines-and-keeps-control": "{move} declines {boxes} boxes and keeps control.",
        "opens-by-the-middle": "{move} gives 2 boxes away that cannot be declined.",
        "sacrifices-chain": (
            "{move} gives a chain of {boxes} away while {count} edge is safe.",
            "{move} gives a chain of {boxes} away while {count} edges are safe.",
        ),
        "sacrifices-loop": (
            "{move} gives a loop of {boxes} away while {count} edge is safe.",
            "{move} gives a loop of {boxes} away while {count} edges are safe.",
        ),
        "opens-chain": "No edge is safe. {move} opens a chain of {boxes}.",
        "opens-loop": "No edge is safe. {move} opens a loop of {boxes}.",
        "opens-the-smallest-chain": "{move} gives the fewest boxes away: a chain of {boxes}.",
        "opens-the-smallest-loop": "{move} gives the fewest boxes away: a loop of {boxes}.",
        "leaves-nothing-safe": "{move} leaves the opponent no safe edge.",
        "is-safe": (
            "{move} is safe and leaves {count} safe edge.",
            "{move} is safe and leaves {count} safe edges.",
        ),
        "wins": "{move} wins at once.",
        # Levels.
        "score": "Your score against {level}: {wins} won, {losses} lost.",
        "score-with-draws": (
            "Your score against {level}: {wins} won, {draws} drawn, {losses} lost."
        ),
        "next-level": "This is your next level.",
        "try-level": "Try {level} next.",
    }
)


def phrase(rule: str, **values: object) -> Sentence:
    """Return the phrase of a rule; `values` fill the braces of its template."""
    texts = TEMPLATES[rule]
    one, many = (texts, None) if isinstance(texts, str) else texts
    return Sentence.of(one, values, many, rule)
