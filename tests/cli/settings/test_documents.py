"""docs/hosting.md, the help and the sample file have the settings that the server has."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator

import pytest
import typer

from doublecross.cli.main import app
from doublecross.cli.settings.load import PREFIX, load
from doublecross.cli.settings.model import FLAGS, GROUPS, ServeSettings
from tests.cli.commands import ROOT

HOSTING = (ROOT / "docs" / "hosting.md").read_text()
ACTIONS = {"--settings", "--show-settings", "--check", "--qr", "--open", "--json", "--help"}
"""The options of `serve` that are no settings."""
COMPUTED = {"page", "analysis"}
"""The settings whose defaults depend on the machine; the documents describe them in words."""


def _table(heading: str) -> Iterator[tuple[str, str, str, str]]:
    """Return the cells of the rows below a heading of docs/hosting.md."""
    text = HOSTING.partition(f"\n### {heading}\n")[2].partition("\n##")[0]
    for row in re.findall(r"^\| `.*\|$", text, re.MULTILINE):
        name, flag, default, meaning = (cell.strip() for cell in row.strip("|").split("|"))
        yield name.strip("`"), flag.strip("`"), default, meaning


@pytest.mark.parametrize("heading", GROUPS)
def test_the_tables_have_all_settings_with_their_flags_and_defaults(heading: str) -> None:
    rows = list(_table(heading))
    assert tuple(name for name, *_ in rows) == GROUPS[heading]
    for name, flag, default, meaning in rows:
        assert flag == FLAGS.get(name, ""), name
        assert meaning, name
        field = ServeSettings.model_fields[name]
        literal = re.match(r"`([^`]*)`", default)
        if literal is None:
            assert name in COMPUTED or field.default is None, name
        else:
            found = tomllib.loads(f"default = {literal[1]}")["default"]
            assert found == field.default, name
            assert type(found) is not bool or type(field.default) is bool, name


def test_the_options_of_the_command_are_the_flags_and_the_actions() -> None:
    serve = typer.main.get_command(app).commands["serve"]  # type: ignore[attr-defined]
    shown = {option.opts[0]: option for option in serve.params if not option.hidden}
    assert set(shown) - {"--help"} == {*FLAGS.values(), *ACTIONS} - {"--help"}
    for name, flag in FLAGS.items():
        text = shown[flag].show_default
        default = ServeSettings.model_fields[name].default
        if isinstance(text, str) and isinstance(default, (int, float)):
            assert float(text) == default, flag
        elif isinstance(text, str) and default:
            assert text == default, flag
    for option in ACTIONS - {"--help"}:
        assert f"| `{option}" in HOSTING


def test_the_documents_name_no_settings_that_there_are_not() -> None:
    others = {"ORGANISER", "SETTINGS", "TOKEN"}
    for page in ("hosting", "security", "tournaments"):
        text = (ROOT / "docs" / f"{page}.md").read_text()
        for name in re.findall(rf"{PREFIX}([A-Z_]*[A-Z])\b", text):
            assert name in others or name.lower() in ServeSettings.model_fields, name
    table = (ROOT / "docs" / "security.md").read_text().partition("| limit for one address |")[2]
    named = re.findall(r"\| `(\w+)` \|", table.partition("\n\n")[0])
    assert set(named) == set(GROUPS["Limits for one address"]) - {"exempt_addresses"}


def test_the_samples_of_files_are_right() -> None:
    sample = load({}, str(ROOT / "docs" / "examples" / "serve.toml"))
    assert sample.settings.session_days == 30
    assert (sample.settings.bot_games, sample.settings.analysis) == (12, 0)
    blocks = [
        block
        for block in re.findall(r"^```\n(.*?)^```", HOSTING, re.MULTILINE | re.DOTALL)
        if re.match(r"\w+ = ", block)
    ]
    assert len(blocks) == 2
    for block in blocks:
        assert set(tomllib.loads(block)) <= set(ServeSettings.model_fields)
        assert ServeSettings(**tomllib.loads(block)).port
