"""The documents, the help and the sample files have the settings that the server has."""

from __future__ import annotations

import re
import tomllib

import pytest

from doublecross.cli.main import main
from doublecross.cli.settings.load import OTHERS, load
from doublecross.cli.settings.show import meaning, with_tables
from doublecross.server.shell.settings import PREFIX, ServerSettings, about
from tests.cli.commands import ROOT

HOSTING = (ROOT / "docs" / "hosting.md").read_text()


def test_the_tables_are_made_from_the_settings() -> None:
    assert with_tables(HOSTING) == HOSTING
    for name in ServerSettings.model_fields:
        assert meaning(name)
        assert HOSTING.count(f"\n| `{name}` |") == 1, name
    row = "| `bot_games` | `--bot-games` | `8` | How many games each of these bots plays at once."
    assert f"\n{row} From 1 to 256. |\n" in HOSTING
    # Its default depends on the machine.
    assert "\n| `database` | `--database` | | SQLite file, or" in HOSTING
    with pytest.raises(ValueError, match="substring not found"):
        with_tables(HOSTING.replace("### Rooms\n", ""))


def test_the_help_has_the_options(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    assert main(["serve", "--help"]) == 0
    shown = re.sub(r"[\s│]+", " ", capsys.readouterr().out)
    options = {
        option for option in re.findall(r"(?<= )(--[\w-]+)(?= )", shown) if f"`{option}" in HOSTING
    }
    settings = {
        option
        for field in ServerSettings.model_fields.values()
        for option in about(field).option.replace("/", " ").split()
    }
    actions = {"--settings", "--show-settings", "--check", "--qr", "--open", "--json"}
    assert options == {*settings, *actions} - {"-v"}
    text = "--grace <float> Seconds after which the opponent of an absent player may claim the win."
    assert f"{text} [default: (30)]" in shown
    assert "doublecross.db in the data folder. --grace <float>" in shown
    assert "<int> How many processes review finished games; 0: none. If it is not set:" in shown


@pytest.mark.parametrize("asked", [["-h"], ["--port", "1", "-vh"]])
def test_help_says_what_options_mean_however_it_is_asked_for(
    asked: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", *asked]) == 0
    assert "Address to listen on" in capsys.readouterr().out


def test_the_documents_name_no_settings_that_there_are_not() -> None:
    for page in ("hosting", "security", "tournaments"):
        text = (ROOT / "docs" / f"{page}.md").read_text()
        for name in re.findall(rf"{PREFIX}([A-Z_]*[A-Z])\b", text):
            assert name in OTHERS or name.lower() in ServerSettings.model_fields, name
    table = (ROOT / "docs" / "security.md").read_text().partition("| limit for one address |")[2]
    named = re.findall(r"\| `(\w+)` \|", table.partition("\n\n")[0])
    group = HOSTING.partition("### Limits for one address\n")[2].partition("\n### ")[0]
    assert {"exempt_addresses", *named} == set(re.findall(r"^\| `(\w+)` \|", group, re.MULTILINE))


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
        assert set(tomllib.loads(block)) <= set(ServerSettings.model_fields)
        assert ServerSettings(**tomllib.loads(block)).port
