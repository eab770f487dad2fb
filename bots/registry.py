"""Find bots by name: the built-in ones, those of installed packages, and importable classes.

Theory of operation
-------------------
A *spec* names a bot: a name and, after a colon, options (``rules``, ``mcts:c=1.4,seed=3``). The
name is a built-in one, an entry point of the group ``doublecross.bots``, an engine that the file
``engines.toml`` names, or a class that Python can import, written ``module:Class`` (options follow
after another colon). With the last form authors can try a bot without installing it. A word of
`FAMILIES` before the first colon says what kind of name follows, such as a program to start
(``ugi:./mybot --fast:Hash=64``).

The registry imports a bot only when somebody needs it: search bots import numpy and compiled
kernels, and an entry point that fails to load must not affect other bots. Built-in names come
first, so an installed package cannot replace a built-in bot. `shadowed` reports such an entry
point, and the registry ignores it.

Every bot accepts the option ``seed``, which replaces the caller's random generator.
"""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final

from doublecross.bots.api import Bot, BotError
from doublecross.bots.errors import describe, trace_of
from doublecross.bots.programs.classes import engine_class
from doublecross.bots.programs.engine import named_engines
from doublecross.processes.installation import how_to_add

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENGINES: Final = ("filelock", "llvmlite", "numba", "numpy")
"""The packages of the extra `engines`, which the bots with compiled searches need."""

NETWORKS: Final = (*ENGINES, "onnxruntime")
"""The packages of the extra `engines`, which the bots with a network need."""

BUILT_IN: Final[Mapping[str, str]] = {
    "random": "doublecross.bots.random_bot:RandomBot",
    "greedy": "doublecross.bots.greedy:GreedyBot",
    "rules": "doublecross.bots.rules:RulesBot",
    "mcts": "doublecross.bots.mcts.bot:MctsBot",
    "minimax": "doublecross.bots.minimax:MinimaxBot",
    "alphabeta": "doublecross.bots.alphabeta:AlphaBetaBot",
    "solver": "doublecross.bots.engine.bot:SolverBot",
    "champion": "doublecross.bots.engine.bot:ChampionBot",
    "zero": "doublecross.bots.zero.bot:ZeroBot",
    # The levels for people, weakest first; see `level_names`.
    "easy": "doublecross.bots.levels:EasyBot",
    "medium": "doublecross.bots.levels:MediumBot",
    "tricky": "doublecross.bots.levels:TrickyBot",
    "hard": "doublecross.bots.levels:HardBot",
    "perfect": "doublecross.bots.levels:PerfectBot",
}

FAMILIES: Final[Mapping[str, str]] = {
    "ugi": "doublecross.bots.programs.classes:command_class",
    "gtp": "doublecross.bots.programs.classes:command_class",
    "lines": "doublecross.bots.programs.classes:command_class",
    "kuleuven": "doublecross.bots.bridges.kuleuven:agent_class",
    "openspiel": "doublecross.bots.bridges.openspiel_bots:named_class",
}
"""The functions that return the class of a bot whose name begins with such a word and a colon."""

GROUP: Final = "doublecross.bots"
"""The entry point group in which packages register bots: ``name = "module:BotClass"``."""

SEED: Final = "seed"
"""The name of the option that every bot accepts."""

OptionValue = int | float | str | bool

_LEVELS: Final = "doublecross.bots.levels:"
_CLASS: Final = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")
_OPTION: Final = r"[A-Za-z][^=,:/\s]*=[^,\s]*"
_FAMILY: Final = re.compile(
    rf"((?:{'|'.join(FAMILIES)}):.*?)(?::({_OPTION}(?:,{_OPTION})*))?", re.DOTALL
)
"""A name with a word of `FAMILIES`, and its options."""


@dataclass(frozen=True, slots=True)
class BotSpec:
    """The name of a bot and its options; `str` returns the text that `parse_spec` reads."""

    name: str
    options: Mapping[str, OptionValue] = field(default_factory=dict)

    def __str__(self) -> str:
        if not self.options:
            return self.name
        return f"{self.name}:{','.join(f'{k}={v}' for k, v in self.options.items())}"

    def without_seed(self) -> tuple[int | None, BotSpec]:
        """Return the option ``seed`` as a number (None: not given), and the spec without it.

        Raises:
            BotError: the seed is not a whole number.
        """
        options = dict(self.options)
        seed = options.pop(SEED, None)
        return (None if seed is None else _seed(seed)), BotSpec(self.name, options)


