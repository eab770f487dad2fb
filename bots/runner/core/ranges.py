"""Ranges that the settings of a bot name: games in some sizes, ratings, clocks, hours of the day.

Each has a `parse` for its text in a settings file. What `parse` raises is a ValueError with one
sentence for people.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import time
from typing import Final, Self

from doublecross.games.api import Game, GameError
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes
from doublecross.games.registry import game_class

ANY: Final = "any"
"""The word for every game; sizes after it are written like those of Dots and Boxes."""

_NUMBERS: Final = re.compile(r"(\d{1,6}(?:\.\d{1,3})?)?-(\d{1,6}(?:\.\d{1,3})?)?", re.ASCII)
_HOURS: Final = re.compile(r"((?:[01]\d|2[0-3]):[0-5]\d)-((?:[01]\d|2[0-3]):[0-5]\d)", re.ASCII)


@dataclass(frozen=True, slots=True)
class GameRange:
    """The game `key` (None: every game) in sizes from `smallest` to `largest`.

    Sizes are the parameters of a game in their order, compared number by number; empty: no bound.
    """

    key: str | None = None
    smallest: tuple[int, ...] = ()
    largest: tuple[int, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the range of ``any``, ``tic-tac-toe``, ``any 5x5`` or ``dots-and-boxes 3x3-7x7``.

        Raises:
            ValueError: the text is malformed, or there is no such game or size.
        """
        key, _, sizes = text.strip().partition(" ")
        try:
            kind = DotsAndBoxes if key == ANY else game_class(key)
            low, dash, high = sizes.partition("-")
            bounds = [
                tuple(kind.parse_size(size.strip()).values())
                for size in (low, high if dash else low)
                if sizes
            ]
        except GameError as error:
            raise ValueError(str(error)) from None
        if bounds and not _within(*bounds):
            raise ValueError(
                f"The sizes {sizes!r} are in the wrong order: write the smaller one first."
            )
        return cls(None if key == ANY else key, *bounds)

    def games(self) -> list[Game]:
        """Return the named game in its smallest and its largest size; nothing for every game."""
        if self.key is None:
            return []
        kind = game_class(self.key)
        names = [p.name for p in kind.parameters]
        sizes = [size for size in (self.smallest, self.largest) if size]
        return [kind(dict(zip(names, size, strict=True))) for size in sizes] or [kind()]

    def concerns(self, game: Game) -> bool:
        """Return whether the range is about this game, in whatever size."""
        return self.key in (None, game.key)

    def objection(self, game: Game) -> str | None:
        """Return why the size of `game` is not in the range, or None if it is."""
        size = tuple(game.params[p.name] for p in game.parameters)
        if not _within(self.smallest, size):
            return f"I play from {_text(self.smallest)} on."
        if not _within(size, self.largest):
            return f"I play up to {_text(self.largest)}."
        return None


def objection(ranges: tuple[GameRange, ...], game: Game) -> str | None:
    """Return why `game` is in none of the ranges, or None if it is in one or there are none."""
    about = [each.objection(game) for each in ranges if each.concerns(game)]
    if not ranges or None in about:
        return None
    return about[0] if about else "I do not play this game here."


@dataclass(frozen=True, slots=True)
class NumberRange:
    """Numbers from `least` to `most` (None: no bound)."""

    least: float = 0.0
    most: float | None = None

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the range of ``10-600``, ``60-`` or ``-600``.

        Raises:
            ValueError: the text is malformed, or the larger number comes first.
        """
        found = _NUMBERS.fullmatch(text.strip())
        if found is None or text.strip() == "-":
            raise ValueError(f"{text!r} is not a range; write it like 10-600, 60- or -600.")
        least = float(found[1] or 0)
        most = None if found[2] is None else float(found[2])
        if most is not None and most < least:
            raise ValueError(
                f"The range {text!r} is in the wrong order: write the smaller number first."
            )
        return cls(least, most)

    def __contains__(self, number: float) -> bool:
        return self.least <= number and (self.most is None or number <= self.most)


@dataclass(frozen=True, slots=True)
class QuietHours:
    """Hours of each day from `begin` to `end`; an end that is not later is on the next day."""

    begin: time
    end: time

    @classmethod
    def parse(cls, text: str) -> Self:
        """Return the hours of ``22:00-07:00``.

        Raises:
            ValueError: the text is malformed.
        """
        found = _HOURS.fullmatch(text.strip())
        if found is None:
            raise ValueError(f"{text!r} are no hours; write them like 22:00-07:00.")
        return cls(time.fromisoformat(found[1]), time.fromisoformat(found[2]))

    def __contains__(self, now: time) -> bool:
        if self.begin < self.end:
            return self.begin <= now < self.end
        return now >= self.begin or now < self.end

    def __str__(self) -> str:
        return f"from {self.begin:%H:%M} to {self.end:%H:%M}"


def _text(size: tuple[int, ...]) -> str:
    return "x".join(map(str, size))[:20]


def _within(small: tuple[int, ...], large: tuple[int, ...]) -> bool:
    return all(a <= b for a, b in zip(small, large, strict=False))
