"""Write records in formats of other programs, and read them back: `FORMATS`.

Theory of operation
-------------------
A format splits lines into records and reads each by itself, so a wrong one spoils no other and
files of any length need little memory. All records are replayed by the rules.

CSV and JSON Lines keep everything that a record has. OpenSpiel's text and the lists of moves of
littlegolem.net have neither names nor clocks nor openings. There an opening becomes the first moves
of the players, where that gives the same game.

Little Golem's players write games in forum 110: topic 12 proposes ``3. b4c4 4. b4b5, d3e3``, the
games in topics 25 and 45 have ``b4-c4``, and topics 180 and 181 name edges as our records do. No
source shows a file in which the site itself keeps a game.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain, repeat
from typing import Any, Final

from doublecross.games.api import BadRecord, Game, GameError
from doublecross.games.dots_and_boxes.board import Board
from doublecross.games.dots_and_boxes.notation import dot_pairs, edge_names
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes
from doublecross.games.quoting import quote, unquote
from doublecross.games.record import (
    Record,
    RecordedMove,
    compose_record,
    each_record,
    format_record,
    movers_of,
    parse_records,
    result_of,
    turn_words,
)

_HEADERS: Final = {
    "game": "Game",
    "size": "Size",
    "seat0": "Seat0",
    "seat1": "Seat1",
    "date": "Date",
    "time_control": "TimeControl",
    "result": "Result",
    "termination": "Termination",
}
"""The headers of records by their names in CSV and JSON."""
_COLUMNS: Final = (*_HEADERS, "score0", "score1", "opening", "moves", "clocks_ms", "tags")
_OPEN_SPIEL: Final = re.compile(r"dots_and_boxes\(([a-z_]+=\w+(?:,[a-z_]+=\w+)*)?\)", re.ASCII)
_ACTION: Final = re.compile(r"[0-9]{1,6}", re.ASCII)
_TURN: Final = re.compile(r"(?<![a-z0-9])[0-9]+\.", re.ASCII)


@dataclass(frozen=True, slots=True)
class RecordFormat:
    """A format of records.

    `begins` matches the first line of such a text that is not empty. `split` gets lines with their
    ends, and yields the first line of each record by its number, and a part. `read` gets both, and
    the game of records that do not name theirs. `head` stands before all records, and `between`
    separates two of them. `split`, `read` and `write` raise `BadRecord`.
    """

    suffix: str
    begins: re.Pattern[str]
    split: Callable[[Iterable[str]], Iterator[tuple[int, Any]]]
    read: Callable[[Any, int, Game | None], Record]
    write: Callable[[Record], str]
    head: str = ""
    between: str = ""


def convert(
    lines: Iterable[str], source: RecordFormat, target: RecordFormat, game: Game | None = None
) -> Iterator[tuple[str, str]]:
    """Yield each record in `lines` in the format `target`, or "" and a sentence about a wrong one.

    `game` is that of records that do not name theirs.
    """
    for number, (line, part) in enumerate(source.split(lines), 1):
        try:
            yield target.write(source.read(part, line, game)), ""
        except GameError as error:
            why = str(error) if str(error).startswith("Line ") else f"Line {line}: {error}"
            yield "", f"Record {number}, l{why[1:]}"


def guessed_format(first_line: str) -> str | None:
    """Return the name of the format of a text by its first line that is not empty."""
    return next((name for name, form in FORMATS.items() if form.begins.match(first_line)), None)


def _read_record(text: str, line: int, _: Game | None) -> Record:
    return parse_records(text, line)[0]


# -- CSV and JSON Lines ------------------------------------------------------------------------


def _fields(record: Record) -> dict[str, Any]:
    clocks = [move.clock_ms for move in record.moves]
    return {
        "game": record.game.key,
        "size": record.game.size,
        "seat0": record.players[0],
        "seat1": record.players[1],
        "date": record.date,
        "time_control": record.time_control,
        "result": record.result,
        "termination": record.termination,
        "opening": record.opening,
        "moves": [move.action for move in record.moves],
        "clocks_ms": None if all(clock is None for clock in clocks) else clocks,
        "tags": record.tags,
    }


def _record_of(data: Mapping[str, Any], what: str) -> Record:
    """Return the record with these fields; `what` tells users what they should be.

    Raises:
        BadRecord: a field is missing, of another type, or wrong.
    """
    try:
        clocks = data["clocks_ms"] or repeat(None, len(data["moves"]))
        words = [
            str(move) if clock is None else f"{move} {{{clock // 1000}.{clock % 1000:03}}}"
            for move, clock in zip(data["moves"], clocks, strict=True)
        ]
        headers = [(header, data[name]) for name, header in _HEADERS.items()]
        headers.append(("Opening", " ".join(map(str, data["opening"]))))
        headers += [(name, value) for name, value in data["tags"]]
        if not all(type(value) is str for _, value in headers):
            raise TypeError
    except (ValueError, TypeError, KeyError):
        raise BadRecord(f"The line is not {what} of a record.") from None
    return compose_record(headers, words)


def _read_json(line: str, _: int, __: Game | None) -> Record:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        data = None
    return _record_of(data, "the JSON")


class _Echo:
    """Stand in for a file: `csv.writer` returns what `write` returns."""

    def write(self, text: str) -> str:
        return text


_CSV: Final[Any] = csv.writer(_Echo(), lineterminator="\n")


def _write_csv(record: Record) -> str:
    data, names = _fields(record), record.game.action_names
    data |= {name: quote(data[name]) for name in _HEADERS}
    data |= {
        name: " ".join(names[action] for action in data[name]) for name in ("opening", "moves")
    }
    data["clocks_ms"] = " ".join("-" if ms is None else str(ms) for ms in data["clocks_ms"] or ())
    data["tags"] = json.dumps(record.tags)
    data["score0"], data["score1"] = record.final_state().scores()
    return str(_CSV.writerow(data[name] for name in _COLUMNS))


def _split_csv(lines: Iterable[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    rows = csv.DictReader(lines)
    try:
        for row in rows:
            yield rows.line_num, row
    except csv.Error as error:
        raise BadRecord(f"Line {rows.line_num} is not CSV: {error}.") from None


def _read_csv(row: dict[str, Any], _: int, __: Game | None) -> Record:
    data: dict[str, Any] = {}
    try:
        data = {name: unquote(row[name]) for name in _HEADERS}
        data |= {name: row[name].split() for name in ("opening", "moves")}
        data["clocks_ms"] = [None if ms == "-" else int(ms) for ms in row["clocks_ms"].split()]
        data["tags"] = json.loads(row["tags"] or "[]")
    except (ValueError, TypeError, KeyError, RecursionError):
        pass  # then a field is missing
    return _record_of(data, f"the CSV ({','.join(_COLUMNS)})")


# -- formats of games without openings --------------------------------------------------------

_NO_BOARD: Final = "A list of moves alone does not say the size of the board; name it."


def _from_the_start(record: Record, where: str) -> tuple[DotsAndBoxes, tuple[RecordedMove, ...]]:
    """Return the game and all its moves, those of the opening included.

    Raises:
        BadRecord: `where` has not that game, or the moves of the opening would change it.
    """
    game, opening = record.game, record.opening
    if not isinstance(game, DotsAndBoxes):
        raise BadRecord(f"{game.title} cannot be written for {where}.")
    if opening:
        played = game.replay((), opening)
        if played.current_player() != 0 or any(played.scores()):
            raise BadRecord(
                f"The opening cannot be written for {where}: played as moves, it gives seat 1 the"
                " turn or a seat a box."
            )
    return game, (*map(RecordedMove, opening), *record.moves)


# -- OpenSpiel -------------------------------------------------------------------------------


def _split_open_spiel(lines: Iterable[str]) -> Iterator[tuple[int, tuple[str, str]]]:
    """Yield the name of each game and its actions; a list of actions without a name is a game."""
    section, first, name, actions = "", 0, "", list[str]()
    for number, raw in enumerate(chain(lines, [""]), 1):
        line = raw.strip()
        if section == "[State]" and _ACTION.fullmatch(line) is None:
            yield first, (name, " ".join(actions))
            section = ""
        if line in ("[Game]", "[State]"):
            if line == "[Game]":
                first, name, actions = number, "", []
            section = line
        elif section == "[Game]":
            name += line
        elif section == "[State]":
            actions.append(line)
        elif line and not line.startswith(("#", "[Meta]", "Version:")):
            yield number, ("", line)


def _read_open_spiel(part: tuple[str, str], _: int, game: Game | None) -> Record:
    name, words = part[0], part[1].replace(",", " ").split()
    if name:
        match = _OPEN_SPIEL.fullmatch(name)
        if match is None:
            raise BadRecord(f"{name} is not dots_and_boxes, the only game of OpenSpiel read here.")
        given = dict(item.split("=") for item in (match[1] or "").split(",") if item)
        size = f"{given.get('num_rows', '2')}x{given.get('num_cols', '2')}"
        game = DotsAndBoxes(DotsAndBoxes.parse_size(size))
    if game is None:
        raise BadRecord(_NO_BOARD)
    if not all(map(_ACTION.fullmatch, words)):
        raise BadRecord("The actions of OpenSpiel are numbers.")
    moves = tuple(map(RecordedMove, map(int, words)))
    state = game.replay((), map(int, words))
    end = "completed" if state.is_terminal() else ""
    return Record(game, ("?", "?"), moves, result=result_of(state), termination=end)


def _write_open_spiel(record: Record) -> str:
    game, moves = _from_the_start(record, "OpenSpiel")
    actions = "".join(f"{move.action}\n" for move in moves)
    return (
        "# Automatically generated by OpenSpiel SerializeGameAndState\n[Meta]\nVersion: 1\n\n"
        f"[Game]\ndots_and_boxes(num_cols={game.board.cols},num_rows={game.board.rows})\n"
        f"[State]\n{actions}\n"
    )


# -- littlegolem.net ---------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _names_of_pairs(board: Board) -> dict[str, str]:
    return {
        separator.join(dots): name
        for (one, other), name in zip(dot_pairs(board), edge_names(board), strict=True)
        for dots in ((one, other), (other, one))
        for separator in ("", "-")
    }


def _split_little_golem(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    first, part = 1, list[str]()
    for number, line in enumerate(lines, 1):
        if part and line.lstrip().startswith("1."):
            yield first, "".join(part)
            part = []
        if not part:
            first = number
        if line.strip():
            part.append(line)
    if part:
        yield first, "".join(part)


def _read_little_golem(text: str, _: int, game: Game | None) -> Record:
    if not isinstance(game, DotsAndBoxes):
        raise BadRecord(_NO_BOARD)
    pairs = _names_of_pairs(game.board)
    words = _TURN.sub(r" \g<0> ", text.lower()).replace(",", " ").split()
    fixed = {"Game": game.key, "Size": game.size, "Seat0": "?", "Seat1": "?", "Result": "*"}
    record = compose_record(fixed.items(), [pairs.get(word, word) for word in words])
    result = result_of(record.final_state())
    return replace(record, result=result, termination="completed" if result != "*" else "")


def _write_little_golem(record: Record) -> str:
    game, moves = _from_the_start(record, "littlegolem.net")
    if not moves:
        raise BadRecord("A list of moves cannot have a game without moves.")
    names = ["".join(dots) for dots in dot_pairs(game.board)]
    movers = movers_of(replace(record, moves=moves, opening=()))
    words = turn_words(names, [(move.action, None) for move in moves], movers)
    return re.sub("(?<=[0-9]) (?=[a-z])", ", ", " ".join(words)) + "\n"


FORMATS: Final[Mapping[str, RecordFormat]] = {
    "records": RecordFormat(
        ".txt",
        re.compile(r'\[\w+ "'),
        lambda lines: each_record(line.removesuffix("\n") for line in lines),
        _read_record,
        format_record,
        between="\n",
    ),
    "csv": RecordFormat(
        ".csv", re.compile("game,"), _split_csv, _read_csv, _write_csv, ",".join(_COLUMNS) + "\n"
    ),
    "jsonl": RecordFormat(
        ".jsonl",
        re.compile(r"\{"),
        lambda lines: ((n, line) for n, line in enumerate(lines, 1) if line.strip()),
        _read_json,
        lambda record: json.dumps(_fields(record)) + "\n",
    ),
    "openspiel": RecordFormat(
        ".openspiel",
        re.compile(r"# Automatically|\[Meta\]|\[Game\]|[0-9]+(?![0-9.])"),
        _split_open_spiel,
        _read_open_spiel,
        _write_open_spiel,
    ),
    "littlegolem": RecordFormat(
        ".littlegolem",
        re.compile(r"\s*1\.\s*[A-Za-z]"),
        _split_little_golem,
        _read_little_golem,
        _write_little_golem,
    ),
}
"""The formats of records by their names."""
