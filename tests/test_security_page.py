"""docs/security.md has each point of OWASP's lists once; its settings, metrics and tests exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from doublecross.server.shell.settings import ServerSettings, default_of
from tests.chaos.attacks import ATTACKS
from tests.protocol.wire import serving
from tests.server.shell.test_http import Reader

TESTS = Path(__file__).parent
PAGE = (TESTS.parent / "docs" / "security.md").read_text()
LIMITS = PAGE.partition("\n### Limits against load\n")[2].partition("\n## ")[0]
POINTS = PAGE.partition("\n## OWASP's points, one by one\n")[2]
STATES = {"met", "in part", "not met", "does not apply"}
SECTIONS = {
    "4.4": 4,
    "6.1": 3,
    "6.2": 12,
    "6.3": 8,
    "6.4": 6,
    "6.5": 8,
    "6.6": 4,
    "6.7": 2,
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


def rows(text: str = POINTS) -> list[list[str]]:
    """Return the cells of all rows below the headings of the tables."""
    heading = r"\| (?!point |number |limit |---)"
    lines = [line for line in text.splitlines() if re.match(heading, line)]
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


async def test_each_limit_against_load_has_a_setting_a_metric_an_attack_and_a_test(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path) as server, Reader(server) as http:
        metrics = (await http.client.get("/metrics")).text
    for _, setting, metric, attack, test in rows(LIMITS):
        name, default = setting.split(" ")
        assert str(default_of(ServerSettings.model_fields[name.strip("`")])) == default, setting
        assert f"{{{metric.strip('`')}}}" in metrics, metric
        assert attack.strip("`") in ATTACKS, attack
        assert "::test_" in test, test  # the next test looks for it


def test_the_tests_that_the_page_names_exist() -> None:
    named = re.findall(r"`(?:tests/)?([a-z0-9_/]+\.py)(?:::(test_\w+))?`", PAGE)
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
