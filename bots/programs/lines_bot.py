"""Play through a program that reads moves and prints its own, one line each."""

from __future__ import annotations

import shutil
from pathlib import Path

from doublecross.bots.api import Choice, Limit, StopFlag
from doublecross.bots.programs.bot import ProgramBot, own_name
from doublecross.bots.programs.dialogue import READY_S, Dialogue, silence_hint
from doublecross.games.api import Game, State


class LinesBot(ProgramBot):
    """A bot that is a program for one game.

    Its first line has the game and the size. Then it gets a line each time that it has to move: the
    moves since its own last one, often none. The first of these lines begins with the opening. It
    answers each with its move. When a move is taken back, the program is started again.
    """

    if_silent = silence_hint("lines")

    @classmethod
    def introduce(cls, dialogue: Dialogue) -> None:
        """Take the name of the program."""
        program = cls.engine.words[0]
        if "/" in program:
            program = str(Path(cls.engine.folder, program).absolute())
        if shutil.which(program) is None:
            # It says nothing before its first game, and would lose that and all others.
            dialogue.receive(READY_S)
        cls.name = own_name(cls.engine, "")
        cls.introduced = True

    def prepare(self, game: Game) -> None:
        """Send the first line; the time until the program reads it is not part of the game."""
        self.dialogue.send(f"{game.key} {game.size}")
        self.dialogue.wait_until_read()
        self._told: tuple[int, ...] = ()

    def ask(self, state: State, limit: Limit, stop: StopFlag) -> Choice:
        """Return the program's move."""
        moves = (*state.opening, *state.history())
        if moves[: len(self._told)] != self._told:
            self.dialogue.restart()
            self.prepare(state.game)
        new = moves[len(self._told) :]
        self.dialogue.send(" ".join(map(state.game.action_name, new)))
        answer = next(line for line in self.dialogue.thinking(stop) if line)
        action = self.action(state, answer)
        self.dialogue.understood = True
        self._told = (*moves, action)
        return Choice(action)
