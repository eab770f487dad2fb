"""Records: finished games as text that people can read and programs read back without loss.

Theory of operation
-------------------
A record is a block of headers, a blank line, the moves and the result::

    [Game "dots-and-boxes"]
    [Size "2x2"]
    [Seat0 "Ann"]
    [Seat1 "Bob \\"Box\\""]
    [TimeControl "60+1"]
    [Result "*"]

    1. c2 {59.250} 2. a2 {60.125} 3. b3 4. b1 d3 {58.000} *

Moves are numbered by turn, as players of Dots and Boxes count them: a turn lasts until the other
seat moves, so several moves may share one number. The number in braces after a move is the time
that its player has left, in seconds with three decimals. Moves are written in the notation of the
game; the reader also accepts plain action numbers. The result ends the record, so a file may
contain many records.

The writer leaves out empty headers. The reader keeps unknown headers as tags, in order. In a quoted
value backslash, quote and line feed become ``\\\\``, ``\\"`` and ``\\n``; every other unprintable
character becomes ``\\uXXXX`` or ``\\UXXXXXXXX``. Therefore a name cannot break the file or be
invisible in it, and every encoding can write the text.

The reader replays all moves by the rules, and the writer refuses what the reader would not accept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Final

from doublecross.games.api import BadRecord, Game, GameError, IllegalAction, State
from doublecross.games.quoting import quote, unquote
from doublecross.games.registry import game_class

RESULTS: Final = ("1-0", "0-1", "1/2-1/2", "*")
"""The results of a game, points of seat 0 first; ``*`` is unfinished or void."""
WIDTH: Final = 90
"""The greatest length of a line of moves, in characters."""
MAX_CLOCK_MS: Final = 10**12 - 1
"""The greatest clock time in a record, in milliseconds (some 31 years)."""

_HEADERS: Final = (
    "Game",
    "Size",
    "Seat0",
    "Seat1",
    "Date",
    "TimeControl",
    "Result",
    "Termination",
    "Opening",
)
_REQUIRED: Final = ("Game", "Size", "Seat0", "Seat1", "Result")

HEADER: Final = re.compile(r'\[([A-Za-z][A-Za-z0-9_]*) "((?:[^"\\]|\\.)*)"\]', re.ASCII)
_TAG: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*", re.ASCII)
_TURN: Final = re.compile(r"([0-9]{1,6})\.", re.ASCII)
_CLOCK: Final = re.compile(r"\{[0-9]{1,9}\.[0-9]{3}\}", re.ASCII)


@dataclass(frozen=True, slots=True)
class RecordedMove:
    """One move; `clock_ms` is the mover's time left after it in milliseconds, if known."""

    action: int
    clock_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """A game that was played.

    `players` are the names by seat. `date` is ISO 8601 in UTC or empty. `time_control` is text such
    as ``60+1`` or ``unlimited``. `result` is one of `RESULTS`. `termination` says how the game
    ended: completed, adjudicated, resigned, timeout, disconnect, illegal, crash, aborted, void or
    empty. `tags` are further headers in order; their names consist of letters, digits and ``_``.
    """

    game: Game
    players: tuple[str, str]
    moves: tuple[RecordedMove, ...]
    opening: tuple[int, ...] = ()
    date: str = ""
    time_control: str = ""
    result: str = "*"
    termination: str = ""
    tags: tuple[tuple[str, str], ...] = ()

    @property
    def winner(self) -> int | None:
        """The seat that won, or None."""
        return {"1-0": 0, "0-1": 1}.get(self.result)

    def final_state(self) -> State:
        """Return the position after the last move.

        Raises:
            BadOpening: the opening is not allowed.
            IllegalAction: a move is illegal; the message names its ply.
        """
        return self.game.replay(self.opening, (move.action for move in self.moves))


def format_record(record: Record) -> str:
    """Return the record as text, with a newline at its end.

    Raises:
        BadRecord: a move is illegal, a completed game is not over or has another result, or a
            tag or a clock is not valid.
    """
    moves = [(move.action, move.clock_ms) for move in record.moves]
    for ply, (_, clock) in enumerate(moves):
        if clock is not None and not (type(clock) is int and 0 <= clock <= MAX_CLOCK_MS):
            raise BadRecord(f"At ply {ply}: {clock!r} ms cannot be left on a clock.")
    return format_played(record, moves, movers_of(record))


