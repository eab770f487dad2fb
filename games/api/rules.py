"""The two classes that every game implements: `Game`, its rules, and `State`, one position."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from types import MappingProxyType
from typing import ClassVar, Final, Self

from doublecross.games.api.errors import BadParameter, BadRecord, GameError, IllegalAction
from doublecross.games.api.geometry import Feature, Geometry

SEATS: Final = (0, 1)
"""The two seats. Seat 0 moves first."""

_SERIALIZED: Final = re.compile(r"((?:\d{1,6},)*\d{1,6}|)/((?:\d{1,6},)*\d{1,6}|)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Parameter:
    """One whole-number parameter of a game, with its inclusive range.

    `label` is the text that forms show beside the input field.
    """

    name: str
    label: str
    low: int
    high: int
    default: int


@dataclass(frozen=True, slots=True)
class Openings:
    """Distinct fair openings, each a tuple of actions for `Game.initial_state`.

    There are fewer than `wanted` only when the game has no more. Then `short` is true and
    `sentence`, which is for users, says so. `drawn` says that random drawing found them, so that it
    is likely to find more.
    """

    wanted: int
    found: tuple[tuple[int, ...], ...]
    sentence: str
    drawn: bool = True

    @property
    def short(self) -> bool:
        """Return whether the game has fewer openings than were wanted."""
        return len(self.found) < self.wanted


class State(ABC):
    """One position of a game with the actions that led to it. Mutable; do not share it.

    This class stores the game, the opening and the history, which all games have; a subclass
    stores the position. Each subclass's `apply` appends to `_history` itself: searches spend much
    of their time in `apply`, and a shared method would cost one more call. The interface is wide
    because the rest of the program uses nothing else to play, search, draw or record a game.
    """

    __slots__ = ("_game", "_history", "_opening")

    def __init__(self, game: Game, opening: tuple[int, ...] = ()) -> None:
        self._game = game
        self._opening = opening
        self._history: list[int] = []

    @property
    def game(self) -> Game:
        """The game, with its parameters, that this position belongs to."""
        return self._game

    @property
    def opening(self) -> tuple[int, ...]:
        """The opening that this game started from; empty for the usual start."""
        return self._opening

    def history(self) -> tuple[int, ...]:
        """Return the actions played after the opening, oldest first."""
        return tuple(self._history)

    @property
    def ply(self) -> int:
        """How many actions were played after the opening."""
        return len(self._history)

    def plies_left(self) -> int:
        """Return an upper bound on the number of plies still to be played."""
        return self._game.max_game_length - len(self._opening) - len(self._history)

    @abstractmethod
    def current_player(self) -> int:
        """Return the seat to move, 0 or 1, or -1 when the game is over.

        OpenSpiel's kTerminalPlayerId is -4, so test `is_terminal` instead of comparing with -1.
        """

    @abstractmethod
    def legal_actions(self) -> list[int]:
        """Return the legal actions in ascending order; empty if and only if the game is over."""

    @abstractmethod
    def is_legal(self, action: int) -> bool:
        """Return whether `action` may be played now, for any int, in constant time."""

    @abstractmethod
    def apply(self, action: int) -> None:
        """Play `action`.

        Raises:
            IllegalAction: the action may not be played now; the message says why.
        """

    def undo(self) -> int:
        """Take back the last action and return it.

        Raises:
            IllegalAction: no action was played since the opening.
        """
        if not self._history:
            raise IllegalAction("There is no move to take back.")
        action = self._history.pop()
        self._take_back(action)
        return action

    @abstractmethod
    def _take_back(self, action: int) -> None:
        """Restore the position before `action`, which `undo` has just removed from the history."""

    @abstractmethod
    def is_terminal(self) -> bool:
        """Return whether the game is over."""

    @abstractmethod
    def scores(self) -> tuple[int, int]:
        """Return the score of each seat so far.

        In a game with a `Game.unit`, such as boxes, the score is the number of cells that the seat
        owns. In other games it is 1 for the winner and 0 otherwise.
        """

    @abstractmethod
    def returns(self) -> tuple[float, float]:
        """Return the utility of each seat: 1 won, -1 lost, 0 drawn or not over."""

    @abstractmethod
    def owners(self) -> tuple[int, ...]:
        """Return the owner of each cell of the geometry: seat 0, seat 1, or -1 for none."""

    def winning_cells(self) -> tuple[int, ...]:
        """Return the cells that decided the game, such as a winning line, if any."""
        return ()

    def features(self) -> tuple[Feature, ...]:
        """Return the features of this position; empty in games that define none."""
        return ()

    def clone(self) -> Self:
        """Return an independent copy, history included.

        A subclass extends this method by its own attributes. It does not call `__init__`, which
        would check the opening once more.
        """
        copy = object.__new__(type(self))
        copy._game = self._game
        copy._opening = self._opening
        copy._history = self._history.copy()
        return copy

    @abstractmethod
    def key(self) -> tuple[int, ...]:
        """Return a key that transposed positions share, for transposition tables.

        The key contains all that decides the rest of the game, the mover included, and the
        scores, but not the order of the moves.
        """

    def serialize(self) -> str:
        """Return opening and history as text such as ``0,7,12/3,4`` for `Game.deserialize`."""
        opening = ",".join(map(str, self.opening))
        return f"{opening}/{','.join(map(str, self.history()))}"

    @abstractmethod
    def to_ascii(self, mark_last: bool = False) -> str:
        """Return a drawing of the board in plain ASCII, without a trailing newline.

        `mark_last` makes the last action stand out.
        """

    def __reduce__(self) -> tuple[Callable[..., State], tuple[object, ...]]:
        # Pickle only the game, opening and history: the tables of the board are large, and the
        # receiver has or builds its own.
        return self.game.replay, (self.opening, self.history())


def why_illegal(state: State, action: int) -> str:
    """Return a sentence that says why `action` is illegal in `state`, or "" if it is legal."""
    try:
        state.clone().apply(action)
    except IllegalAction as error:
        return str(error)
    return ""


class Game(ABC):
    """The rules of a game with given parameters. Immutable; hashed by `key` and `params`."""

    key: ClassVar[str]
    """The name on the wire and in records, such as ``dots-and-boxes``."""
    title: ClassVar[str]
    """The name that users see."""
    parameters: ClassVar[tuple[Parameter, ...]]
    """The parameters, in the order in which a size such as ``5x5`` lists them."""
    least_numbers: ClassVar[int] = 2
    """How many of the parameters a size must list, if there are so many; defaults are the rest."""
    seat_names: ClassVar[tuple[str, str]]
    """The names of the seats for users, such as ("X", "O")."""
    unit: ClassVar[str] = ""
    """The unit of the scores, such as ``boxes``; empty where a game is only won, lost or drawn."""

    def __init__(self, params: Mapping[str, int] | None = None) -> None:
        self.params: Mapping[str, int] = MappingProxyType(self.check_params(params or {}))

    @classmethod
    def check_params(cls, params: Mapping[str, int]) -> dict[str, int]:
        """Return `params` completed by the defaults.

        Raises:
            BadParameter: a name is unknown, or a value is not a whole number or is out of range.
        """
        known = {p.name: p for p in cls.parameters}
        for name, value in params.items():
            if name not in known:
                raise BadParameter(f"{cls.title} has no parameter {name!r}.")
            p = known[name]
            if type(value) is not int:
                raise BadParameter(f"{p.label} of {cls.title} must be a whole number.")
            if not p.low <= value <= p.high:
                raise BadParameter(
                    f"{p.label} of {cls.title} must be from {p.low} to {p.high}, not {value}."
                )
        return {p.name: params.get(p.name, p.default) for p in cls.parameters}

    @classmethod
    def parse_size(cls, text: str) -> dict[str, int]:
        """Return the parameters that a size such as ``5x5`` lists, in order.

        Parameters beyond the numbers of the size get their defaults.

        Raises:
            BadParameter: the text is not numbers joined by ``x``, or has too few numbers
                (`least_numbers`) or too many, or one is out of range.
        """
        parts = text.lower().replace(",", "x").split("x")
        if not all(part.isascii() and part.isdigit() and len(part) < 6 for part in parts):
            raise BadParameter(f"{text!r} is not a size; write it like {cls.default_size()}.")
        if len(parts) > len(cls.parameters):
            raise BadParameter(
                f"{text!r} has too many numbers; write it like {cls.default_size()}."
            )
        if len(parts) < min(cls.least_numbers, len(cls.parameters)):
            raise BadParameter(
                f"{text!r} has too few numbers for {cls.title}; write it like {cls.default_size()}."
            )
        named = {p.name: int(part) for p, part in zip(cls.parameters, parts, strict=False)}
        return cls.check_params(named)

    @classmethod
    def default_size(cls) -> str:
        """Return the default parameters as a size."""
        return "x".join(str(p.default) for p in cls.parameters)

    @cached_property
    def size(self) -> str:
        """The parameters as a size, such as ``5x5``; `parse_size` reads it back."""
        return "x".join(str(self.params[p.name]) for p in self.parameters)

    @property
    def full_title(self) -> str:
        """The title and the size for users: ``Dots and Boxes 5x5``.

        It always contains the first two parameters, and others that differ from their defaults.
        """
        size = "x".join(str(self.params[p.name]) for p in self.parameters[:2])
        unusual = (p for p in self.parameters[2:] if self.params[p.name] != p.default)
        rest = "".join(f", {p.label.lower()}: {self.params[p.name]}" for p in unusual)
        return f"{self.title} {size}{rest}"

    @property
    @abstractmethod
    def num_actions(self) -> int:
        """The number of actions; these are ``range(num_actions)``."""

    @property
    @abstractmethod
    def max_game_length(self) -> int:
        """The greatest possible number of actions in a game, the opening included."""

    @abstractmethod
    def geometry(self) -> Geometry:
        """Return what a client draws; always the same object."""

    @abstractmethod
    def initial_state(self, opening: Sequence[int] = ()) -> State:
        """Return a new state after `opening`.

        Raises:
            BadOpening: `opening` has an unknown or repeated action, or leaves no action to play.
        """

    @abstractmethod
    def openings(self, rng: Random, n: int, length: int | None = None) -> Openings:
        """Return `n` fair openings, no two of them equal up to the symmetry of the board.

        Each has `length` actions; None lets the game choose. The same state of `rng` gives the
        same openings.

        Raises:
            BadParameter: `n` or `length` is below zero, or `length` exceeds the board.
        """

    @abstractmethod
    def action_name(self, action: int) -> str:
        """Return the short name of an action for users, such as ``g6``.

        Raises:
            IllegalAction: no such action on this board.
        """

    @property
    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        """The images of all actions under each symmetry of the board; the first changes nothing."""
        return (tuple(range(self.num_actions)),)

    @cached_property
    def action_names(self) -> tuple[str, ...]:
        """The names of all actions in their order."""
        return tuple(map(self.action_name, range(self.num_actions)))

    @abstractmethod
    def parse_action(self, text: str) -> int:
        """Return the action that a name or a plain number stands for.

        Raises:
            IllegalAction: no such action on this board.
        """

    def replay(self, opening: Iterable[int], actions: Iterable[int]) -> State:
        """Return the state after `opening` and `actions`.

        Raises:
            BadOpening: the opening is not allowed.
            IllegalAction: an action is illegal; the message names its ply.
        """
        state = self.initial_state(tuple(opening))
        for ply, action in enumerate(actions):
            try:
                state.apply(action)
            except IllegalAction as error:
                raise IllegalAction(f"At ply {ply}: {error}") from None
        return state

    def deserialize(self, text: str) -> State:
        """Return the state that `State.serialize` wrote as `text`.

        Raises:
            BadRecord: the text is malformed or its actions are not legal.
        """
        match = _SERIALIZED.fullmatch(text)
        if match is None:
            raise BadRecord("A serialized state is two lists of actions such as '0,7/3,4'.")
        try:
            opening, history = (
                [int(action) for action in part.split(",")] if part else []
                for part in match.groups()
            )
            return self.replay(opening, history)
        except GameError as error:
            raise BadRecord(
                f"The text is not a state of {self.title} {self.size}: {error}"
            ) from None

    def __reduce__(self) -> tuple[Callable[..., Game], tuple[object, ...]]:
        return type(self), (dict(self.params),)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and (self.key, self.params) == (other.key, other.params)

    def __hash__(self) -> int:
        return hash((self.key, tuple(sorted(self.params.items()))))

    def __repr__(self) -> str:
        return f"<{self.title} {self.size}>"
