"""Limit the wrong passwords for each name, without locking its owner out.

If all addresses shared the guesses of a name, an attacker could keep its owner from logging in. So
an address from which somebody has logged in with the name has guesses of its own. All others share
theirs.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from doublecross.protocol.errors import ErrorCode
from doublecross.server.core.errors import Refused
from doublecross.server.shell.addresses.admission import Action, Admission

MOST_KNOWN: Final = 10_000
"""How many pairs of a name and an address are kept; the one used longest ago goes first."""


class Guesses:
    """Count wrong passwords, by the limits of `admission`, which counts the refusals.

    `now_s` returns seconds and never goes back.
    """

    def __init__(self, admission: Admission, now_s: Callable[[], float]) -> None:
        # Buckets of its own, so that no flood of other actions makes it forget guesses.
        self._admission = Admission(admission.limits, now_s)
        self._admission.hits = admission.hits
        self._known: OrderedDict[str, None] = OrderedDict()

    def take(self, name: str, source: str) -> str:
        """Take one of the guesses for a name, whether there is such an account or not.

        Return the key for `right`, to call if the password is right.

        Raises:
            Refused: none is left.
        """
        own = _key(name, source)
        key = own if own in self._known else name.casefold()
        wait = self._admission.wait_s(key, Action.GUESS)
        if wait:
            raise Refused(
                ErrorCode.RATE_LIMITED,
                "Too many passwords were tried for this name; try again in {seconds} s.",
                math.ceil(wait),
            )
        return key

    def give_back(self, taken: str) -> None:
        """Give a guess back, because it was none."""
        self._admission.give_back(taken, Action.GUESS)

    def right(self, taken: str, name: str, source: str) -> None:
        """Give a guess back, because it was right, and remember the address."""
        self.give_back(taken)
        self.know(name, source)

    def know(self, name: str, source: str) -> None:
        """Remember that somebody has logged in with a name from this source."""
        key = _key(name, source)
        self._known[key] = None
        self._known.move_to_end(key)
        if len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)


def _key(name: str, source: str) -> str:
    return f"{name.casefold()}\n{source}"  # no name has a line break
