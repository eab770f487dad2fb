"""The two classes that every game implements: `Game`, its rules, and `State`, one position."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from types import MappingProxyType
from typing import ClassVar, Final, Self

from games.api.errors import BadParameter, BadRecord, GameError, IllegalAction
from games.api.picture import Feature, Geometry

SEATS: Final = (0, 1)
"""The two seats. Seat 0 moves first."""

_SERIALIZED: Final = re.compile(r"((?:\d{1,6},)*\d{1,6}|)/((?:\d{1,6},)*\d{1,6}|)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Parameter:
    """One whole-number parameter of a game, with its inclusive range.

    `label` is what a person reads beside an input field.
    """

    name: str
    label: str
    low: int
    high: int
    default: int


@dataclass(frozen=True, slots=True)
class Openings:
    """Distinct fair openings, each a tuple of actions for `Game.initial_state`.

    Fewer than `wanted` only when the game has no more of them: then `short` is true and
    `sentence` says so for people.
    """

    wanted: int
    found: tuple[tuple[int, ...], ...]
    sentence: str

    @property
    def short(self) -> bool:
        """Whether the game has fewer openings than were wanted."""
        return len(self.found) < self.wanted


class State(ABC):
    """One position of a game with the actions that led to it; mutable, never shared.

    This class keeps the game, the opening and the history, which are the same in every game; a
    subclass keeps the position. `apply` appends to `_history` itself, since it is what searches
    spend their time on. The interface is wide because it is all that the rest of the program
    knows of a position; nothing else is needed to play, search, draw or record a game.
    """

    __slots__ = ("_game", "_history", "_opening")

    def __init__(self, game: Game, opening: tuple[int, ...] = ()) -> None:
        self._game = game
        self._opening = opening
        self._history: list[int] = []

    @property
    def game(self) -> Game:
        """The game, with its parameters, that this is a position of."""
        return self._game

    @property
    def opening(self) -> tuple[int, ...]:
        """The opening that this game started from (empty: the usual start)."""
        return self._opening

    def history(self) -> tuple[int, ...]:
        """Return the actions played after the opening, oldest first."""
        return tuple(self._history)

    @property
    def ply(self) -> int:
        """How many actions were played after the opening."""
        return len(self._history)

    def plies_left(self) -> int:
        """Return the most plies for which there is room; the game may end sooner."""
        return self._game.max_game_length - len(self._opening) - len(self._history)

    @abstractmethod
    def current_player(self) -> int:
        """The seat to move, 0 or 1; -1 when the game is over (OpenSpiel's kTerminalPlayerId is
        -4; ours is any negative, so ask `is_terminal`)."""

    @abstractmethod
    def legal_actions(self) -> list[int]:
        """Return the legal actions in ascending order; none exactly when the game is over."""

    @abstractmethod
    def is_legal(self, action: int) -> bool:
        """Whether `action` may be played now; constant time, any int is allowed as a question."""

    @abstractmethod
    def apply(self, action: int) -> None:
        """Play `action`.

        Raises:
            IllegalAction: the action may not be played now; the message says why.
        """

    def undo(self) -> int:
        """Take back the last action and return it.

        Raises:
            IllegalAction: nothing was played since the opening.
        """
        if not self._history:
            raise IllegalAction("Nothing was played that could be taken back.")
        action = self._history.pop()
        self._take_back(action)
        return action

    @abstractmethod
    def _take_back(self, action: int) -> None:
        """Restore the position before `action`, which has just left the history."""

    @abstractmethod
    def is_terminal(self) -> bool:
        """Whether the game is over."""

    @abstractmethod
    def scores(self) -> tuple[int, int]:
        """Return what each seat has so far: boxes captured; 1 for the winner of other games.

        In a game with a `Game.unit` a seat's score is the number of cells that it owns.
        """

    @abstractmethod
    def returns(self) -> tuple[float, float]:
        """Utility of each seat: 1 won, -1 lost, 0 drawn or not over yet. Sums to zero."""

    @abstractmethod
    def owners(self) -> tuple[int, ...]:
        """Return the owner of each cell of the geometry: seat 0, seat 1, or -1 for nobody."""

    def winning_cells(self) -> tuple[int, ...]:
        """Return the cells that decided the game (a winning line); empty where none did."""
        return ()

    def features(self) -> tuple[Feature, ...]:
        """What is worth pointing out here; nothing in games without such notions."""
        return ()

    def clone(self) -> Self:
        """Return an independent copy, history included.

        A subclass extends this by its own attributes; `__init__` is not called, since it checks
        the opening.
        """
        copy = object.__new__(type(self))
        copy._game = self._game
        copy._opening = self._opening
        copy._history = self._history.copy()
        return copy

    @abstractmethod
    def key(self) -> tuple[int, ...]:
        """What identifies the position for transpositions: everything that decides the rest of
        the game, the mover included, and the scores; not the order of the moves."""

    def serialize(self) -> str:
        """Opening and history as one line of text: ``"0,7,12/3,4"``; see `Game.deserialize`."""
        opening = ",".join(map(str, self.opening))
        return f"{opening}/{','.join(map(str, self.history()))}"

    @abstractmethod
    def to_ascii(self, mark_last: bool = False) -> str:
        """The board as a drawing in plain ASCII, no trailing newline.

        `mark_last` makes the last action stand out.
        """

    def __reduce__(self) -> tuple[Callable[..., State], tuple[object, ...]]:
        # Pickled as what made it: small, and the tables of the board are not copied along.
        return self.game.replay, (self.opening, self.history())


def why_illegal(state: State, action: int) -> str:
    """Return the sentence that says why `action` may not be played in `state`; empty if it may."""
    try:
        state.clone().apply(action)
    except IllegalAction as error:
        return str(error)
    return ""


class Game(ABC):
    """Rules with their parameters filled in; immutable, hashable by `key` and `params`."""

    key: ClassVar[str]
    """The name on the wire and in records, such as ``dots-and-boxes``."""
    title: ClassVar[str]
    """The name for people."""
    parameters: ClassVar[tuple[Parameter, ...]]
    """In the order in which a size such as ``5x5`` gives them."""
    seat_names: ClassVar[tuple[str, str]]
    """How a person tells the seats apart, such as ("X", "O")."""
    unit: ClassVar[str] = ""
    """What the scores count, such as ``boxes``; empty where a game is only won, lost or drawn."""

    def __init__(self, params: Mapping[str, int] | None = None) -> None:
        self.params: Mapping[str, int] = MappingProxyType(self.check_params(params or {}))

    @classmethod
    def check_params(cls, params: Mapping[str, int]) -> dict[str, int]:
        """`params` completed by the defaults.

        Raises:
            BadParameter: an unknown name, no whole number, or out of range.
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
        """Parameters from a size such as ``5x5`` (every parameter, in order; fewer use defaults).

        Raises:
            BadParameter: not numbers joined by ``x``, too many, or out of range.
        """
        parts = text.lower().replace(",", "x").split("x")
        if not all(part.isascii() and part.isdigit() and len(part) < 6 for part in parts):
            raise BadParameter(f"{text!r} is no size; write it like {cls.default_size()}.")
        if len(parts) > len(cls.parameters):
            raise BadParameter(
                f"{text!r} has too many numbers; write it like {cls.default_size()}."
            )
        named = {p.name: int(part) for p, part in zip(cls.parameters, parts, strict=False)}
        return cls.check_params(named)

    @classmethod
    def default_size(cls) -> str:
        """The default parameters as a size."""
        return "x".join(str(p.default) for p in cls.parameters)

    @property
    def size(self) -> str:
        """The parameters as a size, such as ``5x5``; `parse_size` reads it back."""
        return "x".join(str(self.params[p.name]) for p in self.parameters)

    @property
    def full_title(self) -> str:
        """The title and the size for people: ``Dots and Boxes 5x5``.

        Only the first two parameters always stand in it; the others where they are unusual.
        """
        size = "x".join(str(self.params[p.name]) for p in self.parameters[:2])
        unusual = (p for p in self.parameters[2:] if self.params[p.name] != p.default)
        rest = "".join(f", {p.label.lower()}: {self.params[p.name]}" for p in unusual)
        return f"{self.title} {size}{rest}"

    @property
    @abstractmethod
    def num_actions(self) -> int:
        """Actions are ``range(num_actions)``."""

    @property
    @abstractmethod
    def max_game_length(self) -> int:
        """The most actions of a game, those of its opening included."""

    @abstractmethod
    def geometry(self) -> Geometry:
        """What to draw; the same object every time."""

    @abstractmethod
    def initial_state(self, opening: Sequence[int] = ()) -> State:
        """A fresh state after `opening`.

        Raises:
            BadOpening: an unknown or repeated action, or no action left to play.
        """

    @abstractmethod
    def openings(self, rng: Random, n: int, length: int | None = None) -> Openings:
        """`n` fair openings of `length` actions (None: the game's own choice), no two equal up
        to the symmetry of the board; the same `rng` state gives the same openings.

        Raises:
            BadParameter: `n` or `length` below zero, or `length` beyond the board.
        """

    @abstractmethod
    def action_name(self, action: int) -> str:
        """A short name for people, such as ``g6``.

        Raises:
            IllegalAction: no such action on this board.
        """

    @abstractmethod
    def parse_action(self, text: str) -> int:
        """The action of a name or of a plain number.

        Raises:
            IllegalAction: no such action on this board.
        """

    def replay(self, opening: Iterable[int], actions: Iterable[int]) -> State:
        """The state after `opening` and `actions`.

        Raises:
            BadOpening: the opening is not allowed.
            IllegalAction: an action is not; its message names the ply.
        """
        state = self.initial_state(tuple(opening))
        for ply, action in enumerate(actions):
            try:
                state.apply(action)
            except IllegalAction as error:
                raise IllegalAction(f"At ply {ply}: {error}") from None
        return state

    def deserialize(self, text: str) -> State:
        """The state that `State.serialize` wrote.

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
            raise BadRecord(f"This is no state of {self.title} {self.size}: {error}") from None

    def __reduce__(self) -> tuple[type[Self], tuple[dict[str, int]]]:
        return type(self), (dict(self.params),)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and (self.key, self.params) == (other.key, other.params)

    def __hash__(self) -> int:
        return hash((self.key, tuple(sorted(self.params.items()))))

    def __repr__(self) -> str:
        return f"<{self.title} {self.size}>"
