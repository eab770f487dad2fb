"""What `doublecross analyse` shows: how far it is, and what was found, for people or as JSON."""

from __future__ import annotations

import contextlib
import json
import sys
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Final

from bots.search.exact.solver import Bounds, SearchWatch
from cli.analysis.solving import Interrupt, shown, signed, stage
from cli.shared.board import board_text
from cli.shared.console import err, out, say

if TYPE_CHECKING:
    from rich.status import Status

    from bots.search.exact.analysis import Analysis
    from cli.analysis.analyse import Limits, Position
    from games.api import State

WIDTH: Final = 80
"""Columns that a page is kept within."""
_GAP: Final = "\0"
"""A space at which no line is broken."""
_UPDATE_S: Final = 0.25
"""How often the live line changes, in seconds."""


@dataclass(frozen=True, slots=True)
class Effort:
    """What a search took; `stopped` says what ended it before all was found: ``time``, ``nodes``
    or ``interrupted``, else None. `limits` are those it had."""

    nodes: int
    seconds: float
    stopped: str | None
    limits: Limits

    @property
    def why(self) -> str:
        """Why something is left open, in words."""
        if self.stopped == "interrupted":
            return f"stopped after {self.seconds:.1f} s"
        if self.stopped == "nodes":
            return f"not solved in {self.limits.nodes:,} nodes"
        return f"not solved in {self.limits.seconds:g} s"


class Search:
    """A search that is going on: its watch, and on a terminal a line about it on standard error."""

    def __init__(self, size: str, limits: Limits, interrupt: Interrupt) -> None:
        self._size = size
        self._limits = limits
        self._interrupt = interrupt
        self._stage = ""
        self._status: Status | None = None
        self._start = self._told = self._end = perf_counter()
        self.watch = SearchWatch(self._stop, seconds=limits.seconds, nodes=limits.nodes)

    def tell(self, found: Analysis) -> None:
        """What is known from now on."""
        self._stage = stage(found)

    def end(self) -> None:
        """The search is over: take the line away."""
        self._end = perf_counter()
        if self._status is not None:
            self._status.stop()

    def effort(self, found: Analysis) -> Effort:
        """What it has taken to find this."""
        stopped = None
        if not found.exact:
            left = self.watch.nodes_left
            stopped = "nodes" if left is not None and left <= 0 else "time"
        if self._interrupt.asked:
            stopped = "interrupted"
        return Effort(self.watch.nodes, self._end - self._start, stopped, self._limits)

    def _stop(self) -> bool:
        """Whether to stop; asked every few milliseconds, so the line is kept up from here."""
        now = perf_counter()
        if now - self._told >= _UPDATE_S and err().is_terminal:
            self._told = now
            seconds, millions = now - self._start, self.watch.nodes / 1e6
            text = (
                f"{self._size}: {self._stage}, {millions:,.1f} M nodes,"
                f" {millions / seconds:.1f} M/s, {seconds:.0f} s"
            )
            if self._status is None:
                self._status = err().status(text)
                self._status.start()
            self._status.update(text)
        return self._interrupt.asked


@contextlib.contextmanager
def searching(size: str, limits: Limits, interrupt: Interrupt) -> Iterator[Search]:
    """A search on a board of this `size`: it begins now and is over when it is left."""
    search = Search(size, limits, interrupt)
    try:
        yield search
    finally:
        search.end()


def print_json(position: Position, found: Analysis, effort: Effort) -> None:
    """All of it as one JSON object on standard output."""
    state, value = position.state, found.value
    line: dict[str, object] = {
        "rows": state.board.rows,
        "cols": state.board.cols,
        "edges": state.board.members(state.edges),
        "value": value.low if value.exact else None,
        "bounds": list(value),
        "best": list(found.best),
        "moves": {
            str(edge): bounds.low if bounds.exact else list(bounds)
            for edge, bounds in found.moves.items()
        },
        "pv": list(found.pv),
        "exact": found.exact,
        "stopped": effort.stopped,
        "nodes": effort.nodes,
        "seconds": round(effort.seconds, 6),
    }
    if position.record is not None:
        final = _final(state, value)
        line |= {
            "ply": state.ply,
            "seat": state.current_player(),
            "scores": list(state.scores()),
            "final": final.low if final.exact else None,
            "final_bounds": list(final),
        }
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


def print_page(position: Position, found: Analysis, effort: Effort) -> None:
    """All of it for people, on standard output."""
    state = position.state
    _say_title(position)
    say()
    out().print(board_text(state), soft_wrap=True)
    say()
    for sentence in (_verdict if position.record is None else _verdict_of_game)(
        position, found, effort
    ):
        _say_wrapped(sentence, style="bold")
    say()
    _say_moves(state, found, effort)
    if found.pv:
        _say_line(state, found.pv)
    exact = "Exact: " if found.exact else ""
    nodes = "1 node" if effort.nodes == 1 else f"{effort.nodes:,} nodes"
    say(f"{exact}{nodes} in {effort.seconds:.2f} s.", "dim")


