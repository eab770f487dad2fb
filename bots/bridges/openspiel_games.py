"""Play OpenSpiel's games here, and translate games and actions that both sides have.

The key of a game of OpenSpiel is ``openspiel:`` and its name there, with parameters if need be:
``openspiel:breakthrough(rows=6,columns=6)``. Its actions are OpenSpiel's numbers, and they have no
other names here, because there a name may depend on the position. It has no geometry either, so it
is for bots only.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from random import Random
from typing import ClassVar, Final, Self

import pyspiel

from doublecross.games.api import (
    BadOpening,
    BadParameter,
    Game,
    GameError,
    Geometry,
    IllegalAction,
    Openings,
    PieceStyle,
    State,
    UnknownGame,
)
from doublecross.games.connect_four.rules import ConnectFour
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes
from doublecross.games.nim.heaps import Heaps
from doublecross.games.nim.rules import Nim, NimState
from doublecross.games.openings import BudgetError, check_request, collect
from doublecross.games.tic_tac_toe.rules import TicTacToe

_OPENING: Final = 4
"""The default length of an opening."""
_BUDGET: Final = 50_000
"""The most positions of a search through all openings."""
_GEOMETRY: Final = Geometry(0, 0, (), (), (), (), PieceStyle.FILL, dots=False)
_SAME: Final[Mapping[str, tuple[type[Game], Mapping[str, str]]]] = {
    "dots_and_boxes": (DotsAndBoxes, {"num_rows": "rows", "num_cols": "cols"}),
    "mnk": (TicTacToe, {"m": "cols", "n": "rows", "k": "line"}),
    "connect_four": (ConnectFour, {"rows": "rows", "columns": "cols", "x_in_row": "line"}),
}
"""The games that both sides have, with OpenSpiel's names of our parameters; beside Nim."""