def parse_spec(text: str) -> BotSpec:
    """Parse a spec: ``name``, ``name:option=value,...``, ``module:Class[:options]`` or a family's.

    This checks only the form; the bot need not exist. Values stay text, which the bot converts.

    Raises:
        BotError: the text has another form, or gives an option twice.
    """
    text = text.strip()
    head, colon, tail = text.partition(":")
    if named := _FAMILY.fullmatch(text):
        head, tail = named[1], named[2] or ""
    elif colon and "=" not in (tail_head := tail.partition(":")[0]):
        head, tail = f"{head}:{tail_head}", tail.partition(":")[2]
        if not _CLASS.fullmatch(head):
            raise BotError(_form(text))
    elif not head or (colon and not tail):
        raise BotError(_form(text))
    options: dict[str, OptionValue] = {}
    for part in tail.split(",") if tail else ():
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not (name and equals and value):
            raise BotError(_form(text))
        if name in options:
            raise BotError(f"Bot spec {text!r} gives the option {name} twice.")
        options[name] = value
    return BotSpec(head, options)


def bot_names() -> tuple[str, ...]:
    """Return all names, built-in ones first, then the others by name, without loading a bot."""
    others = sorted({*_entry_points(), *named_engines()} - set(BUILT_IN))
    return (*BUILT_IN, *others)


def level_names() -> tuple[str, ...]:
    """Return the names of the levels for people, weakest first, without loading a bot.

    They are the built-in bots of the module `doublecross.bots.levels`, in the order of `BUILT_IN`.
    """
    return tuple(name for name, where in BUILT_IN.items() if where.startswith(_LEVELS))


def shadowed() -> tuple[str, ...]:
    """Return a sentence for each entry point that is ignored because its name is taken."""
    sentences = [
        f"The bot {name} of {_where(points[0])} is ignored: that name is built in."
        for name, points in _entry_points().items()
        if name in BUILT_IN
    ]
    sentences += [
        f"The bot {name} of {_where(point)} is ignored: {_where(points[0])} brings one already."
        for name, points in _entry_points().items()
        if name not in BUILT_IN
        for point in points[1:]
    ]
    return tuple(sentences)


def bot_class(name: str) -> type[Bot]:
    """Load the class of the bot called `name`: built in, an entry point, or ``module:Class``.

    Raises:
        BotError: there is no such bot (the message lists all names), or it cannot be loaded.
    """
    if name in BUILT_IN:
        return _load(name, BUILT_IN[name])
    if (family := name.partition(":")[0]) != name and family in FAMILIES:
        module, _, function = FAMILIES[family].partition(":")
        try:
            find = getattr(importlib.import_module(module), function)
        except ModuleNotFoundError as error:
            raise BotError(_lacking(name, str(error.name), family)) from error
        return find(name)  # type: ignore[no-any-return]
    points = _entry_points().get(name)
    if points:
        return _load(name, points[0].value)
    if (engine := named_engines().get(name)) is not None:
        return engine_class(engine, bot_class)
    if _CLASS.fullmatch(name):
        return _load(name, name)
    raise BotError(f"There is no bot {name!r}; {_nearest(name)}")


def make_bot(name: str, rng: Random, options: Mapping[str, OptionValue] | None = None) -> Bot:
    """Make an instance, for one game, of the bot called `name`.

    The bot draws from `rng`, or from a generator of its own if the options have a ``seed``.

    Raises:
        BotError: there is no such bot, it cannot be loaded or made, or an option is unknown.
    """
    cls = bot_class(name)
    seed, spec = BotSpec(name, options or {}).without_seed()
    generator = rng if seed is None else Random(seed)
    try:
        return cls(generator, spec.options)
    except BotError:
        raise
    except Exception as error:
        sentence = f"Bot {name} cannot be made ({describe(error)})."
        # Such errors are in the code. Others, such as a missing file, may pass.
        lasting = isinstance(error, TypeError | NameError)
        raise BotError(sentence, trace_of(error), lasting=lasting) from error


