"""Lists with few places: what they show stays, and what comes first takes the places of others."""

from __future__ import annotations

import pytest

from doublecross.server.core.lobby.shown import Shown


class Things:
    """Things with names, some of which come first, and a list with two places."""

    def __init__(self) -> None:
        self.known: dict[str, bool] = {}
        self.list = Shown[str](
            2,
            lambda key: key if key in self.known else None,
            lambda key: self.known[key],
            lambda: len(self.known),
            lambda: reversed(self.known),
        )

    def come(self, *names: str, first: bool = False) -> None:
        for name in names:
            self.known[name] = first
            self.list.note(name)

    def go(self, name: str) -> None:
        del self.known[name]
        self.list.note(name)

    def due(self) -> set[str]:
        self.list.settle()
        due = set(self.list.due)
        self.list.due.clear()
        return due


@pytest.fixture
def things() -> Things:
    return Things()


def test_a_list_with_places_shows_everything_newest_first(things: Things) -> None:
    things.come("a", "b")
    assert things.due() == {"a", "b"}
    assert things.list.all() == ["b", "a"]
    things.list.note("a")
    assert things.due() == {"a"}
    assert things.list.all() == ["b", "a"]


def test_a_full_list_stays_as_it_is_until_something_is_gone(things: Things) -> None:
    things.come("a", "b", "c", "d")
    assert things.due() == {"a", "b"}
    things.list.note("c")
    things.go("d")
    assert things.due() == set()
    things.come("e")
    things.go("a")
    # The newest of the others takes the place.
    assert things.due() == {"a", "e"}
    assert things.list.all() == ["e", "b"]
    assert things.list.find("c") is None
    assert things.list.find("b") == "b"


def test_what_comes_first_takes_a_place_of_the_oldest_other(things: Things) -> None:
    things.come("a", "b")
    things.due()
    things.come("c", first=True)
    assert things.due() == {"a", "c"}
    things.come("d", first=True)
    things.come("e", first=True)
    assert things.due() == {"b", "d"}
    # It is one of the rest from now on.
    things.known["c"] = False
    things.list.note("c")
    things.list.note("e")
    assert things.due() == {"c", "e"}
    assert things.list.all() == ["e", "d"]


def test_what_nobody_has_noted_is_found(things: Things) -> None:
    things.known.update(a=False, b=False, c=False)
    things.list.settle()
    assert things.list.all() == ["c", "b"]
