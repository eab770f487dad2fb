"""Check how a bot's settings are read from a file, and written to one."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from doublecross.bots.runner.core.ranges import GameRange, NumberRange
from doublecross.bots.runner.home.reading import HomeError, changed_home, read_home, runner_config
from doublecross.bots.runner.home.tables import TABLES, BotHome
from doublecross.bots.runner.home.text import example, home_text

BOT = '[[engine]]\nbot = "rules"\n'


def settings(text: str, folder: Path, **given: Any) -> Any:
    file = folder / "bot.toml"
    file.write_text(text)
    return read_home(file, given)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("sever = 'x'", "sever: there is no such key; did you mean server?"),
        ("accept.eech = 1", "accept.eech: there is no such key; did you mean each?"),
        ("[[engine]]\ngames = []", "engine.1.bot: this key is missing."),
        ("accept.at_once = 0", "accept.at_once: it must be greater than or equal to 1"),
        ("accept.bots = 'yes'", "accept.bots: it must be a valid boolean"),
        ("accept.quiet = ['22-7']", "accept.quiet.1: '22-7' are no hours"),
        ("accept.rating = 1500", "accept.rating: it must be text in quotes"),
        ("accept.games = ['chess']", "accept.games.1: There is no game 'chess'"),
        ("accept.games = ['any 5x5-3x3']", "accept.games.1: The sizes '5x5-3x3' are in the wrong"),
        ("seek.game = 'nim 60'", "seek.game: 'nim 60' is no game; write it like"),
        ("matchmaking.games = []", "matchmaking.games: List should have at least 1 item"),
        ("a = ", "it is not TOML"),
        ("", "engine: name a bot"),
        ("[[engine]]\nbot = 'nobody'", "engine.1.bot: There is no bot 'nobody'"),
        (
            "seek.game = 'tic-tac-toe 3x3 60'\n[[engine]]\nbot = 'mcts'\ngames = ['nim']",
            "seek.game: Tic-tac-toe 3x3 is a game that mcts does not play.",
        ),
        (
            "[[engine]]\nbot = 'champion'\ngames = ['nim']",
            "engine.1.games: Nim",
        ),
    ],
)
def test_each_error_names_its_key(text: str, sentence: str, tmp_path: Path) -> None:
    with pytest.raises(HomeError) as caught:
        runner_config(settings(text, tmp_path), None)
    assert str(caught.value).startswith(sentence)


def test_options_come_before_the_file(tmp_path: Path) -> None:
    text = f"token_file = 'a.token'\nlog_folder = '/log'\n[accept]\neach = 2\nat_once = 3\n{BOT}"
    home = settings(text, tmp_path)
    assert (home.token_file, home.log_folder) == (tmp_path / "a.token", Path("/log"))
    home = settings(text, tmp_path, name="Carla", accept={"at_once": 8, "games": ["any 3x3"]})
    assert home.token_file is None
    policy = runner_config(home, None).policy
    assert (policy.at_once, policy.each) == (8, 2)
    assert policy.games == (GameRange(None, (3, 3), (3, 3)),)


def test_what_a_running_bot_cannot_change_stays(tmp_path: Path) -> None:
    old = settings(f"server = 'x'\nthink = 5\n{BOT}", tmp_path)
    new = settings(f"server = 'y'\nthink = 7\naccept.rating = '9-'\n{BOT}", tmp_path)
    home, kept = changed_home(old, new)
    assert (home.server, home.think, home.accept.rating, kept) == (
        "x",
        7,
        NumberRange(9),
        ["server"],
    )


def test_the_example_has_every_key_and_a_new_file_only_what_is_given(tmp_path: Path) -> None:
    tables = tomllib.loads(example())
    for name, table in {**TABLES, "": BotHome}.items():
        found = tables.get(name, tables)
        keys = found[0] if isinstance(found, list) else found
        assert keys.keys() == table.model_fields.keys()
    config = runner_config(settings(example(), tmp_path), None)
    assert [str(engine.spec) for engine in config.engines] == ["rules", "mcts"]
    given = {"server": "ws://x", "engine": [{"bot": "greedy"}], "accept": {"games": ["nim"]}}
    assert settings(home_text(given), tmp_path) == read_home(None, given)
