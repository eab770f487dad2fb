"""Write records in formats of other programs, and read them back: `FORMATS`.

Theory of operation
-------------------
A format splits lines into records and reads each by itself, so a wrong one spoils no other and
files of any length need little memory. Every reader leads to `compose_record` or `parse_records`:
all records are replayed by the rules.

CSV and JSON Lines keep everything that a record has. OpenSpiel's text has neither names nor clocks,
and its dots_and_boxes has no openings.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

from doublecross.games.api import BadRecord, Game, GameError
from doublecross.games.dots_and_boxes.rules import DotsAndBoxes
from doublecross.games.quoting import quote, unquote
from doublecross.games.record import (
    Record,
    RecordedMove,
    compose_record,
    each_record,
    format_record,
    parse_records,
    result_of,
)

HEADERS: Final = {
    "game": "Game",
    "size": "Size",
    "seat0": "Seat0",
    "seat1": "Seat1",
    "date": "Date",
    "time_control": "TimeControl",
    "result": "Result",
    "termination": "Termination",
    "opening": "Opening",
}
"""The headers of records by their names in CSV and JSON."""
_LINE: Final = re.compile(r"Line ([0-9]+): ")
_COLUMNS: Final = (*HEADERS, "score0", "score1", "moves", "clocks_ms", "tags")
_OPEN_SPIEL: Final = re.compile(r"dots_and_boxes\(([a-z_]+=\w+(?:,[a-z_]+=\w+)*)?\)", re.ASCII)
_ACTION: Final = re.compile(r"[0-9]{1,6}", re.ASCII)
_NUMBERS: Final = re.compile(r"[0-9]{1,6}(?:[ ,]+[0-9]{1,6})*", re.ASCII)


@dataclass(frozen=True, slots=True)
class RecordFormat:
    """A format of records.

    `begins` matches the first line of such a text that is not empty. `split` gets lines with their
    ends, and yields the number of the first line of each record and what `read` reads. `read` also
    gets the game of records that do not name theirs. `head` stands before all records, and
    `between` separates two of them.

    Raises:
        BadRecord: `split` and `read` do if the text is something else; `write` does if the format
            cannot have such a record.
    """

    title: str
    suffixes: tuple[str, ...]
    begins: re.Pattern[str]
    split: Callable[[Iterable[str]], Iterator[tuple[int, Any]]]
    read: Callable[[Any, Game | None], Record]
    write: Callable[[Record], str]
    head: str = ""
    between: str = ""


def convert(
    lines: Iterable[str], source: RecordFormat, target: RecordFormat, game: Game | None = None
) -> Iterator[tuple[str, str]]:
    """Yield the text of each record in `lines` in the format `target`.

    `game` is that of records that do not name theirs. Instead of the text of a wrong record the
    second string is a sentence about it.
    """
    for number, (line, part) in enumerate(source.split(lines), 1):
        try:
            yield target.write(source.read(part, game)), ""
        except GameError as error:
            why = _LINE.sub("", str(error))
            at = _LINE.match(str(error))
            yield "", f"Record {number}, line {at[1] if at else line}: {why}"


def guessed_format(first_line: str) -> str | None:
    """Return the name of the format of a text by its first line that is not empty."""
    return next((name for name, form in FORMATS.items() if form.begins.match(first_line)), None)


# -- our records -----------------------------------------------------------------------------


def _split_records(lines: Iterable[str]) -> Iterator[tuple[int, tuple[int, str]]]:
    for line, text in each_record(line.removesuffix("\n") for line in lines):
        yield line, (line, text)


def _read_record(part: tuple[int, str], _: Game | None) -> Record:
    line, text = part
    (record,) = parse_records(text, line)
    return record


# -- JSON Lines ------------------------------------------------------------------------------


def _each_line(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    return ((number, line) for number, line in enumerate(lines, 1) if line.strip())


def _write_json(record: Record) -> str:
    clocks = [move.clock_ms for move in record.moves]
    return (
        json.dumps(
            {
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
                "clocks_ms": clocks if any(clock is not None for clock in clocks) else None,
                "tags": record.tags,
            }
        )
        + "\n"
    )


def _read_json(text: str, _: Game | None) -> Record:
    try:
        data = json.loads(text)
        data["opening"] = " ".join(map(str, data.get("opening", ())))
        moves, clocks = map(str, data["moves"]), data.get("clocks_ms")
        parts = _parts(data, moves, clocks, data.get("tags", ()))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise BadRecord("The line is not the JSON of a record.") from None
    return compose_record(*parts)


def _parts(
    data: Mapping[str, Any], moves: Iterable[str], clocks: Sequence[int | None] | None, tags: Any
) -> tuple[list[tuple[str, str]], list[str]]:
    """Return the headers of a record, and the words of its moves.

    Raises:
        TypeError, ValueError: something is of another type.
    """
    words = []
    for word, clock in zip(moves, clocks, strict=True) if clocks else ((m, None) for m in moves):
        words.append(word if clock is None else f"{word} {{{clock // 1000}.{clock % 1000:03}}}")
    headers = [(name, data[key]) for key, name in HEADERS.items() if data.get(key) is not None]
    headers += [(name, value) for name, value in tags]
    if not all(type(value) is str for _, value in headers):
        raise TypeError
    return headers, words


# -- CSV -------------------------------------------------------------------------------------


class _Echo:
    """Stand in for a file: `csv.writer` returns what `write` returns."""

    def write(self, text: str) -> str:
        return text


_CSV: Final = csv.writer(_Echo(), lineterminator="\n")


def _csv_line(values: Iterable[object]) -> str:
    return str(_CSV.writerow(values))


def _write_csv(record: Record) -> str:
    names = record.game.action_names
    clocks = ["-" if move.clock_ms is None else str(move.clock_ms) for move in record.moves]
    return _csv_line(
        (
            record.game.key,
            record.game.size,
            *map(quote, record.players),
            record.date,
            quote(record.time_control),
            record.result,
            quote(record.termination),
            " ".join(names[action] for action in record.opening),
            *record.final_state().scores(),
            " ".join(names[move.action] for move in record.moves),
            " ".join(clocks) if set(clocks) - {"-"} else "",
            json.dumps(record.tags) if record.tags else "",
        )
    )


def _split_csv(lines: Iterable[str]) -> Iterator[tuple[int, dict[str, str]]]:
    rows = csv.reader(lines)
    try:
        names = next(rows, [])
        line = rows.line_num + 1
        for row in rows:
            if row:
                yield line, dict(zip(names, row, strict=False))
            line = rows.line_num + 1
    except csv.Error as error:
        raise BadRecord(f"Line {rows.line_num} is not CSV: {error}.") from None


def _read_csv(data: dict[str, str], _: Game | None) -> Record:
    try:
        data.update({key: unquote(data[key]) for key in HEADERS})
        clocks = [None if word == "-" else int(word) for word in data["clocks_ms"].split()]
        parts = _parts(data, data["moves"].split(), clocks, json.loads(data["tags"] or "[]"))
    except (ValueError, TypeError, KeyError, RecursionError):
        raise BadRecord(f"The line lacks something of {', '.join(_COLUMNS)}.") from None
    return compose_record(*parts)


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


def _read_open_spiel(part: tuple[str, str], game: Game | None) -> Record:
    name, actions = part
    if name:
        match = _OPEN_SPIEL.fullmatch(name)
        if match is None:
            raise BadRecord(f"{name} is not dots_and_boxes, the only game of OpenSpiel read here.")
        given = dict(item.split("=") for item in (match[1] or "").split(",") if item)
        size = f"{given.get('num_rows', '2')}x{given.get('num_cols', '2')}"
        game = DotsAndBoxes(DotsAndBoxes.parse_size(size))
    if game is None:
        raise BadRecord("A list of actions alone does not say the size of the board; name it.")
    if actions.strip() and not _NUMBERS.fullmatch(actions.strip()):
        raise BadRecord("The actions of OpenSpiel are numbers.")
    moves = tuple(map(int, actions.replace(",", " ").split()))
    state = game.replay((), moves)
    return Record(
        game,
        ("?", "?"),
        tuple(map(RecordedMove, moves)),
        result=result_of(state),
        termination="completed" if state.is_terminal() else "",
    )


def _write_open_spiel(record: Record) -> str:
    game = record.game
    if not isinstance(game, DotsAndBoxes) or record.opening:
        what = "Games from an opening" if record.opening else game.title
        raise BadRecord(f"{what} cannot be written for OpenSpiel.")
    board = game.board
    actions = "".join(f"{move.action}\n" for move in record.moves)
    return (
        "# Automatically generated by OpenSpiel SerializeGameAndState\n[Meta]\nVersion: 1\n\n"
        f"[Game]\ndots_and_boxes(num_cols={board.cols},num_rows={board.rows})\n"
        f"[State]\n{actions}\n"
    )


FORMATS: Final[Mapping[str, RecordFormat]] = {
    "records": RecordFormat(
        "records of this program",
        (".txt", ".records"),
        re.compile(r'\[\w+ "'),
        _split_records,
        _read_record,
        format_record,
        between="\n",
    ),
    "csv": RecordFormat(
        "CSV, a line a game",
        (".csv",),
        re.compile(r"game,"),
        _split_csv,
        _read_csv,
        _write_csv,
        _csv_line(_COLUMNS),
    ),
    "jsonl": RecordFormat(
        "JSON Lines",
        (".jsonl", ".ndjson"),
        re.compile(r"\{"),
        _each_line,
        _read_json,
        _write_json,
    ),
    "openspiel": RecordFormat(
        "the text of OpenSpiel",
        (".openspiel",),
        re.compile(r"# Automatically|\[Meta\]|\[Game\]|[0-9]"),
        _split_open_spiel,
        _read_open_spiel,
        _write_open_spiel,
    ),
}
"""The formats of records by their names."""