def format_played(
    record: Record, moves: Sequence[tuple[int, int | None]], movers: Sequence[int]
) -> str:
    """Return the text of a game that was played under control of the caller.

    `moves` are the actions with the time left, as in `RecordedMove`, and take the place of the
    moves of `record`. `movers` are the seats that made them. The rules have accepted the moves and
    the end, and the clocks are from 0 to `MAX_CLOCK_MS`: this function checks neither.

    Raises:
        BadRecord: a tag or the result is not valid.
    """
    _check(record)
    game = record.game
    values = (
        game.key,
        game.size,
        *record.players,
        record.date,
        record.time_control,
        record.result,
        record.termination,
        " ".join([game.action_name(action) for action in record.opening]),
    )
    # The writer keeps unknown headers even when they are empty, so nothing is lost.
    lines = [
        f'[{name} "{quote(value)}"]'
        for name, value in zip(_HEADERS, values, strict=True)
        if value or name in _REQUIRED
    ]
    lines += [f'[{name} "{quote(value)}"]' for name, value in record.tags]
    lines.append("")
    words = turn_words(game.action_names, moves, movers)
    words.append(record.result)
    lines += _wrapped("\n".join(words))
    lines.append("")
    return "\n".join(lines)


def turn_words(
    names: Sequence[str], moves: Sequence[tuple[int, int | None]], movers: Sequence[int]
) -> list[str]:
    """Return each move with its turn number, if it begins a turn, and its clock, if it has one."""
    words: list[str] = []
    turn, mover = 0, -1
    # This loop is most of what the end of a match costs a server. Slices of the digits take half
    # the time of a division with a remainder.
    seconds, thousandths = slice(-3), slice(-3, None)
    for (action, clock), to_move in zip(moves, movers, strict=True):
        word = names[action]
        if to_move != mover:
            turn, mover = turn + 1, to_move
            word = f"{turn}. {word}"
        if clock is not None:
            digits = str(clock) if clock > 999 else f"{clock:04}"
            word = f"{word} {{{digits[seconds]}.{digits[thousandths]}}}"
        words.append(word)
    return words


def _wrapped(words: str) -> list[str]:
    """Return words, which line feeds separate, as lines of at most `WIDTH` characters each.

    A word may contain spaces and stays on one line.
    """
    text = words.replace("\n", " ")
    lines = []
    start, last = 0, len(words) - WIDTH
    while start < last:
        end = words.rfind("\n", start, start + WIDTH + 1)
        if end < 0:
            # A word is longer than a line. The last one is the result, so there is a line feed.
            end = words.index("\n", start)
        lines.append(text[start:end])
        start = end + 1
    lines.append(text[start:])
    return lines


def movers_of(record: Record) -> list[int]:
    """Replay the moves by the rules and return the seats that made them.

    Raises:
        BadRecord: a move is illegal, or a completed game is not over or has another result.
    """
    movers = []
    try:
        state = record.game.initial_state(record.opening)
        for ply, move in enumerate(record.moves):
            movers.append(state.current_player())
            try:
                state.apply(move.action)
            except IllegalAction as error:
                raise BadRecord(f"At ply {ply}: {error}") from None
    except GameError as error:
        raise BadRecord(str(error)) from None
    _check_end(record, state)
    return movers


def first_moves(text: str, most: int) -> list[str]:
    """Return the names of the first moves in the text of a record, without a check of the rules.

    Names of moves contain no spaces.
    """
    _, _, moves = text.partition("\n\n")
    # A move has at most a number before it and a clock behind it.
    words = moves.split(None, 3 * most)[: 3 * most]
    played = [w for w in words if not _TURN.fullmatch(w) and not _CLOCK.fullmatch(w)]
    return [word for word in played if word not in RESULTS][:most]


def format_records(records: Iterable[Record]) -> str:
    """Return several records as one text, with blank lines between them.

    Raises:
        BadRecord: as `format_record`.
    """
    return "\n".join(format_record(record) for record in records)


def with_headers(text: str, change: Callable[[str, str], str]) -> str:
    """Return the text of one record with other values in its headers; the moves stay as they are.

    `change` takes the name and the value of each header, and returns the new value.

    Raises:
        BadRecord: a header cannot be read.
    """
    head, blank, moves = text.partition("\n\n")
    lines = []
    for line in head.split("\n"):
        match = HEADER.fullmatch(line)
        if match is None:
            raise BadRecord(f"This is no header: {line[:60]!r}")
        lines.append(f'[{match[1]} "{quote(change(match[1], unquote(match[2])))}"]')
    return "\n".join(lines) + blank + moves


