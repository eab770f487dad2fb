"""The interface of a bot: one class with one method, `choose`.

Each instance plays one game. The runner makes an instance for each game in a worker process, so a
bot may keep data (a table, a tree) between the moves of a game. A bot has no access to the
network, and it learns of time only through its limit.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import ClassVar, Final, Literal, Protocol

from doublecross.games.api import Game, State


class BotError(ValueError):
    """The bot does not exist or cannot be made as requested; the text is a sentence for people.

    `trace` is the traceback of the bot's own error, for its author; empty without one. `lasting`
    says that only a change of the bot can help, so that another attempt makes no sense.
    """

    def __init__(self, sentence: str, trace: str = "", *, lasting: bool = False) -> None:
        super().__init__(sentence)
        self.trace = trace
        self.lasting = lasting


class BotFault(Exception):  # noqa: N818 - named for what happened
    """The bot cannot choose a move; the text is the rest of a sentence about it.

    `trace` is what its author needs to see. A fault of the kind ``illegal`` is a move that makes no
    sense, any other one a ``crash``.
    """

    def __init__(
        self, sentence: str, trace: str = "", *, kind: Literal["crash", "illegal"] = "crash"
    ) -> None:
        super().__init__(sentence)
        self.trace = trace
        self.kind: Literal["crash", "illegal"] = kind


class StopFlag(Protocol):
    """A flag that a search checks every few milliseconds; when it is set, the bot answers."""

    def is_set(self) -> bool:
        """Return whether the bot should stop thinking and answer with its best action so far."""


class NeverStop:
    """A stop flag that is never set."""

    def is_set(self) -> bool:
        """Return False."""
        return False


@dataclass(frozen=True, slots=True)
class Limit:
    """The limits for one move; None means no limit of that kind.

    `time_s` is the time for this move, in seconds. `clock_s` is the bot's remaining clock,
    `opponent_clock_s` that of its opponent, and `increment_s` the time that each move adds to it,
    all in seconds, for bots that manage their own time. `depth` is in plies, `nodes` in positions
    searched, `memory_mb` in MiB of tables.

    Raises:
        BotError: a limit is zero or below.
    """

    time_s: float | None = None
    clock_s: float | None = None
    increment_s: float = 0.0
    depth: int | None = None
    nodes: int | None = None
    memory_mb: int | None = 128
    opponent_clock_s: float | None = None

    def __post_init__(self) -> None:
        for name in ("time_s", "clock_s", "depth", "nodes", "memory_mb"):
            value = getattr(self, name)
            if value is not None and value <= 0:
                raise BotError(f"A limit of {name} must be above zero, not {value}.")


@dataclass(frozen=True, slots=True)
class Choice:
    """The answer of a bot.

    `score` is the expected final net score of the mover (its boxes minus the opponent's; in games
    without boxes the expected utility), None when the bot has no estimate. `pv` is the principal
    variation, beginning with `action`. `nodes` counts the positions searched, `elapsed` is the
    time spent in seconds. `exact` says that `score` is proved, not estimated.
    """

    action: int
    score: float | None = None
    pv: tuple[int, ...] = ()
    nodes: int = 0
    elapsed: float = 0.0
    exact: bool = False


@dataclass(frozen=True, slots=True)
class Option:
    """One parameter of a bot: its name, its default, its description and the values allowed.

    Without `choices` every value of the default's type is allowed.
    """

    name: str
    default: int | float | str | bool
    doc: str
    choices: tuple[str, ...] = ()


class Bot(ABC):
    """A player. Subclass it, set `name`, `version` and `summary`, and write `choose`."""

    name: ClassVar[str] = ""
    """The name in the registry: lower case, no spaces. By default that of the class."""
    version: ClassVar[str] = "1"
    """Raise it whenever the play changes; ratings belong to a name and a version."""
    summary: ClassVar[str] = ""
    """One line for people who choose an opponent."""
    options: ClassVar[tuple[Option, ...]] = ()
    """The options that the bot accepts."""
    packages: ClassVar[tuple[str, ...]] = ()
    """The packages that the bot imports when it is made; without them it cannot be loaded."""
    obeys: ClassVar[frozenset[str]] = frozenset()
    """The limits of `Limit` besides time that the bot obeys: ``nodes``, ``depth``, both or none."""
    clock: ClassVar[str] = ""
    """The bot's own clock, such as ``10+0.1``, where each bot may have its own; empty for none."""
    keeps_time: ClassVar[bool] = False
    """Whether the bot divides its clock itself: then a clock alone sets no time for a move."""

    if_silent: ClassVar[str] = ""
    """The end of a sentence about a bot that has not answered in a game: what may be the reason."""
    plays_openings: ClassVar[bool] = True
    """Whether the bot plays games that begin after an opening."""

    def __init_subclass__(cls, **kwargs: object) -> None:
        super().__init_subclass__(**kwargs)
        if not cls.name:
            cls.name = cls.__name__.lower()

    def __init__(
        self, rng: Random, options: Mapping[str, int | float | str | bool] | None = None
    ) -> None:
        self.rng = rng
        self.settings = self.check_options(options or {})
        self.label = ""
        """A name of the game, for logs."""

    @classmethod
    def check_options(
        cls, options: Mapping[str, int | float | str | bool]
    ) -> dict[str, int | float | str | bool]:
        """Return `options` completed by the defaults; text is converted to the default's type.

        Raises:
            BotError: an option is unknown, or a value is not of the option's type.
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
        """Return whether this bot can play `game`. Override it to restrict games and sizes."""
        return True

    @classmethod
    def moves_to_go(cls, state: State) -> int:
        """Estimate how many of the mover's remaining moves need thought, this one included.

        The remaining clock is divided by this number. The default is half of the legal actions.
        The method runs in the process that keeps the connection, so it must return at once.
        """
        return max(1, len(state.legal_actions()) // 2)

    @abstractmethod
    def choose(self, state: State, limit: Limit, stop: StopFlag) -> Choice:
        """Choose an action for the player to move in `state`, within `limit`.

        `state` is not terminal. The bot may apply and undo actions, and must leave the state as it
        was. Return within a few milliseconds after `stop` is set.
        """

    @property
    def ponders(self) -> bool:
        """Return whether the runner should call `ponder`.

        It should if the class has that method, unless the bot has an option ``ponder`` that is off.
        """
        return type(self).ponder is not Bot.ponder and bool(self.settings.get("ponder", True))

    def ponder(self, state: State, stop: StopFlag) -> None:  # noqa: B027 - most bots only choose
        """Think about `state`, in which the opponent is to move, until `stop` is set.

        The runner calls it while the opponent thinks, in the process of `choose` but never at the
        same time. Keep what may help the next `choose`, such as the entries of a table. `state` is
        not terminal; leave it as it was. Use one thread, return when nothing is left to do, and
        within a few milliseconds after `stop` is set. An error here does not lose the game.
        """

    def get_ready(self, game: Game) -> None:  # noqa: B027 - most bots need no time
        """Do slow work for `game`, such as compiling, before the clock of a game runs.

        It is called after `plays` has returned True. A bot must also play without this call.
        """

    def close(self) -> None:  # noqa: B027 - most bots have nothing to close
        """Release what the bot holds; called once, after its game or before its process ends.

        It is not called when the process is killed or dies.
        """


_WORDS: Final[Mapping[type, str]] = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
}


def _read(bot: str, option: Option, value: int | float | str | bool) -> int | float | str | bool:
    """Return `value` converted to the type of the option's default.

    Raises:
        BotError: it cannot be converted, or is none of the option's choices.
    """
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
            f"Option {option.name} of bot {bot} takes {_WORDS[kind]}, not {value!r}."
        ) from None
    if option.choices and result not in option.choices:
        raise BotError(
            f"Option {option.name} of bot {bot} is one of {', '.join(option.choices)}, "
            f"not {value!r}."
        )
    return result