def _say_title(position: Position) -> None:
    state, record = position.state, position.record
    free = len(state.legal_actions())
    drawn = state.game.num_actions - free
    board = f"{state.game.title} {state.game.size}"
    if record is None:
        say(f"{board}: {_count(drawn, 'edge')} drawn, {free} free")
        return
    players = " - ".join(record.players)
    number = f", game {position.number} of {position.games}" if position.games > 1 else ""
    _say_wrapped(f"{players}, {board}{number}: after move {state.ply} of {len(record.moves)}")


def _verdict(position: Position, found: Analysis, effort: Effort) -> list[str]:
    """What the value says about a position of which nobody knows how it came about."""
    value = found.value
    if not value.exact:
        return [
            f"With best play the player to move comes out between {signed(value.low)} and"
            f" {signed(value.high)} from here ({effort.why})."
        ]
    if value.low == 0:
        return ["With best play the boxes that are left are shared equally."]
    how = "wins" if value.low > 0 else "loses"
    return [f"The player to move {how} by {abs(value.low)} from here with best play."]


def _verdict_of_game(position: Position, found: Analysis, effort: Effort) -> list[str]:
    """What the value says about a position of a game."""
    state, record, value = position.state, position.record, found.value
    assert record is not None
    seat, scores = state.current_player(), state.scores()
    me, other = record.players[seat], record.players[1 - seat]
    now = f"{me} ({state.game.seat_names[seat]}) is to move at {scores[0]}:{scores[1]}."
    final = _final(state, value)
    if not value.exact:
        return [
            now,
            f"With best play {me} comes out between {signed(value.low)} and {signed(value.high)}"
            f" from here ({effort.why}); the final net score is then between"
            f" {signed(final.low)} and {signed(final.high)}.",
        ]
    if value.low == 0:
        here = "With best play the boxes that are left are shared equally"
    else:
        more = "more" if value.low > 0 else "fewer"
        boxes = _count(abs(value.low), "box", "boxes")
        here = f"With best play {me} gets {boxes} {more} than {other} from here"
    # Boxes that the opening completed belong to nobody and are not counted.
    left = sum(state.edges & mask != mask for mask in state.board.box_masks)
    ends = list(scores)
    ends[seat] += (left + value.low) // 2
    ends[1 - seat] += (left - value.low) // 2
    winner = me if final.low > 0 else other
    end = f"{winner} wins" if final.low else "the game is drawn"
    return [now, f"{here}, and {end}{_GAP}{max(ends)}:{min(ends)}."]


def _final(state: State, value: Bounds) -> Bounds:
    """The final net score of the player to move: what it has so far, and what is to come."""
    seat, scores = state.current_player(), state.scores()
    return value.plus(scores[seat] - scores[1 - seat])


def _say_moves(state: State, found: Analysis, effort: Effort) -> None:
    """The edges by what they are worth, the best first."""
    if not found.moves:
        label = "Best edges" if found.best_known else "Best edge found"
        if found.best:
            _say_edges(f"{label}: ", state, found.best)
            say()
        return
    groups: dict[Bounds, list[int]] = {}
    for edge, bounds in found.moves.items():
        groups.setdefault(bounds, []).append(edge)
    if len(groups) == 1 and not found.value.exact:
        say("Nothing is known yet that tells one edge from another.")
        say()
        return
    values = {bounds: shown(bounds) for bounds in groups}
    width = max(len("Value"), *(len(text) for text in values.values()))
    say(f"{'Value':>{width}}  Edges", "bold")
    for bounds in sorted(groups, key=lambda b: (b.high, b.low), reverse=True):
        _say_edges(f"{values[bounds]:>{width}}  ", state, groups[bounds])
    say()
    unsolved = sum(not bounds.exact for bounds in found.moves.values())
    if found.value.exact and unsolved:
        say(f"The value of {_count(unsolved, 'edge')} is only known within bounds ({effort.why}).")
        say()


def _say_edges(head: str, state: State, edges: Sequence[int]) -> None:
    """Names and numbers of `edges` behind `head`, in lines of equal margin."""
    words = ", ".join(f"{state.game.action_name(edge)}{_GAP}({edge})" for edge in edges)
    margin = " " * len(head)
    for line in textwrap.wrap(words, WIDTH, initial_indent=head, subsequent_indent=margin):
        say(line.replace(_GAP, " "))


def _say_line(state: State, pv: Sequence[int]) -> None:
    """The expected line, numbered by turns as records are."""
    play = state.clone()
    words: list[str] = []
    turn, mover = 0, -1
    for edge in pv:
        name = play.game.action_name(edge)
        if play.current_player() != mover:
            turn, mover = turn + 1, play.current_player()
            name = f"{turn}.{_GAP}{name}"
        words.append(name)
        play.apply(edge)
    if not play.is_terminal():
        words.append("...")
    head = "Expected: "
    for line in textwrap.wrap(
        " ".join(words), WIDTH, initial_indent=head, subsequent_indent=" " * len(head)
    ):
        say(line.replace(_GAP, " "))
    say()


def _say_wrapped(text: str, style: str | None = None) -> None:
    for line in textwrap.wrap(text, WIDTH):
        say(line.replace(_GAP, " "), style)


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"
