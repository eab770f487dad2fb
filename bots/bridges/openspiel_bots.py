"""Play with the bots of OpenSpiel, and with those that are written for it.

Theory of operation
-------------------
A bot of OpenSpiel is made for one game and one player. `OpenSpielBot` makes it when it knows both,
and tells it all actions that it did not choose. After a takeback it makes a new one.

OpenSpiel has no openings, so their actions are played as moves. In Dots and Boxes nobody draws an
opening, and seat 0 moves after it. As moves, an odd number of edges leaves player 1 to move there.
Then player 1 is seat 0 for the whole game, which is the same game for it.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import sys
from abc import abstractmethod
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, ClassVar, Final

import numpy as np
import pyspiel

from doublecross.bots.api import Bot, BotError, BotFault, Choice, Limit, Option, StopFlag
from doublecross.bots.api.timing import timed
from doublecross.bots.bridges.openspiel_games import openspiel_game, our_action, their_action
from doublecross.bots.errors import describe, trace_of
from doublecross.games.api import Game, State

Options = Mapping[str, int | float | str | bool]

_GIVEN: Final = ("game", "player", "player_id", "rng", "seed")
"""The parameters of a constructor that get their values from here."""
_TIME_SHARE: Final = 0.9
"""The part of a move's time in which a search ends by itself."""


class OpenSpielBot(Bot):
    """A bot of OpenSpiel; a subclass makes it."""

    _player: pyspiel.Bot = None
    _position: pyspiel.State
    """The position of the last call, and `_ours` the same one here."""
    _ours: State
    _seen: tuple[int, ...] = ()
    """The actions that led to it, those of `_opening` included."""
    _opening: tuple[int, ...] = ()

    @classmethod
    def plays(cls, game: Game) -> bool:
        """Return whether OpenSpiel has the game."""
        return openspiel_game(game) is not None

    @abstractmethod
    def make(self, game: pyspiel.Game, player: int) -> pyspiel.Bot:
        """Return a bot for one game."""

    def step(self, position: pyspiel.State, limit: Limit) -> int:
        """Return OpenSpiel's number of the bot's action."""
        return int(self._player.step(position))

    def choose(self, state: State, limit: Limit, stop: StopFlag) -> Choice:
        """Return the bot's action.

        Raises:
            BotFault: the action is illegal, or OpenSpiel does not have this position.
        """
        actions = (*state.opening, *state.history())
        known = self._opening == state.opening and actions[: len(self._seen)] == self._seen
        if self._player is None or not known:
            self._begin(state)
        for action in actions[len(self._seen) :]:
            number, mover = their_action(self._ours, action), self._position.current_player()
            self._player.inform_action(self._position, mover, number)
            self._apply(number, action)
        number = self.step(self._position, timed(limit, self.moves_to_go(state)))
        if number not in self._position.legal_actions():
            raise BotFault(f"it chose {number}, which is not legal", kind="illegal")
        action = our_action(self._ours, number)
        self._apply(number, action)
        return Choice(action)

    def _begin(self, state: State) -> None:
        """Make the bot, at the position before the opening."""
        game, self._opening = openspiel_game(state.game), state.opening
        assert game is not None
        self._position, self._ours, self._seen = game.new_initial_state(), _start(state), ()
        after, moved = state.game.initial_state(state.opening), _start(state)
        for action in state.opening:
            moved.apply(action)
        if moved.scores() != after.scores():
            raise BotFault("OpenSpiel cannot begin after an opening that completes boxes")
        swapped = moved.current_player() != after.current_player()
        self._player = self.make(game, state.current_player() ^ swapped)

    def _apply(self, number: int, action: int) -> None:
        self._position.apply_action(number)
        self._ours.apply(action)
        self._seen += (action,)


class MctsBot(OpenSpielBot):
    """OpenSpiel's search in C++, which begins anew at each move."""

    name = "openspiel-mcts"
    summary = "OpenSpiel's Monte-Carlo tree search with random rollouts"
    obeys = frozenset({"nodes"})
    options = (
        Option("simulations", 1000, "The most simulations for one move."),
        Option("rollouts", 1, "Rollouts from each leaf."),
        Option("c", 1.4, "The exploration constant of UCT."),
        Option("solve", True, "Whether proven wins and losses are passed up the tree."),
    )

    def make(self, game: pyspiel.Game, player: int) -> pyspiel.Bot:
        """Return a bot that only listens: each move has limits of its own, so `step` makes one."""
        self._game = game
        return pyspiel.Bot()

    def step(self, position: pyspiel.State, limit: Limit) -> int:
        """Search within `limit`."""
        settings, seed = self.settings, self.rng.getrandbits(31)
        bot = pyspiel.MCTSBot(
            self._game,
            pyspiel.RandomRolloutEvaluator(int(settings["rollouts"]), seed),
            float(settings["c"]),
            min(int(settings["simulations"]), limit.nodes or sys.maxsize),
            limit.memory_mb or 1024,
            bool(settings["solve"]),
            seed,
            False,
            max_wall_clock_time=-1.0 if limit.time_s is None else _TIME_SHARE * limit.time_s,
        )
        return int(bot.step(position))