def player_name_of(name: str) -> str:
    """Return the name under which the bot called `name` plays: classes and engines have their own.

    Raises:
        BotError: it cannot be loaded.
    """
    return bot_class(name).name if ":" in name or name in named_engines() else name


def _entry_points() -> dict[str, list[EntryPoint]]:
    """Return the entry points by name; those of one name in the order of their distributions."""
    # This import is slow, and a process for a built-in bot does not need it.
    from importlib.metadata import entry_points

    points: dict[str, list[EntryPoint]] = {}
    for point in entry_points(group=GROUP):
        same = points.setdefault(point.name, [])
        # A distribution can be on the path twice, as a checkout and installed: that is no clash.
        if point.value not in (other.value for other in same):
            same.append(point)
    return points


def _load(name: str, value: str) -> type[Bot]:
    """Load a class, given as the value of an entry point: ``module:Class``."""
    module, _, attribute = value.partition("[")[0].partition(":")
    try:
        cls = getattr(importlib.import_module(module.strip()), attribute.strip())
    except Exception as error:
        missing = error.name if isinstance(error, ModuleNotFoundError) else None
        if name in BUILT_IN and missing in NETWORKS:
            raise BotError(_lacking(name, missing)) from error
        sentence = f"Bot {name} cannot be loaded from {value} ({describe(error)})."
        raise BotError(sentence, trace_of(error)) from error
    if not (isinstance(cls, type) and issubclass(cls, Bot)):
        raise BotError(f"Bot {name} cannot be loaded: {value} is no subclass of Bot.")
    if missing_methods := getattr(cls, "__abstractmethods__", ()):
        lacks = ", ".join(sorted(missing_methods))
        raise BotError(f"Bot {name} cannot be made: {value} does not define {lacks}.")
    for attribute in ("name", "version", "summary"):
        if not isinstance(text := getattr(cls, attribute), str):
            raise BotError(
                f"Bot {name} cannot be loaded: its {attribute} must be text, not {text!r}."
            )
    for package in cls.packages:
        if importlib.util.find_spec(package) is None:
            raise BotError(_lacking(name, package))
    return cls


def _nearest(name: str) -> str:
    """Return the end of the sentence about a bot that does not exist."""
    if name.endswith(".py"):
        program = f'for a program "ugi:python3 {name}"'
        return f"for a class of yours write {Path(name).stem}:ClassName, {program}."
    if "/" in name or Path(name).is_file():
        return f'for a program write "ugi:{name}" or "lines:{name}".'
    if near := difflib.get_close_matches(name, bot_names(), n=1):
        return f"did you mean {near[0]}?"
    return f"there are {', '.join(bot_names())}."


def checked_spec(text: str) -> BotSpec:
    """Return the bot that `text` describes, after checking that it exists and has these options.

    A bot named ``module:Class`` may lie in the current folder. That comes last in the search path,
    so it hides no installed package.

    Raises:
        BotError: it does not.
    """
    spec = parse_spec(text)
    if ":" in spec.name:
        here = str(Path.cwd())
        if "" not in sys.path and here not in sys.path:
            sys.path.append(here)
    _, without = spec.without_seed()
    bot_class(spec.name).check_options(without.options)
    return spec


def analysis_lacks(packages: Sequence[str]) -> str:
    """Return a sentence about those of the packages that are not installed; empty if all are."""
    missing = [name for name in packages if importlib.util.find_spec(name) is None]
    if not missing:
        return ""
    return (
        f"Analysing needs packages that are not installed ({', '.join(missing)}):"
        f" {how_to_add('engines')}"
    )


def _lacking(name: str, package: str, extra: str = "") -> str:
    """Return the sentence about a bot whose package, one of `extra`, is not installed."""
    extra = extra or ("engines" if package in NETWORKS else "")
    how = f": {how_to_add(extra)}" if extra else "."
    return f"Bot {name} needs the package {package}, which is not installed{how}"


def _seed(value: OptionValue) -> int:
    try:
        return int(str(value))
    except ValueError:
        raise BotError(f"The seed of a bot is a whole number, not {value!r}.") from None


def _form(text: str) -> str:
    return (
        f"{text!r} is no bot; write its name, with options like {next(iter(BUILT_IN))}:seed=3, "
        "or module:Class."
    )


def _where(point: EntryPoint) -> str:
    dist = point.dist
    return f"the package {dist.name}" if dist is not None else point.value
