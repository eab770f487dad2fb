"""What a bot is: one class with one method, `choose`.

A bot thinks about one game at a time; the runner keeps one instance for each game it plays, in a
worker process, so a bot may keep what it learnt (a table, a tree) between the moves of a game.
It never sees the network, and no clock but its limit.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import ClassVar, Protocol

from games.api import Game, State


class BotError(ValueError):
    """A bot that does not exist or cannot be made as asked; one sentence for people."""


class StopFlag(Protocol):
    """Asked every few milliseconds by a search; true means: answer now with what you have."""

    def is_set(self) -> bool:
        """Whether the bot should stop thinking."""


class NeverStop:
    """A stop flag that is never set."""

    def is_set(self) -> bool:
        """Never."""
        return False


@dataclass(frozen=True, slots=True)
class Limit:
    """What a bot may spend on one move; None means no limit of that kind.

    `time_s` is for this move, in seconds. `clock_s` and `increment_s` are the bot's remaining
    clock and what each move gives back, in seconds, for bots that manage their own time.
    `depth` is in plies, `nodes` in positions searched, `memory_mb` in MiB of tables.
    """

    time_s: float | None = None
    clock_s: float | None = None
    increment_s: float = 0.0
    depth: int | None = None
    nodes: int | None = None
    memory_mb: int | None = 128

    def __post_init__(self) -> None:
        for name in ("time_s", "clock_s", "depth", "nodes", "memory_mb"):
            value = getattr(self, name)
            if value is not None and value <= 0:
                raise BotError(f"A limit of {name} must be above zero, not {value}.")


@dataclass(frozen=True, slots=True)
class Choice:
    """What a bot answers.

    `score` is the expected final net score (the mover's boxes minus the other's; in games without
    boxes the expected utility) from the mover's side, None when the bot has no idea of it. `pv`
    is the line it expects, its own action first. `nodes` counts positions searched, `elapsed` is
    seconds spent.
    """

    action: int
    score: float | None = None
    pv: tuple[int, ...] = ()
    nodes: int = 0
    elapsed: float = 0.0


@dataclass(frozen=True, slots=True)
class Option:
    """One documented parameter of a bot: how it is called, its default and what it does."""

    name: str
    default: int | float | str | bool
    doc: str
    choices: tuple[str, ...] = ()


class Bot(ABC):
    """A player. Subclass it, give it a name and a version, and write `choose`."""

    name: ClassVar[str]
    """What it is called in the registry; lower case, no spaces."""
    version: ClassVar[str] = "1"
    """Raised whenever its play changes; ratings belong to name and version."""
    summary: ClassVar[str]
    """One line for people who choose an opponent."""
    options: ClassVar[tuple[Option, ...]] = ()

    def __init__(
        self, rng: Random, options: Mapping[str, int | float | str | bool] | None = None
    ) -> None:
        self.rng = rng
        self.settings = self.check_options(options or {})

    @classmethod
    def check_options(
        cls, options: Mapping[str, int | float | str | bool]
    ) -> dict[str, int | float | str | bool]:
        """`options` completed by the defaults; text is read as the default's type.

        Raises:
            BotError: an unknown option, or a value that is not of its kind.
        """
        known = {o.name: o for o in cls.options}
        settings: dict[str, int | float | str | bool] = {o.name: o.default for o in cls.options}
        for name, value in options.items():
            if name not in known:
                has = f"it has {', '.join(known)}" if known else "it has none"
                raise BotError(f"Bot {cls.name} has no option {name!r}; {has}.")
            settings[name] = _read(cls.name, known[name], value)
        return settings

    @classmethod
    def plays(cls, game: Game) -> bool:
        """Whether this bot can play `game`; generic bots play every game."""
        return True

    @classmethod
    def moves_to_go(cls, state: State) -> int:
        """How many moves of its own still need thought, that in `state` included: a clock is
        shared out among so many. By default every second action that is left. It is asked in the
        process that keeps the connection, so it must take no time."""
        return max(1, len(state.legal_actions()) // 2)

    @abstractmethod
    def choose(self, state: State, limit: Limit, stop: StopFlag) -> Choice:
        """An action for the player to move in `state` (not terminal; yours to play on and undo,
        but leave it as it was) within `limit`; return soon once `stop` is set."""


def _read(bot: str, option: Option, value: int | float | str | bool) -> int | float | str | bool:
    """`value` as the type of the option's default."""
    kind = type(option.default)
    words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
    try:
        if kind is bool:
            result: int | float | str | bool = (
                value if isinstance(value, bool) else words[str(value).lower()]
            )
        elif kind is int:
            result = int(str(value))
        elif kind is float:
            result = float(str(value))
        else:
            result = str(value)
    except (KeyError, ValueError):
        raise BotError(
            f"Option {option.name} of bot {bot} takes a {kind.__name__}, not {value!r}."
        ) from None
    if option.choices and result not in option.choices:
        raise BotError(
            f"Option {option.name} of bot {bot} is one of {', '.join(option.choices)}, "
            f"not {value!r}."
        )
    return result
