"""Write and read the lines of UGI, the Universal Game Interface, as docs/engine-protocol.md says.

UGI is UCI, which chess engines speak, for any game. Source: ugi.md in the repository
kz04px/cutegames.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from doublecross.bots.api import Limit
from doublecross.games.api import BadRecord, Game, GameError, State

GAME: Final = "UGI_Game"
SIZE: Final = "UGI_Size"
MOVES: Final = "UGI_Moves"
TURNS: Final = "UGI_Turns"
"""The options of our profile: the game, its size, how moves are written, and whole turns."""
NAMES: Final = "names"
NUMBERS: Final = "numbers"
"""The values of the option `MOVES`."""
KINDS: Final = ("check", "spin", "combo", "button", "string")

_KEYWORDS: Final = re.compile(r"\b(name|type|default|min|max|var)\b")
_CENT: Final = 100.0
"""The units of ``score cp`` in a box, or in a won game where there are no boxes."""


@dataclass(frozen=True, slots=True)
class OptionLine:
    """An option that an engine declares; `low` and `high` bound a number, `values` are a choice."""

    name: str
    kind: str
    default: str = ""
    low: int | None = None
    high: int | None = None
    values: tuple[str, ...] = ()

    def __str__(self) -> str:
        parts = ["option name", self.name, "type", self.kind]
        if self.kind != "button":
            parts += ["default", self.default or "<empty>"]
        for word, number in (("min", self.low), ("max", self.high)):
            if number is not None:
                parts += [word, str(number)]
        for value in self.values:
            parts += ["var", value]
        return " ".join(parts)

    def refuses(self, value: str) -> str:
        """Return what the option takes if `value` is none of it, as the end of a sentence."""
        if self.kind == "check" and value.lower() not in ("true", "false"):
            return "true or false"
        if self.kind == "combo" and value not in self.values:
            return f"one of {', '.join(self.values)}"
        if self.kind == "spin":
            try:
                number = int(value)
            except ValueError:
                return "a whole number"
            low = number if self.low is None else self.low
            high = number if self.high is None else self.high
            if not low <= number <= high:
                return f"a number from {low} to {high}"
        return ""


def read_option(line: str) -> OptionLine | None:
    """Return the option that a line ``option name ... type ...`` declares; None if it is broken."""
    found: dict[str, list[str]] = {}
    words = _KEYWORDS.split(line.removeprefix("option"))
    for keyword, text in zip(words[1::2], words[2::2], strict=True):
        found.setdefault(keyword, []).append(text.strip())
    name, kind = (found.get(key, [""])[0] for key in ("name", "type"))
    if not name or kind not in KINDS:
        return None
    try:
        low, high = (int(found[key][0]) if key in found else None for key in ("min", "max"))
    except ValueError:
        return None
    default = found.get("default", [""])[0]
    return OptionLine(
        name,
        kind,
        "" if default == "<empty>" else default,
        low,
        high,
        tuple(found.get("var", ())),
    )


def write_moves(game: Game, actions: Iterable[int], *, numbers: bool = False) -> str:
    """Return moves between spaces: their names in records, or their numbers."""
    return " ".join(map(str, actions) if numbers else map(game.action_name, actions))


def position_line(state: State, *, numbers: bool = False) -> str:
    """Return the line that describes `state`: always its opening with all moves since then."""
    opening = ",".join(map(str, state.opening))
    start = f"fen {opening}/" if opening else "startpos"
    moves = write_moves(state.game, state.history(), numbers=numbers)
    return f"position {start}{' moves ' if moves else ''}{moves}"


def read_position(game: Game, line: str) -> State:
    """Return the state that a line ``position ...`` describes.

    Raises:
        BadRecord: the line is malformed, or a move is illegal.
    """
    start, _, moves = line.removeprefix("position").partition(" moves ")
    kind, _, fen = start.strip().partition(" ")
    if kind not in ("startpos", "fen") or bool(fen) != (kind == "fen"):
        raise BadRecord("A position is 'startpos' or 'fen TEXT', then perhaps 'moves MOVE...'.")
    state = game.deserialize(fen.strip() if fen else "/")
    try:
        for word in moves.split():
            state.apply(game.parse_action(word))
    except GameError as error:
        raise BadRecord(f"At ply {state.ply}: {error}") from None
    return state


def go_line(limit: Limit, seat: int, *, old: bool = False) -> str:
    """Return the line that lets an engine think for the player in `seat`.

    All limits of the line hold together. An `old` engine gets the words of UCI.
    """
    words = ["go"]
    if limit.clock_s is not None:
        first, second = ("w", "b") if old else ("p1", "p2")
        clocks = [limit.clock_s, limit.opponent_clock_s]
        increments = [limit.increment_s, limit.increment_s]
        for what, values in (("time", clocks), ("inc", increments)):
            one, two = values if seat == 0 else values[::-1]
            for player, value in ((first, one), (second, two)):
                if value is not None:
                    words += [f"{player}{what}", str(max(1, round(1000 * value)))]
    if limit.time_s is not None and limit.time_s != limit.clock_s:
        words += ["movetime", str(max(1, int(1000 * limit.time_s)))]
    for word, number in (("nodes", limit.nodes), ("depth", limit.depth)):
        if number is not None:
            words += [word, str(number)]
    return " ".join(words) if len(words) > 1 else "go infinite"


def read_go(line: str, seat: int) -> Limit:
    """Return the limit of a line ``go ...`` for the player in `seat`.

    Raises:
        ValueError: a number is missing, or is none.
    """
    words = [word for word in line.split()[1:] if word not in ("infinite", "ponder")]
    if len(words) % 2:
        raise ValueError(f"{words[-1]} has no number")
    given = dict(zip(words[::2], map(float, words[1::2]), strict=True))
    mine, theirs = (("p1", "w"), ("p2", "b")) if seat == 0 else (("p2", "b"), ("p1", "w"))

    def of(names: Sequence[str], what: str) -> float | None:
        return next((given[n + what] / 1000 for n in names if n + what in given), None)

    time_s = given.get("movetime")
    nodes, depth = given.get("nodes"), given.get("depth")
    return Limit(
        time_s=None if time_s is None else max(0.001, time_s / 1000),
        clock_s=None if (clock := of(mine, "time")) is None else max(0.001, clock),
        opponent_clock_s=of(theirs, "time"),
        increment_s=of(mine, "inc") or 0.0,
        nodes=None if nodes is None else int(nodes),
        depth=None if depth is None else int(depth),
    )


@dataclass(slots=True)
class Thoughts:
    """What an engine said with ``info`` about the move that it thinks about.

    `score` is in boxes for the mover, and `exact` says that it is proved. `pv` has moves as words.
    """

    score: float | None = None
    exact: bool = False
    nodes: int = 0
    pv: tuple[str, ...] = ()

    def read(self, line: str) -> None:
        """Take what a line ``info ...`` says; what is malformed is left out."""
        words = line.split()
        for at, word in enumerate(words):
            rest = words[at + 1 :]
            if word == "string":
                return
            if word == "pv":
                self.pv = tuple(rest)
                return
            if word == "nodes" and rest and rest[0].isascii() and rest[0].isdigit():
                self.nodes = int(rest[0])
            elif word == "cp" and rest and re.fullmatch(r"[+-]?\d{1,9}", rest[0], re.ASCII):
                self.score = int(rest[0]) / _CENT
                self.exact = rest[1:2] == ["exact"]


def info_line(thoughts: Thoughts, time_s: float) -> str:
    """Return the line ``info ...`` that `Thoughts.read` reads."""
    words = ["info"]
    if thoughts.score is not None:
        words += ["score cp", str(round(_CENT * thoughts.score)), *["exact"] * thoughts.exact]
    words += ["time", str(round(1000 * time_s)), "nodes", str(thoughts.nodes)]
    return " ".join((*words, *(("pv", *thoughts.pv) if thoughts.pv else ())))


def answer_query(state: State, question: str) -> str | None:
    """Return the answer to ``query``; None if there is no such question."""
    if question == "p1turn":
        return str(state.current_player() == 0).lower()
    if question == "gameover":
        return str(state.is_terminal()).lower()
    if question == "result":
        if not state.is_terminal():
            return "none"
        first, second = state.returns()
        return "draw" if first == second else "p1win" if first > second else "p2win"
    return None
