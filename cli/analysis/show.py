"""Print what `doublecross analyse` found, for people or as JSON."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from doublecross.bots.search.exact.bounds import Bounds
from doublecross.cli.analysis.progress import bounds_text, signed
from doublecross.cli.shared.board import board_text
from doublecross.cli.shared.console import out, say, say_json

if TYPE_CHECKING:
    from doublecross.bots.search.exact.analysis import Analysis
    from doublecross.cli.analysis.position import AnalysedPosition
    from doublecross.cli.analysis.progress import SearchEffort
    from doublecross.games.api import State
    from doublecross.games.dots_and_boxes.rules import DotsAndBoxesState

WIDTH: Final = 80
"""The widest line that is printed, in columns."""
_GAP: Final = "\0"
"""Stands for a space at which no line is broken."""


def print_json(position: AnalysedPosition, found: Analysis, effort: SearchEffort) -> None:
    """Print everything as one JSON object on standard output."""
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
    say_json(line)
    sys.stdout.flush()


def print_page(position: AnalysedPosition, found: Analysis, effort: SearchEffort) -> None:
    """Print everything for people on standard output."""
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


def _say_title(position: AnalysedPosition) -> None:
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


def _verdict(position: AnalysedPosition, found: Analysis, effort: SearchEffort) -> list[str]:
    """Say what the value means in a position without a history."""
    value = found.value
    if _is_open(position.state, value):
        return [_nothing_known(position, effort)]
    if not value.exact:
        return [
            f"With best play the player to move comes out between {signed(value.low)} and"
            f" {signed(value.high)} from here ({effort.reason})."
        ]
    if value.low == 0:
        return ["With best play the boxes that are left are shared equally."]
    how = "wins" if value.low > 0 else "loses"
    return [f"The player to move {how} by {abs(value.low)} from here with best play."]


def _verdict_of_game(
    position: AnalysedPosition, found: Analysis, effort: SearchEffort
) -> list[str]:
    """Say what the value means in a position of a recorded game."""
    state, record, value = position.state, position.record, found.value
    assert record is not None
    seat, scores = state.current_player(), state.scores()
    me, other = record.players[seat], record.players[1 - seat]
    now = f"{me} ({state.game.seat_names[seat]}) is to move at {scores[0]}:{scores[1]}."
    final = _final(state, value)
    if _is_open(state, value):
        return [now, _nothing_known(position, effort)]
    if not value.exact:
        return [
            now,
            f"With best play {me} comes out between {signed(value.low)} and {signed(value.high)}"
            f" from here ({effort.reason}); the final net score is then between"
            f" {signed(final.low)} and {signed(final.high)}.",
        ]
    if value.low == 0:
        here = "With best play the boxes that are left are shared equally"
    else:
        more = "more" if value.low > 0 else "fewer"
        boxes = _count(abs(value.low), "box", "boxes")
        here = f"With best play {me} gets {boxes} {more} than {other} from here"
    # Boxes that the opening completed belong to nobody, so they do not count.
    left = _boxes_left(state)
    ends = list(scores)
    ends[seat] += (left + value.low) // 2
    ends[1 - seat] += (left - value.low) // 2
    winner = me if final.low > 0 else other
    end = f"{winner} wins" if final.low else "the game is drawn"
    return [now, f"{here}, and {end}{_GAP}{max(ends)}:{min(ends)}."]


def _boxes_left(state: DotsAndBoxesState) -> int:
    """Return the number of boxes that nobody has."""
    return sum(state.edges & mask != mask for mask in state.board.box_masks)


def _is_open(state: DotsAndBoxesState, value: Bounds) -> bool:
    """Return whether the bounds say no more than the rules: one player may get every box."""
    left = _boxes_left(state)
    return not value.exact and value.low <= -left and value.high >= left


def _nothing_known(position: AnalysedPosition, effort: SearchEffort) -> str:
    """Say that the search has found nothing about the value, and what to do."""
    state = position.state
    left = _count(_boxes_left(state), "box that is", "boxes that are")
    free = _count(len(state.legal_actions()), "free edge")
    fewer = "draw some with --edges" if position.record is None else "take a later one with --ply"
    return (
        f"Who comes out ahead is not known yet ({effort.reason}): each player may still get all"
        f" {left} left. A position with fewer than {free} is easier: {fewer}, or search longer with"
        " --time."
    )


def _final(state: State, value: Bounds) -> Bounds:
    """Return the net score of the player to move at the end of the game."""
    seat, scores = state.current_player(), state.scores()
    return value.plus(scores[seat] - scores[1 - seat])


def _say_moves(state: State, found: Analysis, effort: SearchEffort) -> None:
    """Print the edges grouped by value, best first."""
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
        say("The search has found no difference between the edges yet.")
        say()
        return
    values = {bounds: bounds_text(bounds) for bounds in groups}
    width = max(len("Value"), *(len(text) for text in values.values()))
    say(f"{'Value':>{width}}  Edges", "bold")
    for bounds in sorted(groups, key=lambda b: (b.high, b.low), reverse=True):
        _say_edges(f"{values[bounds]:>{width}}  ", state, groups[bounds])
    say()
    unsolved = sum(not bounds.exact for bounds in found.moves.values())
    if found.value.exact and unsolved:
        edges = _count(unsolved, "edge")
        say(f"The value of {edges} is only known within bounds ({effort.reason}).")
        say()


def _say_edges(head: str, state: State, edges: Sequence[int]) -> None:
    """Print `head` and then names and numbers of `edges`, wrapped with a hanging indent."""
    words = ", ".join(f"{state.game.action_name(edge)}{_GAP}({edge})" for edge in edges)
    margin = " " * len(head)
    for line in textwrap.wrap(words, WIDTH, initial_indent=head, subsequent_indent=margin):
        say(line.replace(_GAP, " "))


def _say_line(state: State, pv: Sequence[int]) -> None:
    """Print the principal variation, numbered by turns as in records."""
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
