"""Draw a position of a recorded game with its players, its score and its last move.

This code knows no rules. Everything in a picture comes from the geometry and the state of the game,
as on the boards of the clients.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from doublecross.games.api import SEATS, PieceStyle, State
from doublecross.games.colours import CLASSIC, Theme, mix
from doublecross.games.record import Record
from doublecross.games.sentences import initials, record_sentence
from doublecross.server.pictures.layout import coordinates_of, lay_out
from doublecross.server.pictures.shapes import (
    Anchor,
    Bounds,
    Box,
    Disc,
    Drawing,
    Point,
    Polygon,
    Shape,
    Stroke,
    Text,
    fitted,
    width_of,
)

NOBODY: Final = -1


@dataclass(frozen=True, slots=True)
class Position:
    """A position of a game: its moves so far, and the cells of each player."""

    ply: int
    owners: tuple[int, ...]
    winning: frozenset[int]
    scores: tuple[int, int]
    drawers: dict[int, int]
    """The seat that drew each segment, by action; `NOBODY` for the opening."""
    changed: frozenset[int]
    """The cells that the last move gave to somebody."""
    last: int | None
    mover: int
    """The seat that played the last move; `NOBODY` at the start."""
    to_move: int


class GameDrawings:
    """Draw the positions of one game, each `width` pixels wide.

    With `swaps` each seat has the colour of the other one: the rules know only games that seat 0
    begins, and in this one it is called B.
    """

    def __init__(
        self, record: Record, width: int, theme: Theme = "light", *, swaps: bool = False
    ) -> None:
        self.record = record
        self._geometry = record.game.geometry()
        self._layout = lay_out(self._geometry, width)
        colours = CLASSIC[theme]
        if swaps:
            colours = replace(colours, strokes=colours.strokes[::-1], fills=colours.fills[::-1])
        self._colours = colours
        fills = self._geometry.pieces is PieceStyle.FILL
        self._signs = initials(*record.players) if fills else record.game.seat_names
        self._segments = {segment.action: segment for segment in self._geometry.segments}
        self._ground = tuple(self._below())
        self._dots = tuple(self._above())

    @property
    def plies(self) -> int:
        """The number of moves of the game."""
        return len(self.record.moves)

    @property
    def board(self) -> Bounds:
        """The part of each drawing that has the board."""
        return self._layout.plate

    def draw(self, ply: int) -> Drawing:
        """Return the drawing of the position after `ply` moves."""
        return next(self.draw_all(ply, ply))

    def draw_better(self, ply: int, action: int) -> Drawing:
        """Return the drawing after `ply` moves that also points out a better `action`."""
        (position,) = (each for each in positions(self.record, ply) if each.ply == ply)
        return self._draw(position, action)

    def draw_all(self, first: int, last: int) -> Iterator[Drawing]:
        """Yield the drawings of the positions after `first` to `last` moves."""
        for position in positions(self.record, last):
            if position.ply >= first:
                yield self._draw(position)

    def _draw(self, position: Position, better: int | None = None) -> Drawing:
        layout = self._layout
        shapes = (
            *self._ground,
            *self._cells(position),
            *self._edges(position),
            *self._dots,
            *self._pieces(position),
            *(() if better is None else self._better(better)),
            *self._players(position),
            *self._footer(position),
        )
        first, second = self.record.players
        words = self._words(position)
        title = f"{self.record.game.full_title}: {first} against {second}. {words}"
        return Drawing(layout.width, layout.height, title, shapes)

    # -- the board -----------------------------------------------------------------------------

    def _below(self) -> Iterator[Shape]:
        layout, colours, geometry = self._layout, self._colours, self._geometry
        yield Box((0, 0, layout.width, layout.height), 0, colours.ground)
        yield Box(layout.plate, 10 * layout.scale, self._board_colour, colours.frame)
        size = min(12 * layout.scale, 0.42 * layout.unit)
        labels = coordinates_of(self.record.game, self._middle_of_action)
        left, _, _, bottom = layout.plate
        for name, x in labels.columns:
            place = layout.at((x, 0))[0], bottom - 0.9 * max(size, 10 * layout.scale)
            yield Text(place, name, size, self._label_colour)
        for name, y in labels.rows:
            place = left + 0.9 * max(size, 10 * layout.scale), layout.at((0, y))[1]
            yield Text(place, name, size, self._label_colour)
        if geometry.pieces is PieceStyle.DISC:
            for index in range(len(geometry.cells)):
                yield Disc(self._middle(index), self._disc, colours.board)

    def _above(self) -> Iterator[Shape]:
        layout, colours, geometry = self._layout, self._colours, self._geometry
        if geometry.dots:
            radius = min(12.5 * layout.scale, max(1.5, 0.11 * layout.unit))
            for point in geometry.points:
                yield Disc(layout.at(point), radius, colours.dot)
        if geometry.pieces is PieceStyle.SIGN:
            width = max(1.0, 0.03 * layout.unit)
            for cell in geometry.cells:
                corners = [layout.at(geometry.points[corner]) for corner in cell.corners]
                for start, end in zip(corners, (*corners[1:], corners[0]), strict=True):
                    yield Stroke(min(start, end), max(start, end), width, colours.free)

    def _cells(self, position: Position) -> Iterator[Shape]:
        """Yield the backgrounds of the cells."""
        colours, pieces = self._colours, self._geometry.pieces
        for index, owner in enumerate(position.owners):
            colour = ""
            if owner != NOBODY and pieces is PieceStyle.FILL:
                colour = colours.fills[owner]
            elif owner != NOBODY and index in position.winning:
                disc = pieces is PieceStyle.DISC
                colour = mix(colours.text, self._board_colour, 0.9) if disc else self._seat(owner)
            elif index in position.changed:
                colour = mix(colours.last, self._board_colour, 0.35)
            if colour:
                corners = self._geometry.cells[index].corners
                points = tuple(self._layout.at(self._geometry.points[each]) for each in corners)
                yield Polygon(points, colour)
                if pieces is PieceStyle.DISC:
                    yield Disc(self._middle(index), self._disc, colours.board)

    def _edges(self, position: Position) -> Iterator[Shape]:
        layout, colours = self._layout, self._colours
        stroke = min(15.0 * layout.scale, max(2.0, 0.12 * layout.unit))
        faint = min(5.0 * layout.scale, max(1.0, 0.035 * layout.unit))
        for action in self._segments:
            if action not in position.drawers:
                yield Stroke(*self._ends(action), faint, colours.free)
        if position.last in self._segments:
            around = min(11.0 * layout.scale, max(2.0, 0.09 * layout.unit))
            ends = self._ends(position.last)
            yield Stroke(*ends, stroke + 2 * around, colours.last)
            yield Stroke(*ends, stroke + 0.5 * around, colours.board)
        for action, seat in position.drawers.items():
            yield Stroke(*self._ends(action), stroke, self._seat(seat))

    def _pieces(self, position: Position) -> Iterator[Shape]:
        """Yield what shows the owner of each cell."""
        colours, pieces = self._colours, self._geometry.pieces
        for index, owner in enumerate(position.owners):
            middle = self._middle(index)
            if pieces is PieceStyle.OBJECT:
                if owner == NOBODY:
                    yield Disc(middle, self._disc, colours.object)
                    continue
                ring = mix(self._seat(owner), colours.board, 0.55)
                yield Disc(middle, self._disc, ring, max(1.0, 0.04 * self._layout.unit))
                yield self._initial(middle, owner, self._seat(owner))
            elif owner == NOBODY:
                continue
            elif pieces is PieceStyle.DISC:
                yield Disc(middle, self._disc, self._seat(owner))
                yield self._initial(middle, owner, colours.board)
            else:
                reverse = index in position.winning and pieces is PieceStyle.SIGN
                colour = colours.board if reverse else self._seat(owner)
                yield self._initial(middle, owner, colour)

    def _better(self, action: int) -> Iterator[Shape]:
        """Yield what points out a better move."""
        layout, colour = self._layout, self._colours.hint
        if action in self._segments:
            stroke = min(15.0 * layout.scale, max(2.0, 0.12 * layout.unit))
            yield Stroke(*self._ends(action), stroke, colour)
        else:
            middle = layout.at(self._middle_of_action(action))
            yield Disc(middle, 0.16 * layout.unit, colour)

    def _initial(self, middle: Point, seat: int, colour: str) -> Text:
        sign = self._signs[seat]
        share = 0.5 if len(sign) < 2 else 0.36
        if self._geometry.pieces is PieceStyle.SIGN:
            share = 0.7
        return Text(middle, sign, share * self._layout.unit, colour, bold=True)

    # -- the words -----------------------------------------------------------------------------

    def _players(self, position: Position) -> Iterator[Shape]:
        """Yield the two names at the top, the first on the left, and the score between them."""
        layout, colours, game = self._layout, self._colours, self.record.game
        scale, y = layout.scale, layout.head
        side, chip, size = 14 * scale, 14 * scale, 17 * scale
        if game.unit or position.to_move == NOBODY:
            score = f"{position.scores[0]} : {position.scores[1]}"
            yield Text((layout.width / 2, y), score, 20 * scale, colours.text, bold=True)
        room = layout.width / 2 - side - 2 * chip - 56 * scale
        winner = self._winner(position)
        for seat in SEATS:
            name = fitted(self.record.players[seat], size, room, bold=True)
            across = 1 if seat == 0 else -1
            middle = (side + chip if seat == 0 else layout.width - side - chip), y
            yield Disc(middle, chip, self._seat(seat))
            sign = self._signs[seat]
            letter = (17 if len(sign) < 2 else 13) * scale
            yield Text(middle, sign, letter, colours.ground, bold=True)
            start = middle[0] + across * (chip + 8 * scale)
            anchor: Anchor = "start" if seat == 0 else "end"
            yield Text((start, y), name, size, colours.text, anchor, bold=seat == winner)
            if seat == position.to_move and position.ply < self.plies:
                below = y + 15 * scale
                end = start + across * 22 * scale
                yield Stroke((start, below), (end, below), 3 * scale, self._seat(seat))

    def _winner(self, position: Position) -> int:
        """Return the seat that has won; `NOBODY` before the end of the game and after a draw."""
        over = position.ply == self.plies
        return {"1-0": 0, "0-1": 1}.get(self.record.result, NOBODY) if over else NOBODY

    def _footer(self, position: Position) -> Iterator[Shape]:
        """Yield the words below the board.

        Those of a move have fixed places, so that the frames of an animation differ in little.
        """
        layout, colours = self._layout, self._colours
        size, y = 15 * layout.scale, layout.foot
        left, right = layout.plate[0] + 4 * layout.scale, layout.plate[2] - 4 * layout.scale
        if position.last is None or position.ply == self.plies:
            words = fitted(self._words(position), size, right - left)
            yield Text((layout.width / 2, y), words, size, colours.text)
            return
        # Fonts write M and digits wider than letters on average, so leave another half letter.
        number = left + width_of("Move ", size) + width_of(str(self.plies), size) + 0.5 * size
        yield Text((left, y), "Move", size, colours.muted, "start")
        yield Text((number, y), str(position.ply), size, colours.text, "end")
        yield Text((number + 0.4 * size, y), f"of {self.plies}", size, colours.muted, "start")
        name = self.record.game.action_name(position.last)
        yield Text((right, y), name, size, self._seat(position.mover), "end", bold=True)

    def _words(self, position: Position) -> str:
        """Describe the position in one sentence."""
        record = self.record
        if position.ply == self.plies:
            return record_sentence(record)
        if position.last is None:
            return record.game.full_title
        name, player = record.game.action_name(position.last), record.players[position.mover]
        return f"Move {position.ply} of {self.plies}: {player} {name}"

    # -- places and colours --------------------------------------------------------------------

    @property
    def _board_colour(self) -> str:
        discs = self._geometry.pieces is PieceStyle.DISC
        return self._colours.tray if discs else self._colours.board

    @property
    def _label_colour(self) -> str:
        discs = self._geometry.pieces is PieceStyle.DISC
        return self._colours.text if discs else self._colours.muted

    @property
    def _disc(self) -> float:
        return 0.39 * self._layout.unit

    def _seat(self, seat: int) -> str:
        return self._colours.neutral if seat == NOBODY else self._colours.strokes[seat]

    def _ends(self, action: int) -> tuple[Point, Point]:
        segment, points = self._segments[action], self._geometry.points
        return self._layout.at(points[segment.start]), self._layout.at(points[segment.end])

    def _middle(self, cell: int) -> Point:
        return self._layout.at(self._mean(self._geometry.cells[cell].corners))

    def _mean(self, corners: tuple[int, ...]) -> Point:
        points = [self._geometry.points[corner] for corner in corners]
        return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)

    def _middle_of_action(self, action: int) -> Point:
        segment = self._segments.get(action)
        if segment is not None:
            return self._mean((segment.start, segment.end))
        return self._mean(next(r.corners for r in self._geometry.regions if r.action == action))


def positions(record: Record, last: int) -> Iterator[Position]:
    """Yield the positions of a game after 0 to `last` moves."""
    state = record.game.initial_state(record.opening)
    segments = {segment.action for segment in record.game.geometry().segments}
    drawers = dict.fromkeys(segments.intersection(record.opening), NOBODY)
    yield _position(state, drawers, frozenset(), None, NOBODY)
    for move in record.moves[:last]:
        mover, before = state.current_player(), state.owners()
        state.apply(move.action)
        if move.action in segments:
            drawers[move.action] = mover
        after = state.owners()
        changed = frozenset(i for i, owner in enumerate(after) if owner != before[i])
        yield _position(state, drawers, changed, move.action, mover)


def _position(
    state: State, drawers: dict[int, int], changed: frozenset[int], last: int | None, mover: int
) -> Position:
    return Position(
        ply=state.ply,
        owners=state.owners(),
        winning=frozenset(state.winning_cells()),
        scores=state.scores(),
        drawers=dict(drawers),
        changed=changed,
        last=last,
        mover=mover,
        to_move=state.current_player(),
    )
