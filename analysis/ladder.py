"""The levels as a ladder: somebody's results against each, and the level to try next.

Results are kept for each game, size and level. A level is *beaten* after two wins in a row, or
three wins in the last four games, at the end of its results. The next level is the one above the
strongest beaten one. Results that get worse later take the suggestion back.

As text (`to_text`) results are wins, draws, losses and the last games, the newest last:
``3 0 1 WLWW``. Every client keeps them in this form, so that they can be moved.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from doublecross.analysis.sentences.templates import phrase
from doublecross.games.api.sentence import Sentence

RECENT: Final = 4
"""How many of the last games are kept one by one."""
_FORM: Final = re.compile(r"([0-9]{1,6}) ([0-9]{1,6}) ([0-9]{1,6}) ([WDL]{0,4})", re.ASCII)


@dataclass(frozen=True, slots=True)
class LevelResults:
    """A person's results against one level; `recent` has ``W``, ``D`` or ``L`` for each game."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    recent: str = ""

    def after(self, result: int) -> LevelResults:
        """Return the results after another game: 1 is a win of the person, 0 a draw, -1 a loss."""
        return LevelResults(
            self.wins + (result > 0),
            self.draws + (result == 0),
            self.losses + (result < 0),
            (self.recent + "DWL"[result])[-RECENT:],
        )

    @property
    def played(self) -> int:
        """How many games there were."""
        return self.wins + self.draws + self.losses

    @property
    def beaten(self) -> bool:
        """Return whether the last games were good enough for the next level."""
        return self.recent.endswith("WW") or self.recent.count("W") >= RECENT - 1

    def to_text(self) -> str:
        """Return the results as text; `results_from_text` reads it."""
        return f"{self.wins} {self.draws} {self.losses} {self.recent}"


def results_from_text(text: str) -> LevelResults:
    """Read results.

    Raises:
        ValueError: the text has another form, or more last games than games.
    """
    found = _FORM.fullmatch(text)
    if found is None:
        raise ValueError(f"Results are like '3 0 1 WLWW', not {text!r}.")
    results = LevelResults(int(found[1]), int(found[2]), int(found[3]), found[4])
    counts = [(results.wins, "W"), (results.draws, "D"), (results.losses, "L")]
    if any(results.recent.count(letter) > count for count, letter in counts):
        raise ValueError(f"The last games do not fit the results in {text!r}.")
    return results


def next_level(levels: Sequence[str], results: Mapping[str, LevelResults]) -> str | None:
    """Return the level above the strongest beaten one; None if no level is beaten, or all are.

    `levels` are the names of the levels, weakest first.
    """
    beaten = [at for at, level in enumerate(levels) if level in results and results[level].beaten]
    above = max(beaten, default=len(levels)) + 1
    return levels[above] if above < len(levels) else None


def advice(
    level: str, levels: Sequence[str], results: Mapping[str, LevelResults]
) -> tuple[Sentence, ...]:
    """Return the sentences for somebody who looks at `level`: the results, and what to try next."""
    mine, suggested = results.get(level, LevelResults()), next_level(levels, results)
    score = (_score(level, mine),) if mine.played else ()
    if suggested is None or level not in levels:
        return score
    if suggested == level:
        return (*score, phrase("next-level"))
    if mine.beaten and levels.index(suggested) > levels.index(level):
        return (*score, phrase("try-level", level=Sentence(suggested)))
    return score


def _score(level: str, mine: LevelResults) -> Sentence:
    wins, losses, named = mine.wins, mine.losses, Sentence(level)
    if mine.draws:
        return phrase("score-with-draws", wins=wins, losses=losses, draws=mine.draws, level=named)
    return phrase("score", wins=wins, losses=losses, level=named)
