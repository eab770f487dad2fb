"""What a game is to the rest of the program: rules, parameters, openings and a picture to draw.

Theory of operation
-------------------
A `Game` is an immutable description with its parameters filled in ("Dots and Boxes, 5 rows, 5
columns"). A `State` is one mutable position of it, with its history: `apply` plays an action,
`undo` takes the last one back. Terms and numbering follow OpenSpiel: an *action* is an int in
``range(game.num_actions)``, `current_player` says which seat (0 or 1) moves, `returns` gives the
utilities. Who moves is always asked of the state: a completed box keeps the turn, so the parity
of the ply says nothing.

Errors (all are `GameError`, all leave the state as it was)::

    GameError(ValueError)
    +-- BadParameter     a size or option that the game does not allow
    +-- BadOpening       an opening that the game does not allow
    +-- IllegalAction    an action that this position does not allow
    +-- BadRecord        text that is no record, lattice notation, edge string or board
    +-- UnknownGame      a key that is not in the registry
"""

# ruff: noqa: N818 - the errors are named for what is wrong, as the tree above reads.

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from types import MappingProxyType
from typing import ClassVar, Final, Self

SEATS: Final = (0, 1)
"""The two seats. Seat 0 moves first."""

_SERIALIZED: Final = re.compile(r"((?:\d{1,6},)*\d{1,6}|)/((?:\d{1,6},)*\d{1,6}|)", re.ASCII)


class GameError(ValueError):
    """A request that the rules do not allow; the message is one sentence for people."""


class BadParameter(GameError):
    """A size or option out of its range."""


class BadOpening(GameError):
    """An opening that this game cannot start from."""


class IllegalAction(GameError):
    """An action that this position does not allow."""


class BadRecord(GameError):
    """Text that cannot be read as a record, a notation or a board."""


class UnknownGame(GameError):
    """No game of that key is registered."""


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
class Segment:
    """A drawable stroke between two points of a `Geometry`; playing `action` draws it."""

    action: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Cell:
    """A drawable area: its corners are indices into `Geometry.points`, in drawing order.

    `action` is the action that claims the cell by itself (tic-tac-toe), None where cells are won
    by drawing segments. `segments` are the actions around it (empty in tic-tac-toe).
    """

    index: int
    corners: tuple[int, ...]
    action: int | None
    segments: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Geometry:
    """All that a client needs to draw a game without knowing it.

    `points` are (x, y) in board units, y downwards, the smallest coordinates 0. `dots` says
    whether the points themselves are drawn.
    """

    width: int
    height: int
    points: tuple[tuple[int, int], ...]
    segments: tuple[Segment, ...]
    cells: tuple[Cell, ...]
    dots: bool


@dataclass(frozen=True, slots=True)
class Feature:
    """Something about a position that a client may point out, such as a chain.

    `kind` is a key to tell the kinds apart by, `label` what it is for people; `cells` are the
    cells that belong to it and `actions` those that it consists of, both in a sensible order.
    """

    kind: str
    label: str
    cells: tuple[int, ...]
    actions: tuple[int, ...]


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
    """One position of a game with the actions that led to it; mutable, never shared."""

    @property
    @abstractmethod
    def game(self) -> Game:
        """The game, with its parameters, that this is a position of."""

    @property
    @abstractmethod
    def opening(self) -> tuple[int, ...]:
        """The opening that this game started from (empty: the usual start)."""

    @abstractmethod
    def history(self) -> tuple[int, ...]:
        """The actions played after the opening, oldest first."""

    @property
    @abstractmethod
    def ply(self) -> int:
        """How many actions were played after the opening."""

    @abstractmethod
    def current_player(self) -> int:
        """The seat to move, 0 or 1; -1 when the game is over (OpenSpiel's kTerminalPlayerId is
        -4; ours is any negative, so ask `is_terminal`)."""

    @abstractmethod
    def legal_actions(self) -> list[int]:
        """All legal actions in ascending order; empty exactly when the game is over."""

    @abstractmethod
    def is_legal(self, action: int) -> bool:
        """Whether `action` may be played now; constant time, any int is allowed as a question."""

    @abstractmethod
    def apply(self, action: int) -> None:
        """Play `action`.

        Raises:
            IllegalAction: the action is unknown, taken, or the game is over; nothing changes.
        """

    @abstractmethod
    def undo(self) -> int:
        """Take back the last action and return it.

        Raises:
            IllegalAction: nothing was played since the opening.
        """

    @abstractmethod
    def is_terminal(self) -> bool:
        """Whether the game is over."""

    @abstractmethod
    def scores(self) -> tuple[int, int]:
        """What each seat has on the board so far: boxes captured; 1 for a winning line."""

    @abstractmethod
    def returns(self) -> tuple[float, float]:
        """Utility of each seat: 1 won, -1 lost, 0 drawn or not over yet. Sums to zero."""

    @abstractmethod
    def owners(self) -> tuple[int, ...]:
        """Owner of each cell of the geometry: seat 0, seat 1, or -1 for nobody."""

    @abstractmethod
    def drawn(self) -> frozenset[int]:
        """The actions whose segment or cell is on the board, opening included."""

    @abstractmethod
    def winning_cells(self) -> tuple[int, ...]:
        """Cells to highlight at the end (a winning line); empty where no cells decide the game."""

    def features(self) -> tuple[Feature, ...]:
        """What is worth pointing out here; nothing in games without such notions."""
        return ()

    @abstractmethod
    def clone(self) -> Self:
        """An independent copy, history included."""

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
    @abstractmethod
    def num_actions(self) -> int:
        """Actions are ``range(num_actions)``."""

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
