"""Check names, specs and entry points of bots."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import EntryPoint
from random import Random

import pytest

from doublecross.bots.api import Bot, BotError, Limit, NeverStop
from doublecross.bots.registry import (
    BUILT_IN,
    GROUP,
    BotSpec,
    bot_class,
    bot_names,
    make_bot,
    parse_spec,
    shadowed,
)
from doublecross.games.registry import GAMES, make_game
from doublecross.processes.installation import how_to_add
from tests.bots.bad_bots import HERE, Counts


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> list[EntryPoint]:
    points: list[EntryPoint] = []
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group: list(points))
    return points


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_built_in_bot_is_registered_under_its_own_name(name: str) -> None:
    cls = bot_class(name)
    assert cls.name == name
    assert cls.summary.endswith(".")
    if any(cls.plays(game) for game in map(make_game, GAMES) if game.unit != "boxes"):
        assert not re.search("box|chain|edge|4x4", cls.summary)


@pytest.mark.parametrize(
    ("text", "name", "options"),
    [
        ("rules", "rules", {}),
        (
            "ugi:./my-bot --net a.b:Hash=64,Style=wild",
            "ugi:./my-bot --net a.b",
            {"Hash": "64", "Style": "wild"},
        ),
        ("lines:java -XX:Level=1 -cp a:b Bot", "lines:java -XX:Level=1 -cp a:b Bot", {}),
        (" rules ", "rules", {}),
        ("rules:order=classic,seed=3", "rules", {"order": "classic", "seed": "3"}),
        ("rules: order = classic , seed=3", "rules", {"order": "classic", "seed": "3"}),
        ("my.bots:Mine", "my.bots:Mine", {}),
        ("my.bots:Mine:c=1.5", "my.bots:Mine", {"c": "1.5"}),
        ("x:file=C:/tables", "x", {"file": "C:/tables"}),
    ],
)
def test_a_spec_is_read_and_written(text: str, name: str, options: dict[str, str]) -> None:
    spec = parse_spec(text)
    assert (spec.name, spec.options) == (name, options)
    assert parse_spec(str(spec)) == spec


@pytest.mark.parametrize(
    "text",
    ["", ":", "rules:", "rules:seed=", "rules:=3", "rules:seed=1,,", ":Mine", "a b:Mine", "a:b c"],
)
def test_an_invalid_spec_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(BotError, match=r"is no bot; write its name"):
        parse_spec(text)


def test_an_option_given_twice_is_refused() -> None:
    with pytest.raises(BotError, match="twice"):
        parse_spec("rules:seed=1,seed=2")


def test_an_unknown_bot_is_refused_with_the_known_names(installed: list[EntryPoint]) -> None:
    installed.append(EntryPoint("other", f"{HERE}:Counts", GROUP))
    with pytest.raises(BotError, match=r"no bot 'nobody'; there are random, .*rules.*, other\."):
        make_bot("nobody", Random(1))


def test_an_option_that_the_bot_does_not_have_is_refused() -> None:
    with pytest.raises(BotError, match="has no option 'depth'"):
        make_bot("rules", Random(1), {"depth": 3})


def test_the_seed_option_makes_a_bot_repeat_itself() -> None:
    state = make_game("dots-and-boxes").initial_state()
    chosen = {
        make_bot("random", Random(n), {"seed": "5"}).choose(state, Limit(), NeverStop()).action
        for n in range(5)
    }
    assert len(chosen) == 1
    with pytest.raises(BotError, match="whole number"):
        make_bot("random", Random(1), {"seed": "x"})
    assert BotSpec("random", {"seed": 3, "a": 1}).without_seed() == (3, BotSpec("random", {"a": 1}))


def test_entry_points_add_bots_and_broken_ones_are_skipped(installed: list[EntryPoint]) -> None:
    installed += [
        EntryPoint("missing", "no.such.module:Bot", GROUP),
        EntryPoint("attribute", f"{HERE}:Absent", GROUP),
        EntryPoint("nobot", f"{HERE}:NO_BOT", GROUP),
        EntryPoint("counts", f"{HERE}:Counts", GROUP),
    ]
    assert bot_names() == (*BUILT_IN, "attribute", "counts", "missing", "nobot")
    assert bot_class("counts").name == "counts"
    for name, words in (
        ("missing", "cannot be loaded from no.such.module:Bot"),
        ("attribute", "cannot be loaded from"),
        ("nobot", "no subclass of Bot"),
    ):
        with pytest.raises(BotError, match=words):
            bot_class(name)
    assert bot_class("rules").name == "rules"


def test_a_bot_without_a_name_has_that_of_its_class() -> None:
    bot = bot_class("tests.bots.nameless_bots:Plain")
    assert (bot.name, bot.version, bot.summary) == ("plain", "1", "")
    with pytest.raises(BotError, match="its version must be text, not 2"):
        bot_class("tests.bots.nameless_bots:Numbered")


def test_the_traceback_of_a_constructor_begins_in_the_bot() -> None:
    with pytest.raises(BotError) as failed:
        make_bot("tests.bots.nameless_bots:BadTable", Random(1))
    lines = failed.value.trace.splitlines()
    assert lines[1].endswith(", in __init__")
    assert lines[-1] == "KeyError: 'the table'"


@pytest.mark.processes
@pytest.mark.parametrize(
    ("package", "lacking"),
    [
        ("numba", ("hard", "perfect", "champion", "zero")),
        ("onnxruntime", ("perfect", "champion", "zero")),
    ],
)
def test_what_a_bot_needs_is_named(package: str, lacking: tuple[str, ...]) -> None:
    """In a process of its own, in which a package is missing."""
    printed = _printed(
        f"import sys; sys.modules['{package}'] = None\n"
        "from doublecross.bots.registry import bot_class\n"
        "for name in ('rules', 'easy', 'medium', 'hard', 'perfect', 'champion', 'zero'):\n"
        "    try:\n        bot_class(name)\n"
        "    except Exception as error:\n        print(error)"
    )
    assert printed == "".join(
        f"Bot {name} needs the package {package}, which is not installed: {how_to_add('engines')}\n"
        for name in lacking
    )


def test_the_packages_of_an_installed_bot_are_looked_for(
    installed: list[EntryPoint], monkeypatch: pytest.MonkeyPatch
) -> None:
    installed.append(EntryPoint("counts", f"{HERE}:Counts", GROUP))
    monkeypatch.setattr(Counts, "packages", ("numpy", "nosuchpackage"))
    with pytest.raises(BotError, match=r"counts needs the package nosuchpackage, .* installed\.$"):
        bot_class("counts")


@pytest.mark.processes
def test_the_levels_are_loaded_without_their_kernels() -> None:
    """Most processes that load a level never let it play."""
    printed = _printed(
        "import sys\n"
        "from doublecross.bots.registry import bot_class, level_names\n"
        "from doublecross.games.registry import make_game\n"
        "for name in level_names():\n"
        "    state = make_game('dots-and-boxes', {}).initial_state()\n"
        "    bot_class(name).moves_to_go(state)\n"
        "print(sorted({'numba', 'numpy'} & set(sys.modules)))"
    )
    assert printed == "[]\n"


def _printed(code: str) -> str:
    """Run a program in a process of its own; return what it prints."""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    return done.stdout


def test_an_entry_point_cannot_take_the_place_of_a_bot(installed: list[EntryPoint]) -> None:
    installed += [
        EntryPoint("rules", f"{HERE}:Counts", GROUP),
        EntryPoint("mine", f"{HERE}:Counts", GROUP),
        EntryPoint("mine", f"{HERE}:Raises", GROUP),
        EntryPoint("mine", f"{HERE}:Counts", GROUP),
    ]
    assert bot_class("rules").__module__ == "doublecross.bots.rules"
    assert bot_class("mine").name == "counts"
    builtin, second = shadowed()
    assert "that name is built in" in builtin
    assert "brings one already" in second


def test_a_class_that_python_can_import_is_a_bot() -> None:
    assert issubclass(bot_class(f"{HERE}:Counts"), Bot)
    with pytest.raises(BotError, match="cannot be made"):
        make_bot(f"{HERE}:Unmakeable", Random(1))
    with pytest.raises(BotError, match="wants a table"):
        make_bot(f"{HERE}:Refuses", Random(1))