class OpenSpielGame(Game):
    """A game of OpenSpiel. Each subclass is one game with its parameters; see `game_class`."""

    title = "OpenSpiel"
    parameters = ()
    seat_names = ("1", "2")
    theirs: ClassVar[pyspiel.Game]

    @classmethod
    def default_size(cls) -> str:
        """Return the name of the game, with its parameters."""
        return cls.key.partition(":")[2]

    @classmethod
    def parse_size(cls, text: str) -> dict[str, int]:
        """Return no parameters, because they are a part of the key.

        Raises:
            BadParameter: the text is not what `default_size` returns.
        """
        if text != cls.default_size():
            raise BadParameter(
                "The size of a game of OpenSpiel is a part of its name, as in"
                " openspiel:breakthrough(rows=6,columns=6)."
            )
        return {}

    @cached_property
    def size(self) -> str:
        """The name of the game, with its parameters."""
        return self.default_size()

    @property
    def full_title(self) -> str:
        """The name of the game, with its parameters."""
        return self.size

    @property
    def num_actions(self) -> int:
        """The number of actions; few of them are legal at a time."""
        return int(self.theirs.num_distinct_actions())

    @property
    def max_game_length(self) -> int:
        """The greatest possible number of actions in a game."""
        return int(self.theirs.max_game_length())

    def geometry(self) -> Geometry:
        """Return a board with nothing on it: no client draws these games."""
        return _GEOMETRY

    def initial_state(self, opening: Sequence[int] = ()) -> OpenSpielState:
        """Return a new state after the actions of `opening`.

        Raises:
            BadOpening: an action is illegal, or the game is over after them.
        """
        return OpenSpielState(self, tuple(opening))

    def openings(self, rng: Random, n: int, length: int | None = None) -> Openings:
        """Return `n` sequences of `length` random actions that lead to different positions.

        They need not be fair, so each should be played with both colours.

        Raises:
            BadParameter: `n` or `length` is below zero, `length` exceeds the longest game, or
                openings of that length are too rare to find.
        """
        longest = self.max_game_length
        chosen = min(_OPENING, longest // 2) if length is None else length
        check_request(n, chosen, longest, "action")
        first: dict[str, tuple[int, ...]] = {}
        """The first opening that led to each position."""

        def draw(rng: Random) -> tuple[int, ...] | None:
            state = self.initial_state()
            while state.ply < chosen and not state.is_terminal():
                state.apply(rng.choice(state.legal_actions()))
            return None if state.is_terminal() else first.setdefault(*_end(state))

        def everything() -> Iterator[tuple[int, ...]]:
            found: set[str] = set()
            waiting, budget = [self.initial_state()], _BUDGET
            while waiting:
                state = waiting.pop()
                if (budget := budget - 1) < 0:
                    raise BudgetError
                position, opening = _end(state)
                if state.is_terminal() or (state.ply == chosen and position in found):
                    continue
                if state.ply == chosen:
                    found.add(position)
                    yield opening
                    continue
                for action in state.legal_actions():
                    waiting.append(state.clone())
                    waiting[-1].apply(action)

        return collect(rng, n, draw, everything, f"of {chosen} actions")

    def action_name(self, action: int) -> str:
        """Return the number of an action.

        Raises:
            IllegalAction: the game has no such action.
        """
        if type(action) is not int or not 0 <= action < self.num_actions:
            raise IllegalAction(f"{action!r} is not an action of {self.size}.")
        return str(action)

    def parse_action(self, text: str) -> int:
        """Return the action with this number.

        Raises:
            IllegalAction: the game has no such action.
        """
        word = text.strip()
        if not (word.isascii() and word.isdigit() and len(word) < 7):
            raise IllegalAction(f"{text!r} is not an action of {self.size}.")
        return int(self.action_name(int(word)))

    def __reduce__(self) -> tuple[Callable[[str], Game], tuple[str]]:
        return _game, (self.key,)


class OpenSpielState(State):
    """One position of a game of OpenSpiel, with those before it, which `undo` goes back to."""

    __slots__ = ("_positions",)

    _game: OpenSpielGame

    def __init__(self, game: OpenSpielGame, opening: tuple[int, ...] = ()) -> None:
        super().__init__(game, opening)
        position = game.theirs.new_initial_state()
        for action in opening:
            if type(action) is not int or action not in position.legal_actions():
                raise BadOpening(f"The opening has {action!r}, which is not legal there.")
            position.apply_action(action)
        if position.is_terminal():
            raise BadOpening("The opening leaves nothing to play.")
        self._positions: list[pyspiel.State] = [position]

    @property
    def theirs(self) -> pyspiel.State:
        """OpenSpiel's state; do not change it."""
        return self._positions[-1]

    def current_player(self) -> int:
        """Return the seat to move, or -1 when the game is over."""
        return max(-1, int(self.theirs.current_player()))

    def legal_actions(self) -> list[int]:
        """Return the legal actions in ascending order."""
        return list(self.theirs.legal_actions())

    def is_legal(self, action: int) -> bool:
        """Return whether `action` may be played now."""
        return type(action) is int and action in self.theirs.legal_actions()

    def apply(self, action: int) -> None:
        """Play `action`.

        Raises:
            IllegalAction: it may not be played now.
        """
        if not self.is_legal(action):
            name = self._game.action_name(action)
            raise IllegalAction(f"Action {name} is not legal in this position.")
        self._positions.append(self.theirs.child(action))
        self._history.append(action)

    def _take_back(self, action: int) -> None:
        self._positions.pop()

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return bool(self.theirs.is_terminal())

    def scores(self) -> tuple[int, int]:
        """Return 1 for the winner, 0 for the others."""
        first, second = self.returns()
        return int(first > 0), int(second > 0)

    def returns(self) -> tuple[float, float]:
        """Return 1 for the winner and -1 for the loser, whatever the utilities are there."""
        if not self.is_terminal():
            return 0.0, 0.0
        first, second = self.theirs.returns()
        sign = float((first > second) - (first < second))
        return sign, 0.0 - sign

    def owners(self) -> tuple[int, ...]:
        """Return nothing: there are no cells."""
        return ()

    def clone(self) -> Self:
        """Return an independent copy; both share the positions, which nobody changes."""
        copy = super().clone()
        copy._positions = self._positions.copy()
        return copy

    def key(self) -> tuple[int, ...]:
        """Return all actions, because OpenSpiel has no key that suits every game."""
        return (*self._opening, *self._history)

    def to_ascii(self, mark_last: bool = False) -> str:
        """Return OpenSpiel's drawing; nothing in it is marked."""
        return str(self.theirs).rstrip("\n").encode("ascii", "replace").decode()


@cache
def game_class(key: str) -> type[OpenSpielGame]:
    """Return the game whose key is ``openspiel:`` and its name and parameters there.

    Raises:
        UnknownGame: OpenSpiel has no such game.
        BadParameter: a parameter is wrong, or the game is not for two players who see all and take
            turns without chance.
    """
    text = key.partition(":")[2]
    name = text.partition("(")[0]
    if name not in pyspiel.registered_names():
        near = difflib.get_close_matches(name, pyspiel.registered_names(), n=1)
        hint = f"; did you mean {near[0]}?" if near else "."
        raise UnknownGame(f"OpenSpiel has no game {name!r}{hint}")
    try:
        theirs = pyspiel.load_game(text)
    except pyspiel.SpielError as error:
        raise BadParameter(f"OpenSpiel refuses {text}: {str(error).splitlines()[0]}") from None
    kind, type_ = theirs.get_type(), pyspiel.GameType
    if (
        theirs.num_players() != 2
        or kind.dynamics != type_.Dynamics.SEQUENTIAL
        or kind.chance_mode != type_.ChanceMode.DETERMINISTIC
        or kind.information != type_.Information.PERFECT_INFORMATION
        or kind.utility != type_.Utility.ZERO_SUM
    ):
        raise BadParameter(
            f"{name} cannot be played here: it must be for two players who see everything and take"
            " turns, without chance, and what one wins the other must lose."
        )
    whole = f"openspiel:{str(theirs).removesuffix('()')}"
    return type("OpenSpielGame", (OpenSpielGame,), {"key": whole, "theirs": theirs})


def openspiel_game(game: Game) -> pyspiel.Game | None:
    """Return OpenSpiel's game for one of ours, or None if it has no such game."""
    if isinstance(game, OpenSpielGame):
        return game.theirs
    if isinstance(game, Nim):
        piles = ";".join(map(str, game.heaps.sizes))
        return pyspiel.load_game(f"nim(pile_sizes={piles},is_misere={str(game.misere).lower()})")
    if game == TicTacToe():
        return pyspiel.load_game("tic_tac_toe")
    for name, (kind, names) in _SAME.items():
        if isinstance(game, kind):
            given = ",".join(f"{theirs}={game.params[ours]}" for theirs, ours in names.items())
            return pyspiel.load_game(f"{name}({given})")
    return None


def our_game(theirs: pyspiel.Game) -> Game:
    """Return our game for one of OpenSpiel's: the same rules, or an `OpenSpielGame`.

    Raises:
        GameError: there is none; see `game_class`.
    """
    name, given = theirs.get_type().short_name, theirs.get_parameters()
    try:
        if name == "tic_tac_toe":
            return TicTacToe()
        if name == "nim":
            piles = map(int, given["pile_sizes"].split(";"))
            heaps = dict(zip("abcd", (*piles, 0, 0), strict=False))
            game: Game = Nim({**heaps, "misere": int(given["is_misere"])})
            again = openspiel_game(game)
            if again is not None and again.get_parameters() == given:  # No pile is left out.
                return game
        elif name in _SAME:
            kind, names = _SAME[name]
            return kind({ours: given[there] for there, ours in names.items()})
    except GameError:
        pass  # Our boards have bounds.
    return _game(f"openspiel:{theirs}")


def their_action(state: State, action: int) -> int:
    """Return OpenSpiel's number for an action that is legal in `state`."""
    if not isinstance(state, NimState):
        return action
    heaps = _heaps(state)
    heap, place = heaps.where[action]
    return heap + (state.left[heap] - place - 1) * len(heaps.sizes)


def our_action(state: State, number: int) -> int:
    """Return the action for a number of OpenSpiel that is legal in `state`."""
    if not isinstance(state, NimState):
        return number
    heaps = _heaps(state)
    taken, heap = divmod(number, len(heaps.sizes))
    return heaps.starts[heap] + state.left[heap] - taken - 1


def _heaps(state: NimState) -> Heaps:
    game = state.game
    assert isinstance(game, Nim)
    return game.heaps


def _game(key: str) -> Game:
    return game_class(key)()


def _end(state: OpenSpielState) -> tuple[str, tuple[int, ...]]:
    """Return the position and how it came about."""
    return str(state.theirs), state.history()