def parse_record(text: str) -> Record:
    """Return the one record in `text`.

    Raises:
        BadRecord: as `parse_records`, or the text contains no record or several.
    """
    records = parse_records(text)
    if len(records) != 1:
        raise BadRecord(f"The text has {len(records)} records, but must have exactly one.")
    return records[0]


def parse_records(text: str, first_line: int = 1) -> list[Record]:
    """Return all records in `text`, each replayed by the rules; `first_line` is its number.

    Raises:
        BadRecord: the text is not a record, a move is illegal, or a completed game is not over or
            has another result; the message names the line.
    """
    records = []
    reader: _Reader | None = None
    # Some editors write a byte order mark.
    lines = text.removeprefix("\ufeff").split("\n")
    for number, raw in enumerate(lines, first_line):
        line = raw.strip(" \t\r")
        if not line:
            continue
        if reader is None:
            reader = _Reader(number)
        try:
            if reader.read(line):
                records.append(reader.record())
                reader = None
        except GameError as error:
            raise BadRecord(f"Line {number}: {error}") from None
    if reader is not None:
        raise BadRecord(f"Line {reader.first_line}: The record that begins here has no end.")
    return records


def split_records(text: str) -> list[tuple[int, str]]:
    """Return the texts of all records in `text`, unread, each with the number of its first line.

    A record begins with a header that follows moves.
    """
    return list(each_record(text.removeprefix("\ufeff").split("\n")))


