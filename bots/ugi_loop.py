"""Let a bot speak UGI on standard input and output, so that other programs can use it.

Theory of operation
-------------------
One thread reads the lines. It answers at once what is no search, and it sets the stop flag of the
bot. The main thread lets the bot think. Commands that change the position wait for the search
before them, so a bot never sees two positions at once.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from random import Random
from time import monotonic, sleep
from typing import Final

from doublecross.bots import ugi
from doublecross.bots.api import Bot, BotError, BotFault, Choice
from doublecross.bots.api.timing import timed
from doublecross.bots.errors import describe
from doublecross.bots.registry import BotSpec, bot_class, make_bot
from doublecross.bots.workers.child import Flag
from doublecross.games.api import Game, GameError, State
from doublecross.games.registry import GAMES, game_class

_KINDS: Final[Mapping[type, str]] = {bool: "check", int: "spin", float: "string", str: "string"}
"""The kinds of UGI's options for the types of ours."""
_MOST: Final = 2**31 - 1
"""The largest number of an option."""
_CHECK_S: Final = 0.005


@dataclass(slots=True)
class _Setup:
    """What the options say."""

    game: Game
    numbers: bool = False
    options: dict[str, str] = field(default_factory=dict)


class UgiLoop:
    """Answers lines of UGI with the bot `spec`; `write` receives each line of an answer.

    `rng` makes the seeds of the games.
    """

    def __init__(self, spec: BotSpec, write: Callable[[str], None], rng: Random) -> None:
        self._spec = spec
        self._kind = bot_class(spec.name)
        self._write = write
        self._rng = rng
        keys = [key for key, kind in GAMES.items() if self._kind.plays(kind())]
        self._keys = tuple(keys or GAMES)
        self._setup = _Setup(game_class(self._keys[0])())
        self._bot: Bot | None = None
        self._state: State = self._setup.game.initial_state()
        self._flag = Flag()
        self._searching = False
        self._work: queue.SimpleQueue[tuple[str, Flag] | None] = queue.SimpleQueue()

    def run(self, lines: Iterable[str]) -> None:
        """Answer `lines` until they end or one says ``quit``."""
        threading.Thread(target=self._read, args=(lines,), name="reader", daemon=True).start()
        while (work := self._work.get()) is not None:
            line, self._searching = work[0], work[0].startswith("go")
            try:
                self._carry_out(*work)
            except (GameError, BotError, BotFault, ValueError) as error:
                self._write(f"info string {' '.join(str(error).split())} ({line[:80]})")
            self._searching = False
        self._drop()

    def _read(self, lines: Iterable[str]) -> None:
        for line in lines:
            word = line.split(maxsplit=1)[0] if line.strip() else ""
            if word == "stop":
                self._flag.raised = True
            elif word == "quit":
                break
            elif word == "isready" and self._searching:
                self._write("readyok")
            else:
                if word == "go":  # now, because a stop may follow before the search begins
                    self._flag = Flag()
                self._work.put((line.strip(), self._flag))
        self._flag.raised = True
        self._work.put(None)

    def _carry_out(self, line: str, flag: Flag) -> None:
        word, _, rest = line.partition(" ")
        if word in ("ugi", "uci"):
            self._introduce(word)
        elif word == "isready":
            self._ready_bot()
            self._write("readyok")
        elif word == "setoption":
            self._set_option(rest)
        elif word in ("uginewgame", "ucinewgame"):
            self._drop()
            self._state = self._setup.game.initial_state()
        elif word == "position":
            self._state = ugi.read_position(self._setup.game, line)
        elif word == "go":
            self._go(line, flag)
        elif word == "query":
            answer = ugi.answer_query(self._state, rest.strip())
            self._write(f"response {answer}" if answer else f"info string no query {rest}")
        elif word:
            self._write(f"info string unknown command {word[:40]}")

    def _introduce(self, word: str) -> None:
        self._write(f"id name {self._kind.name}")
        self._write(f"id version {self._kind.version}")
        self._write("id author The Doublecross authors")
        game = self._setup.game
        for option in (
            ugi.OptionLine(ugi.GAME, "combo", game.key, values=self._keys),
            ugi.OptionLine(ugi.SIZE, "string", game.size),
            ugi.OptionLine(ugi.MOVES, "combo", ugi.NAMES, values=(ugi.NAMES, ugi.NUMBERS)),
        ):
            self._write(str(option))
        for own in self._kind.options:
            default = self._spec.options.get(own.name, own.default)
            kind = "combo" if own.choices else _KINDS[type(own.default)]
            low, high = (-_MOST, _MOST) if kind == "spin" else (None, None)
            text = str(default).lower() if kind == "check" else str(default)
            self._write(str(ugi.OptionLine(own.name, kind, text, low, high, own.choices)))
        self._write(f"{word}ok")

    def _set_option(self, text: str) -> None:
        name, _, value = text.removeprefix("name").partition(" value ")
        name, value, setup = name.strip(), value.strip(), self._setup
        known = {own.name.lower(): own.name for own in self._kind.options}
        if name == ugi.GAME:
            setup.game = game_class(value)()
        elif name == ugi.SIZE:
            kind = type(setup.game)
            setup.game = kind(kind.parse_size(value))
        elif name == ugi.MOVES:
            setup.numbers = value == ugi.NUMBERS
        elif name.lower() in known:
            options = {**setup.options, known[name.lower()]: value}
            self._kind.check_options({**self._spec.options, **options})
            setup.options = options
        else:
            raise ValueError(f"there is no option {name[:40]}")
        self._drop()
        self._state = setup.game.initial_state()

    def _ready_bot(self) -> Bot:
        """Return the bot of this game; make it first if there is none."""
        if self._bot is None:
            game = self._setup.game
            if not self._kind.plays(game):
                raise BotError(f"{self._kind.name} does not play {game.title} {game.size}.")
            options = {**self._spec.options, **self._setup.options}
            bot = make_bot(self._spec.name, Random(self._rng.random()), options)
            bot.get_ready(game)
            self._bot = bot
        return self._bot

    def _go(self, line: str, flag: Flag) -> None:
        state = self._state
        if state.is_terminal():
            raise ValueError("the game is over")
        bot, began = self._ready_bot(), monotonic()
        limit = timed(ugi.read_go(line, state.current_player()), bot.moves_to_go(state))
        flag.start(limit)
        try:
            choice = bot.choose(state.clone(), limit, flag)
        except (BotError, BotFault):
            raise
        except Exception as error:
            raise BotFault(f"the bot raised {describe(error)}") from error
        while "infinite" in line.split() and not flag.is_set():
            sleep(_CHECK_S)  # nobody expects the answer before the stop
        self._answer(state, choice, monotonic() - began)

    def _answer(self, state: State, choice: Choice, seconds: float) -> None:
        write = str if self._setup.numbers else state.game.action_name
        pv = choice.pv if choice.pv[:1] == (choice.action,) else (choice.action,)
        thoughts = ugi.Thoughts(choice.score, choice.exact, choice.nodes, tuple(map(write, pv)))
        self._write(ugi.info_line(thoughts, seconds))
        self._write(f"bestmove {write(choice.action)}")

    def _drop(self) -> None:
        if self._bot is not None:
            self._bot.close()
            self._bot = None
