"""Play a game through a program, whatever language it speaks."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from time import monotonic
from typing import ClassVar

from doublecross.bots.api import Bot, BotError, BotFault, Choice, Limit, StopFlag
from doublecross.bots.programs.dialogue import Dialogue
from doublecross.bots.programs.engine import Engine
from doublecross.games.api import Game, IllegalAction, State

Options = Mapping[str, int | float | str | bool]


class ProgramBot(Bot):
    """A bot that is a program; a subclass speaks its language.

    The registry makes a class for each engine. What the program says about itself is known after
    `introduce`, which `check_options` calls: it starts the program once.
    """

    engine: ClassVar[Engine]
    keeps_time = True
    introduced: ClassVar[bool] = False

    def __init__(self, rng: Random, options: Options | None = None) -> None:
        try:
            self.dialogue = Dialogue.begin(self.engine)
            if self.dialogue.fresh:
                self.introduce(self.dialogue)
            super().__init__(rng, options)
        except BotFault as fault:
            raise self._refusal(fault) from None
        except BotError:
            self.dialogue.end()
            raise
        self._game: Game | None = None

    @classmethod
    def check_options(cls, options: Options) -> dict[str, int | float | str | bool]:
        """Return the options as text, those of `engines.toml` included.

        Raises:
            BotError: the program cannot be started or does not answer, or refuses an option.
        """
        if not cls.introduced:
            try:
                dialogue = Dialogue.begin(cls.engine)
                cls.introduce(dialogue)
                dialogue.end()
            except BotFault as fault:
                raise cls._refusal(fault) from None
        given = {**dict(cls.engine.options), **{name: str(v) for name, v in options.items()}}
        for name, value in given.items():
            cls.check_option(name, value)
        return dict(given)

    @classmethod
    @abstractmethod
    def introduce(cls, dialogue: Dialogue) -> None:
        """Let a new program say what it is, and set `introduced`."""

    @classmethod
    def check_option(cls, name: str, value: str) -> None:
        """Check an option.

        Raises:
            BotError: the program does not take it.
        """
        raise BotError(f"Bot {cls.name} has no option {name!r}; it has none.")

    def get_ready(self, game: Game) -> None:
        """Tell the program which game begins."""
        if self._game is not None:
            return
        self.dialogue.log(self.label)
        try:
            self.prepare(game)
        except BotFault as fault:
            raise self._refusal(fault) from None
        self._game = game

    @abstractmethod
    def prepare(self, game: Game) -> None:
        """Tell the program which game begins, and wait until it is ready."""

    def choose(self, state: State, limit: Limit, stop: StopFlag) -> Choice:
        """Return the program's move.

        Raises:
            BotFault: it ended, sent something senseless, or did not answer for too long.
        """
        self.get_ready(state.game)
        began = monotonic()
        choice = self.ask(state, limit, stop)
        return replace(choice, elapsed=monotonic() - began)

    @abstractmethod
    def ask(self, state: State, limit: Limit, stop: StopFlag) -> Choice:
        """Return the program's move."""

    def close(self) -> None:
        """Keep the program for another game, or end it."""
        self.dialogue.end()

    def action(self, state: State, word: str) -> int:
        """Return the action that a word of the program means.

        Raises:
            BotFault: it is no legal move.
        """
        try:
            action = state.game.parse_action(word)
        except IllegalAction:
            action = -1
        if not state.is_legal(action):
            what = f"its program chose {word[:40]!r}, which is not legal"
            raise self.dialogue.fault(what, "illegal")
        return action

    @classmethod
    def _refusal(cls, fault: BotFault) -> BotError:
        sentence = str(fault).replace("its program", f"The program {cls.engine.title}", 1)
        return BotError(f"{sentence}.", fault.trace)


def own_name(engine: Engine, said: str) -> str:
    """Return the name of an engine: from the file, what it says itself, or that of its program."""
    program = next((word for word in engine.words[1:] if "." in word), engine.words[0])
    return engine.name or said or Path(program).stem