def each_record(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield what `split_records` returns for these lines, one record after the other."""
    first, part, in_moves = 1, list[str](), True
    for number, line in enumerate(lines, 1):
        if line and not line.isspace():
            is_header = line.lstrip(" \t").startswith("[")
            if is_header and in_moves:
                if any(map(str.strip, part)):
                    yield first, "\n".join(part)
                first, part = number, []
            in_moves = not is_header
        part.append(line)
    if any(map(str.strip, part)):
        yield first, "\n".join(part)


def compose_record(headers: Iterable[tuple[str, str]], moves: Iterable[str]) -> Record:
    """Return the record with these headers, their values unquoted, and these words of moves.

    Raises:
        BadRecord: as `parse_records`, without a line.
    """
    reader = _Reader(1)
    try:
        for name, value in headers:
            if not _TAG.fullmatch(name):
                raise BadRecord(f"{name!r} cannot be the name of a header.")
            reader.header(name, value)
        if not reader.read(" ".join((*moves, reader.result))):
            raise BadRecord("The record has no end.")
    except GameError as error:
        raise BadRecord(str(error)) from None
    return reader.record()


@lru_cache(maxsize=256)
def _header_of(line: str) -> tuple[str, str]:
    """Return the name and the value of a header; most lines occur in many records."""
    match = HEADER.fullmatch(line)
    if match is None:
        raise BadRecord('A header looks like [Name "value"].')
    return match[1], unquote(match[2])


@lru_cache(maxsize=64)
def _game_of(key: str, size: str) -> Game:
    kind = game_class(key)
    return kind(kind.parse_size(size))


@lru_cache(maxsize=64)
def _actions_of(game: Game) -> dict[str, int]:
    """Return the actions by their names, which is faster than to parse each name."""
    return {name: action for action, name in enumerate(game.action_names)}


class _Reader:
    """Read one record line by line."""

    def __init__(self, first_line: int) -> None:
        self.first_line = first_line
        self._headers: dict[str, str] = {}
        self._tags: list[tuple[str, str]] = []
        self._state: State | None = None
        self._opening: tuple[int, ...] = ()
        self._actions: Mapping[str, int] = {}
        self._moves: list[int] = []
        self._clocks: list[int | None] = []
        self._turn = 0
        self._mover = -1
        self._numbered = False

    @property
    def result(self) -> str:
        """The result in the headers."""
        return self._headers.get("Result", "")

    def read(self, line: str) -> bool:
        """Read one line and return whether it ends the record."""
        if self._state is None and line.startswith("["):
            self.header(*_header_of(line))
            return False
        if self._state is None:
            self._state = self._start()
        words = line.split()
        for at, word in enumerate(words):
            # Moves come first, because there are most of them.
            action = self._actions.get(word)
            if action is not None:
                self._move(action, self._state)
            elif word[0] == "{":
                self._clock(word)
            elif word in RESULTS:
                if self._numbered:
                    raise BadRecord("No move follows the turn number.")
                if word != self._headers["Result"]:
                    raise BadRecord(
                        f"The moves end with {word} but the header says"
                        f" {self._headers['Result']!r}."
                    )
                if at + 1 < len(words):
                    raise BadRecord(f"{words[at + 1]!r} follows the result.")
                return True
            else:
                self._word(word, self._state)
        return False

    def record(self) -> Record:
        """Return the record that was read, after checking how it ended."""
        assert self._state is not None
        get = self._headers.get
        record = Record(
            self._state.game,
            (self._headers["Seat0"], self._headers["Seat1"]),
            tuple(map(RecordedMove, self._moves, self._clocks)),
            self._opening,
            get("Date", ""),
            get("TimeControl", ""),
            self._headers["Result"],
            get("Termination", ""),
            tuple(self._tags),
        )
        _check_end(record, self._state)
        return record

    def header(self, name: str, value: str) -> None:
        """Take a header."""
        if name not in _HEADERS:
            self._tags.append((name, value))
        elif name in self._headers:
            raise BadRecord(f"The header {name} occurs twice.")
        else:
            if name == "Date":
                _check_date(value)
            self._headers[name] = value

    def _start(self) -> State:
        for name in _REQUIRED:
            if name not in self._headers:
                raise BadRecord(f"The header {name} is missing.")
        game = _game_of(self._headers["Game"], self._headers["Size"])
        self._actions = _actions_of(game)
        names = self._headers.get("Opening", "").split()
        self._opening = tuple(game.parse_action(name) for name in names)
        return game.initial_state(self._opening)

    def _word(self, word: str, state: State) -> None:
        """Read a turn number, or a move that is not written by its name."""
        if match := _TURN.fullmatch(word):
            due = self._turn + (state.current_player() != self._mover)
            if self._numbered or due == self._turn or int(match[1]) != due:
                raise BadRecord(f"The number {word} is out of place.")
            self._numbered = True
        else:
            try:
                action = state.game.parse_action(word)
            except GameError as error:
                raise BadRecord(f"At ply {len(self._moves)}: {error}") from None
            self._move(action, state)

    def _clock(self, word: str) -> None:
        if _CLOCK.fullmatch(word) is None:
            raise BadRecord(
                f"A clock looks like {{59.250}}, not {word!r}; comments are not supported."
            )
        if not self._moves or self._numbered or self._clocks[-1] is not None:
            raise BadRecord(f"The clock {word} follows no move.")
        self._clocks[-1] = int(word[1:-5] + word[-4:-1])

    def _move(self, action: int, state: State) -> None:
        mover = state.current_player()
        try:
            state.apply(action)
        except GameError as error:
            raise BadRecord(f"At ply {len(self._moves)}: {error}") from None
        if mover != self._mover:
            self._turn, self._mover = self._turn + 1, mover
        self._numbered = False
        self._moves.append(action)
        self._clocks.append(None)


def _check(record: Record) -> None:
    """Check the headers that the reader could not read back.

    Raises:
        BadRecord: the result, the date or the name of a tag is not valid.
    """
    if record.result not in RESULTS:
        raise BadRecord(f"{record.result!r} is not a result; use one of {', '.join(RESULTS)}.")
    _check_date(record.date)
    for name, _ in record.tags:
        if not _may_be_tag(name):
            raise BadRecord(f"{name!r} cannot be the name of a tag.")


def _check_date(text: str) -> None:
    """Check that a date is empty or begins like ISO 8601; a time may follow."""
    try:
        if text:
            date.fromisoformat(text[:10])
    except ValueError:
        raise BadRecord(f"{text!r} is not a date, such as 2026-02-13.") from None


@lru_cache(maxsize=64)
def _may_be_tag(name: str) -> bool:
    """Return whether a further header may have this name."""
    return _TAG.fullmatch(name) is not None and name not in _HEADERS


def _check_end(record: Record, state: State) -> None:
    """Check that a completed game is over and that its result is right.

    Raises:
        BadRecord: the game is not over or has another result.
    """
    if record.termination != "completed":
        return
    if not state.is_terminal():
        raise BadRecord("The termination is 'completed', but the game is not over.")
    result = result_of(state)
    if record.result != result:
        raise BadRecord(f"The game ended {result} but its result says {record.result}.")


def result_of(state: State) -> str:
    """Return the result of a game that is over on the board; ``*`` if it is not."""
    if not state.is_terminal():
        return "*"
    first, second = state.returns()
    return "1-0" if first > second else "0-1" if first < second else "1/2-1/2"
