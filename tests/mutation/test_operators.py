"""The mutation tester itself: which mutants it finds, and how it runs them."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest

from tests.mutation.operators import Mutant, mutants_of
from tests.mutation.warm import Forks, living_caches


def mutants(tmp_path: Path, source: str) -> list[Mutant]:
    path = tmp_path / "sample.py"
    path.write_text(source, encoding="utf-8")
    return mutants_of(path)


@pytest.mark.parametrize(
    ("line", "changes"),
    [
        ("return a < b", ["return a < b -> return None", "a < b -> a <= b"]),
        ("a += 1", ["a += 1 -> a -= 1", "1 -> 2"]),
        ("x = min(a, b)", ["min(a, b) -> max(a, b)"]),
        ("x = a and b", ["a and b -> a or b"]),
        ("x = not a", ["not a -> a"]),
        ("a.open()", ["a.open() -> pass"]),
        ("a.open = False", ["False -> True"]),
        ("a.open = 0", ["a.open = 0 -> a.open = None", "0 -> 1"]),
        ("raise ValueError('No: ' + a)", ["raise ValueError('No: ' + a) -> pass"]),
        ("x = a if b else 'no'", ["a if b else 'no' -> 'no' if b else a", "'no' -> 'noX'"]),
        ("x = f'{a + b}'", []),
        ("'A sentence.'", []),
        ("x: int | None = b", []),
    ],
)
def test_the_mutants_of_a_line(tmp_path: Path, line: str, changes: list[str]) -> None:
    found = mutants(tmp_path, f"def f(a: 'int' = b, *, c: int) -> 'int':\n    {line}\n")
    assert [mutant.text for mutant in found] == changes


def test_what_no_test_should_check_has_no_mutants(tmp_path: Path) -> None:
    source = (
        "'''A file.'''\nimport os\n__all__ = ['a']\nif TYPE_CHECKING:\n    import a\n"
        "@dataclass(slots=True)\nclass A:\n    '''A class.'''\n    x: Literal['a']\n"
        "    def __repr__(self):\n        return 'a' + 'b'\n"
    )
    assert mutants(tmp_path, source) == []


def test_a_mutant_names_its_outermost_function(tmp_path: Path) -> None:
    source = (
        "LIMIT = 3\n\nclass A:\n    size: Annotated[int, Field(le=4)]\n\n    @property\n"
        "    def f(self, n=5):\n        def g():\n            return 6\n"
    )
    places = {
        mutant.text: mutant.function and (mutant.function.name, mutant.function.line)
        for mutant in mutants(tmp_path, source)
    }
    assert places == {"3 -> 4": None, "4 -> 5": None, "5 -> 6": None, "6 -> 7": ("A.f", 6)}


def test_a_mutant_changes_the_code(tmp_path: Path) -> None:
    (mutant,) = mutants(tmp_path, "limit = 3\n")
    names: dict[str, object] = {}
    exec(mutant.mutated_code(), names)
    assert names["limit"] == 4


def test_a_control_changes_nothing(tmp_path: Path) -> None:
    for mutant in mutants(tmp_path, "limit = 3\nmore = [1, 2 - 1]\n"):
        names: dict[str, object] = {}
        exec(mutant.without_change().mutated_code(), names)
        assert (names["limit"], names["more"]) == (3, [1, 1])


def test_caches_of_our_functions_are_found() -> None:
    @cache
    def ours() -> int:
        return 1

    foreign = cache(json.dumps)
    found = living_caches()
    assert (ours in found, foreign in found) == (True, False)


@pytest.mark.processes
def test_a_child_that_hangs_is_ended() -> None:
    forks = Forks(2)

    def hang() -> int:
        while True:
            pass

    forks.start(1, 0.5, hang)
    forks.start(2, 10.0, lambda: 0)
    forks.start(3, 10.0, lambda: 1)
    forks.finish()
    assert (forks.results[1] < 0, forks.results[2], forks.results[3]) == (True, 0, 1)
