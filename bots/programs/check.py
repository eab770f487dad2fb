"""Play through the protocol with an engine, and list what is wrong in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from time import monotonic
from typing import Final

from doublecross.bots import ugi
from doublecross.bots.api import Limit
from doublecross.bots.programs.dialogue import READY_S
from doublecross.bots.programs.engine import Engine
from doublecross.bots.programs.ugi_bot import UgiBot
from doublecross.games.api import Game, IllegalAction, State
from doublecross.games.registry import GAMES
from doublecross.processes.program import Program, ProgramFailed

MOVE_MS: Final = 100
"""The time for a move in the games of a check."""
LATE_S: Final = 0.1
"""Seconds by which a move may exceed its time, as in an arena."""
_STOP_S: Final = 2.0
_THINK_S: Final = 0.3
"""Seconds before a search without an end is stopped."""
_QUERY_S: Final = 1.0
_MOST_GAMES: Final = 6


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that an engine does wrong, and the line that should have come.

    A `note` is about something that an engine need not do.
    """

    sentence: str
    wanted: str = ""
    note: bool = False


class Stopped(Exception):  # noqa: N818 - it ends the check and is not an error
    """Nothing further can be checked."""


class EngineCheck:
    """Checks one engine with UGI. `on_line` receives the dialogue; `rng` chooses the moves."""

    def __init__(self, engine: Engine, rng: Random, on_line: Callable[[str, str], None]) -> None:
        self.findings: list[Finding] = []
        self.moves = 0
        self._engine = engine
        self._rng = rng
        self._program = Program(engine.command, on_line)
        self._kind: type[UgiBot] = type("Checked", (UgiBot,), {"engine": engine})
        self._queries = True

    def run(self) -> None:
        """Check everything; the findings are in `findings`."""
        try:
            self._introduction()
            for game in self._games():
                for seat in (0, 1):
                    self._play(game, seat)
            self._endless()
            self._nonsense()
            self._end()
        except ProgramFailed as failure:
            last = f" Its last words: {self._program.errors[-1]}" if self._program.errors else ""
            self._add(f"The program {failure}.{last}")
        except Stopped:
            pass
        finally:
            self._program.kill()

    # -- the parts -----------------------------------------------------------------------------

    def _introduction(self) -> None:
        self._program.send("ugi")
        name, declared = "", {}
        for line in self._until("ugiok", "uciok"):
            word, _, rest = line.partition(" ")
            if word == "option":
                option = ugi.read_option(line)
                if option is None:
                    self._add(
                        f"This option cannot be read: {line[:80]!r}.",
                        "option name Hash type spin default 16 min 1 max 1024",
                    )
                else:
                    declared[option.name.lower()] = option
            elif rest.startswith("name "):
                name = rest
        if not name:
            self._add("The engine does not say its name.", "id name MyBot")
        self._kind.declared = declared
        self._ready()

    def _games(self) -> Iterator[Game]:
        """Yield games that the engine plays, small ones first."""
        found = 0
        for kind in GAMES.values():
            usual = kind()
            sizes = self._kind.declared.get(ugi.SIZE.lower())
            small = ("3x3", "2x4") if usual.key == "dots-and-boxes" else ()
            texts = sizes.values if sizes and sizes.values else (*small, usual.size)
            for text in texts:
                try:
                    game = kind(kind.parse_size(text))
                except ValueError:
                    continue
                if self._kind.plays(game) and found < _MOST_GAMES:
                    found += 1
                    yield game
        if not found:
            self._add(
                f"The engine declares no game of this program by {ugi.GAME} and {ugi.SIZE}.",
                f"option name {ugi.GAME} type combo default dots-and-boxes var dots-and-boxes",
            )

    def _play(self, game: Game, seat: int) -> None:
        """Play a game against random moves, from an opening if the engine is second."""
        declared = self._kind.declared
        for name, value in ((ugi.GAME, game.key), (ugi.SIZE, game.size)):
            if name.lower() in declared:
                self._program.send(f"setoption name {name} value {value}")
        self._program.send("uginewgame")
        self._ready()
        openings = game.openings(self._rng, 1).found if seat else ()
        state = game.initial_state(openings[0] if openings else ())
        while not state.is_terminal():
            if state.current_player() != seat:
                state.apply(self._rng.choice(state.legal_actions()))
                continue
            for action in self._move(state):
                state.apply(action)
            self._ask(state)
        self._ask(state)

    def _move(self, state: State) -> list[int]:
        """Return the engine's moves for `state`, and check them."""
        self._program.send(ugi.position_line(state))
        limit = Limit(time_s=MOVE_MS / 1000)
        self._program.send(ugi.go_line(limit, state.current_player()))
        began = monotonic()
        line = self._best(10 * limit.time_s if limit.time_s else None)
        seconds = monotonic() - began
        if seconds > MOVE_MS / 1000 + LATE_S:
            self._add(f"A move with movetime {MOVE_MS} took {1000 * seconds:.0f} ms.")
        self.moves += 1
        return self._actions(state, line)

    def _actions(self, state: State, line: str) -> list[int]:
        example = f"bestmove {state.game.action_name(self._rng.choice(state.legal_actions()))}"
        words = line.partition(" ponder ")[0].split()[1:]
        if len(words) != 1 and not (words and ugi.TURNS.lower() in self._kind.declared):
            self._add(f"{line[:80]!r} must have one move.", example)
            raise Stopped
        position, mover, actions = state.clone(), state.current_player(), []
        for word in words:
            try:
                action = position.game.parse_action(word)
            except IllegalAction:
                action = -1
            if not position.is_legal(action) or position.current_player() != mover:
                where = ugi.position_line(state)
                self._add(f"The move {word[:40]!r} is not legal after {where!r}.", example)
                raise Stopped
            position.apply(action)
            actions.append(action)
        return actions

    def _ask(self, state: State) -> None:
        """Compare the engine's answers to questions with the rules."""
        if not self._queries:
            return
        self._program.send(ugi.position_line(state))
        for question in ("p1turn", "gameover", "result"):
            if question == "p1turn" and state.is_terminal():
                continue
            self._program.send(f"query {question}")
            line = self._next("response", _QUERY_S)
            if not line:
                self._queries = False
                sentence = f"The engine does not answer query {question}, which it need not."
                self._add(sentence, note=True)
                return
            wanted = f"response {ugi.answer_query(state, question)}"
            if line != wanted:
                where = ugi.position_line(state)
                self._add(f"query {question} is answered by {line!r} after {where!r}.", wanted)

    def _endless(self) -> None:
        game = next(self._games(), None)
        if game is None:
            return
        self._program.send("uginewgame")
        self._program.send(ugi.position_line(game.initial_state()))
        self._program.send("go infinite")
        if self._next("bestmove", _THINK_S):
            sentence = "After go infinite the move comes before stop, which may confuse others."
            self._add(sentence, note=True)
            self._program.send("stop")
            return
        self._program.send("stop")
        if not self._next("bestmove", _STOP_S):
            self._add(f"No move came within {_STOP_S:g} s after stop.", "bestmove MOVE")
            raise Stopped

    def _nonsense(self) -> None:
        self._program.send("nonsense that no engine knows")
        self._ready("after a line that it does not know")

    def _end(self) -> None:
        self._program.send("quit")
        end = monotonic() + self._engine.command.patience_s
        try:
            while (left_s := end - monotonic()) > 0:
                self._program.receive(left_s)
        except ProgramFailed as ended:
            if str(ended) != "ended with exit code 0":
                self._add(f"After quit the program {ended}.", "exit code 0")
            return
        seconds = self._engine.command.patience_s
        self._add(f"The program still runs {seconds:g} s after quit.")

    # -- lines ---------------------------------------------------------------------------------

    def _ready(self, when: str = "") -> None:
        self._program.send("isready")
        for line in self._until("readyok", when=when):
            if line.startswith("bestmove"):
                self._add(f"{line[:80]!r} came without go.")

    def _best(self, seconds: float | None) -> str:
        line = self._next("bestmove", seconds)
        if not line:
            self._add(f"No move came within {seconds:g} s.", "bestmove MOVE")
            raise Stopped
        return line

    def _next(self, word: str, seconds: float | None) -> str:
        """Return the next line that begins with `word`; empty when time is over."""
        end = None if seconds is None else monotonic() + seconds
        while True:
            left_s = None if end is None else end - monotonic()
            if left_s is not None and left_s <= 0:
                return ""
            line = self._program.receive(left_s)
            if line is not None and line.split(maxsplit=1)[:1] == [word]:
                return line.strip()

    def _until(self, *words: str, when: str = "") -> Iterator[str]:
        """Yield the lines before one of `words`."""
        end = monotonic() + READY_S
        while (left_s := end - monotonic()) > 0:
            line = self._program.receive(left_s)
            if line is None:
                break
            if line.strip() in words:
                return
            yield line.strip()
        after = f" {when}" if when else ""
        self._add(f"{words[0]} did not come within {READY_S:g} s{after}.", words[0])
        raise Stopped

    def _add(self, sentence: str, wanted: str = "", *, note: bool = False) -> None:
        finding = Finding(sentence, wanted, note)
        if finding not in self.findings:
            self.findings.append(finding)
