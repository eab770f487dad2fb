"""Play through an engine that speaks UGI; docs/engine-protocol.md describes it."""

from __future__ import annotations

from time import monotonic
from typing import ClassVar, Final

from doublecross.bots import ugi
from doublecross.bots.api import BotError, Choice, Limit, StopFlag
from doublecross.bots.programs.bot import ProgramBot, own_name
from doublecross.bots.programs.dialogue import READY_S, Dialogue
from doublecross.games.api import Game, GameError, State

_OLD_AFTER_S: Final = 2.0
"""Seconds after which an engine is asked in the words of UCI."""
_ONLY: Final = "dots-and-boxes"
"""The game of an engine that declares no choice."""


class UgiBot(ProgramBot):
    """A bot that is an engine with UGI."""

    obeys = frozenset({"nodes", "depth"})
    declared: ClassVar[dict[str, ugi.OptionLine]] = {}
    """The options of the engine by their names in lower case."""
    old: ClassVar[bool] = False
    """Whether the engine knows the words of UCI only."""

    @classmethod
    def introduce(cls, dialogue: Dialogue) -> None:
        """Read the engine's name and options."""
        said = {"name": "", "version": ""}
        declared = {}
        dialogue.send("ugi")
        end, asked = monotonic() + READY_S, False
        while True:
            wait_s = end - monotonic() - (0 if asked else READY_S - _OLD_AFTER_S)
            line = dialogue.receive(wait_s) if wait_s > 0 else None
            if line is None:
                if asked:
                    raise dialogue.fault(f"did not send ugiok within {READY_S:g} s")
                asked = True
                dialogue.send("uci")
                continue
            word, _, rest = line.strip().partition(" ")
            if word in ("ugiok", "uciok"):
                cls.old = word == "uciok"
                break
            if word == "id":
                what, _, text = rest.strip().partition(" ")
                said[what] = text.strip()
            elif word == "option" and (option := ugi.read_option(line.strip())) is not None:
                declared[option.name.lower()] = option
        cls.declared = declared
        cls.name = own_name(cls.engine, said["name"])
        cls.version = said["version"] or "1"
        cls.introduced = dialogue.understood = True

    @classmethod
    def check_option(cls, name: str, value: str) -> None:
        """Check an option against what the engine declares."""
        option = cls.declared.get(name.lower())
        if option is None:
            own = [o.name for o in cls.declared.values() if not o.name.startswith("UGI_")]
            has = f"it has {', '.join(own)}" if own else "it has none"
            raise BotError(f"Bot {cls.name} has no option {name!r}; {has}.")
        if what := option.refuses(value):
            raise BotError(f"Option {option.name} of bot {cls.name} takes {what}, not {value!r}.")

    @classmethod
    def plays(cls, game: Game) -> bool:
        """Return whether the engine declares this game and this size."""
        games, sizes = (cls.declared.get(name.lower()) for name in (ugi.GAME, ugi.SIZE))
        if games is None:
            if game.key != _ONLY:
                return False
        elif games.refuses(game.key):
            return False
        if sizes is None:
            return game.size == game.default_size()
        return not sizes.refuses(game.size)

    def prepare(self, game: Game) -> None:
        """Send the options and the game, and wait until the engine is ready."""
        if not self.plays(game):
            raise BotError(f"Bot {self.name} does not play {game.title} {game.size}.")
        chosen = {ugi.GAME: game.key, ugi.SIZE: game.size}
        moves = self.declared.get(ugi.MOVES.lower())
        self._numbers = moves is not None and bool(moves.refuses(ugi.NAMES))
        if moves is not None:
            chosen[ugi.MOVES] = ugi.NUMBERS if self._numbers else ugi.NAMES
        options = {name: value for name, value in chosen.items() if name.lower() in self.declared}
        for name, value in (*self.settings.items(), *options.items()):
            option = self.declared[name.lower()]
            end = "" if option.kind == "button" else f" value {value}"
            self.dialogue.send(f"setoption name {option.name}{end}")
        self.dialogue.send("ucinewgame" if self.old else "uginewgame")
        self.dialogue.send("isready")
        self.dialogue.expect(lambda line: line.strip() == "readyok", "readyok")
        self._turn: list[tuple[tuple[int, ...], int]] = []
        """The rest of a turn that was answered as a whole: each move with what leads to it."""

    def ask(self, state: State, limit: Limit, stop: StopFlag) -> Choice:
        """Return the engine's move; it may answer a whole turn if it declared that."""
        if self._turn:
            history, action = self._turn.pop(0)
            if history == state.history():
                return Choice(action)
            self._turn.clear()
        self.dialogue.send(
            ugi.position_line(state, numbers=self._numbers),
            ugi.go_line(limit, state.current_player(), old=self.old),
        )
        thoughts = ugi.Thoughts()
        words = self._answer(thoughts, stop)
        actions = self._actions(state, words)
        return Choice(
            actions[0],
            thoughts.score,
            self._pv(state, actions[0], thoughts.pv),
            thoughts.nodes,
            exact=thoughts.exact,
        )

    def _answer(self, thoughts: ugi.Thoughts, stop: StopFlag) -> list[str]:
        """Return the words of the line ``bestmove``; read the lines ``info`` before it."""
        for line in self.dialogue.thinking(stop, lambda: self.dialogue.send("stop")):
            word, _, rest = line.partition(" ")
            if word == "info":
                thoughts.read(line)
            elif word == "bestmove":
                if moves := rest.partition(" ponder ")[0].split():
                    return moves
                break
        raise self.dialogue.fault("its program sent bestmove without a move", "illegal")

    def _actions(self, state: State, words: list[str]) -> list[int]:
        """Return the actions of an answer, and keep all but the first for the next calls."""
        if len(words) > 1 and ugi.TURNS.lower() not in self.declared:
            what = f"its program sent {len(words)} moves, but did not declare {ugi.TURNS}"
            raise self.dialogue.fault(what, "illegal")
        position, mover, actions = state.clone(), state.current_player(), []
        for word in words:
            if position.is_terminal() or position.current_player() != mover:
                raise self.dialogue.fault(f"its program sent {word!r} after its turn", "illegal")
            actions.append(self.action(position, word))
            if len(actions) > 1:
                self._turn.append((position.history(), actions[-1]))
            position.apply(actions[-1])
        return actions

    @staticmethod
    def _pv(state: State, action: int, words: tuple[str, ...]) -> tuple[int, ...]:
        """Return the principal variation if it is legal and begins with `action`, else nothing."""
        position, pv = state.clone(), []
        try:
            for word in words:
                pv.append(state.game.parse_action(word))
                position.apply(pv[-1])
        except GameError:
            return ()
        return tuple(pv) if pv[:1] == [action] else ()
