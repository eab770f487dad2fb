"""Read engines.toml."""

from __future__ import annotations

from pathlib import Path

import pytest

from doublecross.bots.api import BotError, Limit
from doublecross.bots.programs.engine import FILE_VARIABLE
from doublecross.bots.registry import bot_class, bot_names, checked_spec
from tests.bots.programs.running import bot_of, engine


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def write(text: str) -> None:
        (tmp_path / "engines.toml").write_text(text)

    monkeypatch.setenv(FILE_VARIABLE, str(tmp_path / "engines.toml"))
    return write


def test_engines_have_names_options_and_bounds(write) -> None:
    write(
        f"""
        [low]
        command = '''{engine()}'''
        name = "Low One"
        options = {{ Hash = 64 }}
        nodes = 10
        [quick]
        bot = "alphabeta"
        clock = "5+0.1"
        time = 0.25
        options = {{ depth = 3 }}
        """
    )
    assert {"low", "quick"} <= set(bot_names())
    assert checked_spec("low").name == "low"
    assert bot_class("low").name == "Low One"
    bot = bot_of("low")
    assert bot.settings == {"Hash": "64"}
    bot.close()
    quick = bot_class("quick")
    assert (quick.name, quick.clock) == ("quick", "5+0.1")
    assert bot_of("quick").settings["depth"] == 3
    assert bot_of("quick:depth=4").settings["depth"] == 4


def test_bounds_are_tighter_than_the_limits_of_a_game() -> None:
    from doublecross.bots.bounds import Bounds

    bounds = Bounds(time_s=0.5, nodes=100)
    assert bounds.limit(Limit(time_s=2.0, depth=3)) == Limit(time_s=0.5, depth=3, nodes=100)
    assert bounds.limit(Limit(time_s=0.1)).time_s == 0.1


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[low]\n", "low needs either a command"),
        ("[low]\ncommand = ''\nbot = ''", "low needs either a command"),
        ("[low]\ncomand = 'x'", "low has an unknown key comand; did you mean command?"),
        ("[low]\ncommand = 'x'\ntime = '1'", "time of low must be a number, not '1'"),
        ("[low]\ncommand = 'x'\nmemory = 0", "memory of low must be above zero, not 0"),
        ("[low]\ncommand = 'x'\nrestart = 'on'", "restart of low must be crash or game"),
        ("low = 3", r"low must be a table, \[low\]"),
        ("[low", "cannot be read"),
    ],
)
def test_what_is_wrong_in_the_file_is_said(write, text: str, sentence: str) -> None:
    write(text)
    with pytest.raises(BotError, match=sentence):
        checked_spec("low")
