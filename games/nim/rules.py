"""The rules of Nim: seats take objects from a heap in turn; the last object wins or loses.

Theory of operation
-------------------
An action is an object: it takes this object and all after it in its heap. Objects are numbered
heap by heap. OpenSpiel's ``nim`` numbers actions by heap and by the number of objects to take. Our
numbering allows the same moves and has three advantages. Every number is a legal action of the
first position, a drawn object always means the same action, and the number alone
determines what is left of the heap.

The seats take the objects of the opening in turn, from seat 0.

Source: C. Bouton, Nim, a game with a complete mathematical theory, Annals of Mathematics 3, 1901.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random
from typing import Final, Self

from doublecross.games.api import (
    BadOpening,
    Game,
    Geometry,
    IllegalAction,
    Openings,
    Parameter,
    State,
)
from doublecross.games.drawing import letters, sign_row
from doublecross.games.nim.heaps import Heaps, heaps_of
from doublecross.games.nim.openings import default_length, find_openings

_NAME: Final = re.compile(r"([a-z])([1-9][0-9]?)", re.ASCII)
_NUMBER: Final = re.compile(r"[0-9]{1,4}", re.ASCII)


class Nim(Game):
    """Nim with two to four heaps. A size of 0 leaves heap c or d out.

    The seat that takes the last object loses when `misere` is 1 and wins when it is 0.
    """

    key = "nim"
    title = "Nim"
    parameters = (
        Parameter("a", "Heap a", 1, 10, 1),
        Parameter("b", "Heap b", 1, 10, 3),
        Parameter("c", "Heap c", 0, 10, 5),
        Parameter("d", "Heap d", 0, 10, 7),
        Parameter("misere", "Misère (1: yes)", 0, 1, 1),
    )
    least_numbers = 4  # each heap; the rule for the last object has a default
    seat_names = ("X", "O")

    def __init__(self, params: Mapping[str, int] | None = None) -> None:
        super().__init__(params)
        sizes = (self.params[name] for name in "abcd")
        self.heaps: Heaps = heaps_of(tuple(size for size in sizes if size))
        self.misere = bool(self.params["misere"])

    @property
    def full_title(self) -> str:
        """The title, the heaps and the kind of play for users: ``Nim 1-3-5-7, misère``."""
        sizes = "-".join(map(str, self.heaps.sizes))
        return f"{self.title} {sizes}, {'misère' if self.misere else 'normal play'}"

    @property
    def num_actions(self) -> int:
        """The number of objects."""
        return self.heaps.num_objects

    @property
    def max_game_length(self) -> int:
        """The number of objects."""
        return self.heaps.num_objects

    def geometry(self) -> Geometry:
        """Return the objects, a row for each heap; each is the region of its action."""
        return self.heaps.geometry

    def initial_state(self, opening: Sequence[int] = ()) -> NimState:
        """Return a new state after the actions of `opening`, played in turn from seat 0.

        Raises:
            BadOpening: `opening` has an unknown or taken object, or leaves no object.
        """
        return NimState(self, tuple(opening))

    def openings(self, rng: Random, n: int, length: int | None = None) -> Openings:
        """Return `n` openings of `length` actions that leave at least two heaps.

        Raises:
            BadParameter: `n` or `length` is below zero, or `length` exceeds the number of objects.
        """
        if length is None:
            length = default_length(self.heaps)
        return find_openings(self.heaps, rng, n, length)

    def action_name(self, action: int) -> str:
        """Return the heap and the place, from 1, of the first object taken, such as ``c4``.

        Raises:
            IllegalAction: no such object.
        """
        if type(action) is not int or not 0 <= action < self.num_actions:
            raise IllegalAction(f"{action!r} is not an object of {self.full_title}.")
        heap, place = self.heaps.where[action]
        return f"{chr(ord('a') + heap)}{place + 1}"

    def parse_action(self, text: str) -> int:
        """Return the object that a name, in either case, or a plain number stands for.

        Raises:
            IllegalAction: no such object.
        """
        word = text.strip().lower()
        if _NUMBER.fullmatch(word) and int(word) < self.num_actions:
            return int(word)
        if match := _NAME.fullmatch(word):
            heap, place = ord(match[1]) - ord("a"), int(match[2]) - 1
            if heap < len(self.heaps.sizes) and place < self.heaps.sizes[heap]:
                return self.heaps.starts[heap] + place
        raise IllegalAction(f"{text!r} is not an object of {self.full_title}.")


class NimState(State):
    """One position of Nim, with its history."""

    __slots__ = ("_before", "_heaps", "_left", "_misere", "_owners", "_total")

    def __init__(self, game: Nim, opening: tuple[int, ...] = ()) -> None:
        super().__init__(game, opening)
        self._heaps = game.heaps
        self._misere = game.misere
        self._left = list(game.heaps.sizes)
        self._total = game.heaps.num_objects
        self._owners = [-1] * self._total
        self._before: list[int] = []
        for turn, action in enumerate(opening):
            if type(action) is not int or not 0 <= action < game.num_actions:
                raise BadOpening(f"The opening has {action!r}, which is not an object.")
            if self._owners[action] >= 0:
                raise BadOpening(f"The opening takes {game.action_name(action)} twice.")
            self._take(action, turn % 2)
        if not self._total:
            raise BadOpening("The opening takes every object and leaves nothing to play.")

    def _take(self, action: int, seat: int) -> int:
        """Give `seat` the object `action` and those after it; return the heap size before."""
        heap, place = self._heaps.where[action]
        before = self._left[heap]
        self._owners[action : action + before - place] = [seat] * (before - place)
        self._left[heap] = place
        self._total -= before - place
        return before

    @property
    def left(self) -> tuple[int, ...]:
        """The number of objects left in each heap."""
        return tuple(self._left)

    def _turn(self) -> int:
        return (len(self._opening) + len(self._history)) % 2

    def plies_left(self) -> int:
        """Return the number of objects left; each ply takes at least one."""
        return self._total

    def current_player(self) -> int:
        """Return the seat to move, or -1 when all objects are taken."""
        return self._turn() if self._total else -1

    def legal_actions(self) -> list[int]:
        """Return the objects that are left, ascending."""
        return [
            action
            for start, count in zip(self._heaps.starts, self._left, strict=True)
            for action in range(start, start + count)
        ]

    def is_legal(self, action: int) -> bool:
        """Return whether `action` is an object that is left."""
        return type(action) is int and 0 <= action < len(self._owners) and self._owners[action] < 0

    def apply(self, action: int) -> None:
        """Take the object `action` and all after it in its heap.

        Raises:
            IllegalAction: there is no such object, or it is taken already.
        """
        if not self.is_legal(action):
            # `action_name` raises IllegalAction if there is no such object.
            name = self._game.action_name(action)
            raise IllegalAction(f"Object {name} is taken already.")
        self._before.append(self._take(action, self._turn()))
        self._history.append(action)

    def _take_back(self, action: int) -> None:
        """Put back the objects that `action` took."""
        heap, place = self._heaps.where[action]
        before = self._before.pop()
        self._owners[action : action + before - place] = [-1] * (before - place)
        self._left[heap] = before
        self._total += before - place

    def is_terminal(self) -> bool:
        """Return whether all objects are taken."""
        return not self._total

    def _winner(self) -> int:
        """Return the seat that has won, or -1 while objects are left."""
        if self._total:
            return -1
        # After the last action `_turn` is the seat that did not take the last object.
        return self._turn() if self._misere else 1 - self._turn()

    def scores(self) -> tuple[int, int]:
        """Return 1 for the winner, 0 for the others."""
        winner = self._winner()
        return int(winner == 0), int(winner == 1)

    def returns(self) -> tuple[float, float]:
        """Return (1, -1) or (-1, 1) when all objects are taken, (0, 0) before that."""
        winner = self._winner()
        if winner < 0:
            return 0.0, 0.0
        return (1.0, -1.0) if winner == 0 else (-1.0, 1.0)

    def owners(self) -> tuple[int, ...]:
        """Return the seat that took each object, or -1 for an object that is left."""
        return tuple(self._owners)

    def clone(self) -> Self:
        """Return an independent copy, history included."""
        copy = super().clone()
        copy._heaps = self._heaps
        copy._misere = self._misere
        copy._left = self._left.copy()
        copy._total = self._total
        copy._owners = self._owners.copy()
        copy._before = self._before.copy()
        return copy

    def key(self) -> tuple[int, ...]:
        """Return (seat to move, objects in each heap).

        After the last action the first entry is the seat that would move next.
        """
        return (self._turn(), *self._left)

    def to_ascii(self, mark_last: bool = False) -> str:
        """Return a row for each heap, with ``|`` for each object and ``.`` for a taken one.

        `mark_last` puts the first object of the last action in brackets.
        """
        last = self._history[-1] if mark_last and self._history else -1
        lines = ["   " + " ".join(str(n + 1) for n in range(max(self._heaps.sizes)))]
        starts, sizes = self._heaps.starts, self._heaps.sizes
        for name, start, size in zip(letters(len(sizes)), starts, sizes, strict=True):
            signs = ["|" if owner < 0 else "." for owner in self._owners[start : start + size]]
            lines.append(f" {name}{sign_row(signs, last - start if last >= start else -1)}")
        return "\n".join(lines)
