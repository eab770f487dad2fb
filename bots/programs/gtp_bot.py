"""Play through an engine that speaks GTP, the Go Text Protocol, version 2.

Source: G. Farnebäck, GTP version 2 draft 2, 2002. GTP knows square boards of points. A position of
Dots and Boxes is sent as engines of this family draw it: as a board of 2R+1 x 2C+1 points, where a
dot, an edge and a box are a point each, and columns have the letters of Go, which leave out I.
"""

from __future__ import annotations

from typing import Final

from doublecross.bots.api import Choice, Limit, StopFlag
from doublecross.bots.programs.bot import ProgramBot, own_name
from doublecross.bots.programs.dialogue import Dialogue
from doublecross.games.api import Game, State

COLUMNS: Final = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
"""The letters of columns in Go."""
COLOURS: Final = ("black", "white")
_ALPHABET: Final = "abcdefghijklmnopqrstuvwxyz"


class GtpBot(ProgramBot):
    """A bot that is an engine with GTP."""

    @classmethod
    def introduce(cls, dialogue: Dialogue) -> None:
        """Ask the engine for its name and version."""
        name = _command(dialogue, "name")
        cls.version = _command(dialogue, "version") or "1"
        cls.name = own_name(cls.engine, name)
        cls.introduced = dialogue.understood = True

    @classmethod
    def plays(cls, game: Game) -> bool:
        """Return whether the size fits: boards in GTP have at most 25 columns."""
        return game.key != "dots-and-boxes" or max(game.params.values()) <= 12

    def prepare(self, game: Game) -> None:
        """Set the size of the board."""
        self._told: tuple[int, ...] | None = None
        rows, cols = (*game.params.values(), 1)[:2]
        if game.key == "dots-and-boxes":
            rows, cols = 2 * rows + 1, 2 * cols + 1
        size = f"boardsize {cols}" if rows == cols else f"rectangular_boardsize {cols} {rows}"
        _command(self.dialogue, size)
        _command(self.dialogue, "clear_board")

    def ask(self, state: State, limit: Limit, stop: StopFlag) -> Choice:
        """Send the moves since the last call, and return the engine's move."""
        played = _coloured(state)
        told = self._told
        if told is None or state.history()[: len(told)] != told:
            _command(self.dialogue, "clear_board")
            told = ()
            for action in state.opening:
                self._play(COLOURS[0], state.game, action)
        for colour, action in played[len(told) :]:
            self._play(colour, state.game, action)
        colour = COLOURS[state.current_player()]
        if limit.clock_s is not None:
            seconds = max(1, int(limit.clock_s))
            _command(self.dialogue, f"time_left {colour} {seconds} 0", needed=False)
        line = f"genmove {colour}"
        self.dialogue.send(line)
        answer = next(filter(_is_answer, self.dialogue.thinking(stop)))
        self.dialogue.expect(lambda text: not text.strip(), "the end of its answer")
        word = _text(self.dialogue, line, answer)
        action = self.action(state, _name(state.game, word))
        self._told = (*state.history(), action)
        return Choice(action)

    def _play(self, colour: str, game: Game, action: int) -> None:
        _command(self.dialogue, f"play {colour} {vertex(game, action)}")


def _coloured(state: State) -> list[tuple[str, int]]:
    """Return the moves so far with the colour of each."""
    position, moves = state.game.initial_state(state.opening), []
    for action in state.history():
        moves.append((COLOURS[position.current_player()], action))
        position.apply(action)
    return moves


def vertex(game: Game, action: int) -> str:
    """Return an action as a vertex of GTP; other games than Dots and Boxes keep their names."""
    name = game.action_name(action)
    if game.key != "dots-and-boxes":
        return name.upper()
    return COLUMNS[_ALPHABET.index(name[0])] + name[1:]


def _name(game: Game, word: str) -> str:
    """Return the name of an action from a vertex."""
    letter = word[:1].upper()
    if game.key != "dots-and-boxes" or not letter or letter not in COLUMNS:
        return word.lower()
    return _ALPHABET[COLUMNS.index(letter)] + word[1:]


def _command(dialogue: Dialogue, line: str, *, needed: bool = True) -> str:
    """Send a command that needs no thought, and return its answer.

    Raises:
        BotFault: the engine refuses a command that is `needed`, or does not answer in time.
    """
    dialogue.send(line)
    answer = dialogue.expect(_is_answer, f"an answer to {line!r}")
    dialogue.expect(lambda text: not text.strip(), f"the end of its answer to {line!r}")
    return _text(dialogue, line, answer, needed=needed)


def _is_answer(text: str) -> bool:
    return text[:1] in ("=", "?")


def _text(dialogue: Dialogue, line: str, answer: str, *, needed: bool = True) -> str:
    """Return what an answer says; an empty line has ended it."""
    if answer.startswith("?") and needed:
        raise dialogue.fault(f"refused {line!r}: {answer[1:].strip() or 'without a reason'}")
    return answer[1:].lstrip("0123456789").strip()
