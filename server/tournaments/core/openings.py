"""The openings of a tournament: those of its terms, and more that are drawn when they are needed.

Theory of operation
-------------------
The k-th game pair of any two entrants starts from opening k, and in a Swiss tournament, whose
entrants seldom meet twice, the rounds before count as game pairs too. A tournament may need ten
thousand openings or, when it ends early, ten. So only the first ones belong to the terms. Each
further one is drawn when two entrants first need it. It depends on the seed of the terms, on its
number and on the openings before it, and it differs from all of these.

When many draws in a row find nothing new, the game has hardly any further openings. From then on
the openings are repeated from the first one.

The first pairing with an opening stores it; later pairings store only its number.
"""

from __future__ import annotations

from random import Random
from typing import Final

from doublecross.games.api import GameError
from doublecross.games.registry import make_game
from doublecross.server.tournaments.core.errors import CorruptTournament
from doublecross.server.tournaments.core.terms import Terms

_STALL: Final = 200
"""After this many draws in a row without a new opening the openings are repeated."""


class OpeningStock:
    """Give openings by number, and draw those that are not known yet."""

    def __init__(self, terms: Terms) -> None:
        self._game = make_game(terms.game, terms.params)
        self._seed = terms.seed
        self._found = list(terms.openings)
        self._known = set(terms.openings)
        self._more = terms.more_openings
        self._stored: set[int] = set()
        """The numbers of openings that a pairing has stored."""

    def learn(self, number: int, opening: tuple[int, ...]) -> None:
        """Note the opening of a stored pairing.

        Raises:
            CorruptTournament: another opening has its number.
        """
        # A round that ended early has left some out.
        while self._more and number > len(self._found):
            self._draw()
        if number == len(self._found):
            self._found.append(opening)
            self._known.add(opening)
        elif not 0 <= number < len(self._found) or self._found[number] != opening:
            raise CorruptTournament(f"Opening {number} does not fit.")
        self._stored.add(number)

    def number_of(self, k: int) -> int:
        """Return the number of the opening for a game pair with `k` pairs before it."""
        while self._more and k >= len(self._found):
            self._draw()
        return k % len(self._found)

    def opening(self, number: int) -> tuple[int, ...]:
        """Return the opening with a number that `number_of` has returned."""
        return self._found[number]

    def is_stored(self, number: int) -> bool:
        """Return whether a pairing has stored the opening; from now on one has."""
        known = number in self._stored
        self._stored.add(number)
        return known

    def _draw(self) -> None:
        """Add one opening, or stop drawing when no new one turns up."""
        number = len(self._found)
        for attempt in range(_STALL):
            rng = Random(f"{self._seed}/{number}/{attempt}")
            try:
                drawn = self._game.openings(rng, 1).found
            except GameError:
                break
            if drawn and drawn[0] not in self._known:
                self._found.append(drawn[0])
                self._known.add(drawn[0])
                return
        self._more = False
