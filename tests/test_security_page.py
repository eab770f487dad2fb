"""docs/security.md has each point of OWASP's lists once, and names tests that there are."""

from __future__ import annotations

import ast
import re
from pathlib import Path

TESTS = Path(__file__).parent
PAGE = (TESTS.parent / "docs" / "security.md").read_text()
POINTS = PAGE.partition("\n## OWASP's points, one by one\n")[2]
STATES = {"met", "in part", "not met", "does not apply"}
SECTIONS = {
    "4.4": 4,
    "6.1": 3,
    "6.2": 12,
    "6.3": 8,
    "6.4": 6,
    "7.1": 3,
    "7.2": 4,
    "7.3": 2,
    "7.4": 5,
    "7.5": 3,
    "7.6": 2,
    "8.1": 4,
    "8.2": 4,
    "8.3": 3,
    "8.4": 2,
}
"""How many requirements each section of ASVS 5.0.0 has."""


def rows() -> list[list[str]]:
    """Return the cells of all rows below the headings of the tables."""
    lines = [line for line in POINTS.splitlines() if re.match(r"\| (?!point |number |---)", line)]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def test_each_requirement_of_the_standard_has_one_row() -> None:
    numbers = [row[0] for row in rows() if re.fullmatch(r"[0-9]\.[0-9]\.[0-9]+", row[0])]
    assert numbers == [
        f"{section}.{number}"
        for section, count in SECTIONS.items()
        for number in range(1, count + 1)
    ]
    for row in rows():
        is_numbered = row[0][0].isdigit()
        assert len(row) == (4 if is_numbered else 3), row
        assert row[-2] in STATES, row
        assert len(row[-1]) > 10, row


def test_the_tests_that_the_page_names_exist() -> None:
    named = re.findall(r"`(?:tests/)?([a-z0-9_/]+\.py)(?:::(test_\w+))?`", POINTS)
    assert len(named) > 50
    known: dict[str, set[str]] = {}
    for file, test in named:
        if file not in known:
            tree = ast.parse((TESTS / file).read_text())
            known[file] = {
                node.name
                for node in tree.body
                if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
            }
        assert not test or test in known[file], f"{file}::{test}"


def test_the_files_and_headings_that_the_page_names_exist() -> None:
    for path in re.findall(r"`(tests/[\w./]+)`", PAGE):
        assert (TESTS.parent / path).exists(), path
    for page, heading in re.findall(r"\]\((\w*(?:\.md)?)#([\w-]+)\)", PAGE):
        text = PAGE if not page else (TESTS.parent / "docs" / page).read_text()
        titles = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
        slugs = {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}
        assert heading in slugs, (page, heading)