class RegisteredBot(OpenSpielBot):
    """A bot that OpenSpiel knows by name; the options are its parameters."""

    there: ClassVar[str]

    @classmethod
    def check_options(cls, options: Options) -> dict[str, int | float | str | bool]:
        """Return the options with their values; OpenSpiel ignores those that it does not know."""
        return {name: _value(value) for name, value in options.items()}

    @classmethod
    def plays(cls, game: Game) -> bool:
        """Return whether the bot itself plays the game."""
        theirs = openspiel_game(game)
        return theirs is not None and cls.there in pyspiel.bots_that_can_play_game(theirs)

    def make(self, game: pyspiel.Game, player: int) -> pyspiel.Bot:
        """Return the bot with its parameters; the random one needs a seed to repeat its games."""
        if self.there == "uniform_random":
            return pyspiel.make_uniform_random_bot(player, self.rng.getrandbits(31))
        return pyspiel.load_bot(self.there, game, player, self.settings)


class PythonBot(OpenSpielBot):
    """A bot from a Python class or function.

    The parameters `_GIVEN` of its constructor get their values here, the others from the options.
    """

    maker: ClassVar[Callable[..., pyspiel.Bot]]

    @classmethod
    def check_options(cls, options: Options) -> dict[str, int | float | str | bool]:
        """Return the options, text as the number or the truth value that it means.

        Raises:
            BotError: the constructor has no such parameter, or needs another one.
        """
        parameters = inspect.signature(cls.maker).parameters.values()
        some = {p.name for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)}
        own, open_ = some - set(_GIVEN), any(p.kind is p.VAR_KEYWORD for p in parameters)
        for name in options:
            if name not in own and not open_:
                has = f"it has {', '.join(sorted(own))}" if own else "it has none"
                raise BotError(f"Bot {cls.name} has no option {name!r}; {has}.")
        for each in parameters:
            if each.name in own - set(options) and each.default is each.empty:
                raise BotError(f"Bot {cls.name} needs the option {each.name}.")
        return {name: _value(value) for name, value in options.items()}

    def make(self, game: pyspiel.Game, player: int) -> pyspiel.Bot:
        """Call the class or function."""
        seed = self.rng.getrandbits(31)
        values = (game, player, player, np.random.RandomState(seed), seed)
        wanted = inspect.signature(type(self).maker).parameters
        given = {k: v for k, v in zip(_GIVEN, values, strict=True) if k in wanted}
        return type(self).maker(**given, **self.settings)


@cache
def named_class(name: str) -> type[Bot]:
    """Return the class of a bot such as ``openspiel:mcts`` or ``openspiel:module:Class``.

    Raises:
        BotError: there is no such bot, or it cannot be loaded.
    """
    there = name.partition(":")[2]
    if there == "mcts":
        return MctsBot
    if there in pyspiel.registered_bots():
        about = {"name": f"openspiel-{there}", "there": there, "summary": f"OpenSpiel's {there}"}
        return type("Registered", (RegisteredBot,), about)
    module, colon, attribute = there.partition(":")
    if not colon:
        known = ", ".join(("mcts", *pyspiel.registered_bots()))
        raise BotError(f"OpenSpiel has no bot {there!r}; there are {known}, and module:Class.")
    try:
        maker = getattr(importlib.import_module(module), attribute)
    except Exception as error:
        sentence = f"Bot {name} cannot be loaded ({describe(error)})."
        raise BotError(sentence, trace_of(error)) from error
    if not callable(maker):
        raise BotError(f"Bot {name} cannot be loaded: {attribute} is no class or function.")
    made: dict[str, Any] = {
        "name": attribute.lower(),
        "maker": staticmethod(maker),
        "summary": there,
    }
    return type(attribute, (PythonBot,), made)


def _start(state: State) -> State:
    return state.game.initial_state()


def _value(value: int | float | str | bool) -> Any:
    text = str(value)
    try:
        return ast.literal_eval(text.title() if text in ("true", "false") else text)
    except (ValueError, SyntaxError):
        return value
