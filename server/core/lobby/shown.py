"""Choose what a list of the lobby shows if there is more than it has places for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import Generic, TypeVar

_T = TypeVar("_T")


class Shown(Generic[_T]):
    """The keys of what a list with `most` places shows, and the keys whose lines have changed.

    What is shown stays until it is gone, so a full list keeps still for those who read it, however
    much happens elsewhere. What comes `first` takes the places of the rest.

    `find` returns what has a key, or None if the list cannot show it. `count` returns how much
    there is to show, and `newest` its keys, newest first.
    """

    def __init__(
        self,
        most: int,
        find: Callable[[str], _T | None],
        first: Callable[[_T], bool],
        count: Callable[[], int],
        newest: Callable[[], Iterable[str]],
    ) -> None:
        self._most = most
        self._find = find
        self._first = first
        self._count = count
        self._newest = newest
        self._kept: dict[str, bool] = {}
        """What is shown, in the order in which it came, and whether it comes first."""
        self._noted: dict[str, None] = {}
        self.due: dict[str, None] = {}
        """The keys whose lines readers do not know yet."""

    def note(self, key: str) -> None:
        """Note that something has come, has changed, or is gone."""
        self._noted[key] = None

    def __contains__(self, key: str) -> bool:
        return key in self._kept

    def settle(self) -> None:
        """Choose anew after the changes that were noted."""
        for key in self._noted:
            self._look(key)
        self._noted.clear()
        free = min(self._most, self._count()) - len(self._kept)
        if free > 0:
            others = (key for key in self._newest() if key not in self._kept)
            for key in reversed(list(islice(others, free))):
                self._look(key)

    def _look(self, key: str) -> None:
        found = self._find(key)
        if found is None:
            if self._kept.pop(key, None) is not None:
                self.due[key] = None
            return
        first = self._first(found)
        if key not in self._kept and len(self._kept) >= self._most:
            others = (each for each, is_first in self._kept.items() if not is_first)
            leaving = next(others, None) if first else None
            if leaving is None:
                return
            del self._kept[leaving]
            self.due[leaving] = None
        self._kept[key] = first
        self.due[key] = None

    def all(self) -> list[_T]:
        """Return what is shown, newest first."""
        found = (self._find(key) for key in reversed(self._kept))
        return [each for each in found if each is not None]

    def find(self, key: str) -> _T | None:
        """Return what is shown under a key, or None if nothing is."""
        return self._find(key) if key in self._kept else None
