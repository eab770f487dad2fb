"""Step through the games in a file of records: `doublecross replay`."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from doublecross.cli.shared.console import Problem, is_terminal, out, say
from doublecross.cli.shared.options import NthGame
from doublecross.cli.shared.records import RecordFile, read_records

if TYPE_CHECKING:
    from rich.console import Group, RenderableType
    from rich.text import Text

    from doublecross.games.api import State
    from doublecross.games.record import Record


_KEYS: Final = "left/right: step   up/down: 10 steps   Home/End   [ ]: other game   q: quit"


def replay(
    file: Annotated[Path, typer.Argument(help="A file of records.", show_default=False)],
    game: NthGame = 1,
    at: Annotated[
        int | None, typer.Option(min=0, help="Show only the position after so many moves.")
    ] = None,
    final: Annotated[bool, typer.Option("--final", help="Show only the last position.")] = False,
    picture: Annotated[
        Path | None,
        typer.Option(
            "--picture",
            help="Write a picture to this file instead: .svg or .png of the position, .gif or .webp"
            " of the game up to it, move by move.",
        ),
    ] = None,
    width: Annotated[
        int | None, typer.Option(help="The width of the picture, in pixels.", show_default="720")
    ] = None,
    dark: Annotated[bool, typer.Option("--dark", help="A picture in dark colours.")] = False,
) -> None:
    """Step through a finished game, or make a picture of it.

    In a terminal use the arrow keys. With --at or --final, or in a pipe, it prints boards instead.

    Example: doublecross replay games.txt --game 3
    """
    records = read_records(file)
    record = records.record(game)
    if at is not None and at > len(record.moves):
        raise Problem(f"Game {game} has {len(record.moves)} moves; there is no position {at}.")
    if picture is not None:
        from doublecross.cli.watch.picture import write_picture

        write_picture(record, picture, ply=at, width=width, dark=dark)
    elif final or at is not None:
        print_position(record, len(record.moves) if at is None else at)
    elif is_terminal():
        _step(records, game)
    else:
        _print_all(record, game, len(records))


def print_position(record: Record, ply: int) -> None:
    """Print the position of `record` after `ply` moves."""
    out().print(_frame(record, _position(record, ply), ply))


def _print_all(record: Record, number: int, games: int) -> None:
    from doublecross.cli.shared.board import board_text
    from doublecross.games.sentences import record_sentence

    say(_title(record, number, games))
    state = _position(record, 0)
    for ply, move in enumerate((None, *record.moves)):
        if move is not None:
            state.apply(move.action)
        say()
        say(_move_line(record, state, ply))
        out().print(board_text(state))
    say()
    say(record_sentence(record))


def _position(record: Record, ply: int) -> State:
    return record.game.replay(record.opening, (move.action for move in record.moves[:ply]))


def _title(record: Record, number: int, games: int) -> str:
    first, second = record.players
    parts = [f"{first} - {second}", f"{record.game.title} {record.game.size}"]
    parts += [part for part in (record.time_control, record.date[:10]) if part]
    parts += [f"game {number} of {games}"] if games > 1 else []
    return ", ".join(parts)


def _move_line(record: Record, state: State, ply: int) -> str:
    """Describe the move that led to the position after `ply` moves."""
    game = record.game
    if ply == 0:
        opening = " ".join(game.action_name(action) for action in record.opening)
        return f"Opening {opening}" if opening else "Start"
    before = state.clone()
    action = before.undo()
    player = record.players[before.current_player()]
    first, second = state.scores()
    name = game.action_name(action)
    return f"Move {ply} of {len(record.moves)}: {player} {name}  {first}:{second}"


def _frame(record: Record, state: State, ply: int) -> Group:
    from rich.console import Group
    from rich.text import Text

    from doublecross.cli.shared.board import board_text, seats_text
    from doublecross.games.sentences import record_sentence

    clocks: list[int | None] = [None, None]
    before = record.game.initial_state(record.opening)
    for move in record.moves[:ply]:
        clocks[before.current_player()] = move.clock_ms
        before.apply(move.action)
    over = ply == len(record.moves)
    lines: list[Text] = [
        seats_text(state, record.players, clocks, over=over),
        Text(),
        board_text(state),
        Text(),
        Text(_move_line(record, state, ply)),
    ]
    if over:
        lines.append(Text(record_sentence(record), "bold"))
    return Group(*lines)


@dataclass(slots=True)
class _Cursor:
    """A place in a file of games: which game, after how many moves."""

    records: RecordFile
    game: int
    record: Record
    ply: int = 0
    problem: str = ""

    def step(self, plies: int) -> None:
        self.ply = max(0, min(len(self.record.moves), self.ply + plies))

    def other_game(self, by: int) -> None:
        """Go to the next game in this direction that can be read."""
        self.problem, game = "", self.game
        while 0 < (game := game + by) <= len(self.records):
            try:
                self.record = self.records.record(game)
            except Problem as problem:
                self.problem = problem.sentence
            else:
                self.game, self.ply = game, 0
                break


_FAR: Final = 1_000_000
"""More plies than any game has; `_Cursor.step` stops at the ends of the game."""
_ACTIONS: Final[dict[str, Callable[[_Cursor], None]]] = {
    **dict.fromkeys(("right", " ", "n"), lambda c: c.step(1)),
    **dict.fromkeys(("left", "p"), lambda c: c.step(-1)),
    "down": lambda c: c.step(10),
    "up": lambda c: c.step(-10),
    "home": lambda c: c.step(-_FAR),
    "end": lambda c: c.step(_FAR),
    "]": lambda c: c.other_game(1),
    "[": lambda c: c.other_game(-1),
}
_QUIT: Final = ("q", "Q", "escape")


def _step(records: RecordFile, game: int) -> None:
    """Let the user step through the games with the keys."""
    from rich.live import Live

    from doublecross.cli.shared.keys import pressed

    cursor = _Cursor(records, game, records.record(game))
    with (
        contextlib.suppress(EOFError, KeyboardInterrupt),
        pressed() as next_key,
        Live(_screen(cursor), console=out(), screen=True, auto_refresh=False) as live,
    ):
        while (key := next_key()) not in _QUIT:
            act = _ACTIONS.get(key)
            if act is not None:
                act(cursor)
                live.update(_screen(cursor), refresh=True)


def _screen(cursor: _Cursor) -> RenderableType:
    from rich.console import Group
    from rich.text import Text

    record = cursor.record
    title = Text(_title(record, cursor.game, len(cursor.records)), "bold")
    position = _frame(record, _position(record, cursor.ply), cursor.ply)
    keys = Text(_KEYS, "dim")
    return Group(title, Text(), position, Text(), Text(cursor.problem, "yellow"), keys)
